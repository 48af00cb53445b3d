# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The built pipewright-cli (PW_CLI) as tests of the runner call it, and a problem of four GPUs of two kinds."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any, Dict, Tuple

CLI = os.environ.get("PW_CLI", "build/release/app/pipewright-cli")

# Two blocks fit anywhere and take milliseconds; the kinds are the catalogue's.
CLUSTER: Dict[str, Any] = {
    "schema": "pipewright-cluster-1", "name": "pair",
    "nodes": [{"id": "n1", "kind": "A100-SXM4-40GB", "gpus": 2}, {"id": "n2", "kind": "V100-SXM2-16GB", "gpus": 2}],
    "switches": [{"id": "s1"}],
    "links": [{"id": f"{node}-s1", "a": node, "b": "s1", "bandwidth": "100 Gbit/s", "latency": "20 us"}
              for node in ("n1", "n2")]}
MODEL: Dict[str, Any] = {
    "schema": "pipewright-model-1", "name": "small", "family": "llama", "blocks": 6, "hidden": 256, "heads": 8,
    "kv_heads": 4, "ffn": 512, "vocab": 1000, "positions": 512, "gated_mlp": True, "rms_norm": True}


def cli(*arguments: str, code: int | None = 0) -> Tuple[Dict[str, Any], str]:
    """The document that it printed and what stood on standard error. code None: any."""
    done = subprocess.run([CLI, *arguments, "--json"], capture_output=True, text=True, timeout=300, check=False)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{arguments} ended {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return json.loads(done.stdout), done.stderr


def write(folder: str, name: str, document: Any) -> str:
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path
