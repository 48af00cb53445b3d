#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions of core, ui and app that nothing names but their own declaration, and those that only tests name.

Names are compared, not functions: one of two overloads may be unused unseen. What an interface of others calls
(override, main, Qt's qt_ functions) is left out. unused-allowed.txt beside this file has the exceptions, one a line:
the function's name, the file that declares it, why.
"""
import re
from collections import Counter, defaultdict
from pathlib import Path

from tags import tags_of
from tree import arguments, code_of, needs, report, sources, text_of

ALLOWED = "packaging/checks/unused-allowed.txt"
_WORD = re.compile(r"[A-Za-z_]\w*")
_NOT_A_NAME = re.compile(r"~|operator\b|__anon|main$")
_ASSERTION = re.compile(r"\s*static_assert\(")  # ctags takes the call in it for a declaration


def words_in(root: Path, names: list[str]) -> tuple[Counter[str], dict[str, list[str]]]:
    count: Counter[str] = Counter()
    lines = {}
    for name in names:
        code = code_of(text_of(root, name))
        lines[name] = code.split("\n")
        count.update(_WORD.findall(code))
    return count, lines


def is_override(lines: list[str], line: int) -> bool:
    """Whether the declaration that begins at the line says override or final before its end."""
    declaration = re.split(r"[;{]", "\n".join(lines[line - 1:line + 5]), maxsplit=1)[0]
    return re.search(r"\b(?:override|final)\b", declaration) is not None


def allowed_in(root: Path) -> dict[tuple[str, str], str]:
    path = root / ALLOWED
    rows = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if line and not line.startswith("#"):
            name, where, why = line.split(maxsplit=2)
            rows[name, where] = why
    return rows


def main() -> None:
    root: Path = arguments(__doc__).root
    needs("ctags")
    names = sources(root, ("core", "ui", "app"))
    used, lines = words_in(root, names)
    in_tests, _ = words_in(root, sources(root, ("tests",)))
    places: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for tag in tags_of(root, names):
        if tag.kind in ("function", "prototype") and not _NOT_A_NAME.match(tag.name) and \
                not _ASSERTION.match(lines[tag.path][tag.line - 1]):
            places[tag.name].add((tag.path, tag.line))

    allowed = allowed_in(root)
    met = set()
    findings = []
    for name, sites in sorted(places.items()):
        if used[name] > len(sites) or any(is_override(lines[path], line) for path, line in sites):
            continue
        path, line = min(sites, key=lambda site: (not site[0].endswith(".h"), site))
        if (name, path) in allowed:
            met.add((name, path))
        else:
            by = "by tests only" if in_tests[name] else "by nothing"
            findings.append(f"{path}:{line}: {name} is used {by}")
    findings += [f"{ALLOWED}: {name} of {path} is used, or is not there any more"
                 for name, path in sorted(set(allowed) - met)]
    report(findings, f"{len(places)} names of functions, {len(met)} allowed")


if __name__ == "__main__":
    main()
