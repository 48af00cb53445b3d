#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Twelve plans of one problem, acted out on this machine and predicted from layers that were timed on it: how far
predictions are off, whether they order the plans as they ran, and what the predicted best loses to the best. By hand,
on an idle machine, some six minutes on two cores:

  tests/runner/emulated_plans.py [--cli build/release/app/pipewright-cli]

The samples' profiler times the layers of a small model; its times, as much longer as the runner's slots are and as slow
on a V100 as the runner takes one to be, are the measured rows that plans are predicted with. Of all plans that several
planners find on four GPUs of two kinds, twelve are taken at equal distances in predicted time. What is shown is how
well order, transfers and overlap are predicted; nothing of real GPUs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FAST, SLOW = "A100-SXM4-40GB", "V100-SXM2-16GB"
RANKS, SEQ, GBS, PLANS, STEPS = 4, 64, 16, 12, 3
MODEL = {"schema": "pipewright-model-1", "name": "small-llama", "family": "llama", "blocks": 8, "hidden": 128,
         "heads": 4, "ffn": 352, "vocab": 2048, "positions": 256, "rotary_base": 10000, "norm_epsilon": 1e-5,
         "gated_mlp": True, "rms_norm": True}
CLUSTER = {"schema": "pipewright-cluster-1", "name": "two-kinds",
           "nodes": [{"id": "n1", "kind": FAST, "gpus": 2}, {"id": "n2", "kind": SLOW, "gpus": 2}],
           "switches": [{"id": "s1", "medium": "Ethernet"}],
           "links": [{"id": f"{n}-s1", "a": n, "b": "s1", "bandwidth": "1 Gbit/s"} for n in ("n1", "n2")]}
OTHERS = ("megatron", "exhaustive", "hyperpipe", "metis", "alpa", "harp", "haap")
ASKED: List[List[str]] = [["--all-schedules", "on"], [], *(["--planner", name] for name in OTHERS)]


class Candidate(NamedTuple):
    predicted: float  # s
    plan: str         # FILE:k
    what: str


class Bench:
    def __init__(self, cli: Path, folder: Path) -> None:
        self.cli, self.folder = cli.resolve(), folder
        self.problem = ["--cluster", "cluster.json", "--model", "model.json", "--gbs", str(GBS), "--seq", str(SEQ),
                        "--precision", "fp32", "--zero", "0", "--recompute", "none", "--mbs", "1,2,4,8"]
        for name, document in (("model", MODEL), ("cluster", CLUSTER)):
            (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")

    def run(self, *command: str, check: bool = True) -> str:
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=os.environ | {"OMP_NUM_THREADS": "1"})
        if check and done.returncode != 0:
            sys.exit(f"{' '.join(command)} ends with {done.returncode}: {done.stdout}")
        return done.stdout

    def read(self, name: str) -> Dict[str, Any]:
        document: Dict[str, Any] = json.loads((self.folder / name).read_text(encoding="utf-8"))
        return document

    def measure(self) -> None:
        """The layers alone on this machine, and the rows that follow for both kinds."""
        sizes = {"hidden": "hidden", "blocks": "blocks", "heads": "heads", "ffn": "ffn", "vocabulary": "vocab"}
        self.run(sys.executable, str(ROOT / "samples/profiler/profile_layers.py"), "--model", str(MODEL["name"]),
                 *(word for flag, key in sizes.items() for word in (f"--{flag}", str(MODEL[key]))), "--gated",
                 "--rms-norm", "--seq", str(SEQ), "--mbs", "1,2,4,8", "--precision", "fp32", "--kind", FAST, "--repeat",
                 "15", "--out", "rows.json")
        self.run(str(self.cli), "plan", *self.problem, "--out", "estimated.json")
        kinds = {kind["name"]: kind for kind in self.read("estimated.json")["problem"]["cluster"]["kinds"]}
        stretch = 3.0 * max(1.0, RANKS / (os.cpu_count() or 1))  # as samples/runner/emulation.py has it
        rows = self.read("rows.json")
        scaled = []
        for row in rows["rows"]:
            for kind in (FAST, SLOW):
                longer = stretch * kinds[FAST]["fp32"] / kinds[kind]["fp32"]
                scaled.append(row | {"kind": kind, "forward_s": row["forward_s"] * longer,
                                     "backward_s": row["backward_s"] * longer})
        (self.folder / "scaled.json").write_text(json.dumps(rows | {"rows": scaled}), encoding="utf-8")
        self.run(str(self.cli), "--profiles", "rows.db", "profiles", "import", "scaled.json")

    def candidates(self) -> List[Candidate]:
        """Plans that use all GPUs without tensor parallelism, whose rows alone were timed; each once."""
        found: Dict[str, Candidate] = {}
        for number, more in enumerate(ASKED):
            name = f"plans-{number}.json"
            self.run(str(self.cli), "--profiles", "rows.db", "plan", *self.problem, "--top", "400", *more, "--out",
                     name, check=False)
            if not (self.folder / name).is_file():
                continue
            for k, plan in enumerate(self.read(name)["plans"], 1):
                pipeline = plan["pipelines"][0]
                stages = pipeline["stages"]
                replicas = [replica for stage in stages for replica in stage["replicas"]]
                devices = {device for replica in replicas for device in replica["devices"]}
                kind = pipeline["schedule"]["kind"]
                if (len(plan["pipelines"]) > 1 or pipeline["count"] > 1 or len(devices) < RANKS
                        or any(stage["tp"] > 1 for stage in stages) or kind in ("zb-1p", "zb-2p")):
                    continue
                counts = " ".join(str(len(stage["replicas"])) for stage in stages)
                what = f"{kind}, replicas {counts}, micro-batches of {pipeline['microbatch_size']}"
                found.setdefault(json.dumps(pipeline, sort_keys=True),
                                 Candidate(plan["iteration_s"], f"{name}:{k}", what))
        return sorted(found.values())

    def act_out(self, plan: str) -> float:
        self.run(sys.executable, str(ROOT / "samples/runner/run.py"), "--plan", plan, "--emulate", "--steps",
                 str(STEPS), "--out", "run.json")
        return statistics.median(step["seconds"] for step in self.read("run.json")["steps"][1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", type=Path, default=ROOT / "build/release/app/pipewright-cli")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.cli, Path(folder))
        bench.measure()
        all_plans = bench.candidates()
        if len(all_plans) < PLANS:
            sys.exit(f"{len(all_plans)} plans are too few")
        least, most = all_plans[0].predicted, all_plans[-1].predicted
        taken: List[Candidate] = []
        for n in range(PLANS):
            want = least * (most / least) ** (n / (PLANS - 1))
            rest = [plan for plan in all_plans if plan not in taken]
            taken.append(min(rest, key=lambda plan: abs(plan.predicted - want)))
        print(f"{len(all_plans)} plans, {PLANS} of them acted out; load {os.getloadavg()[0]:.1f}")
        ran = []
        for plan in sorted(taken):
            seconds = bench.act_out(plan.plan)
            ran.append((plan.predicted, seconds))
            print(f"predicted {plan.predicted:6.2f} s, emulated {seconds:6.2f} s, "
                  f"{100 * (plan.predicted / seconds - 1):+6.1f} %  {plan.what}", flush=True)
    signs = [(a[0] - b[0]) * (a[1] - b[1]) for a, b in itertools.combinations(ran, 2)]
    tau = (sum(s > 0 for s in signs) - sum(s < 0 for s in signs)) / len(signs)
    print(f"median error {100 * statistics.median(abs(p / s - 1) for p, s in ran):.1f} %, tau {tau:.2f}, the predicted "
          f"best is {100 * (ran[0][1] / min(s for _, s in ran) - 1):.1f} % slower than the best; "
          f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
