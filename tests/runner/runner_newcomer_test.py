# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who has never run a plan: the three commands of README.md, from the measured sample to all ranks of its best plan on
this machine, exactly as they stand there, and the fourth, which holds what ran against the prediction. What each took
is printed. Two of them are run always; the ranks take minutes: they are for the long entry alone."""
from beside_runner import ALL, ROOT
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import List

CLI = Path(os.environ.get("PW_CLI", str(ROOT / "build/release/app/pipewright-cli"))).resolve()


def commands() -> List[str]:
    """Of the one block of README.md that starts the runner."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    (found,) = (block for block in blocks if "runner/run.py" in block)
    return [line for line in found.splitlines() if line]


class Newcomer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "samples").symlink_to(ROOT / "samples")  # a checkout, as the commands see it
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "pipewright-cli").symlink_to(CLI)
        (programs / "python3").symlink_to(sys.executable)  # the one with PyTorch
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}

    def type_in(self, command: str) -> str:
        start = time.perf_counter()
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        print(f"{time.perf_counter() - start:7.1f} s  {command}", flush=True)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}")
        return done.stdout

    def test_three_commands_lead_to_a_run(self):
        search, export, run, look = commands()
        self.assertTrue(search.startswith("pipewright-cli plan --project samples/projects/measured-16.pwx "))
        self.type_in(search)
        self.type_in(export)
        self.assertTrue(run.startswith("(cd job && python3 runner/run.py --plan plan.json --emulate "))
        for name in ("job/runner/run.py", "job/plan.json", "job/README.md"):
            self.assertTrue((self.folder / name).is_file(), name)
        if not ALL:
            return
        self.type_in(run)
        record = json.loads((self.folder / "job/run.json").read_text(encoding="utf-8"))
        self.assertEqual((record["emulated"], record["tiny"], len(record["steps"])), (True, True, 3))
        self.assertEqual(len({rank["rank"] for rank in record["ranks"]}), 16)
        beside = self.type_in(look)
        plan, of_run = beside.split("job/run.json", 1)  # the plan's own warnings are of its profile
        self.assertIn("predicted iteration", plan)
        self.assertIn("emulated, with tiny widths", of_run)
        self.assertNotIn("warning", of_run)


if __name__ == "__main__":
    unittest.main()
