# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The names that C++ files declare, read with Universal Ctags."""
import json
import subprocess
from pathlib import Path
from typing import Iterable, Iterator, NamedTuple


class Tag(NamedTuple):
    name: str
    path: str
    line: int
    kind: str     # class, struct, enum, enumerator, function, prototype, member, typedef, variable, macro
    member: bool  # of a class or struct
    private: bool
    signature: str
    file_only: bool  # nothing else can name it


def tags_of(root: Path, names: Iterable[str]) -> Iterator[Tag]:
    command = ["ctags", "--languages=C++", "--langmap=C++:+.h", "--kinds-C++=+px", "--fields=+KasnSf",
               "--output-format=json", "-L", "-", "-f", "-"]
    printed = subprocess.run(command, input="\n".join(names), cwd=root, check=True, capture_output=True,
                             text=True).stdout
    for line in printed.splitlines():
        row = json.loads(line)
        if row["_type"] == "tag" and row["kind"] != "namespace":
            yield Tag(row["name"], row["path"], row["line"], row["kind"],
                      row.get("scopeKind") in ("class", "struct"), row.get("access") == "private",
                      row.get("signature", ""), row.get("file", False) is True)
