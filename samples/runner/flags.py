# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Flags of run.py that do not fit together, or that say of a place that it can be written to."""

from __future__ import annotations

import argparse
import math
import os

from checkpoint import checkpoints
from emulation import LEAST_SLACK
from errors import BadInput

MOST_LIMIT = 1e6  # seconds that a rank waits for another
MOST_RANKS = 64  # of one machine: each is a process with PyTorch in it, joined to every other


def started_as(name: str, alone: int) -> int:
    """A number that torchrun sets."""
    words = os.environ.get(name, str(alone))
    if not (words.isascii() and words.isdigit()):
        raise BadInput(name, f"is {words!r} in the environment; expected a whole number, as torchrun sets it")
    return int(words)


def check_places(a: argparse.Namespace) -> None:
    """That what is written at the end can be: nobody wants to know that after the training. Raises BadInput."""
    if a.checkpoints and os.path.exists(a.checkpoints) and not os.path.isdir(a.checkpoints):
        raise BadInput("--checkpoints", f"{a.checkpoints} is no folder")
    if started_as("RANK", 0):  # rank 0 makes the folder and writes run.json
        return
    if a.out and os.path.isdir(a.out):
        raise BadInput("--out", f"{a.out} is a folder; expected a file")
    written = [("--out", os.path.dirname(a.out) or ".")] if a.out else []
    if a.out and not os.path.isdir(written[0][1]):
        raise BadInput("--out", f"{written[0][1]} is no folder")
    if a.checkpoints:
        nearest = os.path.abspath(a.checkpoints)
        while not os.path.exists(nearest):
            nearest = os.path.dirname(nearest)
        written.append(("--checkpoints", nearest))
    for flag, folder in written:
        if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
            raise BadInput(flag, f"nothing can be written into {folder}")


def check(a: argparse.Namespace) -> None:
    """Flags that do not fit together. Raises BadInput."""
    if a.dry_run is not None and (a.tokens or a.weights or a.checkpoints):
        raise BadInput("--dry-run", "goes without --tokens, --weights and --checkpoints")
    if a.steps < 1:
        raise BadInput("--steps", f"{a.steps}; expected at least 1")
    if a.most_ranks < 1:
        raise BadInput("--most-ranks", f"{a.most_ranks}; expected at least 1")
    for flag, value, least in (("--keep", a.keep, 1), ("--save-every", a.save_every, 0),
                               ("--record", a.record or 0, 0)):
        if value < least:
            raise BadInput(flag, f"{value}; expected at least {least}")
    if not 0.0 < a.limit <= MOST_LIMIT:
        raise BadInput("--limit", f"{a.limit:g}; expected seconds above 0, at most {MOST_LIMIT:g}")
    for flag, value in (("--rate", a.rate), ("--least-rate", a.least_rate), ("--decay", a.decay), ("--clip", a.clip)):
        if not 0.0 <= value <= 1e6:
            raise BadInput(flag, f"{value:g}; expected 0 to a million")
    if a.warm_up < 0:
        raise BadInput("--warm-up", f"{a.warm_up}; expected at least 0")
    if not LEAST_SLACK <= a.slack < math.inf or not 0.0 < a.link_slow_down < math.inf:
        raise BadInput("--slack, --link-slow-down", f"expected at least {LEAST_SLACK:g}, and a number above 0")
    check_places(a)
    if a.allow_changes and not a.resume:
        raise BadInput("--allow-changes", "needs --resume")
    if a.resume and not a.checkpoints:
        raise BadInput("--resume", "needs --checkpoints")
    there = checkpoints(a.checkpoints) if a.checkpoints else []
    if there and not a.resume:
        raise BadInput("--checkpoints", f"{a.checkpoints} holds checkpoints: give --resume or another folder")
    if a.resume and not there:
        raise BadInput("--resume", f"{a.checkpoints} holds no whole checkpoint")
    if a.resume and there[-1] >= a.steps:
        raise BadInput("--resume", f"the last checkpoint has {there[-1]} of {a.steps} steps: nothing is left to do")
