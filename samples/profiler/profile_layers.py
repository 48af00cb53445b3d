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
from typing import Callable, List, Tuple

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


class RmsNorm(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6).to(x.dtype))


def norm_of(shape, width):
    return RmsNorm(width) if shape.rms_norm else torch.nn.LayerNorm(width)


def attend(q, k, v):
    """Causal attention over (batch, heads, length, width); values may be of another width than keys."""
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    length, width = q.shape[-2:]
    mask = torch.full((length, length), float("-inf"), dtype=q.dtype, device=q.device).triu(1)
    return torch.softmax(q @ k.transpose(-2, -1) / width**0.5 + mask, dim=-1) @ v


class Attention(torch.nn.Module):
    def __init__(self, shape, tp):
        super().__init__()
        self.heads, self.kv, self.width = shape.heads // tp, max(1, shape.kv_heads // tp), shape.head_dim
        self.qkv = torch.nn.Linear(shape.hidden, (self.heads + 2 * self.kv) * self.width, bias=False)
        self.out = torch.nn.Linear(self.heads * self.width, shape.hidden, bias=False)
        norms = [RmsNorm(self.width) if shape.query_key_norm else torch.nn.Identity() for _ in range(2)]
        self.q_norm, self.k_norm = norms

    def forward(self, x):
        batch, length, _ = x.shape
        parts = [self.heads * self.width, self.kv * self.width, self.kv * self.width]
        q, k, v = self.qkv(x).split(parts, dim=-1)
        q = self.q_norm(q.view(batch, length, self.heads, self.width)).transpose(1, 2)
        k = self.k_norm(k.view(batch, length, self.kv, self.width)).transpose(1, 2)
        v = v.view(batch, length, self.kv, self.width).transpose(1, 2)
        k, v = (t.repeat_interleave(self.heads // self.kv, dim=1) for t in (k, v))
        return self.out(attend(q, k, v).transpose(1, 2).reshape(batch, length, -1))


class LatentAttention(torch.nn.Module):
    """Multi-head latent attention (arXiv:2405.04434): latents on every GPU, heads divided."""

    def __init__(self, shape, tp):
        super().__init__()
        latent = shape.latent
        self.heads, self.plain, self.rotary, self.value = (
            shape.heads // tp, latent["plain"], latent["rotary"], latent["value"])
        self.kv_rank = latent["kv_rank"]
        width = self.heads * (self.plain + self.rotary)
        rank = latent["query_rank"]  # 0: queries come straight from the hidden state
        narrow = [torch.nn.Linear(shape.hidden, rank, bias=False), RmsNorm(rank)] if rank else []
        self.query = torch.nn.Sequential(*narrow, torch.nn.Linear(rank or shape.hidden, width, bias=False))
        self.down = torch.nn.Linear(shape.hidden, self.kv_rank + self.rotary, bias=False)
        self.norm = RmsNorm(self.kv_rank)
        self.up = torch.nn.Linear(self.kv_rank, self.heads * (self.plain + self.value), bias=False)
        self.out = torch.nn.Linear(self.heads * self.value, shape.hidden, bias=False)

    def forward(self, x):
        batch, length, _ = x.shape
        q = self.query(x).view(batch, length, self.heads, -1).transpose(1, 2)
        latent, key = self.down(x).split([self.kv_rank, self.rotary], dim=-1)
        plain, v = (
            self.up(self.norm(latent)).view(batch, length, self.heads, -1).transpose(1, 2)
            .split([self.plain, self.value], dim=-1))
        key = key.unsqueeze(1).expand(-1, self.heads, -1, -1)  # one rotary key for all heads
        return self.out(attend(q, torch.cat([plain, key], dim=-1), v).transpose(1, 2).reshape(batch, length, -1))


class Mlp(torch.nn.Module):
    def __init__(self, hidden, ffn, gated):
        super().__init__()
        self.gated = gated
        self.up = torch.nn.Linear(hidden, ffn * (2 if gated else 1), bias=False)
        self.down = torch.nn.Linear(ffn, hidden, bias=False)

    def forward(self, x):
        y = self.up(x)
        if self.gated:
            gate, y = y.chunk(2, dim=-1)
            return self.down(F.silu(gate) * y)
        return self.down(F.gelu(y))


class ExpertMlp(torch.nn.Module):
    """Routed and shared experts, each divided over the GPUs as a dense feed-forward part is.

    The router is drawn anew and its tokens spread over the experts by chance, so that the products are of
    uneven sizes, one after the other; a trainer that multiplies all experts at once is faster.
    """

    def __init__(self, shape, tp):
        super().__init__()
        experts = shape.experts
        self.count, self.chosen = experts["count"], experts["per_token"]
        self.router = torch.nn.Linear(shape.hidden, self.count, bias=False)
        self.routed = torch.nn.ModuleList(
            Mlp(shape.hidden, experts["ffn"] // tp, shape.gated) for _ in range(self.count))
        self.shared = Mlp(shape.hidden, experts["shared"] // tp, shape.gated) if experts["shared"] else None

    def forward(self, x):
        tokens = x.flatten(0, 1)
        weights, chosen = self.router(tokens).float().softmax(dim=-1).topk(self.chosen, dim=-1)
        weights = (weights / weights.sum(dim=-1, keepdim=True)).to(x.dtype)
        y = torch.zeros_like(tokens)
        for number, expert in enumerate(self.routed):
            token, place = (chosen == number).nonzero(as_tuple=True)
            if token.numel():
                y = y.index_add(0, token, expert(tokens[token]) * weights[token, place].unsqueeze(-1))
        if self.shared is not None:
            y = y + self.shared(tokens)
        return y.view_as(x)


class Block(torch.nn.Module):
    def __init__(self, shape, tp, experts):
        super().__init__()
        self.norm1, self.norm2 = norm_of(shape, shape.hidden), norm_of(shape, shape.hidden)
        self.attention = (LatentAttention if shape.latent else Attention)(shape, tp)
        self.mlp = ExpertMlp(shape, tp) if experts else Mlp(shape.hidden, shape.ffn // tp, shape.gated)

    def forward(self, x):
        x = x + ReduceFromGroup.apply(self.attention(CopyToGroup.apply(self.norm1(x))))
        return x + ReduceFromGroup.apply(self.mlp(CopyToGroup.apply(self.norm2(x))))


class Head(torch.nn.Module):
    """Last norm, logits and loss. Over several GPUs each has a slice of the vocabulary."""

    def __init__(self, shape, tp):
        super().__init__()
        self.norm = norm_of(shape, shape.hidden)
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


# What a configuration may say that no layer here has; "any" of the values is too much.
REFUSED = {
    "sliding_window": "windows of attention",
    "attention_chunk_size": "attention in chunks",
    "linear_num_key_heads": "linear attention",
    "ssm_state_size": "state spaces",
    "encoder_layers": "an encoder",
}


def read_experts(first, arguments):
    """Sizes of the experts, if the configuration has any, and the blocks that stay dense."""
    count = first("num_local_experts", "num_experts", "n_routed_experts")
    if not count:
        return None, set()
    per_token = first("num_experts_per_tok", "moe_top_k")
    ffn = first("moe_intermediate_size", default=arguments.ffn)
    if per_token is None:
        sys.exit("the configuration has experts and does not say how many a token is sent to")
    shared = first("shared_expert_intermediate_size", default=(first("n_shared_experts", default=0) or 0) * ffn)
    step = first("decoder_sparse_step", "moe_layer_freq", default=1)
    leading = first("first_k_dense_replace", default=0)
    listed = set(first("mlp_only_layers", default=[]))
    if not isinstance(step, int):
        sys.exit("the configuration lists blocks with experts in a way that is not known here")
    offset = 1 if first("decoder_sparse_step") else 0  # Qwen counts blocks from 1, DeepSeek from 0
    dense = {b for b in range(arguments.blocks) if b < leading or b in listed or (b + offset) % step != 0}
    return {"count": count, "per_token": per_token, "ffn": ffn, "shared": shared}, dense


def read_config(arguments):
    with open(arguments.config, encoding="utf-8") as file:
        config = json.load(file)
    config = config.get("text_config") or config

    def first(*keys, default=None):
        return next((config[key] for key in keys if config.get(key) is not None), default)

    window = first("sliding_window", default=0)
    idle = config.get("use_sliding_window") is False or window >= arguments.seq  # off, or as good as off
    for key, what in REFUSED.items():
        if first(key) and not (key == "sliding_window" and idle):
            sys.exit(f"{arguments.config} has {what} ({key}), which this script cannot measure")
    arguments.hidden = first("hidden_size", "n_embd")
    arguments.blocks = first("num_hidden_layers", "n_layer", "num_layers")
    arguments.heads = first("num_attention_heads", "n_head", "num_heads")
    arguments.kv_heads = first("num_key_value_heads", default=arguments.heads)
    arguments.head_dim = first("head_dim")
    arguments.ffn = first("intermediate_size", "ffn_dim", "n_inner", default=4 * arguments.hidden)
    arguments.vocabulary = first("vocab_size")
    arguments.gated = first("hidden_act", default="gelu") in ("silu", "swiglu")
    arguments.rms_norm = first("rms_norm_eps") is not None
    arguments.query_key_norm = str(first("model_type", default="")).startswith("qwen3")
    arguments.experts, arguments.dense_blocks = read_experts(first, arguments)
    if first("kv_lora_rank"):
        arguments.latent = {
            "query_rank": first("q_lora_rank", default=0), "kv_rank": first("kv_lora_rank"),
            "plain": first("qk_nope_head_dim"), "rotary": first("qk_rope_head_dim"), "value": first("v_head_dim")}


def read_shape(arguments):
    arguments.experts, arguments.latent, arguments.dense_blocks = None, None, set()
    arguments.query_key_norm = False
    if arguments.config:
        read_config(arguments)
    needed = ("hidden", "blocks", "heads", "ffn", "vocabulary")
    missing = [name for name in needed if getattr(arguments, name) is None]
    if missing:
        sys.exit("give --config, or --" + ", --".join(missing))
    arguments.kv_heads = arguments.kv_heads or arguments.heads
    if not arguments.head_dim:
        if arguments.hidden % arguments.heads != 0:
            sys.exit("hidden cannot be divided over the heads: give --head-dim")
        arguments.head_dim = arguments.hidden // arguments.heads
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
        from torch.cuda import nccl
        text += f", CUDA {torch.version.cuda}, NCCL {'.'.join(map(str, nccl.version()))}"
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
    for name in ("hidden", "blocks", "heads", "kv-heads", "head-dim", "ffn", "vocabulary"):
        parser.add_argument("--" + name, type=int)
    parser.add_argument("--gated", action="store_true", help="the feed-forward part is gated (SwiGLU)")
    parser.add_argument("--rms-norm", action="store_true", help="norms are RMS norms")
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
    divided = {name: getattr(shape, name) for name in ("heads", "kv_heads", "ffn", "vocabulary")}
    if shape.experts:
        divided.update({"expert's ffn": shape.experts["ffn"], "shared experts' ffn": shape.experts["shared"]})
    for name, value in divided.items():
        if value % tp != 0:
            sys.exit(f"{name} {value} cannot be divided over {tp} processes")
    torch.manual_seed(1)
    dtype = DTYPES[shape.precision]

    rows = []
    for mbs in (int(text) for text in shape.mbs.split(",")):

        def tokens():
            return torch.randint(shape.vocabulary, (mbs, shape.seq), device=device)

        def states():
            return torch.randn(mbs, shape.seq, shape.hidden, device=device, dtype=dtype)

        blocks = range(1, shape.blocks + 1)
        layers: List[Tuple[Callable, Callable, List[int]]] = [
            (lambda: Embedding(shape), tokens, [0]),
            (lambda: Block(shape, tp, experts=False), states,
             [b for b in blocks if not shape.experts or b - 1 in shape.dense_blocks]),
            (lambda: Block(shape, tp, experts=True), states,
             [b for b in blocks if shape.experts and b - 1 not in shape.dense_blocks]),
            (lambda: Head(shape, tp), states, [shape.blocks + 1])]
        for make_layer, make_input, numbers in layers:
            if not numbers:
                continue
            layer = make_layer().to(device=device, dtype=dtype)
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
