#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps on a real Slurm in which things die. Whatever happens, every task has its result once, and all of them are
those of a run on this machine: python3 slurm_sweep_test.py PIPEWRIGHT_CLI

Skipped where no Slurm is installed (packaging/packages-engine.txt) and PW_ALLOW_SKIP says "engine".
"""
from __future__ import annotations

import csv
import io
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from slurm import Slurm, end, missing_tool, processes_with, wait

SKIPPED = 77
REASON = "engine"
ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "samples"
CHUNK = 6
MAX_ARRAY_SIZE = 5  # elements 0 to 4: nine chunks are two arrays
OWN_TO_A_RUN = ("wall_s", "host")


def document(batches: list[int]) -> dict[str, object]:
    """Three clusters, three models, `batches`, two planners."""
    clusters = [str(SAMPLES / f"clusters/{name}.json") for name in ("mixed-64", "v100-32", "mixed-16")]
    models = [str(SAMPLES / f"models/{name}.json") for name in ("llama3-8b", "gpt3-1.3b", "gpt-neo-2.7b")]
    return {"schema": "pipewright-sweep-1", "name": "engine",
            "base": {"recipe": {"gbs": 256, "seq": 2048}},
            "axes": [{"name": "offer", "of": "cluster", "values": clusters},
                     {"name": "model", "of": "model", "values": models},
                     {"name": "batch", "of": "recipe.gbs", "values": batches},
                     {"name": "planner", "of": "search.planner", "values": ["pipewright", "harp"]}]}


class Sweeps:
    def __init__(self, program: str, at: Path, slurm: Slurm) -> None:
        self.program, self.at, self.slurm = program, at, slurm

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.program, "sweep", *words], capture_output=True, text=True, check=False,
                              env=self.slurm.environment)

    def done(self, *words: str, code: int = 0) -> dict[str, object]:
        run = self.call(*words, "--json")
        assert run.returncode == code, f"{words}: {run.returncode} instead of {code}: {run.stdout} {run.stderr}"
        answer: dict[str, object] = json.loads(run.stdout)
        return answer

    def make(self, name: str, batches: list[int]) -> Path:
        source = self.at / f"{name}.json"
        source.write_text(json.dumps(document(batches)), encoding="utf-8")
        self.done("make", str(source), "--out", str(self.at / name), "--chunk-tasks", str(CHUNK))
        return self.at / name

    def submit(self, folder: Path) -> dict[str, object]:
        return self.done("run", str(folder), "--on", "slurm")

    def rows(self, folder: Path) -> list[dict[str, str]]:
        table = self.at / f"{folder.name}.csv"
        self.done("collect", str(folder), "--out", str(table))
        rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
        for row in rows:
            for key in OWN_TO_A_RUN:
                del row[key]
        return rows

    def finish(self, folder: Path) -> None:
        """Until Slurm has nothing more of it; what died is submitted once more."""
        def is_over() -> bool:
            self.slurm.revive()
            return self.slurm.is_empty()
        wait("an empty queue", is_over, 400)
        if self.call("status", str(folder)).returncode != 0:
            self.submit(folder)
            wait("an empty queue", is_over, 400)
        self.done("status", str(folder))


def lines_of(folder: Path, key: str) -> int:
    return sum(f'"{key}"' in line for file in (folder / "results").glob("*.jsonl")
               for line in file.read_text(encoding="utf-8").splitlines())


def attempts(folder: Path) -> int:
    return len(list((folder / "results").glob("*.jsonl")))


def begun_on(sweeps: Sweeps, folder: Path, node: str) -> bool:
    return bool(sweeps.slurm.workers(folder, node)) and lines_of(folder, "begin") > lines_of(folder, "exit")


def node_and_controller_die(sweeps: Sweeps, expected: list[dict[str, str]]) -> None:
    """n1 loses its power, its result file ends in half a line, and the controller is killed and comes back."""
    folder = sweeps.make("dying", [256, 512, 1024])
    jobs = sweeps.submit(folder)["jobs"]
    assert isinstance(jobs, list) and len(jobs) == 2, jobs  # MaxArraySize
    wait("work on n1", lambda: begun_on(sweeps, folder, "n1") and sweeps.slurm.results(folder, "n1"))
    torn = sweeps.slurm.results(folder, "n1")[0]
    sweeps.slurm.kill_node("n1", folder)
    with open(torn, "ab") as out:
        out.write(b'{"id": "torn')
    time.sleep(3)
    sweeps.slurm.kill("slurmctld")
    time.sleep(5)
    sweeps.slurm.start_controller()
    # One that is back before anybody missed it keeps the jobs that it had, until its next registration.
    wait("the loss of n1 to be seen", lambda: sweeps.slurm.state_of("n1") == "down")
    sweeps.slurm.start_node("n1")
    sweeps.finish(folder)
    assert torn.read_bytes().rstrip(b"\n").count(b'{"id": "torn') == 1
    assert attempts(folder) > 9, "the kill hit nothing"
    assert sweeps.rows(folder) == expected
    first = sweeps.done("collect", str(folder), "--out", str(sweeps.at / "dying.db"))
    assert first["added"] == len(expected)
    assert sweeps.done("collect", str(folder), "--out", str(sweeps.at / "dying.db"))["added"] == 0


def killed_search(sweeps: Sweeps, expected: list[dict[str, str]]) -> None:
    """A process that is killed fails its element, which Slurm does not repeat: the next run finds what is open."""
    folder = sweeps.make("killed", [256])
    sweeps.submit(folder)
    wait("work on any node", lambda: bool(sweeps.slurm.workers(folder)) and lines_of(folder, "begin") > 0)
    for worker in sweeps.slurm.workers(folder):
        end(worker)
    wait("an empty queue", sweeps.slurm.is_empty, 200)
    assert sweeps.done("status", str(folder), code=4)["done"] != len(expected)
    sweeps.finish(folder)
    assert sweeps.rows(folder) == expected


def node_is_cut_off(sweeps: Sweeps, expected: list[dict[str, str]]) -> None:
    """A node that is not heard of goes on working while its chunk runs again elsewhere: both agree."""
    folder = sweeps.make("cut", [256])
    sweeps.submit(folder)
    wait("work on n1", lambda: begun_on(sweeps, folder, "n1"))
    slurmd = sweeps.slurm.children["n1"]
    for worker in sweeps.slurm.workers(folder, "n1"):
        end(worker, signal.SIGSTOP)  # it goes on when the chunk runs elsewhere
    slurmd.send_signal(signal.SIGSTOP)
    wait("n1 to be missed", lambda: "down" in sweeps.slurm.states(), 200)
    wait("work on n2 alone", lambda: bool(sweeps.slurm.workers(folder, "n2")) or attempts(folder) > 3, 200)
    for worker in sweeps.slurm.workers(folder, "n1"):
        end(worker, signal.SIGCONT)
    wait("both copies to end", lambda: not sweeps.slurm.workers(folder, "n1"), 200)
    slurmd.send_signal(signal.SIGCONT)
    sweeps.finish(folder)
    assert attempts(folder) > 3, "nothing ran twice"
    assert sweeps.rows(folder) == expected


def cancel_and_resume(sweeps: Sweeps, expected: list[dict[str, str]]) -> None:
    folder = sweeps.make("cancelled", [256])
    submitted = sweeps.submit(folder)["jobs"]
    assert isinstance(submitted, list)
    again = sweeps.submit(folder)
    assert again["jobs"] == [], again  # nothing is submitted twice
    (job,) = submitted
    sweeps.slurm.ask("scontrol", "hold", str(job))
    held = sweeps.done("status", str(folder), "--queue", code=4)["held_chunks"]
    assert isinstance(held, list) and held and held[0]["reason"] in ("JobHeldUser", "JobHeldAdmin"), held
    sweeps.slurm.ask("scontrol", "release", *(entry["element"] for entry in held))
    assert sweeps.done("status", str(folder), "--queue", code=4)["held_chunks"] == []
    wait("a result", lambda: lines_of(folder, "exit") > 0)
    sweeps.done("cancel", str(folder))
    wait("an empty queue", sweeps.slurm.is_empty, 100)
    kept = lines_of(folder, "exit")
    status = sweeps.done("status", str(folder), code=4)
    assert status["done"] == kept and kept < len(expected), status
    sweeps.submit(folder)
    sweeps.finish(folder)
    assert sweeps.rows(folder) == expected


def no_room(sweeps: Sweeps, expected: list[dict[str, str]]) -> None:
    """Files that may not grow, as on a disk that is full: Slurm hands a limit of who submits on to the jobs. What was
    written before is kept, no result is half one, and with room again what is open is done."""
    folder = sweeps.make("full", [256])
    limit = 3000  # bytes of a file: a result or two
    run = subprocess.run([sweeps.program, "sweep", "run", str(folder), "--on", "slurm"], env=sweeps.slurm.environment,
                         capture_output=True, text=True, check=False,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)))
    assert run.returncode == 0, run
    wait("an empty queue", sweeps.slurm.is_empty, 200)
    status = sweeps.done("status", str(folder), code=4)
    assert isinstance(status["done"], int) and 0 < status["done"] < len(expected), status
    assert max(file.stat().st_size for file in (folder / "results").glob("*.jsonl")) <= limit
    sweeps.finish(folder)
    assert sweeps.rows(folder) == expected


def two_collect_at_once(sweeps: Sweeps, expected: list[dict[str, str]]) -> None:
    """Into one database, which neither has made before, while results come in: each result is there once."""
    folder = sweeps.make("both", [256])
    sweeps.submit(folder)
    database = str(sweeps.at / "both.db")
    added = 0

    def both() -> int:
        words = [sweeps.program, "sweep", "collect", str(folder), "--out", database, "--json"]
        pair = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=sweeps.slurm.environment)
                for _ in range(2)]
        answers = [(one.communicate()[0], one.returncode) for one in pair]
        assert all(code in (0, 4) for _, code in answers), answers
        return sum(json.loads(text)["added"] for text, _ in answers)

    wait("a result", lambda: lines_of(folder, "exit") > 0)
    added += both()
    sweeps.finish(folder)
    added += both()
    assert added == len(expected), added
    with sqlite3.connect(database) as read:
        assert read.execute("SELECT count(*), count(DISTINCT id) FROM result").fetchone() == (added, added)
    assert sweeps.rows(folder) == expected


def refused_submission(sweeps: Sweeps) -> None:
    """What sbatch says is said, with exit code 1, and no job is kept of it: the next run submits."""
    folder = sweeps.make("refused", [256])
    run = sweeps.call("run", str(folder), "--on", "slurm", "--partition", "nowhere", "--json")
    assert run.returncode == 1, run
    assert "partition" in json.loads(run.stdout)["error"]["message"], run.stdout
    assert '"id"' not in (folder / "jobs.jsonl").read_text(encoding="utf-8")
    assert sweeps.slurm.is_empty()
    assert sweeps.submit(folder)["jobs"]
    sweeps.done("cancel", str(folder))
    wait("an empty queue", sweeps.slurm.is_empty, 100)


def found_by_name(sweeps: Sweeps) -> None:
    """A job of which only the sweep's name is known is not submitted again, and can be cancelled."""
    folder = sweeps.make("named", [256])
    submitted = sweeps.submit(folder)["jobs"]
    assert isinstance(submitted, list) and len(submitted) == 1, submitted
    record = folder / "jobs.jsonl"
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 2, lines
    record.write_text(lines[0], encoding="utf-8")  # as if the disk had had no room for the number
    again = sweeps.submit(folder)
    assert again["jobs"] == [], again
    assert sweeps.done("cancel", str(folder))["cancelled"] == submitted
    wait("an empty queue", sweeps.slurm.is_empty, 100)


def main() -> int:
    program = str(Path(sys.argv[1]).resolve())
    if tool := missing_tool():
        may = REASON in os.environ.get("PW_ALLOW_SKIP", "").split(",")
        print(f"{'skipped' if may else 'FAILED: cannot run'}: {tool} is not installed (packaging/packages-engine.txt)",
              flush=True)
        return SKIPPED if may else 1
    with tempfile.TemporaryDirectory(prefix="pw-engine-") as name:
        at = Path(name)
        with Slurm(at / "slurm", MAX_ARRAY_SIZE) as slurm:
            sweeps = Sweeps(program, at, slurm)
            local = sweeps.make("local", [256, 512, 1024])
            sweeps.done("run", str(local), "--on", "local", "--jobs", "2")
            rows = sweeps.rows(local)
            assert len(rows) == 54 and any(row["status"] == "feasible" or row["status"] == "optimal" for row in rows)
            small = sweeps.make("small", [256])
            sweeps.done("run", str(small), "--jobs", "2")
            few = sweeps.rows(small)
            for case, expected in ((node_and_controller_die, rows), (killed_search, few), (node_is_cut_off, few),
                                   (cancel_and_resume, few), (no_room, few), (two_collect_at_once, few)):
                begun = time.monotonic()
                case(sweeps, expected)
                print(f"{case.__name__}: {time.monotonic() - begun:.0f} s", flush=True)
            refused_submission(sweeps)
            found_by_name(sweeps)
            assert slurm.is_empty()
        wait("all processes to be gone", lambda: not processes_with(str(at)), 30)
    print("passed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
