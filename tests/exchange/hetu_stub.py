#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands for Hetu's train_hetu_llama.py: its order of blocks (line 187) and its attention (line 302)."""

import argparse
import json

parser = argparse.ArgumentParser()
for flag in ("ds_parallel_config", "num_hidden_layers"):
    parser.add_argument("--" + flag)
for flag in ("use_flash_attn", "bf16"):
    parser.add_argument("--" + flag, action="store_true")
arguments, _ = parser.parse_known_args()
with open(arguments.ds_parallel_config, encoding="utf-8") as file:
    ranges = [block["range"] for block in json.load(file)["llama"]["blocks"].values()]
assert ranges[0][0] == 0 and ranges[-1][-1] == int(arguments.num_hidden_layers) - 1, ranges
assert arguments.use_flash_attn and arguments.bf16
print("taken")
