#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes CHANGELOG.md as a changelog of Debian's form, compressed the same way each time: a section a version that has
a date, newest first, an item a point. What is not yet in a version is left out.
"""
import argparse
import gzip
import re
import sys
import textwrap
from datetime import datetime, timezone
from pathlib import Path
from typing import Iterator

_VERSION = re.compile(r"^## (\d+\.\d+\.\d+), (\d{4}-\d{2}-\d{2})$")


def points(lines: list[str]) -> Iterator[str]:
    """The points of a section, each in one line, without the marks of Markdown."""
    point: list[str] = []
    for line in [*lines, "- "]:
        if line.startswith("- ") or not line.startswith("  "):
            if point:
                yield re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", " ".join(point)).replace("`", "")
            point = [line[2:].strip()] if line.startswith("- ") else []
        else:
            point.append(line.strip())


def sections(text: str) -> Iterator[tuple[str, str, list[str]]]:
    version, date = "", ""
    lines: list[str] = []
    for line in [*text.splitlines(), "## end"]:
        if line.startswith("## "):
            if version:
                yield version, date, list(points(lines))
            found = _VERSION.match(line)
            version, date = (found[1], found[2]) if found else ("", "")
            lines = []
        else:
            lines.append(line)


def debian(text: str, contact: str) -> str:
    entries = []
    for version, date, items in sections(text):
        day = datetime.strptime(date, "%Y-%m-%d").replace(hour=12, tzinfo=timezone.utc)
        body = "\n".join(textwrap.fill(item, 78, initial_indent="  * ", subsequent_indent="    ",
                                       break_long_words=False, break_on_hyphens=False) for item in items)
        entries.append(f"pipewright ({version}) unstable; urgency=medium\n\n{body}\n\n"
                       f" -- {contact}  {day:%a, %d %b %Y %H:%M:%S +0000}\n")
    return "\n".join(entries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("changelog", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--contact", required=True, help="who maintains the package, with an address")
    options = parser.parse_args()
    text = debian(options.changelog.read_text(encoding="utf-8"), options.contact)
    if not text:
        sys.exit(f"{options.changelog} has no version with a date")
    options.out.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
