#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of one GPU, run on it and predicted: from the catalogue alone, and from the layers that the samples' profiler
times on the same GPU. By hand, in steps of which only the second needs the GPU (and PyTorch, not Pipewright):

  tests/runner/measured_plans.py make FOLDER --gpu h200            plan documents, by pipewright-cli (--cli FILE)
  tests/runner/measured_plans.py run FOLDER --gpu h200             rows and runs beside them, some two minutes
  tests/runner/measured_plans.py keep FOLDER --gpu h200 --to samples    as they ship, in profiles, plans and runs
  tests/runner/measured_plans.py table samples                     predicted, with measured layers, and measured

Models are public ones with fewer blocks, so that a GPU holds them and their optimiser: what a stage of them would be.
Weights are random and the tokens synthetic; values are not what is looked at.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple

ROOT = Path(__file__).resolve().parents[2]
STEPS, RECORDED = 5, 1  # the first warms up, the last is recorded, which makes it wait between passes


Row = Dict[str, Any]


class Case(NamedTuple):
    model: str  # of samples/models
    blocks: int
    seq: int
    gbs: int
    mbs: int
    recompute: str
    precision: str
    fused_update: bool = False

    def name(self) -> str:
        name = f"{self.model}-{self.blocks}-{self.seq}-{self.mbs}-{self.recompute}-{self.precision}"
        return name + "-fused-update" if self.fused_update else name


class Gpu(NamedTuple):
    kind: str  # as the catalogue names it
    cases: Tuple[Case, ...]


H100 = (
    Case("llama3-8b", 6, 4096, 8, 1, "none", "bf16"),
    Case("llama3-8b", 6, 4096, 8, 2, "none", "bf16"),
    Case("llama3-8b", 6, 4096, 8, 2, "full", "bf16"),
    Case("llama2-7b", 8, 4096, 8, 1, "none", "bf16"),
    Case("llama2-7b", 8, 4096, 8, 2, "selective", "bf16"),
    Case("gpt3-1.3b", 24, 2048, 16, 2, "none", "bf16"),
    Case("gpt3-1.3b", 24, 2048, 16, 4, "full", "bf16"),
    Case("gpt3-1.3b", 24, 2048, 16, 2, "none", "fp16"),
    Case("gpt3-1.3b", 24, 2048, 16, 2, "none", "tf32"),
    Case("mixtral-8x7b", 2, 4096, 8, 1, "none", "bf16"),
)
# Drawn up before any of them ran: other models, lengths and optimisers than on the H100, and three of the same.
H200 = (
    Case("llama3-8b", 6, 4096, 8, 2, "none", "bf16"),
    Case("llama3-8b", 6, 4096, 8, 2, "none", "bf16", True),
    Case("gpt3-1.3b", 24, 2048, 16, 4, "full", "bf16"),
    Case("llama3-70b", 3, 4096, 8, 1, "none", "bf16"),
    Case("llama3-8b", 12, 8192, 8, 1, "full", "bf16"),
    Case("llama2-7b", 8, 1024, 32, 8, "none", "bf16"),
    Case("gpt-neo-2.7b", 32, 2048, 16, 2, "none", "bf16"),
    Case("gpt-neo-2.7b", 32, 2048, 16, 2, "none", "bf16", True),
    Case("opt-350m", 24, 2048, 64, 8, "none", "bf16"),
)
GPUS = {"h100": Gpu("H100-SXM-80GB", H100), "h200": Gpu("H200-141GB", H200)}  # by the folder that keeps them


def make(folder: Path, cli: Path, gpu: Gpu) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    node = {"id": "n1", "kind": gpu.kind, "gpus": 1}
    cluster = {"schema": "pipewright-cluster-1", "name": "one GPU", "nodes": [node]}
    (folder / "cluster.json").write_text(json.dumps(cluster), encoding="utf-8")
    for case in gpu.cases:
        model = json.loads((ROOT / f"samples/models/{case.model}.json").read_text(encoding="utf-8"))
        model |= {"name": f"{case.model}-{case.blocks}", "blocks": case.blocks}
        (folder / "model.json").write_text(json.dumps(model), encoding="utf-8")
        file = folder / f"{case.name()}.plan.json"
        subprocess.run([cli, "plan", "--cluster", folder / "cluster.json", "--model", folder / "model.json", "--gbs",
                        str(case.gbs), "--seq", str(case.seq), "--mbs", str(case.mbs), "--recompute", case.recompute,
                        "--precision", case.precision, "--target", "runner", "--top", "50", "--fit-chance", "0.5",
                        "--out", file], check=True, stdout=subprocess.DEVNULL)
        document = json.loads(file.read_text(encoding="utf-8"))  # alike in time: the one that needs the least memory
        document["plans"] = [min(document["plans"], key=lambda plan: float(plan["peak_memory"][0]["bytes"]))]
        file.write_text(json.dumps(document), encoding="utf-8")
    (folder / "model.json").unlink()


def run(folder: Path, gpu: Gpu) -> None:
    for name in ("runner", "profiler"):
        sys.path.insert(0, str(ROOT / "samples" / name))
    import gradients
    import profile_layers
    import run as runner
    import torch

    def drawn_here(spec: Any, begin: int, end: int, *_: object) -> torch.Tensor:
        """In place of first_values, which draws on the CPU, the same under every plan."""
        shape = list(spec.shape)
        if spec.cut is not None:
            shape[spec.cut] = end - begin
        values = torch.empty(shape, device="cuda")
        return values.fill_(1.0) if spec.initial == "ones" else values.normal_(0.0, 0.02)

    def alone(what: str, call: Any) -> None:
        """In this process, whose memory and process group it must not keep. Another case goes on where one fails."""
        torch.cuda.reset_peak_memory_stats()
        try:
            if call():
                print(f"{what}: ended with an error", flush=True)
        except Exception:
            print(f"{what}:\n{traceback.format_exc(limit=-3)}", flush=True)
        if torch.distributed.is_initialized():
            torch.distributed.destroy_process_group()
        gc.collect()
        torch.cuda.empty_cache()

    gradients.first_values = drawn_here
    print(profile_layers.kind_of(), profile_layers.versions("runner"), flush=True)
    torchrun = {"RANK": "0", "WORLD_SIZE": "1", "LOCAL_RANK": "0"}  # the profiler then stays in this process
    timed = set()
    for case in gpu.cases:
        plan = str(folder / f"{case.name()}.plan.json")
        if (case.model, case.seq, case.mbs, case.precision) not in timed:
            timed.add((case.model, case.seq, case.mbs, case.precision))
            os.environ.update(torchrun)
            alone(f"layers of {case.name()}", lambda: profile_layers.main(
                ["--plan", plan, "--out", plan.replace(".plan.", ".rows.")]))
            for name in torchrun:
                del os.environ[name]
        alone(case.name(), lambda: runner.main(
            ["--plan", plan, "--steps", str(STEPS), "--record", str(RECORDED), "--out",
             plan.replace(".plan.", ".run."), *(["--fused-update"] if case.fused_update else [])]))


def blocks_of(model: str) -> int:
    document = json.loads((ROOT / f"samples/models/{model}.json").read_text(encoding="utf-8"))
    return int(document["blocks"])


def as_of(rows: List[Row], name: str, before: int, blocks: int) -> List[Row]:
    """Rows of a model of `before` blocks as those of one of `blocks` like them. One block was timed, for all."""
    kept = [row for row in rows if row["layer"] in (0, 1, before + 1)]
    places = {0: [0], 1: list(range(1, blocks + 1)), before + 1: [blocks + 1]}
    return [row | {"model": name, "layer": layer} for row in kept for layer in places[row["layer"]]]


def keep(folder: Path, to: Path, kept: str) -> None:
    """What `run` left, as it ships: rows of the whole models, and the runs."""
    for part in ("profiles", "runs", "plans"):
        (to / part / kept).mkdir(parents=True, exist_ok=True)
    rows: Dict[str, List[Row]] = {}
    for case in GPUS[kept].cases:
        file = folder / f"{case.name()}.rows.json"
        if file.is_file():
            timed = json.loads(file.read_text(encoding="utf-8"))["rows"]
            if any(row["kind"] != GPUS[kept].kind for row in timed):
                sys.exit(f"{file}: rows of another GPU than {kept}")
            rows.setdefault(case.model, []).extend(as_of(timed, case.model, case.blocks, blocks_of(case.model)))
        record = folder / f"{case.name()}.run.json"
        if record.is_file():
            document = json.loads(record.read_text(encoding="utf-8")) | {"plan": f"{case.name()}.plan.json"}
            for part, content in (("runs", document), ("plans", document["plan_document"])):
                (to / part / kept / f"{case.name()}.json").write_text(json.dumps(content) + "\n", encoding="utf-8")
    for model, own in rows.items():
        lines = ",\n".join(json.dumps(row) for row in own)
        text = f'{{"schema": "pipewright-profiles-1", "rows": [\n{lines}\n]}}\n'
        (to / "profiles" / kept / f"{model}.json").write_text(text, encoding="utf-8")


class Judged(NamedTuple):
    gpu: str
    case: Case
    seconds: float     # a step, measured
    catalogue_s: float  # predicted for the runner's software (--stack runner, with fused_update where the run had it)
    layers_s: float    # predicted from measured layers
    peak: float        # bytes, measured
    expected: float    # predicted


def judged(folder: Path, cli: Path) -> List[Judged]:
    """Every run of a folder that `keep` made, beside its predictions."""
    result: List[Judged] = []
    with tempfile.TemporaryDirectory() as scratch:
        def predicted(*more: str) -> Dict[str, Any]:
            command = [str(cli), "--json", *more, "evaluate", "--plan", f"{scratch}/plan.json", "--stack",
                       f"{scratch}/stack.json"]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            first: Dict[str, Any] = json.loads(done.stdout)["plans"][0]
            return first

        for kept, case in ((kept, case) for kept, gpu in GPUS.items() for case in gpu.cases):
            file = folder / "runs" / kept / f"{case.name()}.json"
            if not file.is_file():
                continue
            record = json.loads(file.read_text(encoding="utf-8"))
            whole = json.loads((folder / "profiles" / kept / f"{case.model}.json").read_text(encoding="utf-8"))
            whole["rows"] = as_of(whole["rows"], f"{case.model}-{case.blocks}", blocks_of(case.model), case.blocks)
            stack = json.loads((ROOT / "resources/stacks/runner.json").read_text(encoding="utf-8"))
            stack["capabilities"]["fused_update"]["value"] = "on" if case.fused_update else "off"
            for name, document in (("plan", record["plan_document"]), ("rows", whole), ("stack", stack)):
                Path(f"{scratch}/{name}.json").write_text(json.dumps(document), encoding="utf-8")
            database = f"{scratch}/{kept}-{case.name()}.db"
            subprocess.run([cli, "--profiles", database, "profiles", "import", f"{scratch}/rows.json"], check=True,
                           stdout=subprocess.DEVNULL)
            bare, timed = predicted(), predicted("--profiles", database)
            seconds = statistics.median(step["seconds"] for step in record["steps"][1:-RECORDED])
            result.append(Judged(kept, case, seconds, bare["iteration_s"], timed["iteration_s"],
                                 record["peak_bytes"][0], bare["peak_memory"][0]["bytes"]))
    return result


def table(folder: Path, cli: Path) -> None:
    print(f"{'':53}  measured   catalogue      from layers      measured GiB  predicted")
    rows = judged(folder, cli)
    for row in rows:
        print(f"{row.gpu:5}{row.case.name():48}  {row.seconds:6.3f} s  {row.catalogue_s:6.3f} "
              f"{100 * (row.catalogue_s / row.seconds - 1):+6.1f} %  {row.layers_s:6.3f} "
              f"{100 * (row.layers_s / row.seconds - 1):+6.1f} %  {row.peak / 2**30:6.1f}  {row.expected / 2**30:6.1f} "
              f"{100 * (row.expected / row.peak - 1):+6.1f} %")
    for what, errors in (("catalogue", [row.catalogue_s / row.seconds for row in rows]),
                         ("from layers", [row.layers_s / row.seconds for row in rows]),
                         ("memory", [row.expected / row.peak for row in rows])):
        print(f"median error, {what}: {100 * statistics.median(abs(ratio - 1) for ratio in errors):.1f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("make", "run", "keep", "table"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gpu", choices=tuple(GPUS), help="for make, run and keep")
    parser.add_argument("--to", type=Path, help="a folder, for keep")
    parser.add_argument("--cli", type=Path, default=ROOT / "build/release/app/pipewright-cli")
    options = parser.parse_args()
    if options.step != "table" and not options.gpu:
        parser.error(f"{options.step} needs --gpu")
    if options.step == "make":
        make(options.folder, options.cli.resolve(), GPUS[options.gpu])
    elif options.step == "run":
        run(options.folder, GPUS[options.gpu])
    elif options.step == "keep":
        if not options.to:
            parser.error("keep needs --to")
        keep(options.folder, options.to, options.gpu)
    else:
        table(options.folder, options.cli.resolve())


if __name__ == "__main__":
    main()
