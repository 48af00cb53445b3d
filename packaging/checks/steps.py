# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a long check has done so far, one line a step in an append-only file under build/check, so that a later sitting
goes on where this one ended. A step counts for one state of the tree only.
"""
import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from tree import all_files


def tree_hash(root: Path) -> str:
    """Of every file's path and content; what is committed and what is not look the same."""
    whole = hashlib.sha256()
    for name in all_files(root):
        try:
            content = (root / name).read_bytes()
        except FileNotFoundError:
            continue  # it went away after it was listed: somebody works here, and the results are to be kept
        whole.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return whole.hexdigest()[:16]


class Step(NamedTuple):
    name: str
    passed: bool
    said: str
    seconds: float
    skipped: int = 0  # of its tests: they have shown nothing


class Steps:
    def __init__(self, file: Path, tree: str, resume: bool) -> None:
        self._file = file
        self._tree = tree
        self._kept: dict[str, Step] = {}
        file.parent.mkdir(parents=True, exist_ok=True)
        if not resume:
            file.unlink(missing_ok=True)
        elif file.is_file():
            for line in file.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                if row.pop("tree") == tree:
                    self._kept[row["name"]] = Step(**row)

    def passed_before(self, name: str) -> Step | None:
        """The step of an earlier sitting that need not be done again: one that failed or skipped something is."""
        step = self._kept.get(name)
        return step if step and step.passed and not step.skipped else None

    def record(self, step: Step) -> None:
        with open(self._file, "a", encoding="utf-8") as file:
            file.write(json.dumps({"tree": self._tree, **step._asdict()}) + "\n")
