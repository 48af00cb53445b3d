#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""clang-tidy 16 with .clang-tidy on the lines of C++ that changed since the first parent of HEAD, what is not committed
with them: at most MOST files, what is not committed first, then those with the most changed lines, begun within SECONDS
and ended after EACH; the rest is named, and so are those that crash the tool, which says nothing of the file; if these
are all of them the check was not run. A header is looked at through its own .cpp, or the first file that includes it.
Without history there is nothing to compare with.
"""
import json
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tree import arguments, has_history, includes_of, needs, not_run, report, sources, text_of, unit_of

MOST = 20
SECONDS = 70
EACH = 45  # the analyser finds no end to some tests
CRASHED = "PLEASE submit a bug report to https://github.com/llvm"  # by the tool itself, whatever its exit code
TOOL = "clang-tidy-16"
_DIAGNOSTIC = re.compile(r"(.+?:\d+):\d+: (?:error|warning): (.*)")
_COUNT = re.compile(r"\s*$|\d+ (?:errors?|warnings?) ")  # of what it may have kept to itself
# g++'s own warning flags, and includes of files that only a build makes.
EXTRA = ["--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-ignored-optimization-argument"]


def git(root: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True, text=True).stdout


Ranges = list[tuple[int, int]]  # of lines, from 1, with the last one


def changed_lines(root: Path, base: str) -> dict[str, Ranges]:
    """Changed C++ files that are still there, with the lines that are not as they were; moved ones are followed."""
    changed: dict[str, Ranges] = {}
    name = ""
    for row in git(root, "diff", "-U0", "-M", base, "--", "*.cpp", "*.h").splitlines():
        if row.startswith("+++ "):
            name = row[4:].removeprefix("b/")
        hunk = re.match(r"@@ \S+ \+(\d+)(?:,(\d+))? @@", row)
        if hunk and hunk[2] != "0":
            first = int(hunk[1])
            changed.setdefault(name, []).append((first, first + int(hunk[2] or 1) - 1))
    for name in git(root, "ls-files", "--others", "--exclude-standard", "--", "*.cpp", "*.h").splitlines():
        changed[name] = [(1, text_of(root, name).count("\n"))]
    known = set(sources(root))
    return {name: ranges for name, ranges in changed.items() if name in known}


def looked_at_through(root: Path, changed: dict[str, Ranges], compiled: set[str]) -> dict[str, int]:
    """Files that are compiled, and how many changed lines each stands for."""
    through: dict[str, int] = {}
    for name, ranges in changed.items():
        lines = sum(last - first + 1 for first, last in ranges)
        own = unit_of(name) + ".cpp"
        if own not in compiled:
            users = (other for other in sorted(compiled)
                     if any(include.name == name for include in includes_of(other, text_of(root, other))))
            own = next(users, "")
        if own:
            through[own] = through.get(own, 0) + lines
    return through


def compile_commands(root: Path) -> tuple[Path, set[str]]:
    """A build folder that is configured and never built, with an empty file in place of each that moc would make."""
    build = root / "build/check/tidy"
    subprocess.run(["cmake", "-S", str(root), "-B", str(build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DPW_UNITY=OFF"], check=True, stdout=subprocess.DEVNULL)
    made = build / "made"
    made.mkdir(exist_ok=True)
    for name in sources(root, ("tests", "ui")):
        for include in includes_of(name, text_of(root, name)):
            if include.name.endswith(".moc"):
                (made / include.name).touch()
    text = (build / "compile_commands.json").read_text(encoding="utf-8")
    files = {str(Path(path).relative_to(root)) for path in re.findall(r'"file": "([^"]+)"', text)
             if Path(path).is_relative_to(root) and not Path(path).is_relative_to(build)}
    return build, files


def findings_of(root: Path, name: str, done: subprocess.CompletedProcess[str]) -> list[str] | None:
    """What the tool says of one file, and how it ended if its diagnostics do not explain it; None if it crashed."""
    if done.returncode < 0 or CRASHED in done.stderr:
        print(f"{TOOL} crashes on {name}")
        return None
    found = [f"{match[1].removeprefix(f'{root}/')}: {match[2]}" for line in done.stdout.splitlines()
             if (match := _DIAGNOSTIC.match(line))]
    said = [line for line in (done.stderr + done.stdout).splitlines() if not _COUNT.match(line)] or ["it says nothing"]
    if done.returncode != 0 and not found:
        found.append(f"{name}: {TOOL} ends with {done.returncode}: {said[0]}")
    return found


def main() -> None:
    options = arguments(__doc__, [("--base", "the commit to compare with instead of the first parent")])
    root: Path = options.root.resolve()
    if not has_history(root):
        not_run("no history")
    base = options.base or "HEAD^1"
    if subprocess.run(["git", "-C", str(root), "rev-parse", "-q", "--verify", base + "^{commit}"],
                      capture_output=True).returncode != 0:
        not_run(f"no {base} here")
    needs(TOOL, "cmake")
    changed = changed_lines(root, base)
    if not changed:
        report([], "no C++ changed")
    build, compiled = compile_commands(root)
    through = looked_at_through(root, changed, compiled)
    fresh = looked_at_through(root, changed_lines(root, "HEAD"), compiled)
    ordered = sorted(through, key=lambda name: (name not in fresh, -through[name], name))
    lines = [{"name": name, "lines": ranges} for name, ranges in changed.items()]
    until = time.monotonic() + SECONDS

    def look(name: str) -> list[str] | None:
        if time.monotonic() > until:
            return None
        try:
            done = subprocess.run([TOOL, "--quiet", "-p", str(build), *EXTRA, f"--extra-arg=-I{build}/made",
                                   f"--line-filter={json.dumps(lines)}", name],
                                  cwd=root, capture_output=True, text=True, timeout=EACH)
        except subprocess.TimeoutExpired:
            return None
        return findings_of(root, name, done)

    with ThreadPoolExecutor(2) as pool:
        said = dict(zip(ordered, pool.map(look, ordered[:MOST])))
    findings = {line for lines in said.values() for line in lines or ()}
    left = [name for name in ordered if said.get(name) is None]
    if left:
        print("Not looked at: " + ", ".join(left))
    why = "none was looked at to its end" if ordered else "the build here compiles none"
    report(sorted(findings), f"{len(ordered) - len(left)} of {len(ordered)} changed files",
           why if len(left) == len(ordered) else "")


if __name__ == "__main__":
    main()
