# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A node is lost while a plan trains: the commands of the runner's README, word for word, go on without it."""
from beside_runner import RUNNER
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from beside_cli import CLI, CLUSTER, MODEL, cli, write

LOST, STEPS = "n2", "30"


def commands() -> str:
    """Of the README: the block below its heading."""
    text = (RUNNER / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^### Lose a node\n.*?^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found, "the README has no such commands"
    return found[1]


def below(pid: int) -> List[int]:
    """Processes that it started."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def losses(record: Dict[str, Any]) -> Dict[int, float]:
    return {step["step"]: step["loss"] for step in record["steps"]}


class LostNode(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        tools = self.folder / "tools"
        tools.mkdir()
        cli_path = Path(CLI)
        (tools / "pipewright-cli").symlink_to(cli_path.resolve() if cli_path.exists() else str(shutil.which(CLI)))
        (tools / "python3").symlink_to(sys.executable)
        self.environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo",
                            "PATH": f"{tools}:{os.environ['PATH']}"}
        write(str(self.folder), "cluster.json", CLUSTER)
        write(str(self.folder), "model.json", MODEL)

    def record(self, *place: str) -> Dict[str, Any]:
        document: Dict[str, Any] = json.loads(self.folder.joinpath(*place).read_text(encoding="utf-8"))
        return document

    def first_run(self, *flags: str) -> Any:
        """The training as it began, on both nodes."""
        return subprocess.Popen([sys.executable, "-B", str(RUNNER / "run.py"), "--plan", "plans.json", "--here",
                                 "--tiny", "--steps", STEPS, "--rate", "0.01", *flags], cwd=self.folder,
                                env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_the_commands_of_the_readme_go_on(self):
        again = commands()
        found, _ = cli("plan", "--cluster", str(self.folder / "cluster.json"), "--model",
                       str(self.folder / "model.json"), "--gbs", "8", "--seq", "64", "--target", "runner", "--require",
                       f"n1,{LOST}", "--work", "20000", "--out", str(self.folder / "plans.json"))
        self.assertIn(f'"{LOST}.g', json.dumps(found["plans"][0]["pipelines"]))
        with self.first_run("--out", "straight.json") as whole:
            self.assertEqual(whole.wait(120), 0, whole.stderr.read())
        before = self.record("straight.json")
        straight = losses(before)
        victim = next(rank["rank"] for rank in before["ranks"] if rank["device"].startswith(f"{LOST}."))

        with self.first_run("--checkpoints", "checkpoints", "--save-every", "5") as training:
            self.assertTrue(any(line.startswith("step 12 ") for line in training.stdout))
            os.kill(below(training.pid)[victim], signal.SIGKILL)  # ranks were started in their order
            said = training.communicate(timeout=60)[1]
        self.assertEqual(training.returncode, 1, said)
        self.assertIn(f"rank {victim} was ended by signal 9", said)
        self.assertRegex(said, r"--resume goes on behind step \d+ of checkpoints")
        kept = sorted(os.listdir(self.folder / "checkpoints"))
        last = max(int(name[len("step-"):]) for name in kept if name.startswith("step-"))
        self.assertGreaterEqual(last, 10)
        self.assertLess(last, int(STEPS))

        done = subprocess.run(["sh", "-e", "-c", again], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=200, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        ran = self.record("again", "run.json")
        self.assertFalse([rank for rank in ran["ranks"] if rank["device"].startswith(f"{LOST}.")])
        rest = losses(ran)
        self.assertEqual(sorted(rest), list(range(last, int(STEPS))))
        for step, loss in rest.items():
            self.assertLess(abs(loss - straight[step]), 1e-5 * straight[step], f"step {step}")
        self.assertGreater(abs(straight[0] - straight[last]), 1e-3 * straight[0])  # else any start would do


if __name__ == "__main__":
    unittest.main()
