#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes N random lines of core/schedule, core/search/proof and core/cost, one at a time, and counts how many of them
the tests of these rooms notice (tests/mutate: one program). A change costs one compilation, one link and one run; the
tree itself is never touched. What was tried is kept in build/check/mutate/results.jsonl, so that the same command goes
on where it ended: changes that were noticed count as long as their file stays as it is, others as long as nothing of
core and tests changes. Changes that make no difference stand in tests/mutate/equivalent.txt with the reason, and are
left out of the share. Ends with 0 if there were others and each was noticed.

A test class that takes four times the processor time that it takes without a change has noticed it, too: many changes
make a loop endless. Two lines are tried at a time; 200 of them take about an hour on two cores.
"""
import argparse
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from mutants import Mutant, draw
from tree import ROOT, all_files, sources

ROOMS = ("core/schedule", "core/search/proof", "core/cost")
PROGRAM = "tests/mutate/mutate_rooms"
EQUIVALENT = "tests/mutate/equivalent.txt"
MEMORY = 6 << 30  # bytes of address space: a change may make a loop allocate for ever
WORKERS = 2
LONGER = 4.0   # times the processor time of a test class without a change, and
SLACK = 3.0    # s more, after which it has no end
IDLE = 120.0   # s in which a class that has no such end, because it waits, may print nothing


class Outcome(NamedTuple):
    result: str  # caught, survived, not compiled
    by: str      # the test that noticed it
    seconds: float


def build(root: Path) -> Path:
    folder = root / "build/mutate"
    subprocess.run(["cmake", "--preset", "mutate"], cwd=root, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(folder), "--target", Path(PROGRAM).name], check=True,
                   stdout=subprocess.DEVNULL)
    return folder


def processor_time(pid: int) -> float:
    """Seconds that a process and its threads have computed for; those of one that has ended are 0."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Laboratory:
    """Compiles a changed file as the build does, and links it before the library that holds the original: the linker
    takes a library's member only for names that are still missing."""

    def __init__(self, root: Path, folder: Path, work: Path) -> None:
        self.root, self.folder, self.work = root, folder, work
        rows = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
        self.compile = {str(Path(row["file"]).relative_to(root)): shlex.split(row["command"]) for row in rows
                        if Path(row["file"]).is_relative_to(root)}
        commands = subprocess.run(["ninja", "-C", str(folder), "-t", "commands", PROGRAM], check=True,
                                  capture_output=True, text=True).stdout.splitlines()
        self.link = shlex.split(re.sub(r"^: && | && :$", "", commands[-1]))
        linker = next((name for name in ("mold", "lld", "gold") if shutil.which(f"ld.{name}")), "")
        if linker:
            self.link.insert(1, f"-fuse-ld={linker}")
        self.usual: list[float] = []  # s of processor time, by class in the order in which they run
        begun = time.monotonic()
        by, self.usual = self.run(folder / PROGRAM)
        self.seconds = time.monotonic() - begun
        if by:
            sys.exit(f"the tests fail without any change: {by}")

    def run(self, program: Path) -> tuple[str, list[float]]:
        """The test that fails, or "", with the processor time of each class: the run ends with the first one."""
        def fewer_rights() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        process = subprocess.Popen([program], cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace", preexec_fn=fewer_rights, start_new_session=True,
                                   env=os.environ | {"LC_ALL": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen",
                                                     "QTEST_DISABLE_STACK_DUMP": "1"})
        assert process.stdout is not None
        begun = [processor_time(process.pid)]  # by class
        said = [time.monotonic()]
        over, late = threading.Event(), threading.Event()

        def watch() -> None:
            while not over.wait(0.5):
                number = len(begun) - 1
                limit = LONGER * self.usual[number - 1] + SLACK if 0 < number <= len(self.usual) else 1800.0
                if processor_time(process.pid) - begun[-1] > limit or time.monotonic() - said[0] > limit + IDLE:
                    late.set()
                    os.killpg(process.pid, signal.SIGKILL)
                    return

        watcher = threading.Thread(target=watch)
        watcher.start()
        last, failed = "start", ""
        for line in process.stdout:
            said[0] = time.monotonic()
            if line.startswith("********* Start testing of "):
                begun.append(processor_time(process.pid))
            match = re.match(r"(FAIL!|PASS|XFAIL|SKIP)\s*: (\S+)", line)
            last = match[2] if match else last
            if match and match[1] == "FAIL!":
                failed = last
                os.killpg(process.pid, signal.SIGKILL)
                break
        over.set()
        watcher.join()
        ends = begun[2:] + [processor_time(process.pid)]
        code = process.wait()
        taken = [end - start for start, end in zip(begun[1:], ends)]
        if failed or code == 0:
            return failed, taken
        return (f"no end after {last}" if late.is_set() else f"ended with {code} after {last}"), taken

    def try_out(self, mutant: Mutant) -> Outcome:
        begun = time.monotonic()
        base = self.work / mutant.key
        source, program = base.with_suffix(".cpp"), base.with_suffix(".bin")
        compiled = base.with_suffix(".o")
        lines = (self.root / mutant.file).read_text(encoding="utf-8").split("\n")
        lines[mutant.line - 1] = mutant.changed
        source.write_text("\n".join(lines), encoding="utf-8")
        command = list(self.compile[mutant.file])
        command[command.index("-o") + 1] = str(compiled)
        command[command.index("-c") + 1] = str(source)
        link = list(self.link)
        link[link.index("-o") + 1] = str(program)
        link.insert(next(i for i, word in enumerate(link) if word.endswith(".o")), str(compiled))
        try:
            for step in (command + ["-w"], link):
                if subprocess.run(step, cwd=self.folder, capture_output=True,
                                  env=os.environ | {"CCACHE_DISABLE": "1"}).returncode != 0:
                    return Outcome("not compiled", "", round(time.monotonic() - begun, 1))
            by, _ = self.run(program)
            return Outcome("caught" if by else "survived", by, round(time.monotonic() - begun, 1))
        finally:
            for path in (source, compiled, program):
                path.unlink(missing_ok=True)


def hash_of(root: Path, names: list[str]) -> str:
    whole = hashlib.sha256()
    for name in names:
        whole.update(name.encode() + b"\0" + (root / name).read_bytes())
    return whole.hexdigest()[:16]


class Book:
    """What was tried, and for which state of the code that holds."""

    def __init__(self, root: Path, file: Path) -> None:
        self.root, self.file = root, file
        self.everything = hash_of(root, [name for name in all_files(root) if name.startswith(("core/", "tests/"))])
        self.rows: dict[str, dict[str, object]] = {}
        for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
            row = json.loads(line)
            self.rows[row["key"]] = row

    def known(self, mutant: Mutant) -> Outcome | None:
        row = self.rows.get(mutant.key)
        if not row or row["file_hash"] != hash_of(self.root, [mutant.file]):
            return None
        if row["result"] == "survived" and row["tree"] != self.everything:
            return None
        return Outcome(str(row["result"]), str(row["by"]), float(str(row["seconds"])))

    def write(self, mutant: Mutant, outcome: Outcome) -> None:
        row = {"key": mutant.key, "place": f"{mutant.file}:{mutant.line}", "text": mutant.text,
               "change": mutant.change(), **outcome._asdict(), "tree": self.everything,
               "file_hash": hash_of(self.root, [mutant.file])}
        with open(self.file, "a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def equivalent_in(root: Path) -> dict[tuple[str, str, str], str]:
    """File, text of the line and change of the changes that are known to make no difference, and why."""
    rows = {}
    for line in (root / EQUIVALENT).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, text, change, why = line.split("\t")
            if not any(text == plain.strip() for plain in (root / file).read_text(encoding="utf-8").split("\n")):
                sys.exit(f"{EQUIVALENT}: {file} has no line like this any more: {text}")
            rows[file, text, change] = why
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="packaging/check mutate", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, metavar="N", help="lines to change")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other lines")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin nothing new after that long")
    parser.add_argument("--only", metavar="REGEX", default="", help="of these lines those of such files only")
    parser.add_argument("--list", action="store_true", help="print the changes and try none")
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree that is changed")
    options = parser.parse_args()
    root: Path = options.root.resolve()
    files = [name for name in sources(root, ("core",)) if name.endswith(".cpp")
             and str(Path(name).parent).startswith(ROOMS)]
    mutants = [mutant for mutant in draw(root, files, options.count, options.seed)
               if re.search(options.only, mutant.file)]
    if options.list:
        for mutant in mutants:
            print(f"{mutant.file}:{mutant.line}: {mutant.text}\n    {mutant.change()}")
        return

    begun = time.monotonic()
    work = root / "build/check/mutate"
    work.mkdir(parents=True, exist_ok=True)
    equivalent = equivalent_in(root)
    laboratory = Laboratory(root, build(root), work)
    print(f"built, and run without any change in {laboratory.seconds:.0f} s", flush=True)
    book = Book(root, work / "results.jsonl")

    def look(numbered: tuple[int, Mutant]) -> Outcome | None:
        number, mutant = numbered
        outcome = book.known(mutant)
        if outcome or time.monotonic() - begun > 60 * options.minutes:
            return outcome
        outcome = laboratory.try_out(mutant)
        book.write(mutant, outcome)
        print(f"{number}/{len(mutants)} {outcome.result} in {outcome.seconds} s: {mutant.file}:{mutant.line}: "
              f"{mutant.change()}" + (f" ({outcome.by})" if outcome.by else ""), flush=True)
        return outcome

    with ThreadPoolExecutor(WORKERS) as pool:
        outcomes = list(pool.map(look, enumerate(mutants, 1)))

    count = {"caught": 0, "survived": 0, "not compiled": 0, "makes no difference": 0, "not tried yet": 0}
    for mutant, outcome in zip(mutants, outcomes):
        result = outcome.result if outcome else "not tried yet"
        if result == "survived":
            why = equivalent.get((mutant.file, mutant.text, mutant.change()))
            result = "makes no difference" if why else result
            print(f"{mutant.file}:{mutant.line}: {mutant.text}\n    {mutant.change()}"
                  + (f"\n    makes no difference: {why}" if why else ""))
        count[result] += 1
    judged = count["caught"] + count["survived"]
    seconds = [outcome.seconds for outcome in outcomes if outcome]
    if seconds:
        print(f"{sum(seconds) / len(seconds):.1f} s a line, {WORKERS} at a time")
    print(f"{len(mutants)} lines: " + ", ".join(f"{number} {result}" for result, number in count.items()))
    print(f"{100 * count['caught'] / judged:.1f} % of {judged} caught" if judged else "none judged")
    sys.exit(1 if count["survived"] or count["not tried yet"] or not judged else 0)


if __name__ == "__main__":
    main()
