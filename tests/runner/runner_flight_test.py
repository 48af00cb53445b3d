# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every rank holds the activations of as many micro-batches at most as the simulation says, for every kind of schedule
that is run: exactly as many, since the order of passes, which is the plan's, decides it alone."""
import beside_runner  # noqa: F401
import json
import os
import tempfile
import types
import unittest
from dataclasses import replace
from typing import Any, Dict, List

import torch

import run as runner
from beside_cli import CLUSTER, MODEL, cli, write
from draws import KINDS
from executor import Executor
from order import launch_counted, pass_orders, read_order
from plan import SPLIT_BACKWARD, read_plan
from ranks import run_ranks
from shape import TINY_SEQ, shape_of, tiny
from tokens import Tokens
from trainer import Options, Trainer

STAGES, MICROBATCHES, SIZE = 3, 6, 2
SPANS = [[0, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 13]]  # of virtual stages where there are two chunks
LAUNCH = [6, 4, 1]  # of H-1F1B; 1F1B has 3, 2, 1 and eager 5, 3, 1


def pipeline(kind: str) -> Dict[str, Any]:
    """Three stages, the first of two replicas, on the four GPUs."""
    devices = [["n1.g0", "n1.g1"], ["n2.g0"], ["n2.g1"]]
    spans = {"interleaved": [[SPANS[s], SPANS[s + STAGES]] for s in range(STAGES)],
             "zb-v": [[SPANS[s], SPANS[2 * STAGES - 1 - s]] for s in range(STAGES)]}
    whole = [[[SPANS[2 * s][0], SPANS[2 * s + 1][1]]] for s in range(STAGES)]
    return {"microbatches": MICROBATCHES, "microbatch_size": SIZE,
            "schedule": {"kind": kind, "chunks": len(spans.get(kind, whole)[0]),
                         "launch": LAUNCH if kind == "h1f1b" else []},
            "stages": [{"chunks": own, "tp": 1, "replicas": [{"devices": [d], "share": 1 / len(on)} for d in on]}
                       for own, on in zip(spans.get(kind, whole), devices)]}


class InFlight(unittest.TestCase):
    problem: Dict[str, Any]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            found, _ = cli("plan", "--cluster", write(folder, "cluster.json", CLUSTER), "--model",
                           write(folder, "model.json", MODEL), "--gbs", str(MICROBATCHES * SIZE), "--seq", "64",
                           "--work", "1000", "--top", "1")
        cls.problem = {"schema": found["schema"], "problem": found["problem"]}

    def exported(self, kind: str) -> str:
        """The plan document of an export for the runner."""
        document = {**self.problem, "plans": [{"pipelines": [pipeline(kind)]}]}
        out = os.path.join(self.folder, kind)
        cli("export", "--format", "runner", "--plan", write(self.folder, f"{kind}.json", document), "--out", out)
        return os.path.join(out, "plan.json")

    def simulated(self, path: str, until: str) -> List[int]:
        """By stage: the most micro-batches, of any chunk, between a forward and the end of a pass `until`."""
        trace = os.path.join(self.folder, "trace.json")
        cli("simulate", "--plan", path, "--trace", trace)
        with open(trace, encoding="utf-8") as file:
            events = [event for event in json.load(file)["traceEvents"] if event["ph"] == "X"]
        most = [0] * STAGES
        for stage in range(STAGES):
            flying = 0
            for event in sorted((e for e in events if e["args"].get("stage") == stage), key=lambda e: e["ts"]):
                flying += {"F": 1, until: -1}.get(event["args"]["op"], 0)
                most[stage] = max(most[stage], flying)
        return most

    def held(self, path: str, orders: Any = None) -> List[List[Any]]:
        """By rank: its stage, the most graphs that its forwards had left for backwards, and the most micro-batches
        of which anything was left, counted in the runner's own store behind each pass of a step."""
        plan = read_plan(path, 1, "fp32")
        plan, shape = replace(plan, seq=min(plan.seq, TINY_SEQ)), tiny(shape_of(plan.model))
        if orders is None:
            files = runner.order_files(types.SimpleNamespace(order=None, plan=path), plan)
            orders = [read_order(file, p) if file else pass_orders(p) for file, p in zip(files, plan.pipelines)]
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
