# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The runner's passes are in the program's order: what `simulate` lays out and `export --format torch-schedule` writes,
for every kind of schedule, several numbers of stages, chunks and micro-batches, and stages that differ."""
import beside_runner  # noqa: F401
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from typing import Any, Dict, Iterator, List, Tuple

from beside_cli import cli
from draws import KINDS, cut
from every_kind import (CHUNKS, DEVICES, LAYERS, Document, bare_problem, exported, orders_of, pipeline, planned,
                        recorded_order, schedule_of, simulated_orders, stage_chunks)
from order import Order, Pass, launch_counted, pass_orders, read_order
from plan import LAUNCH_COUNTED, SPLIT_BACKWARD, Pipeline, read_plan


def cases() -> Iterator[Tuple[str, Document]]:
    for kind in KINDS:
        yield f"{kind}-by-hand", pipeline(kind)
        for stages in (2, 3, 4):
            of_groups = kind == "interleaved"  # which takes a multiple of the stages
            for chunks in (2, 3) if of_groups else (CHUNKS.get(kind, 1),):
                for microbatches in (stages, 2 * stages, 3 * stages) if of_groups else (1, stages, 2 * stages + 1):
                    yield (f"{kind}-{stages}-stages-{chunks}-chunks-{microbatches}-micro-batches",
                           drawn(kind, stages, chunks, microbatches))


def drawn(kind: str, stages: int, chunks: int, microbatches: int) -> Document:
    """A stage a GPU of two kinds, with uneven spans; the same for the same sizes."""
    r = random.Random(f"{kind} {stages} {chunks} {microbatches}")
    launch = [1]
    while len(launch) < stages:
        launch.insert(0, launch[0] + r.randint(1, 3))
    spans = [list(span) for span in cut(r, LAYERS, stages * chunks)]
    return {"microbatches": microbatches, "microbatch_size": 1, "schedule": schedule_of(kind, chunks, launch),
            "stages": [{"chunks": own, "tp": 1, "replicas": [{"devices": [device], "share": 1.0}]}
                       for own, device in zip(stage_chunks(kind, spans, stages), DEVICES)]}


def zb_h1_with(most: int, stages: int, microbatches: int) -> List[Order]:
    """ZB-H1 whose stages put off the gradients of weights by no more than `most` micro-batches."""
    orders: List[Order] = []
    for stage in range(stages):
        order: Order = []
        waiting: List[int] = []
        for p in launch_counted(stages - stage, microbatches):
            order.append(p)
            if p.kind == "B":
                waiting.append(p.microbatch)
            if p.kind == "B" and len(waiting) > min(stage, most):
                order.append(Pass("W", 0, waiting.pop(0)))
        orders.append(order + [Pass("W", 0, m) for m in waiting])
    return orders


def written_order(path: str, of: Pipeline) -> List[Order]:
    """The passes of a torch schedule by its definition (torch.distributed.pipelining): a row a stage, cells of virtual
    stage, kind and micro-batch; I is the gradient of the inputs alone."""
    with open(path, encoding="utf-8") as file:
        rows = [[cell for cell in line.strip().split(",") if cell] for line in file]
    orders: List[Order] = []
    for row in rows:
        cells = [re.split(r"([FBIW])", cell) for cell in row]
        orders.append([Pass("B" if kind == "I" else kind, int(virtual) // len(of.stages), int(microbatch))
                       for virtual, kind, microbatch in cells])
    return orders


def takes_no_time(of: Pipeline, stage: int, p: Pass) -> bool:
    """No product makes the gradient of an embedding's weights: it is predicted to take no time, and has no bar."""
    return p.kind == "W" and of.stages[stage].chunks[p.chunk] == (0, 0)


class Orders(unittest.TestCase):
    bare: Document

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.bare = bare_problem(folder)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def torch_schedule(self, name: str, path: str) -> str:
        out = os.path.join(self.folder, f"{name}-csv")
        cli("export", "--format", "torch-schedule", "--plan", path, "--out", out)
        return os.path.join(out, "schedule.csv")

    def test_every_kind_runs_in_the_order_of_the_program(self):
        put_off: Dict[str, Tuple[int, int]] = {}  # of ZB-H1: by how many the last stage does, and as published
        for name, document in cases():
            with self.subTest(case=name):
                path = exported(self.folder, name, planned(self.bare, document))
                only = read_plan(path, 1, "fp32").pipelines[0]
                csv = self.torch_schedule(name, path)
                expected = written_order(csv, only)
                self.assertEqual(read_order(csv, only), expected)
                self.assertEqual(bool(only.order), only.kind in SPLIT_BACKWARD)  # all others are in the document
                self.assertEqual(orders_of(path), expected)
                if only.kind in LAUNCH_COUNTED or only.kind == "interleaved":
                    self.assertEqual(pass_orders(only), expected)
                if only.kind == "zb-h1":
                    stages = len(only.stages)
                    most = next(n for n in range(stages - 1, -1, -1)
                                if zb_h1_with(n, stages, only.microbatches) == expected)
                    put_off[name] = most, stages - 1
                    self.assertEqual(most == stages - 1, pass_orders(only) == expected)
                self.assertEqual(simulated_orders(self.folder, path), [
                    [p for p in order if not takes_no_time(only, stage, p)] for stage, order in enumerate(expected)])
        print(f"ZB-H1 puts off {put_off}", flush=True)
        self.assertIn(True, [most == published for most, published in put_off.values()])
        self.assertIn(True, [most < published for most, published in put_off.values()])

    def test_ranks_run_in_it(self):
        """As the README of the export starts them, on this machine."""
        for kind in ("interleaved", "zb-h1", "zb-v"):
            with self.subTest(kind=kind):
                path = exported(self.folder, kind, planned(self.bare, pipeline(kind)))
                expected = simulated_orders(self.folder, path)
                record = self.ran(os.path.dirname(path))
                self.assertEqual(sorted(rank["stage"] for rank in record["ranks"]), [0, 0, 1, 2])
                for rank in record["ranks"]:
                    self.assertEqual(recorded_order(record, rank["rank"], 1), expected[rank["stage"]])

    def ran(self, folder: str) -> Dict[str, Any]:
        done = subprocess.run([sys.executable, "runner/run.py", "--plan", "plan.json", "--here", "--tiny", "--steps",
                               "2", "--out", "run.json"], cwd=folder, capture_output=True, text=True, timeout=200,
                              check=False, env={**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
            record: Dict[str, Any] = json.load(file)
        return record

    def test_another_order_is_noticed(self):
        """What the comparison stands on tells orders apart that are alike but for two passes."""
        path = exported(self.folder, "swapped", planned(self.bare, drawn("zb-h1", 3, 1, 7)))
        beside = os.path.join(os.path.dirname(path), "order-0.csv")
        with open(beside, encoding="utf-8") as file:
            rows = file.read().splitlines()
        cells = [cell for cell in rows[0].split(",") if cell]
        at = next(n for n in range(len(cells) - 1) if "W" in cells[n] and "F" in cells[n + 1])
        cells[at], cells[at + 1] = cells[at + 1], cells[at]
        with open(beside, "w", encoding="utf-8") as file:
            file.write("\n".join([",".join(cells), *rows[1:]]) + "\n")
        expected = simulated_orders(self.folder, path)
        self.assertEqual([a == b for a, b in zip(orders_of(path), expected)], [False, True, True])


if __name__ == "__main__":
    unittest.main()
