#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the parameters of Hugging Face configurations, module by module.

An oracle for the reader of config.json in core: it knows nothing of that code and has no formula for a layer,
only the matrices and vectors that the modelling file of each model_type in transformers creates. `parameters`
are those of the language model with its head; a head that is tied counts once. Buffers that a checkpoint holds
(a router's balancing numbers) stand apart.

    hf_parameters.py FILE          compares what FILE says of its configurations with the count; 1 if one differs
    hf_parameters.py --write FILE  writes the counts into FILE
"""
import json
import sys


class Model:
    """Tensors by name, as named_parameters() and named_buffers() would list them."""

    def __init__(self, config):
        self.config = config
        self.parameters = {}
        self.buffers = {}

    def tensor(self, name, *shape):
        size = 1
        for extent in shape:
            size *= extent
        if name in self.parameters:
            raise ValueError("two tensors named " + name)
        self.parameters[name] = size

    def buffer(self, name, *shape):
        size = 1
        for extent in shape:
            size *= extent
        self.buffers[name] = size

    def linear(self, name, inputs, outputs, bias=False):
        self.tensor(name + ".weight", outputs, inputs)
        if bias:
            self.tensor(name + ".bias", outputs)

    def norm(self, name, width, bias=False):
        self.tensor(name + ".weight", width)
        if bias:
            self.tensor(name + ".bias", width)

    def gated_mlp(self, name, hidden, inner, bias=False):
        self.linear(name + ".gate_proj", hidden, inner, bias)
        self.linear(name + ".up_proj", hidden, inner, bias)
        self.linear(name + ".down_proj", inner, hidden, bias)

    def experts(self, name, count, hidden, inner):
        self.tensor(name + ".gate_up_proj", count, hidden, 2 * inner)
        self.tensor(name + ".down_proj", count, inner, hidden)


# What the configuration classes assume where a file is silent, as far as it decides a shape.
CLASS_DEFAULTS: dict[str, dict] = {
    "gemma3_text": {"vocab_size": 262208, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256,
                    "tie_word_embeddings": True},
    "cohere2": {"tie_word_embeddings": True},
    "smollm3": {"tie_word_embeddings": True},
    "llama4_text": {"interleave_moe_layer_step": 1},
}


def heads(c, width=None):
    """Query heads, key-value heads, width of a head."""
    count = c["num_attention_heads"]
    dim = c.get("head_dim") or width or c["hidden_size"] // count
    return count, c.get("num_key_value_heads") or count, dim


def attention(m, name, c, qkv=False, out=False, norms=None, count=None):
    h = c["hidden_size"]
    q, kv, dim = heads(c)
    q = count or q
    m.linear(name + ".q_proj", h, q * dim, qkv)
    m.linear(name + ".k_proj", h, kv * dim, qkv)
    m.linear(name + ".v_proj", h, kv * dim, qkv)
    m.linear(name + ".o_proj", q * dim, h, out)
    if norms == "head":
        m.norm(name + ".q_norm", dim)
        m.norm(name + ".k_norm", dim)
    elif norms == "all":
        m.norm(name + ".q_norm", q * dim)
        m.norm(name + ".k_norm", kv * dim)


def latent_attention(m, name, c):
    h, bias = c["hidden_size"], c.get("attention_bias", False)
    count, rope = c["num_attention_heads"], c["qk_rope_head_dim"]
    width = c["qk_nope_head_dim"] + rope
    if c["q_lora_rank"] is None:
        m.linear(name + ".q_proj", h, count * width)
    else:
        m.linear(name + ".q_a_proj", h, c["q_lora_rank"], bias)
        m.norm(name + ".q_a_layernorm", c["q_lora_rank"])
        m.linear(name + ".q_b_proj", c["q_lora_rank"], count * width)
    m.linear(name + ".kv_a_proj_with_mqa", h, c["kv_lora_rank"] + rope, bias)
    m.norm(name + ".kv_a_layernorm", c["kv_lora_rank"])
    m.linear(name + ".kv_b_proj", c["kv_lora_rank"], count * (c["qk_nope_head_dim"] + c["v_head_dim"]))
    m.linear(name + ".o_proj", count * c["v_head_dim"], h, bias)


def lightning_indexer(m, name, c):
    m.linear(name + ".wq_b", c["q_lora_rank"], c["index_n_heads"] * c["index_head_dim"])
    m.linear(name + ".wk", c["hidden_size"], c["index_head_dim"])
    m.norm(name + ".k_norm", c["index_head_dim"], True)
    m.linear(name + ".weights_proj", c["hidden_size"], c["index_n_heads"])


def delta_net(m, name, c):
    h = c["hidden_size"]
    keys = c["linear_num_key_heads"] * c["linear_key_head_dim"]
    values = c["linear_num_value_heads"] * c["linear_value_head_dim"]
    m.tensor(name + ".conv1d.weight", 2 * keys + values, 1, c["linear_conv_kernel_dim"])
    m.linear(name + ".in_proj_qkv", h, 2 * keys + values)
    m.linear(name + ".in_proj_z", h, values)
    m.linear(name + ".in_proj_b", h, c["linear_num_value_heads"])
    m.linear(name + ".in_proj_a", h, c["linear_num_value_heads"])
    m.tensor(name + ".dt_bias", c["linear_num_value_heads"])
    m.tensor(name + ".A_log", c["linear_num_value_heads"])
    m.norm(name + ".norm", c["linear_value_head_dim"])
    m.linear(name + ".out_proj", values, h)


def two_norms(m, name, c, bias=False):
    m.norm(name + ".input_layernorm", c["hidden_size"], bias)
    m.norm(name + ".post_attention_layernorm", c["hidden_size"], bias)


def four_norms(m, name, c):
    two_norms(m, name, c)
    m.norm(name + ".pre_feedforward_layernorm", c["hidden_size"])
    m.norm(name + ".post_feedforward_layernorm", c["hidden_size"])


def plain(around=two_norms, gated=True, mlp_bias=None, **kinds):
    """Blocks all alike: attention as `kinds` say (values, or functions of the configuration) and one MLP."""

    def layer(m, name, c, _):
        attention(m, name + ".self_attn", c, **{k: v(c) if callable(v) else v for k, v in kinds.items()})
        bias = mlp_bias(c) if mlp_bias else False
        if gated:
            m.gated_mlp(name + ".mlp", c["hidden_size"], c["intermediate_size"], bias)
        else:
            m.linear(name + ".mlp.up_proj", c["hidden_size"], c["intermediate_size"], bias)
            m.linear(name + ".mlp.down_proj", c["intermediate_size"], c["hidden_size"], bias)
        around(m, name, c)

    return layer


def said(key, default=False):
    return lambda c: c.get(key, default)


def deepseek_moe(m, name, c, block, bias="buffer"):
    """Leading dense blocks, then routed and shared experts with numbers that balance them."""
    h = c["hidden_size"]
    if block < c.get("first_k_dense_replace", 0):
        m.gated_mlp(name + ".mlp", h, c["intermediate_size"])
        return
    m.linear(name + ".mlp.gate", h, c["n_routed_experts"])
    getattr(m, bias)(name + ".mlp.gate.e_score_correction_bias", c["n_routed_experts"])
    m.experts(name + ".mlp.experts", c["n_routed_experts"], h, c["moe_intermediate_size"])
    if c.get("n_shared_experts"):
        m.gated_mlp(name + ".mlp.shared_experts", h, c["moe_intermediate_size"] * c["n_shared_experts"])


def deepseek_v3(m, name, c, block):
    latent_attention(m, name + ".self_attn", c)
    deepseek_moe(m, name, c, block)
    two_norms(m, name, c)


def deepseek_v32(m, name, c, block):
    deepseek_v3(m, name, c, block)
    if c.get("indexer_types", ["full"] * c["num_hidden_layers"])[block] == "full":
        lightning_indexer(m, name + ".self_attn.indexer", c)


def glm4_moe(m, name, c, block):
    attention(m, name + ".self_attn", c, qkv=c.get("attention_bias", False),
              norms="head" if c.get("use_qk_norm", False) else None)
    deepseek_moe(m, name, c, block)
    two_norms(m, name, c)


def glm4v_moe(m, name, c, block):
    attention(m, name + ".self_attn", c, qkv=c.get("attention_bias", False))
    deepseek_moe(m, name, c, block)
    two_norms(m, name, c)


def dots1(m, name, c, block):
    bias = c.get("attention_bias", False)
    attention(m, name + ".self_attn", c, qkv=bias, out=bias, norms="head")
    deepseek_moe(m, name, c, block)
    two_norms(m, name, c)


def qwen_moe(m, name, c, block):
    sparse = block not in c.get("mlp_only_layers", []) and (block + 1) % c.get("decoder_sparse_step", 1) == 0
    if not sparse:
        m.gated_mlp(name + ".mlp", c["hidden_size"], c["intermediate_size"])
        return
    m.linear(name + ".mlp.gate", c["hidden_size"], c["num_experts"])
    m.experts(name + ".mlp.experts", c["num_experts"], c["hidden_size"], c["moe_intermediate_size"])


def qwen3_moe(m, name, c, block):
    bias = c.get("attention_bias", False)
    attention(m, name + ".self_attn", c, qkv=bias, out=bias, norms="head")
    qwen_moe(m, name, c, block)
    two_norms(m, name, c)


def qwen3_hybrid(m, name, c, block):
    """Gated delta nets, every fourth block gated attention (its queries are projected twice as wide)."""
    every = c.get("full_attention_interval", 4)
    kinds = c.get("layer_types") or ["full_attention" if (i + 1) % every == 0 else "linear_attention"
                                     for i in range(c["num_hidden_layers"])]
    if kinds[block] == "linear_attention":
        delta_net(m, name + ".linear_attn", c)
    else:
        q, kv, dim = heads(c)
        h = c["hidden_size"]
        m.linear(name + ".self_attn.q_proj", h, 2 * q * dim)
        m.linear(name + ".self_attn.k_proj", h, kv * dim)
        m.linear(name + ".self_attn.v_proj", h, kv * dim)
        m.linear(name + ".self_attn.o_proj", q * dim, h)
        m.norm(name + ".self_attn.q_norm", dim)
        m.norm(name + ".self_attn.k_norm", dim)
    two_norms(m, name, c)


def qwen3_5(m, name, c, block):
    qwen3_hybrid(m, name, c, block)
    m.gated_mlp(name + ".mlp", c["hidden_size"], c["intermediate_size"])


def qwen3_next(m, name, c, block):
    qwen3_hybrid(m, name, c, block)
    qwen_moe(m, name, c, block)
    m.gated_mlp(name + ".mlp.shared_expert", c["hidden_size"], c["shared_expert_intermediate_size"])
    m.linear(name + ".mlp.shared_expert_gate", c["hidden_size"], 1)


def gpt_oss(m, name, c, _):
    h, inner, count = c["hidden_size"], c["intermediate_size"], c["num_local_experts"]
    attention(m, name + ".self_attn", c, qkv=c["attention_bias"], out=c["attention_bias"])
    m.tensor(name + ".self_attn.sinks", c["num_attention_heads"])
    m.linear(name + ".mlp.router", h, count, True)
    m.experts(name + ".mlp.experts", count, h, inner)
    m.tensor(name + ".mlp.experts.gate_up_proj_bias", count, 2 * inner)
    m.tensor(name + ".mlp.experts.down_proj_bias", count, h)
    two_norms(m, name, c)


def llama4(m, name, c, block):
    h, step = c["hidden_size"], c["interleave_moe_layer_step"]
    bias = c.get("attention_bias", False)
    attention(m, name + ".self_attn", c, qkv=bias, out=bias)
    if (block + 1) % step == 0:
        m.linear(name + ".feed_forward.router", h, c["num_local_experts"])
        m.experts(name + ".feed_forward.experts", c["num_local_experts"], h, c["intermediate_size"])
        m.gated_mlp(name + ".feed_forward.shared_expert", h, c["intermediate_size"])
    else:
        m.gated_mlp(name + ".feed_forward", h, c["intermediate_size_mlp"])
    two_norms(m, name, c)


def gemma4(m, name, c, block):
    h, q = c["hidden_size"], c["num_attention_heads"]
    full = c["layer_types"][block] == "full_attention"
    dim = c["global_head_dim"] if full else c["head_dim"]
    same = full and c["attention_k_eq_v"]
    kv = c["num_global_key_value_heads"] if same else c["num_key_value_heads"]
    m.linear(name + ".self_attn.q_proj", h, q * dim)
    m.linear(name + ".self_attn.k_proj", h, kv * dim)
    if not same:
        m.linear(name + ".self_attn.v_proj", h, kv * dim)
    m.linear(name + ".self_attn.o_proj", q * dim, h)
    m.norm(name + ".self_attn.q_norm", dim)
    m.norm(name + ".self_attn.k_norm", dim)
    m.gated_mlp(name + ".mlp", h, c["intermediate_size"])
    four_norms(m, name, c)
    if c["enable_moe_block"]:
        m.linear(name + ".router.proj", h, c["num_experts"])
        m.tensor(name + ".router.scale", h)
        m.tensor(name + ".router.per_expert_scale", c["num_experts"])
        m.experts(name + ".experts", c["num_experts"], h, c["moe_intermediate_size"])
        for which in ("post_feedforward_layernorm_1", "post_feedforward_layernorm_2",
                      "pre_feedforward_layernorm_2"):
            m.norm(name + "." + which, h)


def minimax_m2(m, name, c, _):
    attention(m, name + ".self_attn", c, norms="all")
    m.linear(name + ".mlp.gate", c["hidden_size"], c["num_local_experts"])
    m.buffer(name + ".mlp.e_score_correction_bias", c["num_local_experts"])
    m.experts(name + ".mlp.experts", c["num_local_experts"], c["hidden_size"], c["intermediate_size"])
    two_norms(m, name, c)


def minimax_m3(m, name, c, block):
    h, sparse = c["hidden_size"], c["sparse_attention_config"]
    attention(m, name + ".self_attn", c, norms="head")
    if sparse["sparse_attention_freq"][block]:
        dim = sparse["sparse_index_dim"]
        m.linear(name + ".self_attn.indexer.q_proj", h, sparse["sparse_num_index_heads"] * dim)
        m.linear(name + ".self_attn.indexer.k_proj", h, dim)
        m.norm(name + ".self_attn.indexer.q_norm", dim)
        m.norm(name + ".self_attn.indexer.k_norm", dim)
    if c["moe_layer_freq"][block]:
        m.linear(name + ".mlp.gate", h, c["num_local_experts"])
        m.buffer(name + ".mlp.gate.e_score_correction_bias", c["num_local_experts"])
        m.experts(name + ".mlp.experts", c["num_local_experts"], h, c["intermediate_size"])
        m.gated_mlp(name + ".mlp.shared_experts", h, c["shared_intermediate_size"])
    else:
        m.gated_mlp(name + ".mlp", h, c["dense_intermediate_size"])
    two_norms(m, name, c)


def mimo_v2(m, name, c, block):
    h, local = c["hidden_size"], c["hybrid_layer_pattern"][block] == 1
    part = "swa_" if local else ""
    q, kv = c[part + "num_attention_heads"], c[part + "num_key_value_heads"]
    dim, value = c[part + "head_dim"], c[part + "v_head_dim"]
    m.linear(name + ".self_attn.q_proj", h, q * dim)
    m.linear(name + ".self_attn.k_proj", h, kv * dim)
    m.linear(name + ".self_attn.v_proj", h, kv * value)
    m.linear(name + ".self_attn.o_proj", q * value, h)
    if c["add_swa_attention_sink_bias" if local else "add_full_attention_sink_bias"]:
        m.tensor(name + ".self_attn.attention_sink_bias", q)
    first = 0 if c["moe_layer_freq"][block] else c["num_hidden_layers"]
    deepseek_moe(m, name, dict(c, first_k_dense_replace=first), block)
    two_norms(m, name, c)


def laguna(m, name, c, block):
    h = c["hidden_size"]
    count = c["num_attention_heads_per_layer"][block]
    bias = c["attention_bias"]
    attention(m, name + ".self_attn", c, qkv=bias, out=bias, norms="head", count=count)
    m.linear(name + ".self_attn.g_proj", h, count)
    if c["mlp_layer_types"][block] == "sparse":
        m.linear(name + ".mlp.gate", h, c["num_experts"])
        m.tensor(name + ".mlp.gate.e_score_correction_bias", c["num_experts"])
        m.experts(name + ".mlp.experts", c["num_experts"], h, c["moe_intermediate_size"])
        m.gated_mlp(name + ".mlp.shared_experts", h, c["shared_expert_intermediate_size"])
    else:
        m.gated_mlp(name + ".mlp", h, c["intermediate_size"])
    two_norms(m, name, c)


def ernie4_5_moe(m, name, c, block):
    h, bias = c["hidden_size"], c["use_bias"]
    attention(m, name + ".self_attn", c, qkv=bias, out=bias)
    inside = c["moe_layer_start_index"] <= block <= c["moe_layer_end_index"]
    if inside and (block + 1) % c["moe_layer_interval"] == 0:
        m.linear(name + ".mlp.gate", h, c["moe_num_experts"])
        m.tensor(name + ".mlp.moe_statics.e_score_correction_bias", 1, c["moe_num_experts"])
        m.experts(name + ".mlp.experts", c["moe_num_experts"], h, c["moe_intermediate_size"])
        m.gated_mlp(name + ".mlp.shared_experts", h, c["moe_intermediate_size"] * c["moe_num_shared_experts"])
    else:
        m.gated_mlp(name + ".mlp", h, c["intermediate_size"], bias)
    two_norms(m, name, c)


def hunyuan_moe(m, name, c, _):
    h = c["hidden_size"]
    attention(m, name + ".self_attn", c, qkv=c["attention_bias"], out=c["attention_bias"], norms="head")
    m.linear(name + ".mlp.gate.wg", h, c["num_experts"])
    m.experts(name + ".mlp.experts", c["num_experts"], h, c["intermediate_size"])
    m.gated_mlp(name + ".mlp.shared_mlp", h, c["intermediate_size"])
    two_norms(m, name, c)


def phi3(m, name, c, _):
    h, inner = c["hidden_size"], c["intermediate_size"]
    q, kv, dim = heads(c)
    m.linear(name + ".self_attn.qkv_proj", h, (q + 2 * kv) * dim)
    m.linear(name + ".self_attn.o_proj", q * dim, h)
    m.linear(name + ".mlp.gate_up_proj", h, 2 * inner)
    m.linear(name + ".mlp.down_proj", inner, h)
    two_norms(m, name, c)


def one_norm(m, name, c):
    m.norm(name + ".input_layernorm", c["hidden_size"])


def norms_behind(m, name, c):
    m.norm(name + ".post_attention_layernorm", c["hidden_size"])
    m.norm(name + ".post_feedforward_layernorm", c["hidden_size"])


BIAS = {"qkv": said("attention_bias"), "out": said("attention_bias")}
LAYERS = {
    "llama": plain(mlp_bias=said("mlp_bias"), **BIAS),
    "mistral": plain(),
    "ministral3": plain(),
    "granite": plain(mlp_bias=said("mlp_bias"), **BIAS),
    "smollm3": plain(mlp_bias=said("mlp_bias"), **BIAS),
    "arcee": plain(gated=False, mlp_bias=said("mlp_bias"), **BIAS),
    "seed_oss": plain(qkv=said("attention_bias", True), out=said("attention_out_bias"), mlp_bias=said("mlp_bias")),
    "ernie4_5": plain(qkv=said("use_bias"), out=said("use_bias"), mlp_bias=said("use_bias")),
    "qwen2": plain(qkv=True),
    "qwen2_5_vl": plain(qkv=True),
    "mimo": plain(qkv=said("attention_bias", True)),
    "qwen3": plain(norms="head", **BIAS),
    "qwen3_vl_text": plain(norms="head", **BIAS),
    "gemma3_text": plain(four_norms, norms="head", **BIAS),
    "glm4": plain(four_norms, qkv=said("attention_bias")),
    "glm4v_text": plain(four_norms, qkv=said("attention_bias", True)),
    "cohere2": plain(one_norm, **BIAS),
    "exaone4": plain(norms_behind, norms="head"),
    "exaone4_5_text": plain(norms_behind, norms="head"),
    "olmo2": plain(norms_behind, norms="all", **BIAS),
    "olmo3": plain(norms_behind, norms="all", **BIAS),
    "phi3": phi3,
    "qwen3_moe": qwen3_moe,
    "qwen3_vl_moe_text": qwen3_moe,
    "qwen3_next": qwen3_next,
    "qwen3_5_text": qwen3_5,
    "qwen3_5_moe_text": qwen3_next,
    "deepseek_v3": deepseek_v3,
    "kimi_k2": deepseek_v3,
    "glm4_moe_lite": deepseek_v3,
    "deepseek_v32": deepseek_v32,
    "glm_moe_dsa": deepseek_v32,
    "glm4_moe": glm4_moe,
    "glm4v_moe_text": glm4v_moe,
    "dots1": dots1,
    "gpt_oss": gpt_oss,
    "llama4_text": llama4,
    "gemma4_text": gemma4,
    "minimax_m2": minimax_m2,
    "minimax_m3": minimax_m3,
    "mimo_v2_flash": mimo_v2,
    "laguna": laguna,
    "ernie4_5_moe": ernie4_5_moe,
    "hunyuan_v1_moe": hunyuan_moe,
}


def language_model(root):
    """The part of a configuration that describes the language model, with what its class assumes."""
    text = dict(root.get("text_config") or root)
    kind = text.get("model_type", "")
    # Where the part for text is silent the whole decides, then the class.
    if "tie_word_embeddings" in root:
        text.setdefault("tie_word_embeddings", root["tie_word_embeddings"])
    if kind == "minimax_m3_vl_text" or (not kind and root["model_type"] == "minimax_m3_vl"):
        kind = "minimax_m3"
    return kind, dict(CLASS_DEFAULTS.get(kind, {}), **text)


def count(root):
    """(parameters, buffers), or None for a type that is not modelled here."""
    kind, c = language_model(root)
    if kind not in LAYERS or c.get("hidden_size_per_layer_input"):
        return None
    m = Model(c)
    m.tensor("embed_tokens.weight", c["vocab_size"], c["hidden_size"])
    for block in range(c["num_hidden_layers"]):
        LAYERS[kind](m, f"layers.{block}", c, block)
    m.norm("norm", c["hidden_size"])
    if not c.get("tie_word_embeddings", False):
        m.tensor("lm_head.weight", c["vocab_size"], c["hidden_size"])
    return sum(m.parameters.values()), sum(m.buffers.values())


def main(arguments):
    write = arguments[0] == "--write"
    path = arguments[-1]
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    wrong = 0
    for row in rows:
        counted = count(row["config"])
        if write:
            row["parameters"], row["buffers"] = counted if counted else (None, None)
        # What the hub says of the safetensors: all that the checkpoint holds, vision tower and buffers too.
        published = row.get("published")
        if counted and published and sum(counted) + row.get("beside", 0) != published:
            print(f"{row['model']}: {counted} and {row.get('beside', 0)} beside, published are {published}")
            wrong += 1
        if (row.get("parameters"), row.get("buffers")) != (counted or (None, None)):
            print(f"{row['model']}: {counted} counted, {row.get('parameters')}, {row.get('buffers')} stated")
            wrong += 1
    if write:
        with open(path, "w", encoding="utf-8") as file:
            file.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    known = sum(1 for row in rows if row["parameters"])
    print(f"{len(rows)} configurations, {known} counted, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
