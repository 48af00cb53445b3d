#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Twelve plans of one problem, acted out on this machine and predicted from layers that were timed on it: how far
predictions are off, whether they order the plans as they ran, and what the predicted best loses to the best. By hand,
on an idle machine, some six minutes on two cores:

  tests/runner/emulated_plans.py [--build build/release] [--out resources/manual/generated]

writes emulated.md and the picture of a timeline with both lanes into the folder of --out, and prints the page.

The samples' profiler times the layers of a small model; its times, as much longer as the runner's slots are and as slow
on a V100 as the runner takes one to be, are the measured rows that plans are predicted with. Of all plans that several
planners find on four GPUs of two kinds, twelve are taken at equal distances in predicted time. What is shown is how
well order, transfers and overlap are predicted; nothing of real GPUs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, NamedTuple

from emulated_page import PICTURE, Emulated, Machine, at_equal_distances, page

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
PROBLEM = (f"A Llama of {MODEL['blocks']} blocks of {MODEL['hidden']} columns, {GBS} sequences of {SEQ} tokens a step "
           f"in fp32, on 2 {FAST} and 2 {SLOW} in two nodes, joined by 1 Gbit/s Ethernet.")
OTHERS = ("megatron", "exhaustive", "hyperpipe", "metis", "alpa", "harp", "haap")
ASKED: List[List[str]] = [["--all-schedules", "on"], [], *(["--planner", name] for name in OTHERS)]
# As resources/manual/update draws pictures, but so tall that both bands of all four stages are seen.
WIDTH, HEIGHT = 1600, 2200
SCREEN = {"screens": [{"name": "pictures", "x": 0, "y": 0, "width": WIDTH + 8, "height": HEIGHT + 34, "logicalDpi": 96,
                       "logicalBaseDpi": 96, "dpr": 1}]}


class Candidate(NamedTuple):
    predicted: float  # s
    plan: str         # FILE:k
    what: str
    stages: int


class Bench:
    def __init__(self, build: Path, folder: Path) -> None:
        self.cli, self.window = build.resolve() / "app/pipewright-cli", build.resolve() / "app/pipewright"
        self.folder = folder
        self.problem = ["--cluster", "cluster.json", "--model", "model.json", "--gbs", str(GBS), "--seq", str(SEQ),
                        "--precision", "fp32", "--zero", "0", "--recompute", "none", "--mbs", "1,2,4,8"]
        for name, document in (("model", MODEL), ("cluster", CLUSTER)):
            self.write(f"{name}.json", document)

    def run(self, *command: str, check: bool = True, environment: Dict[str, str] | None = None) -> str:
        own = {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"} | (environment or {})
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=os.environ | own)
        if check and done.returncode != 0:
            sys.exit(f"{' '.join(command)} ends with {done.returncode}: {done.stdout}")
        return done.stdout

    def read(self, name: str) -> Dict[str, Any]:
        document: Dict[str, Any] = json.loads((self.folder / name).read_text(encoding="utf-8"))
        return document

    def write(self, name: str, document: Any) -> None:
        (self.folder / name).write_text(json.dumps(document), encoding="utf-8")

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
        self.write("scaled.json", rows | {"rows": scaled})
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
                                 Candidate(plan["iteration_s"], f"{name}:{k}", what, len(stages)))
        return sorted(found.values())

    def act_out(self, plan: Candidate, out: str) -> Emulated:
        self.run(sys.executable, str(ROOT / "samples/runner/run.py"), "--plan", plan.plan, "--emulate", "--steps",
                 str(STEPS), "--out", out)
        run = self.read(out)
        kept = run["emulation"]
        return Emulated(plan.what, plan.predicted, statistics.median(step["seconds"] for step in run["steps"][1:]),
                        kept["real_share"], kept["late_passes"] / kept["passes"], kept["disturbed"])

    def picture(self, plan: str, ran: str, target: Path) -> None:
        """The timeline of a run over its plan, as the window draws it."""
        problem = self.read(plan.rpartition(":")[0])["problem"]
        self.write("project.pwx", problem | {"schema": "pipewright-project", "version": 1, "name": "emulated"})
        self.write("screen.json", SCREEN)
        own = {name: str(self.folder) for name in ("PIPEWRIGHT_CONFIG_DIR", "PIPEWRIGHT_DATA_DIR",
                                                   "PIPEWRIGHT_STATE_DIR", "XDG_RUNTIME_DIR")}
        own.update(LC_ALL="C.UTF-8", QT_QPA_PLATFORM=f"offscreen:configfile={self.folder}/screen.json")
        self.run(str(self.window), "project.pwx", ran, "-qwindowgeometry", f"{WIDTH}x{HEIGHT}", "--screenshots",
                 "pictures", "--views", "timeline-light", environment=own)
        shutil.copyfile(self.folder / "pictures/timeline-light.png", target)


def busy_seconds() -> float:
    """Of all cores since the machine started."""
    fields = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:]
    user, nice, system, _, _, irq, softirq, steal = (int(field) for field in fields[:8])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def processor() -> str:
    names = [line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
             if line.startswith("model name")]
    return names[0] if names else "a processor without a name"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help="folder with both programs in app")
    parser.add_argument("--out", type=Path, default=ROOT / "resources/manual/generated")
    parser.add_argument("--plans", type=int, default=PLANS, help=f"how many are acted out ({PLANS})")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.build, Path(folder))
        load_before, busy, own, elapsed = os.getloadavg()[0], busy_seconds(), own_seconds(), os.times().elapsed
        bench.measure()
        found = bench.candidates()
        if not 2 <= options.plans <= len(found):
            sys.exit(f"--plans: {options.plans}; expected 2 to {len(found)}, as many as were found")
        rows: List[Emulated] = []
        taken = at_equal_distances(found, options.plans, lambda plan: plan.predicted)
        for number, plan in enumerate(taken, 1):
            rows.append(bench.act_out(plan, f"run-{number}.json"))
            print(f"{number}: predicted {rows[-1].predicted:.3f} s, emulated {rows[-1].ran:.3f} s", file=sys.stderr)
        others = (busy_seconds() - busy - (own_seconds() - own)) / (os.times().elapsed - elapsed)
        machine = Machine(processor(), os.cpu_count() or 1, bench.read("run-1.json")["versions"]["torch"], load_before,
                          os.getloadavg()[0], max(0.0, others), len(found))
        pictured = max(range(len(taken)), key=lambda n: (taken[n].stages, -n))
        bench.picture(taken[pictured].plan, f"run-{pictured + 1}.json", options.out / PICTURE)
    text = page(rows, machine, PROBLEM, pictured + 1)
    (options.out / "emulated.md").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
