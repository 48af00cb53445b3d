# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What several nodes may see otherwise: the folder of checkpoints, which of them is the last, the way to each other."""
import beside_runner  # noqa: F401  (finds the runner)
import fcntl
import json
import os
import re
import shutil
import tempfile
import unittest
from dataclasses import replace
from unittest import mock

import checkpoint
import network
from as_on_nodes import run_as_on_nodes
from draws import plan, stage
from plan import Reader, plan_of
from shape import TINY_SEQ, as_tiny, shape_of

TWO = plan(stage([[0, 3]], [3, 1], sequence_parallel=True), stage([[4, 5]], [0]), tied=True)


class Nodes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="pw-nodes-")
        self.there = os.path.join(self.folder, "checkpoints")
        self.path = os.path.join(self.folder, "plan.json")
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(TWO, file)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def flags(self, *more):
        return ["--plan", self.path, "--here", "--tiny", "--rate", "1e-2", "--least-rate", "1e-2", "--save-every", "1",
                *more]

    def losses(self, of_rank_1=lambda: None, *more):
        """Of a run that goes well, by step; of_rank_1: what that rank's process does first."""
        out = os.path.join(self.folder, "run.json")
        ended, said = run_as_on_nodes(
            self.folder, self.flags("--checkpoints", self.there, "--out", out, *more), 3,
            lambda rank: of_rank_1() if rank == 1 else None)
        self.assertEqual(ended, [0, 0, 0], said)
        with open(out, encoding="utf-8") as file:
            return {step["step"]: step["loss"] for step in json.load(file)["steps"]}

    def test_a_folder_that_is_not_shared_is_said_before_the_first_step(self):
        def flags_of(rank):
            return self.flags("--checkpoints", self.there + ("-of-1" if rank == 1 else ""), "--limit", "6")

        ended, said = run_as_on_nodes(self.folder, flags_of, 3)
        self.assertEqual(ended, [2, 2, 2], said)
        self.assertEqual(sum("1 of 3 ranks do not see the" in text for text in said), 2, said)  # each path once
        self.assertFalse(any("step 0" in text or "Traceback" in text for text in said), said)
        self.assertEqual(os.listdir(self.there), [checkpoint.LOCK])

    def test_rank_0_says_which_checkpoint_is_the_last(self):
        self.losses(lambda: None, "--steps", "2")
        self.assertEqual(checkpoint.checkpoints(self.there), [1, 2])
        there = checkpoint.checkpoints

        def sees_less():
            checkpoint.checkpoints = lambda folder: there(folder)[:-1]

        self.assertEqual(list(self.losses(sees_less, "--steps", "4", "--resume", "--keep", "9", "--allow-changes")),
                         [2, 3])
        self.assertEqual(checkpoint.checkpoints(self.there), [1, 2, 3, 4])

    def test_a_folder_belongs_to_one_run(self):
        """While another run writes there, none begins; its death frees the folder."""
        os.makedirs(self.there)
        path = os.path.join(self.there, checkpoint.LOCK)
        with open(path, "w", encoding="utf-8") as lock:
            lock.write("process 12 on other\x1b[31m\n")
            lock.flush()
            fcntl.flock(lock, fcntl.LOCK_EX)
            ended, said = run_as_on_nodes(self.folder, self.flags("--checkpoints", self.there, "--limit", "4"), 3)
        self.assertEqual(ended, [2, 2, 2], said)
        words = "is written by another run, process 12 on other[31m; expected"
        self.assertEqual(sum(words in text for text in said), 1, said)
        self.assertFalse(any("step 0" in text or "Traceback" in text for text in said), said)
        self.assertEqual(os.listdir(self.there), [checkpoint.LOCK])
        self.losses(lambda: None, "--steps", "1")
        with open(path, encoding="utf-8") as lock:
            self.assertRegex(lock.read(), r"^process \d+ on \S+\n$")

    def test_without_locks_nothing_of_others_is_removed(self):
        """On file systems that have none; said once."""
        left = os.path.join(self.there, ".step-00000007.12.part")
        os.makedirs(left)

        def none():
            def refuse(handle, how):
                raise OSError(38, "Function not implemented")
            checkpoint.fcntl.flock = refuse

        ended, said = run_as_on_nodes(self.folder, self.flags("--checkpoints", self.there, "--steps", "3"), 3,
                                      lambda rank: none())
        self.assertEqual(ended, [0, 0, 0], said)
        self.assertEqual("".join(said).count("cannot be locked (Function not implemented)"), 1, said)
        self.assertTrue(os.path.isdir(left))
        self.losses(lambda: None, "--steps", "4", "--resume", "--allow-changes")
        self.assertFalse(os.path.isdir(left))

    def test_a_gradient_that_is_not_finite_is_said_once(self):
        ended, said = run_as_on_nodes(self.folder, self.flags("--rate", "1e30", "--clip", "0", "--steps", "9",
                                                              "--checkpoints", self.there, "--save-every", "1"), 3)
        self.assertEqual(ended, [1, 1, 1], said)
        text = "".join(said)
        words = r"step \d: the gradient is not finite; --resume goes on behind step 1 of"
        self.assertEqual(len(re.findall(words, text)), 1, text)
        self.assertNotIn("Traceback", text)

    def test_what_is_left_without_a_damaged_one_is_said(self):
        self.losses(lambda: None, "--steps", "2", "--save-every", "1")
        name = next(n for n in os.listdir(os.path.join(self.there, "step-00000002")) if n.endswith(".safetensors"))
        with open(os.path.join(self.there, "step-00000002", name), "r+b") as file:
            file.seek(-1, os.SEEK_END)
            last = file.read(1)
            file.seek(-1, os.SEEK_END)
            file.write(bytes([last[0] ^ 1]))
        flags = self.flags("--checkpoints", self.there, "--resume", "--steps", "3")
        ended, said = run_as_on_nodes(self.folder, flags, 3)
        self.assertEqual(sorted(ended), [1, 1, 2], said)  # who finds it, and who waits for that one
        self.assertIn("is damaged: the sum of its numbers is another; with step-00000002 moved away, --resume goes on "
                      "behind step 1", "".join(said))

    def test_a_disk_that_is_full_is_said_with_the_file(self):
        def fills():
            def full(path, tensors):
                raise OSError(28, "No space left on device", path)
            checkpoint.write_tensors = full

        ended, said = run_as_on_nodes(self.folder, self.flags("--checkpoints", self.there), 3,
                                      lambda rank: fills() if rank == 1 else None)
        self.assertEqual(ended, [1, 1, 1], said)
        self.assertRegex(said[1], r"rank 1: \S+/\.step-00000001\.\d+\.part/layer-\d+\.rank-1\.safetensors: No space "
                                  "left on device; no checkpoint was written")
        self.assertNotIn("Traceback", "".join(said))
        self.assertEqual(checkpoint.checkpoints(self.there), [])

    def test_sequences_are_shortened_by_the_problem_alone(self):
        """To what every tensor-parallel size of a node divides; a larger one goes without sequence parallelism."""
        read = plan_of(Reader(TWO, "plan"))
        pipeline, shape = read.pipelines[0], shape_of(read.model)
        for heads, gpus, expected in ((32, 8, TINY_SEQ), (32, 1, TINY_SEQ), (12, 8, 24), (12, 4, 24), (12, 2, TINY_SEQ),
                                      (20, 8, 20), (64, 32, 32), (28, 8, 28)):
            problem = replace(read, seq=480, cluster={"nodes": [{"id": "n1", "gpus": 1}, {"id": "n2", "gpus": gpus}]})
            of = replace(shape, heads=heads)
            for tps, divided in (((1, 1), False), ((1, gpus), True), ((32, 4), True)):
                stages = tuple(replace(pipeline.stages[0], tp=tp, sequence_parallel=divided and tp > 1) for tp in tps)
                with self.subTest(heads=heads, gpus=gpus, tps=tps):
                    drawn = replace(problem, pipelines=(replace(pipeline, stages=stages),))
                    plan, small = as_tiny(drawn, of)
                    self.assertEqual((plan.seq, small.heads), (expected, heads))
                    for before, after in zip(stages, plan.pipelines[0].stages):
                        self.assertEqual(after.sequence_parallel, before.sequence_parallel and expected % after.tp == 0)
                    self.assertEqual(as_tiny(replace(drawn, seq=12), of)[0].seq, 12)


class Interfaces(unittest.TestCase):
    def choose(self, own, towards, interfaces, **environment):
        """The interface that is chosen for the master "n1"."""
        with mock.patch.dict(os.environ, environment), \
                mock.patch.object(network, "own_address", lambda: own), \
                mock.patch.object(network, "address_towards", lambda host: towards.get(host, "")), \
                mock.patch.object(network, "interface_of", lambda address: interfaces.get(address, "")):
            if not environment:
                os.environ.pop(network.FLAG, None)
            network.choose_interface("n1")
            return os.environ.get(network.FLAG)

    def test_only_where_the_hosts_name_misleads(self):
        ways = {"n1": "10.0.0.2", network.NOBODY: "192.168.1.2"}
        names = {"10.0.0.2": "ib0", "192.168.1.2": "eth0"}
        for own, expected in (("10.0.0.2", None), ("127.0.1.1", "ib0"), ("", "ib0")):
            with self.subTest(own=own):
                self.assertEqual(self.choose(own, ways, names), expected)
        self.assertEqual(self.choose("127.0.1.1", {**ways, "n1": "127.0.1.1"}, names), "eth0")  # n1 itself
        self.assertEqual(self.choose("127.0.1.1", {}, names), None)
        self.assertEqual(self.choose("127.0.1.1", ways, names, **{network.FLAG: "eth7"}), "eth7")

    def test_this_machine_has_its_own(self):
        self.assertEqual(network.interface_of("127.0.0.1"), "lo")
        self.assertEqual(network.interface_of("203.0.113.1"), "")
        self.assertEqual(network.address_towards("127.0.0.1"), "127.0.0.1")
        self.assertEqual(network.address_towards("no such host"), "")


if __name__ == "__main__":
    unittest.main()
