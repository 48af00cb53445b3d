# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Imported before any module of the runner: finds it beside this folder, as samples/ has it."""

import os
import sys

RUNNER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "runner")
if not os.path.isfile(os.path.join(RUNNER, "layers.py")):
    sys.exit(f"{RUNNER} is missing: the layers that are timed are the runner's; copy samples/runner beside samples/"
             "profiler")
sys.path.insert(0, RUNNER)
