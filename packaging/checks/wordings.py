#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages of core, ui and app that are put together where they arise: a pattern with named values can be said in
another language, and --json has its values by name (core/base/wording.h); a finished sentence has neither. The type
takes no finished text but through Wording::asIs, for what a library said or a file holds: what is given to that is not
put together here, and a sentence within another is given as a wording.
"""
import re
from typing import Iterator, NamedTuple

from tree import arguments, line_at, report, sources, text_of


class Call(NamedTuple):
    begin: int  # of its name
    name: str
    arguments: list[str]


# Where the wording stands among the arguments, by the function that takes one.
WORDING_AT = {"badInput": 2, "failure": 2, "infeasible": 2, "stopped": 1, "unsupported": 1, "because": 0, "fail": 2,
              "note": 1, "Diagnostic": 3, "faults.add": 2, "m_faults.add": 2, "usage": 0,
              "Wording::asIs": 0}
_CALL = re.compile(r"(?<![\w:])(" + "|".join(map(re.escape, WORDING_AT)) + r")[({]")
_GLUED = re.compile(r"fmt::format\(|std::string\((?!error\.what\(\)\))|\"\s*\+|\+\s*\"|std::to_string\("
                    r"|\.message\b(?!\()|\.text\(\)")
_NESTED = re.compile(r'\{"(\w+)", [^{}"]*(?:\.message\b(?!\()|(?:error\(\)|[rR]eason|[eE]rror)\.text\(\))[^{}"]*\}')
_NEAR = 700  # letters between a pattern and its values
_LENGTHENED = re.compile(r"(?<!\w)(?:\w+(?:\.|->))+message \+= ")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def arguments_of(code: str, opening: int) -> list[str]:
    """The texts between the commas of the bracket at `opening`; what stands in braces is left empty."""
    found, depth, text, quote, position = [], 0, "", "", opening
    while position < len(code):
        letter = code[position]
        if quote:
            step = code[position:position + 2] if letter == "\\" else letter
            quote = "" if letter == quote else quote
        else:
            step = letter
            quote = letter if letter in "\"'" else ""
            depth += letter in _CLOSING
            depth -= letter in _CLOSING.values()
            if depth == 0 or (depth == 1 and letter == ","):
                found.append(text)
                text, step = "", ""
                if depth == 0:
                    return found
        text += step if position > opening else ""
        position += len(step) or 1
    return found


def calls_in(code: str) -> Iterator[Call]:
    for match in _CALL.finditer(code):
        yield Call(match.start(), match[1], arguments_of(code, match.end() - 1))


def main() -> None:
    root = arguments(__doc__).root
    findings, count = [], 0
    for name in sources(root, ("core", "ui", "app")):
        code = text_of(root, name)
        for call in calls_in(code):
            at = WORDING_AT[call.name]
            if len(call.arguments) <= at:
                continue
            count += 1
            wording = _LITERAL.sub('""', call.arguments[at].strip())
            if not wording.startswith("{") and _GLUED.search(wording):
                findings.append(f"{name}:{line_at(code, call.begin)}: {call.name}() is given a finished sentence; "
                                "expected a pattern and its values")
        for match in _NESTED.finditer(code):
            if "{" + match[1] + "}" in code[max(0, match.start() - _NEAR):match.start()]:
                findings.append(f"{name}:{line_at(code, match.start())}: a sentence within another is given as text; "
                                "expected the wording itself")
        for match in _LENGTHENED.finditer(code):
            findings.append(f"{name}:{line_at(code, match.start())}: a message is made longer, which its pattern does "
                            "not know; expected a pattern and its values")
    report(findings, f"{count} messages")


if __name__ == "__main__":
    main()
