# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every rank holds the activations of as many micro-batches at most as the simulation says, for every kind of schedule
that is run: exactly as many, since the order of passes, which is the plan's, decides it alone."""
import beside_runner  # noqa: F401
import json
import os
import tempfile
import unittest
from dataclasses import replace
from typing import Any, Dict, List

import torch

from beside_cli import cli, write
from draws import KINDS
from every_kind import (LAUNCH, MICROBATCHES, STAGES, bare_problem, exported, orders_of, pipeline, planned,
                        simulated_events)
from executor import Executor
from order import launch_counted
from plan import SPLIT_BACKWARD, read_plan
from ranks import run_ranks
from shape import TINY_SEQ, shape_of, tiny
from tokens import Tokens
from trainer import Options, Trainer


class InFlight(unittest.TestCase):
    problem: Dict[str, Any]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.problem = bare_problem(folder)

    def exported(self, kind: str) -> str:
        return exported(self.folder, kind, planned(self.problem, pipeline(kind)))

    def simulated(self, path: str, until: str) -> List[int]:
        """By stage: the most micro-batches, of any chunk, between a forward and the end of a pass `until`."""
        most = [0] * STAGES
        for stage, events in enumerate(simulated_events(self.folder, path)):
            flying = 0
            for event in events:
                flying += {"F": 1, until: -1}.get(event["args"]["op"], 0)
                most[stage] = max(most[stage], flying)
        return most

    def held(self, path: str, orders: Any = None) -> List[List[Any]]:
        """By rank: its stage, the most graphs that its forwards had left for backwards, and the most micro-batches
        of which anything was left, counted in the runner's own store behind each pass of a step."""
        plan = read_plan(path, 1, "fp32")
        plan, shape = replace(plan, seq=min(plan.seq, TINY_SEQ)), tiny(shape_of(plan.model))
        orders = orders or [orders_of(path)]
        world = len(plan.devices())

        def work(rank: int) -> None:
            most = [0, 0]
            run_pass = Executor.run_pass

            def watched(executor: Executor, step: int, p: Any) -> float:
                loss = run_pass(executor, step, p)
                alive = sum(one.output.grad_fn is not None for one in executor.held.values())
                most[:] = max(most[0], alive), max(most[1], len(executor.held))
                return loss

            Executor.run_pass = watched  # type: ignore[method-assign]
            trainer = Trainer(plan, shape, Tokens(shape.vocab, plan.seq, plan.gbs, 5), rank, torch.device("cpu"),
                              Options(orders=orders))
            trainer.step(0)
            trainer.close()
            write(self.folder, f"rank{rank}", [trainer.place.stage, *most])

        self.assertTrue(run_ranks(world, work))
        found = []
        for rank in range(world):
            with open(os.path.join(self.folder, f"rank{rank}"), encoding="utf-8") as file:
                found.append(json.load(file))
        return found

    def test_every_kind_holds_what_the_simulation_says(self):
        counts = {}
        for kind in KINDS:
            with self.subTest(kind=kind):
                path = self.exported(kind)
                peak = self.simulated(path, "B")
                left = self.simulated(path, "W") if kind in SPLIT_BACKWARD else peak
                found = self.held(path)
                self.assertEqual(sorted(rank[0] for rank in found), [0, 0, 1, 2])
                for stage, alive, kept in found:
                    self.assertEqual((stage, alive, kept), (stage, peak[stage], left[stage]))
                # What the document and its reader are told is that count, by micro-batches.
                figures, _ = cli("evaluate", "--plan", path)
                chunks = len(pipeline(kind)["stages"][0]["chunks"])
                self.assertEqual([stage["in_flight"] for stage in figures["plans"][0]["pipelines"][0]["stages"]],
                                 [-(-most // chunks) for most in peak])
                counts[kind] = peak
        print(counts, flush=True)
        for kind, expected in (("gpipe", [6, 6, 6]), ("1f1b", [3, 2, 1]), ("eager", [5, 3, 1]), ("h1f1b", LAUNCH)):
            self.assertEqual(counts[kind], expected)  # by definition
        self.assertGreater(len({tuple(peak) for peak in counts.values()}), 4)

    def test_a_forward_too_early_is_noticed(self):
        path = self.exported("1f1b")
        early = [[launch_counted(launch, MICROBATCHES) for launch in (4, 2, 1)]]
        found, peak = self.held(path, early), self.simulated(path, "B")
        self.assertEqual([alive - peak[stage] for stage, alive, _ in found], [1 - min(1, rank[0]) for rank in found])


if __name__ == "__main__":
    unittest.main()
