#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the layers of a transformer on the GPU at hand, for `pipewright-cli profiles import`.

One embedding, one block and one head are built with random weights, so that a model of any size fits, and
forward pass, backward pass and optimiser step of each are timed. Started by torchrun with N processes, the
block and the head are divided over N GPUs with Megatron's two all-reduces a block, and the times include them.
README.md beside this file describes the output.
"""

import argparse
import datetime
import json
import os
import statistics
import subprocess
import sys
import time
from typing import Callable, Iterable, List, Tuple

import torch
import torch.cuda.nccl
import torch.distributed as dist
import torch.nn.functional as F

DTYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
# What the driver calls a GPU, where the catalogue has another name for it than that less "NVIDIA ".
KINDS = {
    "H100 80GB HBM3": "H100-SXM-80GB",
    "H100 PCIe": "H100-PCIe-80GB",
    "H200": "H200-141GB",
    "GeForce RTX 3090": "RTX 3090",
    "GeForce RTX 4090": "RTX 4090",
    "L40S": "L40S-48GB",
}


class CopyToGroup(torch.autograd.Function):
    """Identity forwards, all-reduce of the gradient backwards."""

    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, gradient):
        if dist.is_initialized():
            gradient = gradient.contiguous()
            dist.all_reduce(gradient)
        return gradient


class ReduceFromGroup(torch.autograd.Function):
    """All-reduce forwards, identity backwards."""

    @staticmethod
    def forward(ctx, x):
        if dist.is_initialized():
            x = x.contiguous()
            dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Embedding(torch.nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.words = torch.nn.Embedding(shape.vocabulary, shape.hidden)

    def forward(self, tokens):
        return self.words(tokens)


class Block(torch.nn.Module):
    def __init__(self, shape, tp):
        super().__init__()
        self.heads, self.kv = shape.heads // tp, max(1, shape.kv_heads // tp)
        self.width, self.gated = shape.hidden // shape.heads, shape.gated
        ffn = shape.ffn // tp
        self.norm1, self.norm2 = torch.nn.LayerNorm(shape.hidden), torch.nn.LayerNorm(shape.hidden)
        self.qkv = torch.nn.Linear(shape.hidden, (self.heads + 2 * self.kv) * self.width, bias=False)
        self.out = torch.nn.Linear(self.heads * self.width, shape.hidden, bias=False)
        self.up = torch.nn.Linear(shape.hidden, ffn * (2 if self.gated else 1), bias=False)
        self.down = torch.nn.Linear(ffn, shape.hidden, bias=False)

    def attention(self, x):
        batch, length, _ = x.shape
        parts = [self.heads * self.width, self.kv * self.width, self.kv * self.width]
        q, k, v = self.qkv(x).split(parts, dim=-1)
        q = q.view(batch, length, self.heads, self.width).transpose(1, 2)
        k, v = (t.view(batch, length, self.kv, self.width).transpose(1, 2) for t in (k, v))
        k, v = (t.repeat_interleave(self.heads // self.kv, dim=1) for t in (k, v))
        if hasattr(F, "scaled_dot_product_attention"):
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            mask = torch.full((length, length), float("-inf"), dtype=q.dtype, device=q.device).triu(1)
            y = torch.softmax(q @ k.transpose(-2, -1) / self.width**0.5 + mask, dim=-1) @ v
        return self.out(y.transpose(1, 2).reshape(batch, length, -1))

    def forward(self, x):
        x = x + ReduceFromGroup.apply(self.attention(CopyToGroup.apply(self.norm1(x))))
        y = self.up(CopyToGroup.apply(self.norm2(x)))
        if self.gated:
            gate, y = y.chunk(2, dim=-1)
            y = F.silu(gate) * y
        else:
            y = F.gelu(y)
        return x + ReduceFromGroup.apply(self.down(y))


class Head(torch.nn.Module):
    """Last norm, logits and loss. Over several GPUs each has a slice of the vocabulary."""

    def __init__(self, shape, tp):
        super().__init__()
        self.norm = torch.nn.LayerNorm(shape.hidden)
        self.words = torch.nn.Linear(shape.hidden, shape.vocabulary // tp, bias=False)

    def forward(self, x):
        logits = self.words(CopyToGroup.apply(self.norm(x))).float()
        labels = torch.zeros(logits.shape[:-1], dtype=torch.long, device=logits.device)
        loss = F.cross_entropy(logits.flatten(0, -2), labels.flatten())
        return ReduceFromGroup.apply(loss)


class Clock:
    def __init__(self, device):
        self.cuda = device.type == "cuda"

    def now(self):
        if self.cuda:
            torch.cuda.synchronize()
        return time.perf_counter()


def measure(layer, make_input, device, repeat, warmup):
    """Medians in seconds, the spread of forward and backward together, and the peak in bytes."""
    clock = Clock(device)
    optimizer = torch.optim.AdamW(layer.parameters(), lr=1e-6)
    forward, backward, update = [], [], []
    if clock.cuda:
        torch.cuda.reset_peak_memory_stats()
    for i in range(warmup + repeat):
        x = make_input()
        if x.is_floating_point():
            x.requires_grad_(True)
        optimizer.zero_grad(set_to_none=True)
        t0 = clock.now()
        y = layer(x)
        t1 = clock.now()
        y.backward(torch.ones_like(y))
        t2 = clock.now()
        optimizer.step()
        t3 = clock.now()
        if i >= warmup:
            forward.append(t1 - t0)
            backward.append(t2 - t1)
            update.append(t3 - t2)
    peak = torch.cuda.max_memory_allocated() if clock.cuda else 0
    together = sorted(f + b for f, b in zip(forward, backward))
    quarter = len(together) // 4
    spread = (together[-1 - quarter] - together[quarter]) / statistics.median(together)
    return (
        statistics.median(forward),
        statistics.median(backward),
        statistics.median(update),
        min(1.0, max(0.01, 1.0 - spread)),
        peak,
    )


def read_shape(arguments):
    if arguments.config:
        with open(arguments.config, encoding="utf-8") as file:
            config = json.load(file)

        def first(*keys, default=None):
            return next((config[key] for key in keys if config.get(key) is not None), default)

        arguments.hidden = first("hidden_size", "n_embd")
        arguments.blocks = first("num_hidden_layers", "n_layer", "num_layers")
        arguments.heads = first("num_attention_heads", "n_head", "num_heads")
        arguments.kv_heads = first("num_key_value_heads", default=arguments.heads)
        arguments.ffn = first("intermediate_size", "ffn_dim", "n_inner", default=4 * arguments.hidden)
        arguments.vocabulary = first("vocab_size")
        arguments.gated = first("hidden_act", default="gelu") in ("silu", "swiglu")
    needed = ("hidden", "blocks", "heads", "ffn", "vocabulary")
    missing = [name for name in needed if getattr(arguments, name) is None]
    if missing:
        sys.exit("give --config, or --" + ", --".join(missing))
    arguments.kv_heads = arguments.kv_heads or arguments.heads
    return arguments


def kind_of(device):
    if device.type != "cuda":
        return "CPU"
    name = torch.cuda.get_device_name(device)
    for maker in ("NVIDIA ", "Tesla ", "AMD "):
        name = name[len(maker) :] if name.startswith(maker) else name
    return KINDS.get(name, name)


def versions(device):
    text = "torch " + torch.__version__
    if device.type == "cuda":
        text += f", CUDA {torch.version.cuda}, NCCL {'.'.join(map(str, torch.cuda.nccl.version()))}"
        try:
            query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
            text += ", driver " + subprocess.check_output(query, text=True).splitlines()[0].strip()
        except (OSError, subprocess.CalledProcessError, IndexError):
            pass  # not NVIDIA's, or not allowed to ask: the version stays unstated
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="the model's name, as Pipewright has it")
    parser.add_argument("--config", help="a Hugging Face config.json in place of the sizes")
    for name in ("hidden", "blocks", "heads", "kv-heads", "ffn", "vocabulary"):
        parser.add_argument("--" + name, type=int)
    parser.add_argument("--gated", action="store_true", help="the feed-forward part is gated (SwiGLU)")
    parser.add_argument("--seq", type=int, required=True, help="tokens of a sequence")
    parser.add_argument("--mbs", default="1,2,4,8", help="micro-batches, in sequences")
    parser.add_argument("--precision", choices=DTYPES, default="bf16")
    parser.add_argument("--kind", help="device kind of Pipewright's catalogue, where the driver's name is none")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--warmup", type=int, default=5)
    parser.add_argument("--out", required=True)
    shape = read_shape(parser.parse_args())

    tp = int(os.environ.get("WORLD_SIZE", "1"))
    rank = int(os.environ.get("RANK", "0"))
    if torch.cuda.is_available():
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        torch.cuda.set_device(device)
    else:
        device = torch.device("cpu")
    if tp > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    for name in ("heads", "kv_heads", "ffn", "vocabulary"):
        if getattr(shape, name) % tp != 0:
            sys.exit(f"{name} {getattr(shape, name)} cannot be divided over {tp} processes")
    torch.manual_seed(1)
    dtype = DTYPES[shape.precision]

    rows = []
    for mbs in (int(text) for text in shape.mbs.split(",")):

        def tokens():
            return torch.randint(shape.vocabulary, (mbs, shape.seq), device=device)

        def states():
            return torch.randn(mbs, shape.seq, shape.hidden, device=device, dtype=dtype)

        layers: List[Tuple[torch.nn.Module, Callable, Iterable[int]]] = [
            (Embedding(shape), tokens, [0]), (Block(shape, tp), states, range(1, shape.blocks + 1)),
            (Head(shape, tp), states, [shape.blocks + 1])]
        for layer, make_input, numbers in layers:
            layer = layer.to(device=device, dtype=dtype)
            try:
                forward, backward, update, confidence, peak = measure(
                    layer, make_input, device, shape.repeat, shape.warmup)
            except RuntimeError as error:  # also torch.cuda.OutOfMemoryError
                if "out of memory" not in str(error):
                    raise
                print(f"micro-batch {mbs}: {type(layer).__name__} does not fit, left out", file=sys.stderr)
                continue
            for number in numbers:
                rows.append({
                    "model": shape.model, "kind": shape.kind or kind_of(device), "layer": number, "tp": tp,
                    "mbs": mbs, "seq": shape.seq, "precision": shape.precision, "forward_s": forward,
                    "backward_s": backward, "update_s": update, "memory": peak, "confidence": confidence,
                    "source": f"profile_layers.py {shape.model} on {shape.kind or kind_of(device)}",
                    "licence": "", "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
                    "software": versions(device)})
            del layer
    if rank == 0:
        with open(shape.out + ".part", "w", encoding="utf-8") as file:
            json.dump({"schema": "pipewright-profiles-1", "rows": rows}, file, indent=1)
            file.write("\n")
        os.replace(shape.out + ".part", shape.out)
        print(f"{len(rows)} rows written to {shape.out}")
    if tp > 1:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
