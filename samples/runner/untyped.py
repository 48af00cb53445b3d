# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of PyTorch that have no types."""

from typing import Any

import torch.cuda
import torch.distributed

cuda: Any = torch.cuda
dist: Any = torch.distributed
