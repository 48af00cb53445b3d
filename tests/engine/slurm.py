# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Slurm of two nodes on this machine, for as long as a test wants it: munged, slurmctld and two slurmd as the
calling user, with their state in a folder of the test's own. No systemd, no cgroups, no accounting.

Processes are ended by their ids, those that Slurm starts included: what belongs to this Slurm has its folder in its
environment or its command line.
"""
from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

NODES = ("n1", "n2")
TOOLS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

CONF = """\
ClusterName=pwtest
SlurmctldHost=localhost(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={at}/munge.sock,cred_expire=5
CredType=cred/munge
SlurmctldPort={ports[0]}
SlurmctldPidFile={at}/slurmctld.pid
SlurmctldLogFile={at}/slurmctld.log
SlurmdPidFile={at}/slurmd-%n.pid
SlurmdLogFile={at}/slurmd-%n.log
SlurmdSpoolDir={at}/spool-%n
StateSaveLocation={at}/state
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1,sched_interval=1
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=10
InactiveLimit=0
KillWait=2
BatchStartTimeout=10
MessageTimeout=10
MaxArraySize={max_array_size}
JobRequeue=1
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def missing_tool() -> str:
    """The first program of a Slurm that is not installed, or nothing."""
    return next((tool for tool in TOOLS if not shutil.which(tool, path=PATH)), "")


def wait(what: str, true, seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            raise AssertionError(f"waited {seconds} s for: {what}")
        time.sleep(0.05)


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def processes_with(text: str) -> list[int]:
    """Ids of all processes whose command line or environment has the text."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            told = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if text.encode() in told:
            found.append(int(entry.name))
    return found


def parent_of(process: int) -> int:
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return 0
    return int(stat.rsplit(")", 1)[1].split()[1])


def end(process: int, how: signal.Signals = signal.SIGKILL) -> None:
    try:
        os.kill(process, how)
    except ProcessLookupError:
        pass


class Slurm:
    def __init__(self, folder: Path, max_array_size: int) -> None:
        self.at = folder
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        for name in ("state", *(f"spool-{node}" for node in NODES)):
            (folder / name).mkdir(parents=True)
        folder.chmod(0o755)
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        self.conf = folder / "slurm.conf"
        self.conf.write_text(CONF.format(user=user, at=folder, ports=free_ports(3), max_array_size=max_array_size),
                             encoding="utf-8")
        (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nConstrainCores=no\n", encoding="utf-8")
        self.environment = {**os.environ, "SLURM_CONF": str(self.conf), "PATH": PATH}

    def __enter__(self) -> Slurm:
        try:
            self.start("munged", "--foreground", "--force", f"--key-file={self.at}/munge.key",
                       f"--socket={self.at}/munge.sock", f"--pid-file={self.at}/munged.pid",
                       f"--log-file={self.at}/munged.log", f"--seed-file={self.at}/munge.seed")
            wait("munge's socket", (self.at / "munge.sock").exists, 30)
            self.start_controller()
            for node in NODES:
                self.start_node(node)
            wait("two idle nodes", lambda: self.states().count("idle") == len(NODES), 90)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, name: str, *words: str, called: str = "") -> None:
        with open(self.at / f"{called or name}.out", "ab") as out:
            self.children[called or name] = subprocess.Popen(
                [shutil.which(name, path=PATH) or name, *words], stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                env=self.environment)

    def start_controller(self) -> None:
        self.start("slurmctld", "-D", "-f", str(self.conf))

    def start_node(self, node: str) -> None:
        self.start("slurmd", "-D", "-N", node, "-f", str(self.conf), called=node)

    def kill(self, called: str) -> None:
        child = self.children.pop(called)
        child.kill()
        child.wait()

    def ask(self, *words: str) -> str:
        run = subprocess.run(words, capture_output=True, text=True, env=self.environment, check=False)
        return run.stdout if run.returncode == 0 else ""

    def states(self) -> list[str]:
        return [word.rstrip("*") for word in self.ask("sinfo", "--noheader", "--Node", "--format=%t").split()]

    def queue(self) -> list[str]:
        return self.ask("squeue", "--noheader", "--array", "--format=%F_%K %t").splitlines()

    def is_empty(self) -> bool:
        """Only what Slurm itself says counts, and not its silence."""
        run = subprocess.run(["squeue", "--noheader", "--array"], capture_output=True, text=True, env=self.environment,
                             check=False)
        return run.returncode == 0 and not run.stdout.strip()

    def state_of(self, node: str) -> str:
        return self.ask("sinfo", "--noheader", f"--nodes={node}", "--format=%t").strip().rstrip("*")

    def revive(self) -> None:
        """What an operator does after a controller forgot what it had started: nodes that were drained for it take
        work again, jobs that were held for it are released."""
        for line in self.ask("squeue", "--noheader", "--array", "--states=PENDING", "--format=%i %r").splitlines():
            job, _, reason = line.strip().partition(" ")
            if "held" in reason:
                self.ask("scontrol", "release", job)
        for node in NODES:
            if self.state_of(node) in ("drain", "drng", "down", "fail"):
                self.ask("scontrol", "update", f"nodename={node}", "state=resume")

    def workers(self, folder: Path, node: str = "") -> list[int]:
        """Processes that work on a sweep, on one node or on any."""
        found = []
        for process in processes_with(f"SLURM_CONF={self.conf}"):
            try:
                line = Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace")
                told = Path(f"/proc/{process}/environ").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if str(folder) in line and "work" in line.split("\0") and (not node or f"SLURMD_NODENAME={node}" in told):
                found.append(process)
        return found

    def results(self, folder: Path, node: str) -> list[Path]:
        """The result files that a node's processes have open."""
        found = []
        for process in self.workers(folder, node):
            try:
                links = [os.readlink(entry) for entry in Path(f"/proc/{process}/fd").iterdir()]
            except OSError:
                continue  # it has ended
            found += [Path(link) for link in links if link.startswith(str(folder / "results"))]
        return found

    def kill_node(self, node: str, folder: Path) -> None:
        """As if its plug was pulled: the daemon, the step's manager and what it runs."""
        workers = self.workers(folder, node)
        self.kill(node)
        for worker in workers:
            manager = parent_of(worker)
            end(worker)
            if manager > 1:
                end(manager)

    def stop(self) -> None:
        for called in ("n1", "n2", "slurmctld", "munged"):
            if called in self.children:
                self.children[called].send_signal(signal.SIGCONT)
                self.kill(called)
        for process in processes_with(str(self.at)):
            end(process)
