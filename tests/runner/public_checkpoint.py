# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small checkpoints of public families in the layout that transformers 4 writes: config.json, safetensors in several
files with an index, and every name and shape as the modules of src/transformers/models/*/modeling_*.py have them. And
the losses of such a model, in numpy from the families' formulas. Nothing here knows the runner.
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

Array = Any  # numpy.ndarray of fp64
Tensors = Dict[str, Array]
Config = Dict[str, Any]
Shapes = Dict[str, Tuple[int, ...]]

SHARDS = 3
CODES = {"float32": "F32", "float16": "F16", "bfloat16": "BF16"}  # of torch_dtype, in a file's header


def rms_norm(x: Array, scale: Array, epsilon: float) -> Array:
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + epsilon) * scale


def layer_norm(x: Array, w: Tensors, name: str, epsilon: float) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    deviation = np.sqrt((centred ** 2).mean(-1, keepdims=True) + epsilon)
    return centred / deviation * w[f"{name}.weight"] + w[f"{name}.bias"]


def linear(x: Array, w: Tensors, name: str) -> Array:
    """torch.nn.Linear: the matrix lies [out, in]."""
    y = x @ w[f"{name}.weight"].T
    return y + w[f"{name}.bias"] if f"{name}.bias" in w else y


def conv1d(x: Array, w: Tensors, name: str) -> Array:
    """Conv1D of GPT-2: the matrix lies [in, out]."""
    return x @ w[f"{name}.weight"] + w[f"{name}.bias"]


def silu(x: Array) -> Array:
    return x / (1.0 + np.exp(-x))


def gelu(x: Array) -> Array:
    return 0.5 * x * (1.0 + np.vectorize(math.erf)(x / math.sqrt(2.0)))


def gelu_new(x: Array) -> Array:
    return 0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x ** 3)))


def softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def rotary(x: Array, base: float) -> Array:
    """x [tokens, heads, width]: x cos + rotate_half(x) sin, angles twice over."""
    length, _, width = x.shape
    angles = np.outer(np.arange(length), base ** (-np.arange(0, width, 2) / width))
    angles = np.concatenate([angles, angles], -1)[:, None, :]
    half = np.concatenate([-x[..., width // 2:], x[..., :width // 2]], -1)
    return x * np.cos(angles) + half * np.sin(angles)


def attend(q: Array, k: Array, v: Array, window: int = 0) -> Array:
    """[tokens, heads, width] each, k and v with as many heads or fewer; [tokens, heads * width]. window: tokens that a
    token sees, itself included."""
    length, heads, width = q.shape
    group = heads // k.shape[1]
    rows = np.arange(length)
    seen = rows[:, None] >= rows
    if window:
        seen &= rows[:, None] - rows < window
    outputs = []
    for head in range(heads):
        scores = q[:, head] @ k[:, head // group].T / math.sqrt(width)
        outputs.append(softmax(np.where(seen, scores, -np.inf)) @ v[:, head // group])
    return np.concatenate(outputs, -1)


def heads_of(x: Array, heads: int) -> Array:
    return x.reshape(len(x), heads, -1)


def llama_attention(w: Tensors, c: Config, p: str, x: Array) -> Array:
    q, k, v = (heads_of(linear(x, w, f"{p}self_attn.{part}_proj"), c[count]) for part, count in (
        ("q", "num_attention_heads"), ("k", "num_key_value_heads"), ("v", "num_key_value_heads")))
    q, k = rotary(q, c["rope_theta"]), rotary(k, c["rope_theta"])
    return linear(attend(q, k, v, c.get("sliding_window") or 0), w, f"{p}self_attn.o_proj")


def llama_mlp(w: Tensors, c: Config, p: str, x: Array) -> Array:
    return linear(silu(linear(x, w, f"{p}mlp.gate_proj")) * linear(x, w, f"{p}mlp.up_proj"), w, f"{p}mlp.down_proj")


def mixtral_experts(w: Tensors, c: Config, p: str, x: Array) -> Array:
    p += "block_sparse_moe."
    shares = softmax(linear(x, w, f"{p}gate"))
    y = np.zeros_like(x)
    for token, row in enumerate(shares):
        chosen = np.argsort(-row)[:c["num_experts_per_tok"]]
        for expert in chosen:
            e = f"{p}experts.{expert}."
            inner = silu(linear(x[token], w, f"{e}w1")) * linear(x[token], w, f"{e}w3")
            y[token] += row[expert] / row[chosen].sum() * linear(inner, w, f"{e}w2")
    return y


def llama_block(w: Tensors, c: Config, block: int, x: Array) -> Array:
    p, epsilon = f"model.layers.{block}.", c["rms_norm_eps"]
    x = x + llama_attention(w, c, p, rms_norm(x, w[f"{p}input_layernorm.weight"], epsilon))
    fed = mixtral_experts if "num_local_experts" in c else llama_mlp
    return x + fed(w, c, p, rms_norm(x, w[f"{p}post_attention_layernorm.weight"], epsilon))


def llama_logits(w: Tensors, c: Config, x: Array) -> Array:
    x = rms_norm(x, w["model.norm.weight"], c["rms_norm_eps"])
    return x @ w["model.embed_tokens.weight" if c["tie_word_embeddings"] else "lm_head.weight"].T


def gpt2_block(w: Tensors, c: Config, block: int, x: Array) -> Array:
    p, epsilon = f"transformer.h.{block}.", c["layer_norm_epsilon"]
    joint = conv1d(layer_norm(x, w, f"{p}ln_1", epsilon), w, f"{p}attn.c_attn")
    q, k, v = (heads_of(part, c["n_head"]) for part in np.split(joint, 3, -1))
    x = x + conv1d(attend(q, k, v), w, f"{p}attn.c_proj")
    return x + conv1d(gelu_new(conv1d(layer_norm(x, w, f"{p}ln_2", epsilon), w, f"{p}mlp.c_fc")), w, f"{p}mlp.c_proj")


def neox_block(w: Tensors, c: Config, block: int, x: Array) -> Array:
    p, epsilon, heads = f"gpt_neox.layers.{block}.", c["layer_norm_eps"], c["num_attention_heads"]
    joint = linear(layer_norm(x, w, f"{p}input_layernorm", epsilon), w, f"{p}attention.query_key_value")
    q, k, v = np.split(heads_of(joint, heads), 3, -1)  # of each head first all of q, then k, then v
    turned = int(q.shape[-1] * c["rotary_pct"])
    q, k = (np.concatenate([rotary(t[..., :turned], c["rotary_emb_base"]), t[..., turned:]], -1) for t in (q, k))
    attention = linear(attend(q, k, v), w, f"{p}attention.dense")
    y = layer_norm(x, w, f"{p}post_attention_layernorm", epsilon)
    return x + attention + linear(gelu(linear(y, w, f"{p}mlp.dense_h_to_4h")), w, f"{p}mlp.dense_4h_to_h")


def opt_block(w: Tensors, c: Config, block: int, x: Array) -> Array:
    p, heads = f"model.decoder.layers.{block}.", c["num_attention_heads"]
    y = layer_norm(x, w, f"{p}self_attn_layer_norm", 1e-5)
    q, k, v = (heads_of(linear(y, w, f"{p}self_attn.{part}_proj"), heads) for part in "qkv")
    x = x + linear(attend(q, k, v), w, f"{p}self_attn.out_proj")
    y = np.maximum(linear(layer_norm(x, w, f"{p}final_layer_norm", 1e-5), w, f"{p}fc1"), 0.0)
    return x + linear(y, w, f"{p}fc2")


def linear_shapes(name: str, out: int, inside: int, bias: bool) -> Shapes:
    return {f"{name}.weight": (out, inside), **({f"{name}.bias": (out,)} if bias else {})}


def norm_shapes(name: str, width: int) -> Shapes:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}


def llama_shapes(c: Config) -> Shapes:
    hidden, width, bias = c["hidden_size"], c["head_dim"], c["model_type"] == "qwen2"
    shapes: Shapes = {"model.embed_tokens.weight": (c["vocab_size"], hidden)}
    for block in range(c["num_hidden_layers"]):
        p = f"model.layers.{block}."
        for part in ("q", "k", "v"):
            count = c["num_attention_heads" if part == "q" else "num_key_value_heads"]
            shapes.update(linear_shapes(f"{p}self_attn.{part}_proj", count * width, hidden, bias))
        shapes[f"{p}self_attn.o_proj.weight"] = (hidden, c["num_attention_heads"] * width)
        if "num_local_experts" in c:
            shapes[f"{p}block_sparse_moe.gate.weight"] = (c["num_local_experts"], hidden)
        for e in range(c.get("num_local_experts", 0)):
            for part, out, inside in (("w1", c["intermediate_size"], hidden), ("w2", hidden, c["intermediate_size"]),
                                      ("w3", c["intermediate_size"], hidden)):
                shapes[f"{p}block_sparse_moe.experts.{e}.{part}.weight"] = (out, inside)
        if "num_local_experts" not in c:
            shapes.update({f"{p}mlp.gate_proj.weight": (c["intermediate_size"], hidden),
                           f"{p}mlp.up_proj.weight": (c["intermediate_size"], hidden),
                           f"{p}mlp.down_proj.weight": (hidden, c["intermediate_size"])})
        shapes.update({f"{p}input_layernorm.weight": (hidden,), f"{p}post_attention_layernorm.weight": (hidden,)})
    shapes["model.norm.weight"] = (hidden,)
    return shapes if c["tie_word_embeddings"] else {**shapes, "lm_head.weight": (c["vocab_size"], hidden)}


def gpt2_shapes(c: Config) -> Shapes:
    """The head is the embedding and is not written."""
    hidden = c["n_embd"]
    shapes: Shapes = {"transformer.wte.weight": (c["vocab_size"], hidden),
                      "transformer.wpe.weight": (c["n_positions"], hidden)}
    for block in range(c["n_layer"]):
        p = f"transformer.h.{block}."
        for name, inside, out in (("attn.c_attn", hidden, 3 * hidden), ("attn.c_proj", hidden, hidden),
                                  ("mlp.c_fc", hidden, 4 * hidden), ("mlp.c_proj", 4 * hidden, hidden)):
            shapes.update({f"{p}{name}.weight": (inside, out), f"{p}{name}.bias": (out,)})
        shapes.update({**norm_shapes(f"{p}ln_1", hidden), **norm_shapes(f"{p}ln_2", hidden)})
    return {**shapes, **norm_shapes("transformer.ln_f", hidden)}


def neox_shapes(c: Config) -> Shapes:
    hidden, inner = c["hidden_size"], c["intermediate_size"]
    shapes: Shapes = {"gpt_neox.embed_in.weight": (c["vocab_size"], hidden)}
    for block in range(c["num_hidden_layers"]):
        p = f"gpt_neox.layers.{block}."
        for name, out, inside in (("attention.query_key_value", 3 * hidden, hidden),
                                  ("attention.dense", hidden, hidden), ("mlp.dense_h_to_4h", inner, hidden),
                                  ("mlp.dense_4h_to_h", hidden, inner)):
            shapes.update(linear_shapes(p + name, out, inside, True))
        for name in ("input_layernorm", "post_attention_layernorm"):
            shapes.update(norm_shapes(p + name, hidden))
    shapes.update(norm_shapes("gpt_neox.final_layer_norm", hidden))
    return {**shapes, "embed_out.weight": (c["vocab_size"], hidden)}


def opt_shapes(c: Config) -> Shapes:
    """Two more rows of positions than the configuration says."""
    hidden, inner, p = c["hidden_size"], c["ffn_dim"], "model.decoder."
    shapes: Shapes = {f"{p}embed_tokens.weight": (c["vocab_size"], hidden),
                      f"{p}embed_positions.weight": (c["max_position_embeddings"] + 2, hidden)}
    for block in range(c["num_hidden_layers"]):
        b = f"{p}layers.{block}."
        for name, out, inside in (*((f"self_attn.{part}_proj", hidden, hidden) for part in ("k", "v", "q", "out")),
                                  ("fc1", inner, hidden), ("fc2", hidden, inner)):
            shapes.update(linear_shapes(b + name, out, inside, True))
        for name in ("self_attn_layer_norm", "final_layer_norm"):
            shapes.update(norm_shapes(b + name, hidden))
    return {**shapes, **norm_shapes(f"{p}final_layer_norm", hidden)}


@dataclass(frozen=True)
class Family:
    config: Config
    shapes: Callable[[Config], Shapes]
    embed: Callable[[Tensors, Config, Array], Array]
    block: Callable[[Tensors, Config, int, Array], Array]
    logits: Callable[[Tensors, Config, Array], Array]

    def blocks(self) -> int:
        return int(self.config.get("n_layer") or self.config["num_hidden_layers"])

    def losses(self, w: Tensors, ids: Array) -> Tuple[Array, float]:
        """The states behind the first block, [tokens, hidden], and the sum of the losses of ids[1:]."""
        first = x = self.block(w, self.config, 0, self.embed(w, self.config, ids[:-1]))
        for block in range(1, self.blocks()):
            x = self.block(w, self.config, block, x)
        shares = softmax(self.logits(w, self.config, x))
        return first, float(-np.log(shares[np.arange(len(ids) - 1), ids[1:]]).sum())


def words(name: str, positions: str = "", offset: int = 0) -> Callable[[Tensors, Config, Array], Array]:
    def embed(w: Tensors, c: Config, ids: Array) -> Array:
        x = w[name][ids]
        return x + w[positions][offset:offset + len(ids)] if positions else x
    return embed


def normed(norm: str, head: str, epsilon: float) -> Callable[[Tensors, Config, Array], Array]:
    return lambda w, c, x: layer_norm(x, w, norm, epsilon) @ w[head].T


LLAMA: Config = {"hidden_size": 32, "intermediate_size": 48, "num_attention_heads": 4, "num_key_value_heads": 2,
                 "head_dim": 8, "num_hidden_layers": 2, "vocab_size": 61, "max_position_embeddings": 64,
                 "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": False,
                 "torch_dtype": "bfloat16"}


def llama_family(**more: Any) -> Family:
    return Family({**LLAMA, **more}, llama_shapes, words("model.embed_tokens.weight"), llama_block, llama_logits)


FAMILIES: Dict[str, Family] = {
    "llama": llama_family(architectures=["LlamaForCausalLM"], model_type="llama", attention_bias=False, mlp_bias=False),
    # Heads wider than the hidden state has room for, as Mistral NeMo's.
    "mistral": llama_family(architectures=["MistralForCausalLM"], model_type="mistral", head_dim=16, sliding_window=3,
                            num_key_value_heads=1),
    "qwen2": llama_family(architectures=["Qwen2ForCausalLM"], model_type="qwen2", tie_word_embeddings=True,
                          rms_norm_eps=1e-6, rope_theta=1000000.0, use_sliding_window=False),
    "mixtral": llama_family(architectures=["MixtralForCausalLM"], model_type="mixtral", num_local_experts=4,
                            num_experts_per_tok=2, intermediate_size=24, rope_theta=1000000.0, sliding_window=None),
    "gpt2": Family({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "n_embd": 32, "n_head": 4, "n_layer": 2,
                    "n_positions": 16, "n_ctx": 16, "n_inner": None, "vocab_size": 61,
                    "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "torch_dtype": "float32"},
                   gpt2_shapes, words("transformer.wte.weight", "transformer.wpe.weight"), gpt2_block,
                   normed("transformer.ln_f", "transformer.wte.weight", 1e-5)),
    "gpt_neox": Family({"architectures": ["GPTNeoXForCausalLM"], "model_type": "gpt_neox", "hidden_size": 64,
                        "intermediate_size": 96, "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 61,
                        "max_position_embeddings": 64, "rotary_pct": 0.25, "rotary_emb_base": 10000,
                        "layer_norm_eps": 1e-5, "hidden_act": "gelu", "use_parallel_residual": True,
                        "attention_bias": True, "tie_word_embeddings": False, "torch_dtype": "float16"},
                       neox_shapes, words("gpt_neox.embed_in.weight"), neox_block,
                       normed("gpt_neox.final_layer_norm", "embed_out.weight", 1e-5)),
    "opt": Family({"architectures": ["OPTForCausalLM"], "model_type": "opt", "hidden_size": 32, "ffn_dim": 48,
                   "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 61, "max_position_embeddings": 16,
                   "word_embed_proj_dim": 32, "do_layer_norm_before": True, "activation_function": "relu",
                   "enable_bias": True, "layer_norm_elementwise_affine": True, "torch_dtype": "float16"},
                  opt_shapes, words("model.decoder.embed_tokens.weight", "model.decoder.embed_positions.weight", 2),
                  opt_block, normed("model.decoder.final_layer_norm", "model.decoder.embed_tokens.weight", 1e-5)),
}


def stored(values: Array, dtype: str) -> Tuple[bytes, Array]:
    """The bytes of a tensor in a file, and the numbers that they are."""
    single = np.asarray(values, np.float32)
    if dtype == "bfloat16":  # the upper half of an fp32 number
        upper = (single.view(np.uint32) >> 16).astype("<u2")
        return upper.tobytes(), (upper.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    kept = single.astype("<f2" if dtype == "float16" else "<f4")
    return kept.tobytes(), kept.astype(np.float64)


def write_file(path: Path, tensors: Dict[str, Tuple[bytes, Tuple[int, ...]]], code: str) -> None:
    header: Dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, (data, shape) in tensors.items():
        header[name] = {"dtype": code, "shape": list(shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data for data, _ in tensors.values()))


def write_checkpoint(folder: Path, family: Family, seed: int = 1) -> Tensors:
    """A folder as save_pretrained() leaves it; returns the numbers in it."""
    draw = np.random.default_rng(seed)
    dtype = family.config["torch_dtype"]
    (folder / "config.json").write_text(json.dumps(family.config), encoding="utf-8")
    held: Tensors = {}
    files: List[Dict[str, Tuple[bytes, Tuple[int, ...]]]] = [{} for _ in range(SHARDS)]
    weight_map: Dict[str, str] = {}
    shapes = family.shapes(family.config)
    for number, (name, shape) in enumerate(shapes.items()):
        center = 1.0 if "norm" in name and name.endswith("weight") else 0.0
        data, held[name] = stored(center + 0.2 * draw.standard_normal(shape), dtype)
        shard = number * SHARDS // len(shapes)
        files[shard][name] = data, shape
        weight_map[name] = f"model-{shard + 1:05d}-of-{SHARDS:05d}.safetensors"
    for shard, tensors in enumerate(files, 1):
        write_file(folder / f"model-{shard:05d}-of-{SHARDS:05d}.safetensors", tensors, CODES[dtype])
    size = sum(len(data) for tensors in files for data, _ in tensors.values())
    index = {"metadata": {"total_size": size}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    return held
