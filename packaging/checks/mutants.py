# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small changes of C++ lines that a test should notice: one operator, constant, condition or statement at a time. They
go by what clang-format leaves (a space on both sides of a binary operator, none inside template brackets, one
statement a line), so that no parser is needed; what does not compile is not counted.
"""
import hashlib
import re
from pathlib import Path
from typing import Iterator, NamedTuple

from tree import code_of, text_of

SWAPS = {
    " < ": (" <= ", " > "), " <= ": (" < ",), " > ": (" >= ", " < "), " >= ": (" > ",),
    " == ": (" != ",), " != ": (" == ",),
    " + ": (" - ",), " - ": (" + ",), " * ": (" / ",), " / ": (" * ",), " % ": (" * ",),
    " += ": (" -= ",), " -= ": (" += ",), " *= ": (" /= ",), " /= ": (" *= ",),
    "++": ("--",), "--": ("++",),
    " && ": (" || ",), " || ": (" && ",),
    "std::min(": ("std::max(",), "std::max(": ("std::min(",),
    "min_element(": ("max_element(",), "max_element(": ("min_element(",),
    "lower_bound(": ("upper_bound(",), "upper_bound(": ("lower_bound(",),
    "std::ceil(": ("std::floor(",), "std::floor(": ("std::ceil(",),
    "any_of(": ("all_of(",), "all_of(": ("any_of(",), "none_of(": ("any_of(",),
    "true": ("false",), "false": ("true",),
    "break;": ("continue;",), "continue;": ("break;",),
}
_SWAP = re.compile("|".join(rf"\b{word}\b" if word.isalpha() else re.escape(word)
                            for word in sorted(SWAPS, key=len, reverse=True)))
_NUMBER = re.compile(r"(?<![\w.'])\d[\d']*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.'])")
_NOT = re.compile(r"(?<=[\s(])!(?=[\w(*])")
_IF = re.compile(r"(\bif \()(.*)(\)(?: \{| return.*;| continue;| break;)?)$")
_STATEMENT = re.compile(r"\s*(?:[\w.\[\]*]|->|::|\([^()]*\))+(?:\(.*\)| (?:[-+*/|&]?=) .*|\+\+|--);$|"
                        r"\s*(?:\+\+|--)[\w.\[\]>-]+;$")
_NOT_A_STATEMENT = re.compile(r"\s*(?:return|using|throw|delete|else|case|goto|co_\w+|static_assert|assert)\b")
_NOT_LOOKED_AT = re.compile(r"\s*(?:#|namespace\b|using\b|template\b|static_assert\b|struct\b|class\b|enum\b|//|$)")
_ENDS = re.compile(r"(?:[;{}:]|^)\s*$")


class Mutant(NamedTuple):
    file: str
    line: int     # from 1
    text: str     # of the line, without its indentation
    before: str
    after: str
    column: int   # where the change begins, from 0
    changed: str  # the whole line after it
    key: str      # the same wherever the line moves to

    def change(self) -> str:
        return f"{self.before.strip() or 'the line'} -> {self.after.strip() or 'nothing'}"


def changes_of(line: str, code: str, line_before: str) -> Iterator[tuple[int, str, str]]:
    """Column, what stands there and what is put in its place. `code` is the line without comments and texts,
    `line_before` the one above it in the same way."""
    for match in _SWAP.finditer(code):
        for after in SWAPS[match[0]]:
            yield match.start(), match[0], after
    for match in _NUMBER.finditer(code):
        plain = match[0].replace("'", "")
        yield match.start(), match[0], repr(float(plain) + 1) if re.search(r"[.e]", plain) else str(int(plain) + 1)
    for match in _NOT.finditer(code):
        yield match.start(), "!", ""
    asked = _IF.search(code.rstrip())
    if asked and asked[2].count("(") == asked[2].count(")") and not re.search(r";| = ", asked[2]):
        whole = line[asked.start(2):asked.end(2)]
        yield asked.start(2), whole, f"!({whole})"
    if _STATEMENT.fullmatch(code.rstrip()) and not _NOT_A_STATEMENT.match(code) and _ENDS.search(line_before.rstrip()):
        start = len(line) - len(line.lstrip())
        yield start, line[start:], ";"


def key_of(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:16]


def mutants_of(root: Path, file: str) -> Iterator[Mutant]:
    text = text_of(root, file)
    lines, codes = text.split("\n"), code_of(text).split("\n")
    times: dict[str, int] = {}
    for number, (line, code) in enumerate(zip(lines, codes)):
        plain = line.strip()
        times[plain] = times.get(plain, 0) + 1
        if _NOT_LOOKED_AT.match(code):
            continue
        for column, before, after in changes_of(line, code, codes[number - 1] if number else ""):
            yield Mutant(file, number + 1, plain, before, after, column,
                         line[:column] + after + line[column + len(before):],
                         key_of(file, plain, times[plain], column - len(line) + len(line.lstrip()), before, after))


def draw(root: Path, files: list[str], count: int, seed: int) -> list[Mutant]:
    """One mutant of each of `count` lines. Lines are ordered by a hash, so that the same lines are drawn after an
    edit elsewhere, and a larger count begins with the lines of a smaller one."""
    of_line: dict[tuple[str, int], list[Mutant]] = {}
    for file in files:
        for mutant in mutants_of(root, file):
            of_line.setdefault((mutant.file, mutant.line), []).append(mutant)
    drawn = [min(mutants, key=lambda mutant: key_of(seed, mutant.key)) for mutants in of_line.values()]
    return sorted(drawn, key=lambda mutant: key_of(seed, mutant.key, "line"))[:count]
