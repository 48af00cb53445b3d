# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ranks of one machine share: links that let through their bandwidth whoever sends, and the machine itself."""
from beside_runner import RUNNER
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import unittest

import emulation
import run
from draws import plan, stage
from emulation import Links, busy_words, last_end
from order import pass_orders
from plan import Reader, plan_of

BANDWIDTH, LATENCY = 1e4, 0.01
SIZE, MESSAGES = 1024, 5


def on_nodes(*nodes_of_stages):
    """A plan of stages of one-GPU replicas on these nodes, which a switch joins."""
    names = sorted({node for nodes in nodes_of_stages for node in nodes})
    used = {name: 0 for name in names}
    cuts = [[0, 2], [3, 5]] if len(nodes_of_stages) == 2 else [[0, 5]]
    document = plan(*(stage([cut], *([0] for _ in nodes)) for cut, nodes in zip(cuts, nodes_of_stages)), microbatches=4)
    for drawn, nodes in zip(document["plans"][0]["pipelines"][0]["stages"], nodes_of_stages):
        for replica, node in zip(drawn["replicas"], nodes):
            replica["devices"] = [f"{node}.g{used[node]}"]
            used[node] += 1
    document["problem"]["cluster"].update(
        nodes=[{"id": name, "kind": "one", "gpus": max(1, used[name])} for name in names], switches=[{"id": "s1"}],
        links=[{"a": name, "b": "s1", "bandwidth": BANDWIDTH, "efficiency": 1.0, "latency": LATENCY}
               for name in names],
        kinds=[{"name": "one", "fp32": 4e13, "intra_bandwidth": 1e11}])
    return document


class StandStill:
    """A time that passes only where somebody sleeps, for each process its own."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


def last_arrival(links, ways, shared=True):
    """Seconds until the last of the messages has arrived that processes send at once, each its own way (source,
    target). shared: False, and each process has clocks of its own, as if they were not shared."""
    arrivals: multiprocessing.SimpleQueue[float] = multiprocessing.SimpleQueue()
    together = multiprocessing.Barrier(len(ways))

    def send(way):
        emulation.time = StandStill()
        if not shared:
            links.clocks = {name: multiprocessing.Value("d", 0.0) for name in links.clocks}
        together.wait()
        for _ in range(MESSAGES):
            links.pass_through(*way, SIZE)
        arrivals.put(emulation.time.now)

    senders = [multiprocessing.Process(target=send, args=(way,)) for way in ways]
    for sender in senders:
        sender.start()
    ends = [arrivals.get() for _ in senders]
    for sender in senders:
        sender.join()
    return max(ends)


class SharedLinks(unittest.TestCase):
    def arrival(self, ways, **more):
        links = Links(plan_of(Reader(on_nodes(("n1", "n1"), ("n2", "n3")), "plan")), 1.0)  # ranks 0, 1; 2; 3
        self.assertEqual(links.nodes, ["n1", "n1", "n2", "n3"])
        return last_arrival(links, ways, **more)

    def check_sum(self, ways, **more):
        """The link that all ways have takes at least as long as all of their bytes; and no longer but for latencies."""
        took, bytes_s = self.arrival(ways, **more), len(ways) * MESSAGES * SIZE / BANDWIDTH
        self.assertGreaterEqual(took, bytes_s)
        self.assertLessEqual(took, bytes_s + len(ways) * MESSAGES * 2 * LATENCY + 1e-9)

    def test_two_ranks_share_a_link(self):
        self.check_sum([(0, 2), (1, 2)])  # both links on the way
        self.check_sum([(0, 2), (1, 3)])  # the one out of n1
        self.check_sum([(0, 3), (2, 3)])  # the one into n3

    def test_a_clock_for_each_is_noticed(self):
        with self.assertRaisesRegex(AssertionError, "not greater than or equal"):
            self.check_sum([(0, 2), (1, 2)], shared=False)

    def test_other_links_and_directions_are_not_shared(self):
        alone = self.arrival([(0, 2)])
        self.assertAlmostEqual(alone, MESSAGES * (SIZE / BANDWIDTH + 2 * LATENCY))
        for ways in ([(0, 2), (2, 0)], [(0, 2), (2, 3)]):
            self.assertAlmostEqual(self.arrival(ways), alone)


class StepsBySlots(unittest.TestCase):
    # --tiny computes in fp32; what kinds differ by is the plan's precision.
    def test_tiny_keeps_the_plans_rates(self):
        document = on_nodes(["n1"], ["n2"])
        document["problem"]["cluster"].update(kinds=[{"name": "old", "fp16": 1e14, "fp32": 1.6e13},
                                                     {"name": "new", "fp16": 3e14, "fp32": 2e13}])
        for node, kind in zip(document["problem"]["cluster"]["nodes"], ("old", "new")):
            node["kind"] = kind
        document["plans"][0]["precision"] = "fp16"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(document, file)
            for flags, slower in (((), 3.0), (("--precision", "fp32"), 1.25)):
                drawn, _ = run.read_problem(run.arguments(["--plan", path, "--tiny", *flags]), False)
                self.assertEqual(drawn.precision, "fp32")
                self.assertAlmostEqual(emulation.slow_downs(drawn)["n1"], slower)

    def test_two_stages_of_1f1b(self):
        """Forwards of 1 and 2 s, backwards of 2 and 4 s, 4 micro-batches: the second stage is never idle once it has
        begun, so that a step is its 4 x 6 s, behind a forward and before a backward of the first one."""
        pipeline = plan_of(Reader(on_nodes(("n1",), ("n2",)), "plan")).pipelines[0]
        self.assertEqual((pipeline.kind, pipeline.microbatches), ("1f1b", 4))
        slots = {(0, "F"): 1.0, (0, "B"): 2.0, (1, "F"): 2.0, (1, "B"): 4.0}
        self.assertEqual(last_end(pipeline, pass_orders(pipeline), lambda stage, kind, _: slots[stage, kind]),
                         1.0 + 4 * 6.0 + 2.0)

    def test_a_busy_machine_is_told(self):
        cores = os.cpu_count() or 1
        self.assertEqual(busy_words(0.98, 0.3), "")
        self.assertIn("40% of a core", busy_words(0.4, 0.3))
        self.assertIn(f"{cores + 3:.1f} processes", busy_words(0.98, cores + 3))


class OneMachine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def start(self, document, *flags):
        path = os.path.join(self.folder, "plan.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        return subprocess.run([sys.executable, "-B", str(RUNNER / "run.py"), "--plan", path, "--tiny", "--steps", "1",
                               *flags], capture_output=True, text=True, timeout=200, check=False,
                              env={**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"})

    def test_two_replicas_send_over_one_link(self):
        """As above, of a run: both directions of n1's link carry what two ranks send, or are sent."""
        out = os.path.join(self.folder, "run.json")
        done = self.start(on_nodes(("n1", "n1"), ("n2", "n2")), "--emulate", "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        told = done.stdout.splitlines()
        self.assertEqual(told[0], "emulated: the layers are timed alone")
        self.assertRegex(told[1], r"^emulated: a step takes \d[\d.e+-]* s by its slots, .*; steps to do: 1, ")
        self.assertTrue(told[2].startswith("step 0  "), told[2])
        self.assertIn("of the slots was real work", told[-1])
        with open(out, encoding="utf-8") as file:
            run = json.load(file)
        by_slots = float(told[1].split()[4])
        self.assertLess(0.9 * by_slots, run["steps"][0]["seconds"])  # a step is no shorter than its slots
        message = 8 * 1 * 32 * 4  # positions, sequences, numbers, bytes
        for place in (0, 1):
            ranks = {rank["rank"] for rank in run["ranks"] if rank["stage"] == place}
            sends = [op for op in run["ops"] if op["kind"] == "send" and op["rank"] in ranks]
            self.assertEqual({op["rank"] for op in sends}, ranks)
            self.assertEqual(len(sends), 2 * 4)
            took = max(op["end_s"] for op in sends) - min(op["start_s"] for op in sends)
            self.assertGreaterEqual(took, 0.9 * len(sends) * message / BANDWIDTH)  # the ranks' clocks are apart by ms

    def test_more_ranks_than_a_machine_should_take(self):
        document = on_nodes(["n1"] * 66)
        document["plans"][0]["pipelines"][0].update(microbatch_size=66, microbatches=1)
        document["problem"]["recipe"]["gbs"] = 66
        for flag in ("--emulate", "--here"):
            done = self.start(document, flag)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            for words in ("takes 66 ranks", "66 processes", "at most 64", "a smaller plan", "--most-ranks 66"):
                self.assertIn(words, done.stderr)
        small = on_nodes(("n1",), ("n2",))
        self.assertIn("at most 1 are started", self.start(small, "--here", "--most-ranks", "1").stderr)
        self.assertEqual(self.start(small, "--here", "--most-ranks", "2").returncode, 0)
        self.assertIn("--most-ranks: 0; expected at least 1", self.start(small, "--here", "--most-ranks", "0").stderr)


if __name__ == "__main__":
    unittest.main()
