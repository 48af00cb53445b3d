# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random problems and plans of them, small enough for a step to take milliseconds."""

from __future__ import annotations

import random
from typing import Any, Dict, List, Tuple

KINDS = ("gpipe", "1f1b", "eager", "h1f1b", "interleaved", "zb-h1", "zb-v")
FAMILIES: Dict[str, Dict[str, Any]] = {
    "llama": {"gated_mlp": True, "rms_norm": True},
    "mistral": {"gated_mlp": True, "rms_norm": True, "window": 5},
    "qwen2": {"gated_mlp": True, "rms_norm": True, "qkv_bias": True},
    "qwen3": {"gated_mlp": True, "rms_norm": True, "query_key_norm": True},
    "gpt2": {"learned_positions": 16, "qkv_bias": True, "attention_out_bias": True, "mlp_bias": True},
    "gpt_neo": {"learned_positions": 16, "attention_out_bias": True, "mlp_bias": True, "window": "alternating"},
    "gpt_neox": {"qkv_bias": True, "attention_out_bias": True, "mlp_bias": True},
    "opt": {"learned_positions": 18, "qkv_bias": True, "attention_out_bias": True, "mlp_bias": True},
    "mixtral": {"gated_mlp": True, "rms_norm": True, "experts": {"count": 4, "per_token": 2, "ffn": 24}},
    "qwen2_moe": {"gated_mlp": True, "rms_norm": True, "qkv_bias": True,
                  "experts": {"count": 4, "per_token": 2, "ffn": 16, "shared": 1, "shared_ffn": 32,
                              "shared_gate": True, "dense_blocks": [0]}},
}
GROUPED = ("llama", "mistral", "qwen2", "qwen3", "mixtral", "qwen2_moe")


def draw_model(r: random.Random, blocks: int, family: str = "") -> Dict[str, Any]:
    family = family or r.choice(list(FAMILIES))
    model: Dict[str, Any] = {"schema": "pipewright-model-1", "name": "drawn", "family": family, "blocks": blocks,
                             "hidden": 32, "heads": 4, "ffn": r.choice([48, 64]), "vocab": r.choice([61, 64]),
                             "positions": 16, "tied": r.random() < 0.5, **FAMILIES[family]}
    if family in GROUPED:
        model["kv_heads"] = r.choice([1, 2, 4])
    if model.get("window") == "alternating":
        model["window"] = [0 if block % 2 == 0 else 4 for block in range(blocks)]
    elif "window" in model:
        model["window"] = [model["window"]] * blocks
    if family == "opt" and r.random() < 0.5:  # as OPT-350m has it
        model["embed_projection"] = 16
        model["final_norm"] = False
    return model


def cut(r: random.Random, layers: int, parts: int) -> List[Tuple[int, int]]:
    """Uneven spans, cut anywhere, inside blocks too."""
    marks = [0] + sorted(r.sample(range(1, layers), parts - 1)) + [layers]
    return [(begin, end - 1) for begin, end in zip(marks, marks[1:])]


def draw_shares(r: random.Random, total: int, parts: int) -> List[int]:
    marks = [0] + sorted(r.sample(range(1, total), parts - 1)) + [total]
    return [end - begin for begin, end in zip(marks, marks[1:])]


def draw_stage(r: random.Random, model: Dict[str, Any], size: int, count: int, chunks: List[Tuple[int, int]],
               limit: int, devices: List[str]) -> Dict[str, Any]:
    """A stage on at most `limit` ranks, for `count` identical pipelines."""
    ways = [(tp, dp) for tp in (1, 2, 4) for dp in (1, 2, 3) if tp * dp * count <= limit and dp <= size]
    tp, dp = r.choice(ways)
    shares = draw_shares(r, size, dp) * count
    replicas = [{"devices": [devices.pop(0) for _ in range(tp)], "share": share / size} for share in shares]
    experts = model.get("experts", {}).get("count", 1)
    eps = [ep for ep in (1, 2) if experts % ep == 0 and len(replicas) % ep == 0]
    mode = r.choice(["none", "selective", "full"])
    return {"chunks": [list(span) for span in chunks], "replicas": replicas, "tp": tp, "ep": r.choice(eps),
            "sequence_parallel": tp > 1 and r.random() < 0.5, "zero": r.choice([0, 1]),
            "recompute": {"mode": mode, "layers": r.choice([0, 1, 2]) if mode == "full" else 0}}


def draw_pipeline(r: random.Random, model: Dict[str, Any], kind: str, ranks: int, devices: List[str],
                  count: int = 1) -> Dict[str, Any]:
    chunks = 2 if kind in ("interleaved", "zb-v") else 1
    layers = 2 * model["blocks"] + 2
    most = min(ranks // count, 4, layers // chunks)
    stages = r.randint(2 if kind == "interleaved" and most > 1 else 1, max(1, most))
    spans = cut(r, layers, stages * chunks)
    size = r.randint(1, 3)
    microbatches = stages * r.randint(1, 2) if kind == "interleaved" else r.randint(1, 5)
    drawn: List[Dict[str, Any]] = []
    for s in range(stages):
        back = stages - 1 - s if kind == "zb-v" else s
        own = [spans[s]] + ([spans[stages + back]] if chunks == 2 else [])
        limit = ranks - sum(len(x["replicas"]) * x["tp"] for x in drawn) - (stages - 1 - s) * count
        drawn.append(draw_stage(r, model, size, count, own, limit, devices))
    schedule: Dict[str, Any] = {"kind": kind, "chunks": chunks}
    if kind == "h1f1b":
        launch = [1]
        for _ in range(stages - 1):
            launch.insert(0, launch[0] + r.randint(1, 3))
        schedule["launch"] = launch
    return {"count": count, "microbatches": microbatches, "microbatch_size": size, "schedule": schedule,
            "stages": drawn}


def document(model: Dict[str, Any], pipelines: List[Dict[str, Any]], seq: int = 8,
             precision: str = "fp32") -> Dict[str, Any]:
    gbs = sum(p["count"] * p["microbatches"] * p["microbatch_size"] for p in pipelines)
    return {"schema": "pipewright-plan-1",
            "problem": {"cluster": {"nodes": [{"id": "n1", "kind": "CPU", "gpus": 8}]}, "model": model,
                        "recipe": {"gbs": gbs, "seq": seq, "precision": precision}, "profiles": []},
            "plans": [{"pipelines": pipelines, "precision": precision}]}


def draw_plan(seed: int, kind: str = "", family: str = "") -> Dict[str, Any]:
    """A plan document of 2 to 8 ranks; the same for the same seed."""
    r = random.Random(seed)
    kind = kind or r.choice(KINDS)
    model = draw_model(r, r.randint(2, 4), family)
    devices = [f"n1.g{g}" for g in range(8)]
    r.shuffle(devices)
    world = r.randint(2, 8)
    shape = r.random()
    if world >= 4 and shape < 0.25:  # two pipelines of different shape
        first = r.randint(2, world - 2)
        pipelines = [draw_pipeline(r, model, kind, first, devices),
                     draw_pipeline(r, model, r.choice(KINDS), world - first, devices)]
    elif world >= 4 and shape < 0.4:  # two identical ones
        pipelines = [draw_pipeline(r, model, kind, world, devices, 2)]
    else:
        pipelines = [draw_pipeline(r, model, kind, world, devices)]
    for drawn in pipelines:
        whole = drawn["schedule"]["kind"] not in ("interleaved", "zb-h1", "zb-v")
        if len(pipelines) == 1 and len(drawn["stages"]) == 1 and whole:
            drawn["stages"][0]["zero"] = r.choice([0, 1, 2])
    return document(model, pipelines)


def stage(chunks: List[List[int]], *replicas: List[int], **more: Any) -> Dict[str, Any]:
    """A stage by hand: its spans of layers, the GPUs of each replica."""
    return {"chunks": chunks, "tp": len(replicas[0]), "replicas": [
        {"devices": [f"n1.g{g}" for g in replica], "share": 1 / len(replicas)} for replica in replicas], **more}


def plan(*stages: Dict[str, Any], family: str = "llama", kind: str = "1f1b", tied: bool = False,
         beside: List[Dict[str, Any]] | None = None, microbatches: int = 2, **model: Any) -> Dict[str, Any]:
    """A plan document by hand of a model of 2 blocks, micro-batches of 2 sequences, and another pipeline beside."""
    whole = {"schema": "pipewright-model-1", "name": "m", "family": family, "blocks": 2, "hidden": 32, "heads": 4,
             "ffn": 48, "vocab": 61, "positions": 16, "tied": tied, **FAMILIES[family], **model}
    chunks = len(stages[0]["chunks"])
    pipelines = [{"count": 1, "microbatches": microbatches, "microbatch_size": 2, "stages": list(drawn),
                  "schedule": {"kind": kind, "chunks": chunks}} for drawn in [stages] + ([beside] if beside else [])]
    return document(whole, pipelines)
