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
from typing import Any, Dict, List

from beside_cli import CLUSTER, MODEL, cli, write
from every_kind import LAYERS, bare_problem, exported, pipeline, planned, recorded_order, simulated_orders


def holds_blocks_alone(stage: Dict[str, Any]) -> bool:
    """Whole blocks, by fine layers 2b + 1 and 2b + 2 of block b, and neither embedding nor head."""
    return all(first % 2 == 1 and last % 2 == 0 and 0 < first and last < LAYERS - 1
               for first, last in stage["chunks"])


def run_there(folder: str, *flags: str, code: int = 0) -> str:
    """The runner of the export in the folder, as its README has it: what it printed, or said where it fails."""
    done = subprocess.run([sys.executable, "runner/run.py", "--plan", "plan.json", *flags], cwd=folder,
                          capture_output=True, text=True, timeout=200, check=False,
                          env={**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"})
    if done.returncode != code:
        raise AssertionError(f"{flags} ended {done.returncode}: {done.stdout}{done.stderr}")
    return done.stderr if code else done.stdout


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
        cls.printed = run_there(cls.out, "--emulate", "--tiny", "--steps", "3", "--out", "run.json")
        cls.ran = os.path.join(cls.out, "run.json")
        with open(cls.ran, encoding="utf-8") as file:
            cls.record = json.load(file)
        cls.plan = os.path.join(cls.out, "plan.json")

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    def exported_plan(self) -> Dict[str, Any]:
        with open(self.plan, encoding="utf-8") as file:
            document: Dict[str, Any] = json.load(file)
        return document

    def test_the_folder_runs_by_itself(self):
        self.assertGreater(self.stages, 1)
        self.assertIn("run.sh", self.exported["files"])
        self.assertIn("step 2  loss", self.printed)
        self.assertEqual((self.record["schema"], self.record["emulated"], self.record["tiny"]),
                         ("pipewright-run-1", True, True))
        self.assertEqual(self.record["plan_document"]["plans"][0]["pipelines"][0]["schedule"]["kind"],
                         self.exported_plan()["plans"][0]["pipelines"][0]["schedule"]["kind"])

    def test_dry_run(self):
        self.assertEqual(run_there(self.out, "--here", "--tiny", "--dry-run", "2").count("loss"), 2)
        self.assertIn("goes without", run_there(self.out, "--here", "--dry-run", "2", "--tokens", "t.u16", code=2))

    def test_evaluate_and_simulate(self):
        for command in ("evaluate", "simulate"):
            document, said = cli(command, "--plan", self.plan, "--measured", self.ran)
            self.assertNotIn("warning", said)  # every key that the runner writes is known
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
        predicted = simulated_orders(self.folder, self.plan)
        self.assertEqual(len(predicted), self.stages)
        for rank in self.record["ranks"]:
            self.assertEqual(recorded_order(self.record, rank["rank"], 1), predicted[rank["stage"]])

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

    def rows_of(self, ran: str) -> List[Dict[str, Any]]:
        """The layer times that `profiles import` takes from a run; none where it says that there are none."""
        store = f"{ran}.sqlite"
        document, _ = cli("profiles", "import", ran, "--profiles", store, code=None)
        if "error" in document:
            self.assertEqual(document["error"]["code"], "run.layers")
            return []
        rows: List[Dict[str, Any]] = cli("profiles", "show", "--profiles", store)[0]["rows"]
        for row in rows:
            self.assertTrue(row["kind"].endswith(" (emulated)") and row["model"] == "small (tiny)", row)
            self.assertIn("emulated", row["source"])
        return rows

    def test_profiles(self):
        """There are layer times where a stage holds whole blocks and nothing else, and only there."""
        stages = self.record["plan_document"]["plans"][0]["pipelines"][0]["stages"]
        self.assertEqual(bool(self.rows_of(self.ran)), any(holds_blocks_alone(stage) for stage in stages))

    def test_profiles_of_blocks_alone(self):
        """By hand: one V100 holds two blocks and nothing else, which give the times of all blocks on a V100; the other
        two blocks and the head. Of the A100s none holds blocks alone."""
        path = exported(self.folder, "blocks", planned(bare_problem(self.folder), pipeline("1f1b")))
        out = os.path.dirname(path)
        run_there(out, "--emulate", "--tiny", "--steps", "3", "--out", "run.json")
        rows = self.rows_of(os.path.join(out, "run.json"))
        head = MODEL["blocks"] + 1
        self.assertEqual({row["kind"] for row in rows}, {"V100-SXM2-16GB (emulated)"})
        layers = [row["layer"] for row in rows]
        self.assertEqual(layers[:head - 1], list(range(1, head)))
        # What its stage takes beside its blocks, which a busy machine may leave nothing of.
        self.assertIn(layers[head - 1:], ([], [head]))
        with open(os.path.join(out, "run.json"), encoding="utf-8") as file:
            ops = [op for op in json.load(file)["ops"] if op["stage"] == 1 and op["step"] > 0]
        for row in rows:
            for key, kind in (("forward_s", "F"), ("backward_s", "B")):
                took = [(op["end_s"] - op["start_s"]) / 2 for op in ops if op["kind"] == kind]  # of one block
                if row["layer"] < head:
                    self.assertTrue(0.999 * min(took) <= row[key] <= 1.001 * max(took), (row, took))
                else:
                    self.assertGreaterEqual(row[key], 0.0)


if __name__ == "__main__":
    unittest.main()
