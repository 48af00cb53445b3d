#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of input that tests/fuzz knows, for a minute each and two at a time, under the address and
undefined-behaviour sanitizers. A kind without seeds is a finding: nothing would be fuzzed.
"""
import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from steps import Step, Steps, tree_hash
from tree import ROOT

TARGET = "import_fuzz"


def kinds_of(fuzzer: Path) -> list[str]:
    """What the fuzzer lists when it is asked for a kind that is not there."""
    said = subprocess.run([fuzzer, "--kind="], capture_output=True, text=True).stderr
    return re.findall(r"^  (\S+)$", said, re.M)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree that is built")
    parser.add_argument("--resume", action="store_true", help="leave out kinds that were clean before in the same tree")
    parser.add_argument("--only", metavar="REGEX", default="", help="kinds whose name has this only")
    options = parser.parse_args()
    root: Path = options.root.resolve()
    tree = tree_hash(root)  # before the build: what is changed during it may not be in it
    begun = time.monotonic()
    subprocess.run(["cmake", "--preset", "asan"], cwd=root, check=True)
    subprocess.run(["cmake", "--build", str(root / "build/asan"), "--target", TARGET], check=True)
    built = time.monotonic() - begun
    print(f"built in {built:.0f} s", flush=True)

    known = [kind for kind in kinds_of(root / "build/asan/tests/fuzz" / TARGET) if re.search(options.only, kind)]
    seedless = [kind for kind in known if not any((root / "tests/fuzz/corpus" / kind).glob("*"))]
    steps = Steps(root / "build/check/fuzz.steps", tree, options.resume)
    kept = [kind for kind in known if steps.passed_before(kind)]

    def run(kind: str) -> Step:
        started = time.monotonic()
        done = subprocess.run([root / "tests/fuzz/run", "1", kind], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, env=os.environ | {"PW_FUZZ_JOBS": "1"})
        print(done.stdout.rstrip(), flush=True)
        step = Step(kind, done.returncode == 0, done.stdout.strip(), round(time.monotonic() - started, 1))
        steps.record(step)
        return step

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(run, [kind for kind in known if kind not in seedless and kind not in kept]))
    failed = [step for step in done if not step.passed]
    for kind in seedless:
        print(f"tests/fuzz/corpus/{kind} has no seed")
    for step in failed:
        print(f"{step.said}: the input lies in build/fuzz/found")
    print(f"{len(known)} kinds, {len(kept)} clean earlier, built in {built:.0f} s: "
          f"{len(failed) + len(seedless) or 'no'} findings")
    sys.exit(1 if failed or seedless or not known else 0)


if __name__ == "__main__":
    main()
