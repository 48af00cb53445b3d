# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of public models: which tensor of a Hugging Face folder (safetensors) is which of ours.

Names are those that transformers saves a family under; a leading "transformer." or "model." that some files leave out
is found either way.
"""

from __future__ import annotations

import os
import re
from typing import Dict, List, Tuple

import torch

from errors import BadInput, Refused
from gradients import Bucket
from plan import Reader, read_json
from shape import Shape
from tensor_file import TensorFile
from tensors import layer_tensors

# Parts of a block, after the block's prefix; {e} is an expert. "@" in front: the file has it transposed (GPT-2).
LLAMA = {"prefix": "model.layers.{b}.", "0.words": "model.embed_tokens.weight", "norm.scale": "model.norm.weight",
         "words": "lm_head.weight", "a.norm.scale": "input_layernorm.weight",
         "m.norm.scale": "post_attention_layernorm.weight", "q": "self_attn.q_proj.weight",
         "k": "self_attn.k_proj.weight", "v": "self_attn.v_proj.weight", "o": "self_attn.o_proj.weight",
         "q.norm.scale": "self_attn.q_norm.weight", "k.norm.scale": "self_attn.k_norm.weight",
         "gate": "mlp.gate_proj.weight", "up": "mlp.up_proj.weight", "down": "mlp.down_proj.weight"}
MIXTRAL = {**LLAMA, "router": "block_sparse_moe.gate.weight", "expert.gate": "block_sparse_moe.experts.{e}.w1.weight",
           "expert.up": "block_sparse_moe.experts.{e}.w3.weight",
           "expert.down": "block_sparse_moe.experts.{e}.w2.weight"}
QWEN_EXPERTS = {**LLAMA, "router": "mlp.gate.weight", "expert.gate": "mlp.experts.{e}.gate_proj.weight",
                "expert.up": "mlp.experts.{e}.up_proj.weight", "expert.down": "mlp.experts.{e}.down_proj.weight",
                "shared.gate": "mlp.shared_expert.gate_proj.weight", "shared.up": "mlp.shared_expert.up_proj.weight",
                "shared.down": "mlp.shared_expert.down_proj.weight", "shared.weight": "mlp.shared_expert_gate.weight"}
GPT2 = {"prefix": "transformer.h.{b}.", "0.words": "transformer.wte.weight", "0.positions": "transformer.wpe.weight",
        "norm.scale": "transformer.ln_f.weight", "norm.shift": "transformer.ln_f.bias", "words": "lm_head.weight",
        "a.norm.scale": "ln_1.weight", "a.norm.shift": "ln_1.bias", "m.norm.scale": "ln_2.weight",
        "m.norm.shift": "ln_2.bias", "qkv": "@attn.c_attn.weight", "qkv.bias": "attn.c_attn.bias",
        "o": "@attn.c_proj.weight", "o.bias": "attn.c_proj.bias", "up": "@mlp.c_fc.weight", "up.bias": "mlp.c_fc.bias",
        "down": "@mlp.c_proj.weight", "down.bias": "mlp.c_proj.bias"}
GPT_NEO = {**{part: name.lstrip("@") for part, name in GPT2.items() if part not in ("qkv", "qkv.bias")},
           "q": "attn.attention.q_proj.weight", "k": "attn.attention.k_proj.weight",
           "v": "attn.attention.v_proj.weight", "o": "attn.attention.out_proj.weight",
           "o.bias": "attn.attention.out_proj.bias"}
NEOX = {"prefix": "gpt_neox.layers.{b}.", "0.words": "gpt_neox.embed_in.weight",
        "norm.scale": "gpt_neox.final_layer_norm.weight", "norm.shift": "gpt_neox.final_layer_norm.bias",
        "words": "embed_out.weight", "a.norm.scale": "input_layernorm.weight", "a.norm.shift": "input_layernorm.bias",
        "m.norm.scale": "post_attention_layernorm.weight", "m.norm.shift": "post_attention_layernorm.bias",
        "heads": "attention.query_key_value.weight", "heads.bias": "attention.query_key_value.bias",
        "o": "attention.dense.weight", "o.bias": "attention.dense.bias", "up": "mlp.dense_h_to_4h.weight",
        "up.bias": "mlp.dense_h_to_4h.bias", "down": "mlp.dense_4h_to_h.weight", "down.bias": "mlp.dense_4h_to_h.bias"}
OPT = {"prefix": "model.decoder.layers.{b}.", "0.words": "model.decoder.embed_tokens.weight",
       "0.positions": "model.decoder.embed_positions.weight", "0.project": "model.decoder.project_in.weight",
       "project": "model.decoder.project_out.weight", "norm.scale": "model.decoder.final_layer_norm.weight",
       "norm.shift": "model.decoder.final_layer_norm.bias", "words": "lm_head.weight",
       "a.norm.scale": "self_attn_layer_norm.weight", "a.norm.shift": "self_attn_layer_norm.bias",
       "m.norm.scale": "final_layer_norm.weight", "m.norm.shift": "final_layer_norm.bias",
       "q": "self_attn.q_proj.weight", "k": "self_attn.k_proj.weight", "v": "self_attn.v_proj.weight",
       "o": "self_attn.out_proj.weight", "o.bias": "self_attn.out_proj.bias", "up": "fc1.weight",
       "up.bias": "fc1.bias", "down": "fc2.weight", "down.bias": "fc2.bias"}
PUBLIC: Dict[str, Dict[str, str]] = {
    "llama": LLAMA, "mistral": LLAMA, "qwen2": LLAMA, "qwen3": LLAMA, "mixtral": MIXTRAL, "qwen2_moe": QWEN_EXPERTS,
    "qwen3_moe": QWEN_EXPERTS, "gpt2": GPT2, "gpt_neo": GPT_NEO, "gpt_neox": NEOX, "opt": OPT}


def public_name(shape: Shape, family: str, name: str) -> Tuple[str, str]:
    """The file's name of one of our tensors, and how it lies there: "" as ours, "qkv" behind each other, "heads" head
    by head; "@" in front of either: transposed."""
    table = PUBLIC[family]
    layer, _, part = name.partition(".")
    number = int(layer)
    if number in (0, shape.layers() - 1):
        return table[f"0.{part}" if number == 0 else part], ""
    prefix = table["prefix"].format(b=(number - 1) // 2)
    if part.startswith("norm."):
        part = ("a." if number % 2 else "m.") + part
    expert = ""
    if part.startswith("expert"):
        expert, _, rest = part[len("expert"):].partition(".")
        part = f"expert.{rest}"
    form = ""
    if part.split(".")[0] in ("q", "k", "v") and not part.endswith("norm.scale"):
        bias = part.endswith(".bias")
        plain = part[:-len(".bias")] if bias else part
        form = next((joint for joint in ("qkv", "heads") if joint in table), "")
        found = table[form + (".bias" if bias else "")] if form else (
            table[plain][:-len("weight")] + "bias" if bias else table[plain])
    elif part in table:
        found = table[part]
    else:  # a bias beside its weight
        found = table[part[:-len(".bias")]][:-len("weight")] + "bias"
    transposed = found.startswith("@")
    return prefix + found.lstrip("@").format(e=expert), ("@" if transposed else "") + form


def ours(shape: Shape, name: str, form: str, tensor: torch.Tensor) -> torch.Tensor:
    """The whole tensor with our name, cut out of the file's."""
    if form.startswith("@"):
        tensor = tensor.t() if tensor.dim() == 2 else tensor
    part = "qkv".find(name.split(".")[1])
    rest = list(tensor.shape[1:])
    if form.strip("@") and tensor.shape[:1] != (3 * shape.heads * shape.head_dim,):
        return tensor  # of another model, which its shape says
    if form.endswith("qkv"):
        return tensor.reshape([3, -1, *rest])[part]
    if form.endswith("heads"):
        return tensor.reshape([shape.heads, 3, shape.head_dim, *rest])[:, part].reshape([-1, *rest])
    return tensor


# What some files hold beside weights: masks, frequencies of rotary positions, and the head of a tied model.
NO_WEIGHTS = re.compile(r"\.(attn|attention)\.(masked_)?bias$|\.inv_freq$")
HEADS = ("lm_head.weight", "embed_out.weight")


class PublicWeights:
    """A folder with model.safetensors, or several files and model.safetensors.index.json; of the plan's model, and of
    no other that begins as it does."""

    def __init__(self, folder: str, shape: Shape, family: str) -> None:
        self.folder, self.shape, self.family = folder, shape, family
        index = os.path.join(folder, "model.safetensors.index.json")
        self.files: Dict[str, TensorFile] = {}  # by tensor
        if os.path.exists(index):
            self.take_index(read_json(index).part("weight_map"))
        else:
            alone = TensorFile(os.path.join(folder, "model.safetensors"))
            self.files.update((key, alone) for key in alone.entries)
        self.check_others()

    def take_index(self, parts: Reader) -> None:
        """Each tensor from the file that the index names; others there may be of an older state."""
        opened: Dict[str, TensorFile] = {}
        for key in sorted(parts.value):
            name = parts.value[key]
            if not isinstance(name, str) or os.path.isabs(name) or ".." in name.split("/"):
                raise BadInput(parts.at(key), f"is {name!r}; expected the name of a file beside the index")
            if name not in opened:
                opened[name] = TensorFile(os.path.join(self.folder, name))
            if key in opened[name].entries:  # else it may be the head of a tied model, which converters leave out
                self.files[key] = opened[name]
        if not opened:
            raise BadInput(parts.where, "names no file")

    def check_others(self) -> None:
        """Tensors that no weight of the plan's model is say that the folder is of a larger model."""
        specs = [spec for layer in range(self.shape.layers()) for spec in layer_tensors(self.shape, layer)]
        try:
            known = {self.find(public_name(self.shape, self.family, spec.name)[0]) for spec in specs}
        except KeyError as error:
            raise Refused("E_UNSUPPORTED_MODEL", self.folder, f"{self.family} has no name for {error}") from None
        others = sorted(key for key in self.files if key not in known and not NO_WEIGHTS.search(key)
                        and not (self.shape.tied and key in HEADS))
        if others:
            raise BadInput(self.folder, f"has {len(others)} tensors that the plan's model has no place for, such as "
                                        f"{others[0]}")

    def find(self, name: str) -> str:
        for known in (name, name.split(".", 1)[1], "model." + name, "transformer." + name):
            if known in self.files:
                return known
        raise BadInput(self.folder, f"has no tensor {name}")

    def whole(self, name: str) -> torch.Tensor:
        public, form = public_name(self.shape, self.family, name)
        key = self.find(public)
        tensor = self.files[key].read(key)
        if not tensor.dtype.is_floating_point:
            raise BadInput(f"{self.files[key].path}, {key}", f"holds {str(tensor.dtype)[6:]}; expected fractions")
        return ours(self.shape, name, form, tensor)

    def into(self, buckets: List[Bucket]) -> None:
        """Sets the slices of all weights of a rank."""
        for bucket in buckets:
            for piece in bucket.pieces:
                spec = piece.atom.spec
                tensor = self.whole(spec.name)
                if tuple(tensor.shape) != spec.shape:
                    raise BadInput(f"{self.folder}, {public_name(self.shape, self.family, spec.name)[0]}",
                                   f"has shape {list(tensor.shape)}; the plan's model has {list(spec.shape)}")
                if spec.cut is not None:
                    tensor = tensor.narrow(spec.cut, piece.atom.begin, piece.atom.end - piece.atom.begin)
                piece.of(piece.weight.value.detach()).copy_(tensor)
