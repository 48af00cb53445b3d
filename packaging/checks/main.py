#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs checks one after the other, whatever one of them finds, and prints a table of them.

  packaging/check [quick]        everything that needs no build, in some two minutes
  packaging/check full           that, and everything that needs one: some two and a half hours on two cores
  packaging/check PART...        these parts only, as in `packaging/check asan` or `packaging/check full asan`;
                                 `packaging/check quick asan` is quick and these
  packaging/check mutate N       N changed lines, and which of them a test notices (--help after mutate)

--resume leaves out what passed before in the same tree, down to single tests and kinds of input; what was skipped, and
what depends on more than the tree, is done again. A part during which the tree changed has failed: nobody knows which
tree it looked at. What each part printed lies in build/check/PART.log, what it came to in build/check/PART.json.
"""
import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from steps import tree_hash
from tree import NOT_RUN, ROOT

HERE = Path(__file__).resolve().parent
SHOWN = 60  # lines of a part's findings that go to the screen
SKIPPED = re.compile(r"\b[1-9]\d* skipped\b")  # in the last line of a part that passed, whose rest is to be kept


class Part(NamedTuple):
    name: str
    command: tuple[str, ...]
    resumes: bool  # takes --resume itself
    what: str
    kept: bool = True  # its result holds for the tree, whatever else there is


QUICK = [
    Part("formats", ("formats.py",), False, "C++ as clang-format has it"),
    Part("includes", ("includes.py",), False, "includes that nothing asks for"),
    Part("circles", ("circles.py",), False, "units that include each other"),
    Part("layers", ("layers.py",), False, "folders in the direction of the flow"),
    Part("unused", ("unused.py",), False, "functions that nothing calls"),
    Part("wordings", ("wordings.py",), False, "messages that cannot be translated"),
    Part("scripts", ("scripts.py",), False, "shellcheck, flake8 and mypy"),
    Part("pages", ("pages.py",), False, "links and quotes of the Markdown pages"),
    Part("tidy", ("tidy.py",), False, "clang-tidy on what changed", kept=False),  # since HEAD^1, in its time
]
FULL = [
    Part("asan", ("suites.py", "asan"), True, "address and undefined-behaviour sanitizers, every test"),
    Part("tsan", ("suites.py", "tsan"), True, "thread sanitizer, what has threads"),
    Part("fuzz", ("fuzz.py",), True, "every kind of input for a minute"),
    Part("perf", ("suites.py", "perf"), True, "the benchmarks and their budgets"),
    Part("long", ("suites.py", "long"), True, "tests with a label long or engine"),
    Part("package", ("package.py",), False, "the program as it is installed"),
]
PARTS = {part.name: part for part in QUICK + FULL}


class Result(NamedTuple):
    part: str
    result: str   # passed, FAILED, not run
    checked: str  # the part's last line
    seconds: float
    tree: str     # when the part began


def parts_of(words: list[str]) -> list[Part]:
    named = [PARTS[word] for word in words if word in PARTS]
    if "full" in words and not named:
        return QUICK + FULL
    return list(dict.fromkeys((QUICK if "quick" in words or not named else []) + named))


def run(part: Part, root: Path, folder: Path, tree: str, resume: bool) -> Result:
    log = folder / f"{part.name}.log"
    command = [sys.executable, "-B", str(HERE / part.command[0]), *part.command[1:], "--root", str(root)]
    begun = time.monotonic()
    with open(log, "w", encoding="utf-8") as out:
        code = subprocess.run(command + (["--resume"] if resume and part.resumes else []), stdout=out,
                              stderr=subprocess.STDOUT).returncode
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() or ["printed nothing"]
    if tree_hash(root) != tree:
        code = 1
        lines.append("the tree changed while the part ran")
    word = {0: "passed", NOT_RUN: "not run"}.get(code, "FAILED")
    if word == "FAILED":
        shown = lines[-SHOWN - 1:-1]
        print(f"\n{part.name}: {word}" + (f", the last {SHOWN} lines of {log}" if len(lines) - 1 > SHOWN else ""))
        print("\n".join("  " + line for line in shown))
    result = Result(part.name, word, lines[-1].removeprefix("not run: "), round(time.monotonic() - begun, 1), tree)
    (folder / f"{part.name}.json").write_text(json.dumps(result._asdict()) + "\n", encoding="utf-8")
    return result


def passed_before(part: Part, folder: Path, tree: str) -> Result | None:
    file = folder / f"{part.name}.json"
    if not part.kept or not file.is_file():
        return None
    result = Result(**json.loads(file.read_text(encoding="utf-8")))
    return result if result.tree == tree and result.result == "passed" and not SKIPPED.search(result.checked) else None


def print_table(results: list[Result], kept: set[str]) -> None:
    width = max(len(result.part) for result in results)
    print(f"\n{'part':<{width}}  {'result':<7}  {'seconds':>7}  {'tree':<16}  what was checked")
    for result in results:
        again = " (in an earlier sitting)" if result.part in kept else ""
        print(f"{result.part:<{width}}  {result.result:<7}  {result.seconds:>7.0f}  {result.tree}  "
              f"{result.checked}{again}")
    total = sum(result.seconds for result in results)
    bad = [result.part for result in results if result.result == "FAILED"]
    print(f"{len(results)} parts, {total:.0f} s: " + (f"failed: {', '.join(bad)}" if bad else "nothing failed"))


def main() -> None:
    if sys.argv[1:2] == ["mutate"]:
        sys.exit(subprocess.run([sys.executable, "-B", str(HERE / "mutate.py"), *sys.argv[2:]]).returncode)
    listed = "\n".join(f"  {part.name:<9} {part.what}" for part in QUICK + FULL)
    parser = argparse.ArgumentParser(prog="packaging/check", description=f"{__doc__}\nParts:\n{listed}",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="quick|full|PART")
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree that is looked at")
    parser.add_argument("--resume", action="store_true", help="leave out what passed before in the same tree")
    options = parser.parse_args()
    unknown = set(options.what) - {"quick", "full", *PARTS}
    if unknown:
        parser.error(f"no part is called {' or '.join(sorted(unknown))}")
    root: Path = options.root.resolve()
    folder = root / "build/check"
    folder.mkdir(parents=True, exist_ok=True)
    results, kept = [], set()
    for part in parts_of(options.what):
        tree = tree_hash(root)
        before = passed_before(part, folder, tree) if options.resume else None
        if before:
            kept.add(part.name)
        else:
            print(f"{part.name}: {part.what} ...", file=sys.stderr, flush=True)
        results.append(before or run(part, root, folder, tree, options.resume))
    print_table(results, kept)
    sys.exit(1 if any(result.result == "FAILED" for result in results) else 0)


if __name__ == "__main__":
    main()
