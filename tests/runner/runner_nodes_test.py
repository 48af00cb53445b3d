# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What several nodes may see otherwise: the folder of checkpoints, which of them is the last, the way to each other."""
import beside_runner  # noqa: F401  (finds the runner)
import json
import os
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
from shape import TINY_SEQ, tiny_seq

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
        self.assertEqual(os.listdir(self.there), [])

    def test_rank_0_says_which_checkpoint_is_the_last(self):
        self.losses(lambda: None, "--steps", "2")
        self.assertEqual(checkpoint.checkpoints(self.there), [1, 2])
        there = checkpoint.checkpoints

        def sees_less():
            checkpoint.checkpoints = lambda folder: there(folder)[:-1]

        self.assertEqual(list(self.losses(sees_less, "--steps", "4", "--resume", "--keep", "9", "--allow-changes")),
                         [2, 3])
        self.assertEqual(checkpoint.checkpoints(self.there), [1, 2, 3, 4])

    def test_a_disk_that_is_full_is_said_with_the_file(self):
        def fills():
            def full(path, tensors):
                raise OSError(28, "No space left on device", path)
            checkpoint.write_tensors = full

        ended, said = run_as_on_nodes(self.folder, self.flags("--checkpoints", self.there), 3,
                                      lambda rank: fills() if rank == 1 else None)
        self.assertEqual(ended, [1, 1, 1], said)
        self.assertRegex(said[1], r"rank 1: \S+/\.step-00000001\.part/layer-\d+\.rank-1\.safetensors: No space left on "
                                  "device; no checkpoint was written")
        self.assertNotIn("Traceback", "".join(said))
        self.assertEqual(checkpoint.checkpoints(self.there), [])

    def test_sequences_are_shortened_to_what_tensor_parallelism_divides(self):
        read = plan_of(Reader(TWO, "plan"))
        pipeline = read.pipelines[0]
        for tps, sequence_parallel, expected in (((1,), False, TINY_SEQ), ((2, 4), True, TINY_SEQ), ((3,), True, 18),
                                                 ((3,), False, TINY_SEQ), ((32,), True, 32), ((3, 4), True, 24)):
            stages = tuple(replace(pipeline.stages[0], tp=tp, sequence_parallel=sequence_parallel) for tp in tps)
            drawn = replace(read, seq=480, pipelines=(replace(pipeline, stages=stages),))
            with self.subTest(tps=tps, sequence_parallel=sequence_parallel):
                self.assertEqual(tiny_seq(drawn), expected)
                self.assertEqual(tiny_seq(replace(drawn, seq=12)), 12)


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
