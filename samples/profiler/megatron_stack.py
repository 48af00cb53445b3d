# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A dense block as Megatron-Core has it with its default implementation: the TransformerLayer of the Transformer Engine
that is installed, with fused norms, products and attention. On GPUs only, which is what that runs on."""

from __future__ import annotations

import time
from typing import Any, List

import beside_runner  # noqa: F401
import torch

from errors import Refused
from functions import TensorRanks
from model_config import Timed
from timing import Passes, copies
from untyped import cuda


class ModuleBlock:
    """A module and AdamW of PyTorch, with the calls of timed_layers.Layer."""

    def __init__(self, module: torch.nn.Module, clock: Any, extra: Any) -> None:
        self.module, self.clock, self.extra = module, clock, extra
        self.optimizer = torch.optim.AdamW(module.parameters(), lr=1e-6)

    def passes(self, x: torch.Tensor, ids: torch.Tensor, times: int = 1) -> Passes:
        self.optimizer.zero_grad(set_to_none=True)
        inputs = copies(x, times)
        start = self.clock()
        outputs = [self.module(y, **self.extra) for y in inputs]
        forward = self.clock()
        while outputs:
            y = outputs.pop()
            torch.autograd.backward([y], [torch.ones_like(y)])
        return (forward - start) / times, (self.clock() - forward) / times, 0.0

    def update(self) -> float:
        start = self.clock()
        self.optimizer.step()
        return float(self.clock() - start)


def versions() -> str:
    try:
        import transformer_engine
    except ImportError:
        raise Refused("E_STACK", "--stack megatron-core", "Transformer Engine is not installed here") from None
    return f"Transformer Engine {getattr(transformer_engine, '__version__', 'of no version')}"


def angles(timed: Timed, seq: int, device: torch.device) -> torch.Tensor:
    """Rotary positions as the layer takes them: [seq, 1, 1, width], halves alike."""
    shape = timed.shape
    width = int(shape.head_dim * shape.rotary_share) // 2 * 2
    powers = torch.arange(0, width, 2, dtype=torch.float32, device=device) / max(1, width)
    turned = torch.arange(seq, dtype=torch.float32, device=device).unsqueeze(1) * shape.rotary_base ** -powers
    return turned.repeat(1, 2)[:, None, None, :]


ACTIVATIONS = {True: {"silu": "swiglu", "gelu": "geglu", "gelu_tanh": "geglu", "relu": "reglu"},
               False: {"gelu_tanh": "gelu", "gelu": "gelu", "relu": "relu"}}  # by whether the MLP is gated


def check(timed: Timed) -> None:
    """That the installed layer is what the model's blocks are, and can run here. Raises Refused."""
    versions()
    shape = timed.shape
    others: List[str] = []
    if shape.experts:
        others.append("experts")
    if timed.latent:
        others.append("latent attention")
    if shape.head_norm:
        others.append("norms of queries and keys")
    if shape.post_norm or shape.parallel:
        others.append("its order of norms")
    if others:
        raise Refused("E_STACK", "--stack megatron-core", f"{', '.join(others)} cannot be timed with it here")
    if shape.activation not in ACTIVATIONS[shape.gated]:
        raise Refused("E_STACK", "--stack megatron-core", f"activation {shape.activation} is not the layer's")
    if not cuda.is_available():
        raise Refused("E_STACK", "--stack megatron-core", "Transformer Engine wants a GPU")


def block(timed: Timed, number: int, seq: int, ranks: TensorRanks, dtype: torch.dtype,
          device: torch.device) -> ModuleBlock:
    import transformer_engine.pytorch as te
    shape = timed.shape
    window = shape.window_of(number)
    group, size = ranks.group.handle, ranks.group.size()
    module = te.TransformerLayer(
        shape.hidden, shape.ffn, shape.heads, num_gqa_groups=shape.kv_heads, layernorm_epsilon=shape.epsilon,
        hidden_dropout=0.0, attention_dropout=0.0, layer_number=1, kv_channels=shape.head_dim,
        self_attn_mask_type="causal", window_size=(window - 1, 0) if window else None, tp_group=group, tp_size=size,
        set_parallel_mode=size > 1, params_dtype=dtype, fuse_qkv_params=True, bias=shape.mlp_bias,
        device=device, activation=ACTIVATIONS[shape.gated][shape.activation],
        normalization="RMSNorm" if shape.rms_norm else "LayerNorm")
    extra = {} if shape.learned_positions else {"rotary_pos_emb": angles(timed, seq, device)}

    def clock() -> float:
        cuda.synchronize(device)
        return time.perf_counter()

    return ModuleBlock(module, clock, extra)
