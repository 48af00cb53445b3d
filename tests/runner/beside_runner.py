# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Imported first by every test of the runner: makes its modules importable, and ends the test where PyTorch is missing
(as skipped if PW_ALLOW_SKIP says "torch")."""
import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNNER = ROOT / "samples" / "runner"
ALL = os.environ.get("PW_DRAWS") == "all"  # the long entry of a test
sys.path.insert(0, str(RUNNER))
REASON = "torch"  # of a skip, as in tests/README.md
if importlib.util.find_spec("torch") is None:
    print("PyTorch is not installed")
    sys.exit(77 if REASON in os.environ.get("PW_ALLOW_SKIP", "").split(",") else 1)
