# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of PyTorch that have no types, or are not in every version."""

from typing import Any

import torch.cuda
import torch.distributed

cuda: Any = torch.cuda
dist: Any = torch.distributed
fused_adamw: Any = getattr(torch, "_fused_adamw_", None)  # from 2.0 on
