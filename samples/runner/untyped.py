# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of PyTorch that have no types, or are not in every version."""

from typing import Any

import torch.cuda
import torch.distributed
import torch.nn.functional

cuda: Any = torch.cuda
dist: Any = torch.distributed
fused_adamw: Any = getattr(torch, "_fused_adamw_", None)  # from 2.0 on
fused_attention: Any = getattr(torch.nn.functional, "scaled_dot_product_attention", None)  # from 2.0 on
version: Any = torch.__version__
fused_attention_scales: bool = version >= (2, 1)  # it takes what scores are multiplied by
