#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Includes that nothing in the file asks for.

An own header is asked for where the file has a word that the header declares: a type, a function, a constant, or a
member behind `.`, `->` or `::`. A standard header is asked for by the names that standard_names.py lists for it, a Qt
header by its class, here or in an own header that is included, or by what hands out an object of the class. Always
asked for are a file's own header, headers that declare operators and those with nothing but macros (a wrapper). The
check errs towards silence; where it is wrong, `// keep: WHY` after the include says what for.
"""
import re
from collections import defaultdict
from pathlib import Path

from standard_names import C_NAMES, QT_GIVERS, STANDARD
from tags import tags_of
from tree import Include, arguments, code_of, includes_of, needs, report, sources, text_of, unit_of

_WORD = re.compile(r"[A-Za-z_]\w*")
_BEHIND = re.compile(r"(?:\.|->|::)\s*([A-Za-z_]\w*)")
_STD = re.compile(r"\bstd::(?:(?:ranges|views|chrono|filesystem|this_thread|numbers)::)?(\w+)(?:::(\w+))?")
_INCLUDE_LINE = re.compile(r"(?m)^\s*#\s*include.*$")
_KEEP = re.compile(r"//\s*keep: \S")


class File:
    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.lines = text.split("\n")
        self.includes = includes_of(path, text)
        self.code = _INCLUDE_LINE.sub("", code_of(text))
        self.words = set(_WORD.findall(self.code))
        self.behind = set(_BEHIND.findall(self.code))
        self.std = {name for match in _STD.finditer(self.code) for name in (match[1], match[2]) if name}
        self.std |= {scope for scope in ("filesystem", "chrono", "this_thread", "numbers")
                     if re.search(rf"\bstd::{scope}\b", self.code)}
        if "<=>" in self.code:
            self.std.add("strong_ordering")


def unused(files: dict[str, File], outside: dict[str, set[str]], members: dict[str, set[str]]) -> list[str]:
    def asked_for(file: File, include: Include) -> bool:
        name = include.name
        if name in files:
            declares = outside[name] | members[name]
            operators = any(word.startswith("operator") for word in outside[name])
            return (unit_of(name) == unit_of(file.path) or not declares or operators
                    or bool(outside[name] & file.words) or bool(members[name] & file.behind))
        if name in STANDARD:
            return bool(set(STANDARD[name].split()) & file.std)
        if name in C_NAMES:
            return bool(set(C_NAMES[name].split()) & file.words)
        qt_class = name.rsplit("/", 1)[-1]
        if not include.quoted and re.fullmatch(r"Q[A-Za-z]\w+", qt_class):
            near = [file] + [files[other.name] for other in file.includes if other.name in files]
            if any(qt_class in other.words for other in near):
                return True
            return qt_class in QT_GIVERS and bool(re.search(QT_GIVERS[qt_class], file.code))
        return True

    found = []
    for file in files.values():
        seen = set()
        for include in file.includes:
            place = f"{file.path}:{include.line}: "
            if include.name in seen:
                found.append(f"{place}{include.name} is included twice")
            elif not asked_for(file, include) and not _KEEP.search(file.lines[include.line - 1]):
                found.append(f"{place}nothing of {include.name} is used")
            seen.add(include.name)
    return found


def main() -> None:
    root: Path = arguments(__doc__).root
    needs("ctags")
    files = {name: File(name, text_of(root, name)) for name in sources(root)}
    outside: dict[str, set[str]] = defaultdict(set)
    members: dict[str, set[str]] = defaultdict(set)
    macros: dict[str, set[str]] = defaultdict(set)
    for tag in tags_of(root, [name for name in files if name.endswith(".h")]):
        if tag.kind == "macro":
            macros[tag.path].add(tag.name)
        elif not tag.member:
            outside[tag.path].add(tag.name)
        elif not tag.private:
            members[tag.path].add(tag.name)
    for name in set(outside) | set(members):
        outside[name] |= macros[name]
    count = sum(len(file.includes) for file in files.values())
    report(unused(files, outside, members), f"{count} includes of {len(files)} files")


if __name__ == "__main__":
    main()
