#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds one of CMakePresets.json's variants and runs tests in it, one by one, so that what passed is not run again
in a later sitting (--resume); what was skipped is.

  asan   address and undefined-behaviour sanitizers, every test but the long ones and the benchmarks
  tsan   thread sanitizer, the tests of those folders of core that have threads or are made for them
  perf   the benchmarks, which fail where they miss their budgets, one at a time, in the Release build too
  long   the tests with a label long or engine, in the Release build of packaging/test

Those with the label soak take hours: `ctest --test-dir build/release -L soak`.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple

from steps import Step, Steps, tree_hash
from tree import ROOT

LONG = {"long", "engine"}
BY_HAND = {"soak", "perf"}
# What code works on several threads with, or is guarded with where several threads use it.
THREADED = re.compile(r'#include "core/base/parallel\.h"|'
                      r"\bstd::(?:async|atomic|condition_variable|j?thread|mutex|once_flag|shared_mutex)\b")
# It starts programs and kills them; where Qt makes the process, the sanitizer of clang 16 fails in a check of its own
# (ForkAfter: no slot) before anything of ours has run.
TESTS_NOT_IN_TSAN = {"store_crash_test"}
WORKERS = 2


class Test(NamedTuple):
    name: str
    folder: str  # of tests/
    labels: frozenset[str]
    serial: bool
    limit: float  # seconds


class Suite(NamedTuple):
    preset: str
    wanted: Callable[[Test], bool]
    workers: int = WORKERS


def is_short(test: Test) -> bool:
    return not test.labels & (LONG | BY_HAND)


SUITES = {
    "asan": Suite("asan", is_short),
    "tsan": Suite("tsan", lambda test: is_short(test) and test.name not in TESTS_NOT_IN_TSAN),
    "perf": Suite("perf", lambda test: "perf" in test.labels, workers=1),
    "long": Suite("release", lambda test: bool(test.labels & LONG)),
}


def threaded_folders(root: Path) -> set[str]:
    """Those of core that work with threads; the folders of their tests are called alike."""
    core = root / "core"
    return {source.relative_to(core).parts[0] for suffix in ("h", "cpp") for source in core.rglob(f"*.{suffix}")
            if THREADED.search(source.read_text(encoding="utf-8"))}


def with_inherited(root: Path, kind: str, preset: str) -> Iterator[dict[str, Any]]:
    """The preset of CMakePresets.json and those that it inherits, the nearest first."""
    presets = {row["name"]: row for row in json.loads((root / "CMakePresets.json").read_text(encoding="utf-8"))[kind]}
    names = [preset]
    while names:
        row = presets[names.pop()]
        yield row
        inherited = row.get("inherits", [])
        names += [inherited] if isinstance(inherited, str) else inherited


def environment_of(root: Path, preset: str) -> dict[str, str]:
    """What the test preset, and those that it inherits, put into the environment."""
    found: dict[str, str] = {}
    for row in with_inherited(root, "testPresets", preset):
        for name, value in row.get("environment", {}).items():
            found.setdefault(name, value.replace("${sourceDir}", str(root)))
    return found


def build_of(root: Path, preset: str) -> Path:
    rows = with_inherited(root, "configurePresets", preset)
    folder: str = next(row["binaryDir"] for row in rows if "binaryDir" in row)
    return Path(folder.replace("${sourceDir}", str(root)).replace("${presetName}", preset))


def tests_of(build: Path) -> list[Test]:
    listed = json.loads(subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True,
                                       capture_output=True, text=True).stdout)
    graph = listed["backtraceGraph"]
    tests = []
    for row in listed["tests"]:
        files, node = [], row.get("backtrace")
        while node is not None:
            files.append(graph["files"][graph["nodes"][node]["file"]])
            node = graph["nodes"][node].get("parent")
        folders = [match[1] for file in files if (match := re.search(r"/tests/(\w+)/CMakeLists\.txt$", file))]
        values = {value["name"]: value["value"] for value in row.get("properties", [])}
        tests.append(Test(row["name"], folders[0] if folders else "", frozenset(values.get("LABELS", [])),
                          bool(values.get("RUN_SERIAL")), float(values.get("TIMEOUT", 0))))
    # What may take longest begins first, so that no long test runs alone at the end.
    return sorted(tests, key=lambda test: -test.limit)


def targets_of(tests: list[Test], everything: bool) -> list[str]:
    """Ninja's names for what the tests need: all that their folders build, and the programs that e2e drives."""
    folders = {test.folder for test in tests}
    if everything or "" in folders:
        return ["all"]
    return sorted(f"tests/{folder}/all" for folder in folders) + (["app/all"] if "e2e" in folders else [])


def read_output(test: str, output: str) -> tuple[str, int]:
    """ctest's word for the test, and how much of it was skipped: all of it, which ctest says, or functions of a Qt
    test, which ctest calls passed. The test's own lines begin with its number."""
    match = re.search(rf"^ *\d+/\d+ Test +#\d+: {re.escape(test)} \.*(?:\*\*\*| +)(\w+)", output, re.M)
    said = match[1] if match else "no result"
    return said, len(re.findall(r"^\d+: SKIP   : \w+::", output, re.M)) or int(said == "Skipped")


def run_test(build: Path, test: Test, environment: dict[str, str]) -> Step:
    begun = time.monotonic()
    done = subprocess.run(["ctest", "--test-dir", str(build), "-V", "--no-tests=error", "-R",
                           f"^{re.escape(test.name)}$"], env=os.environ | environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    said, skipped = read_output(test.name, done.stdout)
    step = Step(test.name, done.returncode == 0, said, round(time.monotonic() - begun, 1), skipped)
    print(f"{'' if step.passed else 'FAILED '}{test.name}: {said}, {f'{skipped} skipped, ' * bool(skipped)}"
          f"{step.seconds} s", flush=True)
    if not step.passed or test.labels & {"perf"}:
        print(done.stdout, flush=True)
    return step


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree that is built")
    parser.add_argument("--resume", action="store_true", help="leave out what passed before in the same tree")
    parser.add_argument("--only", metavar="REGEX", default="", help="tests whose name has this only")
    options = parser.parse_args()
    root: Path = options.root.resolve()
    suite = SUITES[options.suite]
    build = build_of(root, suite.preset)
    tree = tree_hash(root)  # before the build: what is changed during it may not be in it

    begun = time.monotonic()
    subprocess.run(["cmake", "--preset", suite.preset], cwd=root, check=True)
    folders = threaded_folders(root) if options.suite == "tsan" else None
    wanted = [test for test in tests_of(build) if suite.wanted(test) and re.search(options.only, test.name) and
              (folders is None or test.folder in folders)]
    if not wanted:
        print(f"no test is one of {options.suite}")
        sys.exit(1)
    targets = targets_of(wanted, everything=options.suite == "asan" and not options.only)
    subprocess.run(["cmake", "--build", str(build), "--target", *targets], check=True)
    built = time.monotonic() - begun
    print(f"built in {built:.0f} s", flush=True)

    steps = Steps(root / "build/check" / f"{options.suite}.steps", tree, options.resume)
    kept = [step for test in wanted if (step := steps.passed_before(test.name))]
    rest = [test for test in wanted if not steps.passed_before(test.name)]
    environment = environment_of(root, suite.preset)

    def run(test: Test) -> Step:
        step = run_test(build, test, environment)
        steps.record(step)
        return step

    with ThreadPoolExecutor(suite.workers) as pool:
        done = list(pool.map(run, [test for test in rest if not test.serial]))
    done += [run(test) for test in rest if test.serial]

    failed = [step for step in done if not step.passed]
    skipped = sum(step.skipped for step in done)
    for step in failed:
        print(f"{step.name}: {step.said} after {step.seconds} s")
    slowest = max(done + kept, key=lambda step: step.seconds)
    print(f"{len(wanted)} tests, {skipped} skipped, {len(kept)} passed earlier, built in {built:.0f} s, slowest "
          f"{slowest.name} {slowest.seconds} s: {len(failed) or 'none'} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
