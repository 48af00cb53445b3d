# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ends a run before its first step."""

from __future__ import annotations


class BadInput(ValueError):
    """A file or a flag is wrong; the text says where and what was expected."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}")


class Refused(ValueError):
    """The plan is sound, but this runner does not run it: a code, the stage and the feature."""

    def __init__(self, code: str, where: str, feature: str) -> None:
        super().__init__(f"{code}: {where}: {feature}")
        self.code = code
