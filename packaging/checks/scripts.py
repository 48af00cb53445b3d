#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What shellcheck says of the shell scripts, and flake8 and mypy of the Python ones."""
import re
import subprocess
from pathlib import Path

from tree import DATA, all_files, arguments, needs, report

FLAKE8 = ["flake8", "--isolated", "--max-line-length=120", "--extend-ignore=E203"]  # E203: a slice's colon
MYPY = ["mypy", "--ignore-missing-imports", "--check-untyped-defs", "--no-error-summary", "--scripts-are-modules",
        "--python-version=3.11"]
STRICT = ("samples/runner",)  # folders that are held to mypy --strict
_SHELL = re.compile(rb"#!.*\b(?:ba)?sh\b|# shellcheck shell=|# SPDX.*\n# SPDX.*\n# shellcheck shell=")


def kinds_of(root: Path) -> tuple[list[str], list[str]]:
    """Shell scripts, which have no suffix, by their first lines; Python by suffix or first line."""
    shell, python = [], []
    for name in all_files(root):
        if name.startswith(DATA):
            continue
        if name.endswith(".py"):
            python.append(name)
        elif "." not in Path(name).name or name.endswith(".sh"):
            with open(root / name, "rb") as file:
                head = file.read(200)
            if re.match(rb"#!.*\bpython3?\b", head):
                python.append(name)
            elif _SHELL.match(head):
                shell.append(name)
    return shell, python


def lines_of(command: list[str], names: list[str], root: Path) -> list[str]:
    if not names:
        return []
    done = subprocess.run([*command, *names], cwd=root, capture_output=True, text=True)
    if done.stderr.strip():
        raise RuntimeError(f"{command[0]}: {done.stderr}")
    return done.stdout.splitlines()


def main() -> None:
    root: Path = arguments(__doc__).root
    needs("shellcheck", "flake8", "mypy")
    shell, python = kinds_of(root)
    findings = lines_of(["shellcheck", "--external-sources", "--source-path=SCRIPTDIR", "--format=gcc"], shell, root)
    findings += lines_of(FLAKE8, python, root)
    # One folder at a time: scripts of two folders may have the same name, and import what lies beside them.
    for folder in sorted({str(Path(name).parent) for name in python}):
        beside = [name for name in python if str(Path(name).parent) == folder]
        strict = ["--strict"] if folder in STRICT else []
        # A cache holds what one set of flags saw.
        cache = f"--cache-dir={root}/build/check/mypy{'-strict' if strict else ''}"
        findings += lines_of(MYPY + strict + [cache], beside, root)
    report(findings, f"{len(shell)} shell and {len(python)} Python scripts")


if __name__ == "__main__":
    main()
