# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What emulated_plans.py found, as figures and as a page of the manual. The page can be read again, so that a test
holds what it says in words against its own table."""

from __future__ import annotations

import itertools
import re
import statistics
from dataclasses import dataclass
from typing import Callable, List, Sequence, TypeVar

PICTURE = "emulated-timeline.png"
T = TypeVar("T")


@dataclass(frozen=True)
class Emulated:
    """One plan, both ways."""

    what: str
    predicted: float  # s
    ran: float        # s, median of the steps but the first
    real: float       # share of the slots that was real work
    late: float       # share of the passes that took longer than their slot
    disturbed: bool   # says the runner of itself

    def error(self) -> float:
        return self.predicted / self.ran - 1.0


@dataclass(frozen=True)
class Machine:
    processor: str
    cores: int
    torch: str
    load_before: float  # runnable processes, over a minute
    load_after: float
    others: float       # cores that other processes kept busy, on average
    candidates: int     # plans that were found


def tau(rows: Sequence[Emulated]) -> float:
    """Kendall's rank correlation of predicted and emulated times, -1 to 1; pairs that tie count as neither. At least
    two plans."""
    signs = [(a.predicted - b.predicted) * (a.ran - b.ran) for a, b in itertools.combinations(rows, 2)]
    return (sum(s > 0.0 for s in signs) - sum(s < 0.0 for s in signs)) / len(signs)


def regret(rows: Sequence[Emulated]) -> float:
    """How much slower the plan that was predicted to be the fastest ran than the fastest one: 0.1 is 10 %."""
    return min(rows, key=lambda row: row.predicted).ran / min(row.ran for row in rows) - 1.0


# What the page states has to be at least this good: times and order are predicted, or the emulation is broken.
MOST_ERROR, LEAST_TAU, MOST_REGRET = 0.05, 0.8, 0.05


def shortfalls(rows: Sequence[Emulated]) -> List[str]:
    """In what the rows fall short of these bounds: the median error, tau, regret, or a run that was disturbed."""
    error = statistics.median(abs(row.error()) for row in rows)
    found = {f"the median error is {100.0 * error:.1f} %": error > MOST_ERROR,
             f"tau is {tau(rows):.2f}": tau(rows) < LEAST_TAU,
             f"the regret is {100.0 * regret(rows):.1f} %": regret(rows) > MOST_REGRET,
             "a run was disturbed": any(row.disturbed for row in rows)}
    return [words for words, short in found.items() if short]


def at_equal_distances(found: Sequence[T], count: int, seconds: Callable[[T], float]) -> List[T]:
    """`count` of the plans, fastest and slowest with them, whose times lie as far apart as they can be chosen by ratio;
    each once. Raises ValueError if there are fewer, or fewer than two are wanted."""
    if not 2 <= count <= len(found):
        raise ValueError(f"{count} of {len(found)} plans cannot be taken")
    rest = sorted(found, key=seconds)
    least, most = seconds(rest[0]), seconds(rest[-1])
    taken: List[T] = []
    for n in range(count):
        want = least * (most / least) ** (n / (count - 1))
        taken.append(min(rest, key=lambda plan: abs(seconds(plan) - want)))
        rest.remove(taken[-1])
    return sorted(taken, key=seconds)


def percent(share: float) -> str:
    return f"{100.0 * share:+.1f} %"


def summary(rows: Sequence[Emulated]) -> str:
    """Words of the figures of all rows: of the table as it is printed, so that who reads it finds the same."""
    printed = [read_row(row_text(n, row)) for n, row in enumerate(rows, 1)]
    errors = [abs(row.error()) for row in printed]
    return (f"The median error is {100.0 * statistics.median(errors):.1f} %, the largest {100.0 * max(errors):.1f} %. "
            f"Kendall's tau of the order is {tau(printed):.2f}. The plan that was predicted to be the fastest ran "
            f"{100.0 * regret(printed):.1f} % slower than the fastest (its regret).")


def row_text(number: int, row: Emulated) -> str:
    predicted, ran = f"{row.predicted:.3f}", f"{row.ran:.3f}"
    return (f"| {number} | {row.what} | {predicted} s | {ran} s | {percent(float(predicted) / float(ran) - 1.0)} | "
            f"{100.0 * row.real:.0f} % | {100.0 * row.late:.1f} % | {'yes' if row.disturbed else 'no'} |")


ROW = re.compile(r"^\| \d+ \| (?P<what>[^|]+) \| (?P<predicted>[\d.]+) s \| (?P<ran>[\d.]+) s \| [+-][\d.]+ % \| "
                 r"(?P<real>\d+) % \| (?P<late>[\d.]+) % \| (?P<disturbed>yes|no) \|$", re.M)


def read_row(text: str) -> Emulated:
    found = ROW.match(text)
    if not found:
        raise ValueError(f"no row of an emulated plan: {text}")
    return Emulated(found["what"], float(found["predicted"]), float(found["ran"]), float(found["real"]) / 100.0,
                    float(found["late"]) / 100.0, found["disturbed"] == "yes")


def rows_of(page: str) -> List[Emulated]:
    return [read_row(found[0]) for found in ROW.finditer(page)]


def page(rows: Sequence[Emulated], machine: Machine, problem: str, pictured: int) -> str:
    """problem: cluster, model and batch in words. Rows by predicted time. pictured: the row of the picture, from 1."""
    table = "\n".join(row_text(n, row) for n, row in enumerate(rows, 1))
    return f"""# Emulated plans

**Emulated:** {len(rows)} plans of one problem, acted out by the [runner](../formats.md#how-an-export-goes) on one \
machine without GPUs, beside what was predicted for them from layers that `samples/profiler/profile_layers.py` had \
timed on the same machine. They show how well order, transfers and overlap are predicted, and whether plans are \
put into the right order; they say nothing of a GPU's speed. Collectives inside stages and sums of gradients are not \
slowed ([what an emulated run is](../measurements.md#a-run-beside-its-plan)). Written by \
`tests/runner/emulated_plans.py`.

{problem} Of {machine.candidates} plans that several planners found, {len(rows)} were taken at equal distances of \
predicted time.

{summary(rows)}

| plan | what | predicted | emulated | error | real work in slots | late passes | disturbed |
|---:|---|---:|---:|---:|---:|---:|---|
{table}

Predicted and emulated are seconds a step, emulated the median of all steps but the first; the error is predicted over \
emulated, less one. A slot is the time that a pass is given; late is a pass that took longer. The runner calls a run \
disturbed where that says more of the machine than of the plan.

## The machine

{machine.processor}, {machine.cores} cores, PyTorch {machine.torch}. Load before the layers were timed \
{machine.load_before:.2f}, after the last plan {machine.load_after:.2f} (runnable processes over a minute, after the \
last plan with its own ranks); meanwhile other processes kept {machine.others:.2f} cores busy.

## Both lanes

![Timeline of plan {pictured}: above what was predicted, below what ran, a pair of bands a stage]({PICTURE})

Plan {pictured}, of those with most stages the one that was predicted to be the fastest, in the window's \
[timeline](../window.md#timeline): above each stage's prediction, below what its busiest rank did in the step nearest \
to the median, called *emulated* there, too.
"""
