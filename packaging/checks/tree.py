# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the checks share: the files of a tree, C++ without its comments and texts, and how a check reports.

A check is a script with --root. It prints one finding a line, `path:line: what is wrong`, then one line that counts
what was looked at, and ends with 0 (nothing found), 1 (found) or NOT_RUN (the line says why).
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Container, Iterable, NamedTuple, NoReturn

NOT_RUN = 77  # as ctest's skipped tests
ROOT = Path(__file__).resolve().parents[2]
OWN_FOLDERS = ("core", "ui", "app", "tests")
DATA = ("tests/data/", "tests/fuzz/corpus/")  # other people's files, kept as they came
NOT_OURS = {"build", "out", ".git", ".cache", "__pycache__"}


class Include(NamedTuple):
    path: str    # of the file that includes
    line: int    # from 1
    name: str    # without quotes or brackets
    quoted: bool


def arguments(doc: str | None, more: Iterable[tuple[str, str]] = ()) -> argparse.Namespace:
    """--root and the options named in `more` (name, help), after `doc` as the help's text."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree that is looked at")
    for name, help_text in more:
        parser.add_argument(name, help=help_text)
    return parser.parse_args()


def report(findings: Iterable[str], looked_at: str, missing: str = "") -> NoReturn:
    """`missing` says why the check could not look at what it is for: without a finding it has not passed then."""
    lines = list(findings)
    for line in lines:
        print(line)
    counted = f"{looked_at}: {len(lines) or 'no'} finding{'' if len(lines) == 1 else 's'}"
    if missing and not lines:
        not_run(f"{missing} ({counted})")
    print(counted)
    sys.exit(1 if lines else 0)


def not_run(why: str) -> NoReturn:
    print(f"not run: {why}")
    sys.exit(NOT_RUN)


def needs(*tools: str) -> None:
    """Ends with 2 where a tool is not installed: a check that cannot look has not passed."""
    for tool in tools:
        if not shutil.which(tool):
            print(f"{tool} is not installed; packaging/packages-check.txt names its package")
            sys.exit(2)


def has_history(root: Path) -> bool:
    if not shutil.which("git"):
        return False
    top = subprocess.run(["git", "-C", str(root), "rev-parse", "--show-toplevel"], capture_output=True, text=True)
    return top.returncode == 0 and Path(top.stdout.strip()).resolve() == root.resolve()


def all_files(root: Path) -> list[str]:
    """Paths relative to root, sorted: what git knows or would take in, without git everything but build results."""
    if has_history(root):
        listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others",
                                 "--exclude-standard"], check=True, capture_output=True, text=True).stdout
        return sorted({name for name in listed.split("\0") if name and (root / name).is_file()})
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        found += [str((Path(folder) / name).relative_to(root)) for name in names]
    return sorted(found)


def sources(root: Path, folders: Iterable[str] = OWN_FOLDERS) -> list[str]:
    tops = tuple(folder + "/" for folder in folders)
    return [name for name in all_files(root) if name.endswith((".h", ".cpp")) and name.startswith(tops)]


def text_of(root: Path, name: str) -> str:
    return (root / name).read_text(encoding="utf-8")


def line_at(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


_NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)


def code_of(text: str) -> str:
    """C++ with comments and the insides of texts as blanks: every other character keeps its place."""
    def blank(match: re.Match[str]) -> str:
        whole = match[0]
        if whole[0] == "'" and match.start() and text[match.start() - 1].isalnum():
            return whole  # a digit separator: 10'000
        return re.sub(r"[^\n]", " ", whole)
    return _NOT_CODE.sub(blank, text)


_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"\n]+)[>"]', re.M)


def includes_of(path: str, text: str) -> list[Include]:
    return [Include(path, text.count("\n", 0, match.start(2)) + 1, match[2], match[1] == '"')
            for match in _INCLUDE.finditer(text)]


def included(include: Include, known: Container[str]) -> str:
    """The file of ours that is included, or "" for other people's and for the headers that the build makes, which are
    not in the tree. The compiler looks beside the file first, then from the top of the tree."""
    beside = os.path.normpath(os.path.join(os.path.dirname(include.path), include.name))
    if include.quoted and beside in known:
        return beside
    from_top = os.path.normpath(include.name)
    return from_top if from_top in known else ""


def unit_of(path: str) -> str:
    """foo.h and foo.cpp of one folder are one unit."""
    return path.rsplit(".", 1)[0]
