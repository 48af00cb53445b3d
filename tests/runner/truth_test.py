# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random plans against one process; see truth.py."""
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "samples" / "runner"))
from draws import draw_plan  # noqa: E402
from truth import judge  # noqa: E402

for n in range(int(sys.argv[1]), int(sys.argv[2])):
    d = draw_plan(n, *sys.argv[3:])
    t = time.time()
    v = judge(d, True)
    p = d["plans"][0]["pipelines"]
    print(n, d["problem"]["model"]["family"], [(x["schedule"]["kind"], x["count"], x["microbatches"], [(s["tp"], len(s["replicas"])) for s in x["stages"]]) for x in p],
          v.holds(True), v.loss, v.gradient, v.weights, v.worst, f"{time.time() - t:.1f}s", flush=True)
