# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""There and back: a plan is searched, exported, run from the folder of the export, and what ran comes back into
Pipewright beside its prediction, as factors and as layer times."""
import beside_runner  # noqa: F401
import copy
import json
import os
import subprocess
import sys
import tempfile
import unittest
from typing import Any, Dict, List, Tuple

from beside_cli import CLUSTER, MODEL, cli, write


def passes_of_trace(trace: Dict[str, Any]) -> Dict[int, List[Tuple[str, int]]]:
    """Passes of every stage, in order, of what `simulate --trace` writes."""
    bars: Dict[int, List[Tuple[float, str, int]]] = {}
    for event in trace["traceEvents"]:
        if event["ph"] == "X" and event["args"]["op"] in ("F", "B", "W"):
            bars.setdefault(event["args"]["stage"], []).append(
                (event["ts"], event["args"]["op"], event["args"]["microbatch"]))
    return {stage: [(op, microbatch) for _, op, microbatch in sorted(found)] for stage, found in bars.items()}


class ThereAndBack(unittest.TestCase):
    folder: str
    out: str
    plan: str  # of the export
    ran: str  # run.json
    chosen: str
    stages: int
    exported: Dict[str, Any]
    printed: str
    record: Dict[str, Any]

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = temporary.name
        cls.out = cls.path("out")
        problem = ["--cluster", write(cls.folder, "cluster.json", CLUSTER), "--model",
                   write(cls.folder, "model.json", MODEL), "--gbs", "8", "--seq", "64"]
        found, _ = cli("plan", *problem, "--target", "runner", "--require", "n1,n2", "--work", "20000", "--out",
                       cls.path("plans.json"))
        used = [len(plan["pipelines"][0]["stages"]) for plan in found["plans"]]
        cls.chosen = f"{cls.path('plans.json')}:{used.index(max(used)) + 1}"
        cls.stages = max(used)
        cls.exported, _ = cli("export", "--format", "runner", "--plan", cls.chosen, "--out", cls.out)
        cls.printed = cls.python("--emulate", "--tiny", "--steps", "3", "--out", "run.json")
        cls.ran = os.path.join(cls.out, "run.json")
        with open(cls.ran, encoding="utf-8") as file:
            cls.record = json.load(file)
        cls.plan = os.path.join(cls.out, "plan.json")

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def python(cls, *flags, code=0):
        """The runner of the export, as its README has it."""
        done = subprocess.run([sys.executable, "runner/run.py", "--plan", "plan.json", *flags], cwd=cls.out,
                              capture_output=True, text=True, timeout=200, check=False,
                              env={**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"})
        if done.returncode != code:
            raise AssertionError(f"{flags} ended {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout if code == 0 else done.stderr

    def test_the_folder_runs_by_itself(self):
        self.assertGreater(self.stages, 1)
        self.assertIn("run.sh", self.exported["files"])
        self.assertIn("step 2  loss", self.printed)
        self.assertEqual((self.record["schema"], self.record["emulated"], self.record["tiny"]),
                         ("pipewright-run-1", True, True))
        self.assertEqual(self.record["plan_document"]["plans"][0]["pipelines"][0]["schedule"]["kind"],
                         json.load(open(self.plan, encoding="utf-8"))["plans"][0]["pipelines"][0]["schedule"]["kind"])

    def test_dry_run(self):
        self.assertEqual(self.python("--here", "--tiny", "--dry-run", "2").count("loss"), 2)
        self.assertIn("goes without", self.python("--here", "--dry-run", "2", "--tokens", "t.u16", code=2))

    def test_evaluate_and_simulate(self):
        for command in ("evaluate", "simulate"):
            document, _ = cli(command, "--plan", self.plan, "--measured", self.ran)
            run = document["run"]
            self.assertTrue(run["emulated"] and run["tiny"])
            self.assertEqual(run["standing"], "emulated, with tiny widths")
            self.assertEqual(run["emulation"]["passes"], self.record["emulation"]["passes"])
            self.assertEqual(run["steps"], [1, 2])
            self.assertEqual({row["stage"] for row in run["stages"]}, set(range(self.stages)))
            for row in run["operations"]:
                self.assertEqual("predicted_s" in row, row["kind"] in "FBW", row)
            for row in run["stages"]:  # the order of passes, which is the plan's, fixes it
                self.assertEqual(row["in_flight"]["measured"], row["in_flight"]["predicted"])
            self.assertAlmostEqual(run["loss"]["last"], self.record["steps"][-1]["loss"])
        text = subprocess.run([os.environ.get("PW_CLI", "build/release/app/pipewright-cli"), "evaluate", "--plan",
                               self.plan, "--measured", self.ran], capture_output=True, text=True, check=True).stdout
        self.assertIn("emulated, with tiny widths", text)
        self.assertNotIn("measured  ", text.split("emulated, with tiny widths")[1])

    def test_another_plans_run_is_refused(self):
        broken = dict(self.record, ranks=self.record["ranks"][::-1])
        for place, rank in enumerate(broken["ranks"]):
            broken["ranks"][place] = dict(rank, rank=place)
        answer, _ = cli("evaluate", "--plan", self.plan, "--measured", write(self.folder, "other.json", broken),
                        code=2)
        self.assertEqual(answer["error"]["code"], "run.plan")
        self.assertIn("other.json#/ops/0", answer["error"]["where"])

    def test_a_run_of_another_problem_is_refused(self):
        other = copy.deepcopy(self.record)
        other["plan_document"]["problem"]["recipe"]["seq"] *= 2
        answer, _ = cli("evaluate", "--plan", self.plan, "--measured", write(self.folder, "longer.json", other),
                        code=2)
        self.assertEqual(answer["error"]["code"], "run.plan")
        self.assertIn("longer.json#/plan_document/problem/recipe/seq", answer["error"]["where"])

    def test_passes_run_in_the_order_that_was_predicted(self):
        """Whatever this runner thinks the order is: the prediction's own timeline has it too."""
        cli("simulate", "--plan", self.plan, "--trace", self.path("trace.json"))
        with open(self.path("trace.json"), encoding="utf-8") as file:
            predicted = passes_of_trace(json.load(file))
        self.assertEqual(set(predicted), set(range(self.stages)))
        for rank in self.record["ranks"]:
            ran = [(op["kind"], op["microbatch"]) for op in self.record["ops"]
                   if (op["rank"], op["step"]) == (rank["rank"], 1) and op["kind"] in "FBW"]
            self.assertEqual(ran, predicted[rank["stage"]])

    def test_calibrate(self):
        factors = self.path("factors.json")
        document, _ = cli("calibrate", self.ran, "--out", factors)
        self.assertTrue(document["emulated"])
        self.assertIn("A100-SXM4-40GB", document["kinds"])
        problem = ["--cluster", self.path("cluster.json"), "--model", self.path("model.json"), "--gbs", "8", "--seq",
                   "64", "--calibration", factors]
        answer, _ = cli("plan", *problem, code=2)  # never unasked
        self.assertEqual(answer["error"]["code"], "calibration.emulated")
        cli("plan", *problem, "--emulated")

    def test_profiles(self):
        store = self.path("own.sqlite")
        document, _ = cli("profiles", "import", self.ran, "--profiles", store, code=None)
        if "error" in document:  # no stage of whole blocks alone
            self.assertEqual(document["error"]["code"], "run.layers")
            return
        rows, _ = cli("profiles", "show", "--profiles", store)
        self.assertTrue(rows["rows"])
        for row in rows["rows"]:
            self.assertTrue(row["kind"].endswith(" (emulated)") and row["model"] == "small (tiny)", row)
            self.assertIn("emulated", row["source"])


if __name__ == "__main__":
    unittest.main()
