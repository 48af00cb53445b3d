#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Uses what packaging/package has made in bare Debian 12 and 13, each a chroot that debootstrap makes anew: the archive
first, by an ordinary user of a system without any library of Qt, then the packages: the command line alone, which
brings no Qt, the window, and everything removed again. A plan is made, a picture taken, and the window asked over VNC.

Ubuntu is not made here: what the packages depend on is held against the names and versions that its release has, by
package.py, and nothing is run there.

Called by itself: chroots.py [--root TREE], with the packages in build/package/out.
"""
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Iterator

from tree import arguments, report

SUITES = {"bookworm": "Debian 12", "trixie": "Debian 13"}
MIRROR = "http://deb.debian.org/debian"
USER = "65534:65534"
SECONDS = 900
SAMPLE = "share/pipewright/samples/projects/measured-16.pwx"
VNC = (5971, b"RFB 003")


class Chroot:
    """A bare system; what is mounted into it goes with the command that it was mounted for."""

    def __init__(self, suite: str, folder: Path) -> None:
        self.suite, self.root = suite, folder / suite
        self.steps = 0

    def make(self) -> str:
        """Why it cannot be made, or nothing."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["debootstrap", "--variant=minbase", self.suite, str(self.root), MIRROR],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            return (done.stdout.strip().splitlines() or ["debootstrap failed"])[-1]
        shutil.copyfile("/etc/resolv.conf", self.root / "etc/resolv.conf")
        # A mirror that is reached through a proxy here is reached so there.
        for name in Path("/etc/apt/apt.conf.d").glob("*"):
            if "Acquire::" in name.read_text(encoding="utf-8", errors="replace"):
                shutil.copyfile(name, self.root / "etc/apt/apt.conf.d" / name.name)
        return ""

    def command(self, words: list[str], user: str) -> list[str]:
        enter = ('mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && '
                 'exec chroot --userspec="$1" "$0" "${@:2}"')
        return ["unshare", "--mount", "bash", "-c", enter, str(self.root), user, *words]

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        return kept | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp/home", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive", "QT_QPA_PLATFORM": "offscreen",
                       "XDG_RUNTIME_DIR": "/tmp/home"}

    def does(self, *words: str, user: str = "0:0") -> Iterator[str]:
        """A finding unless the command ends with 0."""
        self.steps += 1
        done = subprocess.run(self.command(list(words), user), env=self.environment(), timeout=SECONDS,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode != 0:
            yield f"{self.suite}: {' '.join(words)} ends with {done.returncode}: {done.stdout.strip()[-2000:]}"

    def finds(self, what: str, there: bool) -> Iterator[str]:
        self.steps += 1
        if bool(list(self.root.glob(what))) != there:
            yield f"{self.suite}: /{what} is {'not there' if there else 'there still'}"

    def installed(self, beginning: str) -> list[str]:
        listed = subprocess.run(["dpkg-query", f"--admindir={self.root}/var/lib/dpkg", "-W", "-f",
                                 "${Package} ${db:Status-Status}\n"], check=True, capture_output=True, text=True).stdout
        return [line.split()[0] for line in listed.splitlines()
                if line.startswith(beginning) and line.endswith(" installed")]

    def programs(self, prefix: str, user: str) -> Iterator[str]:
        """Both programs at work, under `prefix`."""
        out = self.root / "tmp/home"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        os.chown(out, *map(int, user.split(":")))
        yield from self.plan(prefix, user)
        yield from self.does(f"{prefix}/bin/pipewright", f"{prefix}/{SAMPLE}", "--screenshots", "/tmp/home/pictures",
                             "--views", "window-light", user=user)
        yield from self.finds("tmp/home/pictures/window-light.png", True)
        yield from self.vnc(f"{prefix}/bin/pipewright", user)

    def plan(self, prefix: str, user: str) -> Iterator[str]:
        (self.root / "tmp/home").mkdir(exist_ok=True)
        yield from self.does(f"{prefix}/bin/pipewright-cli", "plan", "--project", f"{prefix}/{SAMPLE}", "--out",
                             "/tmp/home/plans.json", user=user)
        yield from self.does(f"{prefix}/bin/pipewright-cli", "evaluate", "--plan", "/tmp/home/plans.json", user=user)

    def vnc(self, program: str, user: str) -> Iterator[str]:
        """A viewer that connects is greeted."""
        self.steps += 1
        words = [program, "-platform", f"vnc:port={VNC[0]}"]
        with subprocess.Popen(self.command(words, user), env=self.environment(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as running:
            greeting = greeted(VNC[0])
            running.terminate()
        if not greeting.startswith(VNC[1]):
            yield f"{self.suite}: {' '.join(words)} greets a viewer with {greeting!r}"

    def archive(self, archive: Path) -> Iterator[str]:
        yield from self.does("mkdir", "-p", "/tmp/place", user=USER)
        shutil.copy2(archive, self.root / "tmp/archive.tar.gz")
        yield from self.does("tar", "xzf", "/tmp/archive.tar.gz", "-C", "/tmp/place", user=USER)
        folder = archive.name.removesuffix(".tar.gz")
        # Moved, since nothing in it may know where it was unpacked.
        yield from self.does("mv", f"/tmp/place/{folder}", "/tmp/place/moved here", user=USER)
        yield from self.programs("/tmp/place/moved here", USER)
        for name in ("tmp/place", "tmp/archive.tar.gz"):
            path = self.root / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def packages(self, cli: Path, window: Path) -> Iterator[str]:
        for path in (cli, window):
            shutil.copy2(path, self.root / "tmp")
        install = ("apt-get", "install", "-y", "-q", "--no-install-recommends")
        yield from self.does("apt-get", "update", "-q")
        yield from self.does(*install, f"/tmp/{cli.name}")
        self.steps += 1
        if qt := self.installed("libqt"):
            yield f"{self.suite}: the command line brings {', '.join(qt)}"
        yield from self.plan("/usr", "0:0")
        # The server of VNC is a recommended package's.
        yield from self.does(*install, f"/tmp/{window.name}", "qt6-qpa-plugins")
        yield from self.programs("/usr", "0:0")
        yield from self.does("apt-get", "purge", "-y", "-q", "pipewright", "pipewright-cli")
        for left in ("usr/bin/pipewright*", "usr/share/pipewright", "usr/share/doc/pipewright*"):
            yield from self.finds(left, False)


def greeted(port: int) -> bytes:
    import socket
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as viewer:
                return viewer.recv(12)
        except OSError:
            time.sleep(0.5)
    return b""


def why_not() -> str:
    if os.geteuid() != 0:
        return "they take root"
    for tool in ("debootstrap", "unshare", "chroot"):
        if not shutil.which(tool):
            return f"{tool} is not installed"
    mounts = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True)
    return "nothing may be mounted here" if mounts.returncode != 0 else ""


def use(root: Path, packages: Path) -> tuple[list[str], str, str]:
    """Findings, in words what was looked at, and, if a chroot could not be used, why: that is no finding, but what was
    not looked at has not passed."""
    findings: list[str] = []
    done, skipped = [], []
    reason = why_not()
    for suite, name in SUITES.items():
        chroot = Chroot(suite, root / "build/check/chroots")
        if why := reason or chroot.make():
            skipped.append(f"{name}: {why}")
            continue
        findings += chroot.archive(next(packages.glob("*.tar.gz")))
        findings += chroot.packages(next(packages.glob("pipewright-cli_*.deb")),
                                    next(packages.glob("pipewright_*.deb")))
        done.append(f"{chroot.steps} steps in bare {name}")
        shutil.rmtree(chroot.root)
    for line in skipped:
        print(f"not run: chroot of {line}")
    missing = f"{len(skipped)} of {len(SUITES)} chroots not used: " + (reason or "; ".join(skipped)) if skipped else ""
    return findings, ", ".join(done), missing


def main() -> None:
    root: Path = arguments(__doc__).root.resolve()
    report(*use(root, root / "build/package/out"))


if __name__ == "__main__":
    main()
