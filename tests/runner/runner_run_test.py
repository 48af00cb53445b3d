# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""run.py as people start it: all ranks on this machine or by torchrun, run.json, checkpoints, what it refuses."""
from beside_runner import ALL, RUNNER
import copy
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import torch

import functions
import run
from collectives import ALONE as ALONE_GROUP
from draws import plan, stage
from emulation import Pace
from order import pass_orders
from plan import Reader, plan_of
from ranks import forked
from run_record import finite, write_record
from tokens import Tokens

H1F1B = plan(stage([[0, 1]], [3, 1], sequence_parallel=True), stage([[2, 3]], [0]), stage([[4, 5]], [2]),
             kind="h1f1b", microbatches=6)
H1F1B["plans"][0]["pipelines"][0]["schedule"]["launch"] = [5, 3, 1]
ALONE = plan(stage([[0, 5]], [0], [1]), microbatches=6)


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, document=None):
        path = os.path.join(self.folder, name)
        if document is not None:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(document, file)
        return path

    def start(self, document, *flags, code=0, launcher=(), name="plan.json"):
        """What it printed; it must end with this code. A launcher starts a program of its own, which has to load
        PyTorch; without one it is a fork of this process, which has."""
        given = ["--plan", self.path(name, document), *flags]
        if launcher:
            command = [sys.executable, "-B", *launcher, str(RUNNER / "run.py"), *given]
            done = subprocess.run(command, capture_output=True, text=True, timeout=200,
                                  env={**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"})
            ended, said, errors = done.returncode, done.stdout, done.stderr
        else:
            ended, said, errors = forked(lambda: run.main(given), self.folder)
        self.assertEqual(ended, code, said + errors)
        return said if code == 0 else errors

    def record(self, document, *flags, **more):
        self.start(document, "--out", self.path("run.json"), *flags, **more)
        with open(self.path("run.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_run_json_has_every_operation(self):
        run = self.record(H1F1B, "--here", "--tiny", "--steps", "3", "--record", "2")
        self.assertEqual((run["schema"], run["emulated"]), ("pipewright-run-1", False))
        self.assertEqual([s["step"] for s in run["steps"]], [0, 1, 2])
        self.assertEqual(len(run["peak_bytes"]), 4)
        self.assertEqual([r["device"] for r in run["ranks"]], ["n1.g0", "n1.g1", "n1.g2", "n1.g3"])
        self.assertEqual([r["tp_rank"] for r in run["ranks"] if r["stage"] == 0], [1, 0])
        orders = pass_orders(plan_of(Reader(H1F1B, "p")).pipelines[0])
        for step in (1, 2):
            for rank in run["ranks"]:
                ops = [op for op in run["ops"] if (op["step"], op["rank"]) == (step, rank["rank"])]
                passes = [op for op in ops if op["kind"] in "FBW"]
                self.assertEqual([(op["kind"], op["chunk"], op["microbatch"]) for op in passes],
                                 [tuple(p) for p in orders[rank["stage"]]])
                for first, second in zip(passes, passes[1:]):
                    self.assertLessEqual(first["start_s"], first["end_s"])
                    self.assertLessEqual(first["end_s"], second["start_s"])
                kinds = [op["kind"] for op in ops]
                self.assertEqual((kinds.count("sync"), kinds.count("update")), (1, 1))
                self.assertEqual(kinds.count("recv"), 6 * ((rank["stage"] > 0) + (rank["stage"] < 2)))
        self.assertFalse([op for op in run["ops"] if op["step"] == 0])
        again = self.record(H1F1B, "--here", "--tiny", "--steps", "1")
        self.assertEqual(run["steps"][0]["loss"], again["steps"][0]["loss"])

    def test_plans_of_one_problem_give_the_same_losses(self):
        runs = [self.record(document, "--here", "--tiny", "--steps", "3") for document in (H1F1B, ALONE)]
        for a, b in zip(runs[0]["steps"], runs[1]["steps"]):
            self.assertLess(abs(a["loss"] - b["loss"]), 1e-5 * b["loss"])

    def test_emulation(self):
        document = plan(stage([[0, 2]], [0]), stage([[3, 5]], [1]), microbatches=4)
        document["plans"][0]["pipelines"][0]["stages"][1]["replicas"][0]["devices"] = ["n2.g0"]
        document["problem"]["cluster"]["nodes"].append({"id": "n2", "kind": "CPU", "gpus": 1})
        self.assertIn("do not describe CPU", self.start(document, "--emulate", "--tiny", "--steps", "1", code=2))
        cluster = document["problem"]["cluster"]
        cluster.update(
            nodes=[{"id": "n1", "kind": "fast", "gpus": 1}, {"id": "n2", "kind": "slow", "gpus": 1}],
            switches=[{"id": "s1"}],
            links=[{"a": node, "b": "s1", "bandwidth": 1e5, "efficiency": 1.0, "latency": 0.01}
                   for node in ("n1", "n2")],
            kinds=[{"name": "fast", "fp32": 4e13, "intra_bandwidth": 1e11},
                   {"name": "slow", "fp32": 4e12, "intra_bandwidth": 1e11}])
        run = self.record(document, "--emulate", "--tiny", "--steps", "1")
        self.assertTrue(run["emulated"])
        self.assertEqual(run["emulation"]["passes"], 2 * 2 * 4)
        self.assertEqual(set(run["emulation"]), {"real_share", "late_passes", "passes", "disturbed"})
        here = self.record(document, "--here", "--tiny", "--steps", "1")
        self.assertEqual([s["loss"] for s in run["steps"]], [s["loss"] for s in here["steps"]])
        # 8 positions x 2 sequences x 32 numbers of 4 bytes over 1e5 bytes/s, and two latencies.
        sends = [op["end_s"] - op["start_s"] for op in run["ops"] if op["kind"] == "send"]
        self.assertEqual(len(sends), 2 * 4)
        self.assertGreaterEqual(min(sends), 2048 / 1e5 + 0.02 - 1e-6)

        def shortest(rank):
            return min(op["end_s"] - op["start_s"] for op in run["ops"] if op["kind"] == "F" and op["rank"] == rank)

        if ALL:  # times of this machine, which the ordinary run asserts none of
            self.assertGreater(shortest(1), 2.0 * shortest(0))  # a kind that is 10 times slower
        self.assertIn("at least 3", self.start(document, "--emulate", "--slack", "1", code=2))

    def test_an_emulation_counts_work_and_not_collectives(self):
        slots = {("F", 0): 0.05}
        now = [0.0]
        pace = Pace(slots, lambda: now[0])
        for took, waited, share, late in ((0.02, 0.0, 0.4, 0), (0.06, 0.05, 0.3, 1), (0.09, 0.0, 0.8, 2)):
            start = now[0]
            functions.in_collectives.seconds += waited
            now[0] += took
            pace.fill("F", 0, start)
            kept = pace.over_all(ALONE_GROUP, torch.device("cpu"))
            self.assertAlmostEqual(kept["real_share"], share)
            self.assertEqual((kept["late_passes"], kept["disturbed"]), (late, late > 0.1 * kept["passes"]))
        pace.forget()
        self.assertEqual(pace.over_all(ALONE_GROUP, torch.device("cpu"))["passes"], 0)

    def test_bad_flags_are_refused(self):
        with open(self.path("a-file"), "w", encoding="utf-8"):
            pass
        for words, place in ((("--keep", "0"), "--keep"), (("--save-every", "-1"), "--save-every"),
                             (("--record", "-3"), "--record"), (("--limit", "nan"), "--limit"),
                             (("--limit", "0"), "--limit"), (("--out", self.folder), "is a folder; expected a file"),
                             (("--checkpoints", self.path("a-file")), "a-file is no folder"),
                             (("--checkpoints", self.path("a-file/below")), "nothing can be written into"),
                             (("--emulate", "--slack", "nan"), "--slack"),
                             (("--out", self.path("nowhere/run.json")), "--out"),
                             (("--order", "a.csv", "b.csv"), "--order: 2 files; the plan has 1 pipelines"),
                             (("--allow-changes",), "--allow-changes"), (("--clip", "inf"), "--clip"),
                             (("--rate", "nan"), "--rate"), (("--warm-up", "-1"), "--warm-up"),
                             (("--emulate", "--link-slow-down", "inf"), "--link-slow-down")):
            with self.subTest(words=words):
                said = self.start(ALONE, "--here", "--tiny", *words, code=2)
                self.assertIn(place, said)
                self.assertNotIn("step 0", said)  # before anything is computed

    def test_a_python_without_torch_is_told(self):
        with open(self.path("torch.py"), "w", encoding="utf-8") as file:
            file.write("raise ImportError\n")
        done = subprocess.run([sys.executable, "-B", str(RUNNER / "run.py"), "--help"], capture_output=True, text=True,
                              timeout=100, env={**os.environ, "PYTHONPATH": self.folder})
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("has no PyTorch", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_a_rank_is_a_number(self):
        with mock.patch.dict(os.environ, {"RANK": "x"}):
            self.assertIn("RANK: is 'x'", self.start(ALONE, "--tiny", code=2))

    # Of ranks that wait for one that has said why it is gone, none says that another should be gone on with.
    def test_what_is_wrong_is_said_alone(self):
        saved = self.path("saved")
        self.start(ALONE, "--here", "--tiny", "--steps", "1", "--checkpoints", saved)
        folder = os.path.join(saved, "step-00000001")
        layer = next(name for name in sorted(os.listdir(folder)) if name.startswith("layer-00000"))
        with open(os.path.join(folder, layer), "ab") as file:
            file.write(b"more")
        said = self.start(H1F1B, "--here", "--tiny", "--steps", "2", "--checkpoints", saved, "--resume", code=2)
        self.assertIn("the manifest has", said)
        self.assertNotIn("--resume goes on", said)

    def test_a_seed_is_another_order_of_tokens(self):
        losses = {seed: [s["loss"] for s in self.record(ALONE, "--tiny", "--steps", "1", "--here", "--seed",
                                                        str(seed))["steps"]] for seed in (1, 2, 257, 2 ** 33 + 1)}
        self.assertEqual(len({tuple(loss) for loss in losses.values()}), len(losses))
        draws = {tuple(Tokens(1000, 32, 4, seed).sequence(0).tolist()) for seed in (1, 2, 3, 2 ** 33 + 1)}
        self.assertEqual(len(draws), 4)

    def test_what_overflowed_has_no_norm(self):
        self.assertIsNone(finite(float("inf")))
        self.assertEqual(finite(2.5), 2.5)
        path = self.path("none.json")
        with self.assertRaises(ValueError):
            write_record(path, {"loss": float("nan")})
        self.assertFalse(os.path.exists(path))

    def test_ranks_end_with_their_launcher(self):
        for stop in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(stop=stop):
                command = [sys.executable, "-B", str(RUNNER / "run.py"), "--plan", self.path("plan.json", ALONE),
                           "--here", "--tiny", "--steps", "1000000"]
                with subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                                      env={**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}) as job:
                    said = job.stdout
                    assert said is not None
                    self.assertIn("step 0", said.readline())
                    job.send_signal(stop)
                    said.read()  # ends when the last rank has let go of it

    def test_torchrun(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        launcher = ("-m", "torch.distributed.run", "--nnodes", "1", "--node_rank", "0", "--nproc_per_node", "2",
                    "--master_addr", "127.0.0.1", "--master_port", str(port), "--log_dir", self.folder,
                    "--redirects", "1", "--tee", "1")  # without these, that of PyTorch 1.13 fails under Python 3.11
        run = self.record(ALONE, "--tiny", "--steps", "2", launcher=launcher)
        here = self.record(ALONE, "--tiny", "--steps", "2", "--here")
        self.assertEqual([s["loss"] for s in run["steps"]], [s["loss"] for s in here["steps"]])

    def test_goes_on(self):
        saved = self.path("saved")
        same = ("--here", "--tiny", "--rate", "1e-2", "--least-rate", "1e-2")  # a rate that the steps do not change
        whole = self.record(ALONE, *same, "--steps", "3")
        self.start(ALONE, *same, "--steps", "2", "--checkpoints", saved)
        self.assertIn("holds checkpoints", self.start(ALONE, *same, "--checkpoints", saved, code=2))
        rest = self.record(H1F1B, *same, "--steps", "3", "--checkpoints", saved, "--resume")
        self.assertEqual([s["step"] for s in rest["steps"]], [2])
        self.assertIn("seed 1, now 2", self.start(ALONE, *same, "--steps", "4", "--checkpoints", saved, "--resume",
                                                  "--seed", "2", code=2))
        self.assertIn("goes on otherwise than before: seed 1, now 2",
                      self.start(ALONE, *same, "--steps", "4", "--checkpoints", saved, "--resume", "--seed", "2",
                                 "--allow-changes"))
        straight = whole["steps"][2]["loss"]
        self.assertLess(abs(rest["steps"][0]["loss"] - straight), 1e-5 * straight)
        self.assertLess(straight, whole["steps"][0]["loss"])
        self.assertIn("nothing is left", self.start(ALONE, *same, "--steps", "4", "--checkpoints", saved, "--resume",
                                                    code=2))

    def test_other_precisions(self):
        losses = {p: self.record(ALONE, "--here", "--steps", "2", "--precision", p)["steps"][-1]["loss"]
                  for p in ("fp32", "bf16")}
        self.assertNotEqual(losses["fp32"], losses["bf16"])
        self.assertLess(abs(losses["fp32"] - losses["bf16"]), 0.02 * losses["fp32"])
        self.assertIn("E_PRECISION", self.start(ALONE, "--here", "--precision", "fp16", code=3))

    def test_what_is_wrong_is_said_once(self):
        refused = copy.deepcopy(ALONE)
        refused["plans"][0]["pipelines"][0]["stages"][0]["zero"] = 3
        text = self.start(refused, "--here", code=3)
        self.assertEqual(len(text.splitlines()), 1)
        self.assertIn("E_SHARDING", text)
        self.assertIn("ZeRO-3", text)
        second = subprocess.run([sys.executable, "-B", str(RUNNER / "run.py"), "--here", "--plan",
                                 self.path("plan.json") + ":2"], capture_output=True, text=True)
        self.assertEqual(second.returncode, 2)
        self.assertIn("has 1 plans; 2 was asked for", second.stderr)
        self.assertIn("no such file", self.start(ALONE, "--here", "--tokens", "/nowhere.u16", code=2).lower())


if __name__ == "__main__":
    unittest.main()
