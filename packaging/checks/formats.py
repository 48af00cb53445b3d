#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""C++ that is not as clang-format 14 and .clang-format would have it (other versions break lines elsewhere). To mend:
clang-format-14 -i FILE.
"""
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tree import arguments, needs, report, sources

TOOL = "clang-format-14"
AT_ONCE = 40  # files a call: starting it takes longer than reading a file


def first_deviations(root: Path, names: list[str]) -> list[str]:
    """Path and line of the first deviation of each file that has one."""
    printed = subprocess.run([TOOL, "--dry-run", *names], cwd=root, capture_output=True, text=True, check=True).stderr
    first: dict[str, str] = {}
    for match in re.finditer(r"^(.+?):(\d+):\d+: warning: code should be clang-formatted", printed, re.M):
        first.setdefault(match[1], match[2])
    return [f"{name}:{line}: is not formatted ({TOOL} -i {name})" for name, line in sorted(first.items())]


def main() -> None:
    root: Path = arguments(__doc__).root
    needs(TOOL)
    names = sources(root)
    parts = [names[start:start + AT_ONCE] for start in range(0, len(names), AT_ONCE)]
    with ThreadPoolExecutor(2) as pool:
        findings = [line for lines in pool.map(lambda part: first_deviations(root, part), parts) for line in lines]
    report(findings, f"{len(names)} files")


if __name__ == "__main__":
    main()
