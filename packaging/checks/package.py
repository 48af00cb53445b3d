#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the Release build of packaging/test into build/check/prefix and uses it from there: the files that must be
there, the desktop's files as their validators want them, pages of the manual and of man, a plan on the command line,
pictures of the window. Then makes the packages (packaging/package, a build of its own), has lintian look at them,
holds what they depend on against the list of Ubuntu's names (packaging/ubuntu-24.04.txt) and uses them in bare systems
of Debian's releases (chroots.py); where none can be made here the part was not run.
"""
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Iterator
from xml.etree import ElementTree

import chroots
from tree import arguments, needs, report

EXPECTED = ["bin/pipewright", "bin/pipewright-cli", "share/man/man1/pipewright.1", "share/man/man1/pipewright-cli.1",
            "share/metainfo/*.metainfo.xml", "share/applications/*.desktop", "share/mime/packages/*.xml",
            "share/icons/hicolor/scalable/apps/*.svg", "share/doc/pipewright/copyright",
            "share/pipewright/samples/projects/measured-16.pwx"]
SAMPLE = "share/pipewright/samples/projects/measured-16.pwx"
HELD = {"pipewright": ["usr/bin/pipewright", "usr/share/applications/pipewright.desktop",
                       "usr/share/doc/pipewright/changelog.gz"],
        "pipewright-cli": ["usr/bin/pipewright-cli", "usr/" + SAMPLE, "usr/share/man/man1/pipewright-cli.1.gz",
                           "usr/share/doc/pipewright/manual/index.html"]}
UBUNTU = "packaging/ubuntu-24.04.txt"
SECONDS = 300  # for each command: the pictures need some 40 s on an idle machine


class Install:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.build = root / "build/release"
        self.prefix = root / "build/check/prefix"
        self.work = root / "build/check/package"
        self.looked_at = 0
        for folder in (self.prefix, self.work):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)

    def does(self, *command: str | Path) -> Iterator[str]:
        """A finding unless the command ends with 0. Its folders of settings are empty ones of its own, and it is not
        started in the source folder, where it might find what was not installed."""
        self.looked_at += 1
        homes = {f"PIPEWRIGHT_{name}_DIR": str(self.work) for name in ("CONFIG", "DATA", "STATE")}
        done = subprocess.run(command, cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=SECONDS, env=os.environ | homes | {"QT_QPA_PLATFORM": "offscreen",
                                                                         "XDG_RUNTIME_DIR": str(self.work)})
        if done.returncode != 0:
            yield f"{' '.join(map(str, command))} ends with {done.returncode}: {done.stdout.strip()}"

    def one(self, pattern: str) -> list[Path]:
        return sorted(self.prefix.glob(pattern))

    def files(self) -> Iterator[str]:
        for pattern in EXPECTED:
            self.looked_at += 1
            if not self.one(pattern):
                yield f"{pattern} is not installed"

    def desktop(self) -> Iterator[str]:
        for path in self.one("share/applications/*.desktop"):
            yield from self.does("desktop-file-validate", path)
        for path in self.one("share/metainfo/*.xml"):
            yield from self.does("appstreamcli", "validate", "--no-net", path)
            ids = [found.text or "" for found in ElementTree.parse(path).iter("launchable")]
            for name in ids:
                self.looked_at += 1
                if not (self.prefix / "share/applications" / name).is_file():
                    yield f"{path.name} launches {name}, which is not installed"
        for path in self.one("share/mime/packages/*.xml"):
            self.looked_at += 1
            ElementTree.parse(path)

    def pages(self) -> Iterator[str]:
        for path in self.one("share/man/man1/*.1"):
            yield from self.does("mandoc", "-T", "lint", "-W", "warning", path)
        for page in self.one("share/doc/pipewright/**/*.html"):
            self.looked_at += 1
            for target in re.findall(r"(?:href|src)=\"([^\"#:]+)(?:#[^\"]*)?\"", page.read_text(encoding="utf-8")):
                if not (page.parent / target).exists():
                    yield f"{page.relative_to(self.prefix)} leads to {target}, which is not installed"

    def programs(self) -> Iterator[str]:
        cli, window = self.prefix / "bin/pipewright-cli", self.prefix / "bin/pipewright"
        yield from self.does(cli, "--version")
        yield from self.does(cli, "plan", "--project", self.prefix / SAMPLE, "--out", self.work / "plans.json")
        yield from self.does(cli, "simulate", "--plan", self.work / "plans.json", "--trace", self.work / "trace.json")
        yield from self.does(window, self.prefix / SAMPLE, "--screenshots", self.work / "pictures")
        self.looked_at += 1
        if not list((self.work / "pictures").glob("*.png")):
            yield "the window left no picture"

    def debian(self) -> Iterator[str]:
        packages = {path.name.split("_")[0]: path for path in sorted((self.root / "build/package/out").glob("*.deb"))}
        self.looked_at += 1
        if sorted(packages) != sorted(HELD):
            yield f"the packages are {', '.join(packages) or 'none'}; expected {', '.join(HELD)}"
            return
        there = versions((self.root / UBUNTU).read_text(encoding="utf-8"))
        for name, path in packages.items():
            held = output("dpkg-deb", "--contents", path)
            for file in HELD[name]:
                self.looked_at += 1
                if not re.search(rf"\./{re.escape(file)}$", held, re.M):
                    yield f"{path.name} does not hold {file}"
            depends = output("dpkg-deb", "--field", path, "Depends")
            bound = re.findall(r"\blib(?:fmt|yaml-cpp|pugixml|cmark)[\w.+-]*", depends)
            if bound:
                yield f"{path.name} depends on {', '.join(bound)}, which other releases do not have"
            if name == "pipewright-cli" and "libqt" in depends:
                yield f"{path.name} depends on Qt: {depends.strip()}"
            for line in unmet(depends, there):
                yield f"{path.name}: {line}"
            self.looked_at += 1
            yield from self.does("lintian", "--fail-on", "error,warning", path)


def versions(text: str) -> dict[str, str]:
    """Of the packages that a list like UBUNTU names."""
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {words[0]: words[1] for words in lines}


def unmet(depends: str, there: dict[str, str]) -> Iterator[str]:
    """Dependencies of which no alternative is in that release in a version that will do; our own come along."""
    compared = {">=": "ge", "=": "eq", "<=": "le", ">>": "gt", "<<": "lt"}

    def met(alternative: str) -> bool:
        parts = re.fullmatch(r"([a-z0-9][a-z0-9.+-]*)(?::\w+)?(?: *\((>=|<=|>>|<<|=) *([^)]+)\))?", alternative.strip())
        if not parts:
            return False
        name, relation, version = parts.groups()
        if name in HELD:
            return True
        return name in there and (relation is None or subprocess.run(
            ["dpkg", "--compare-versions", there[name], compared[relation], version]).returncode == 0)

    for one in filter(None, map(str.strip, depends.split(","))):
        if not any(map(met, one.split("|"))):
            yield f"{UBUNTU} has nothing that meets {one}"


def output(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def installed(root: Path) -> tuple[list[str], int]:
    """Findings of the built, installed and packed program, and how many things were looked at."""
    needs("desktop-file-validate", "appstreamcli", "mandoc", "cpack", "dpkg-deb", "dpkg-shlibdeps", "lintian")
    if not (root / "build/release/CMakeCache.txt").is_file():
        subprocess.run(["cmake", "--preset", "release"], cwd=root, check=True)
    subprocess.run(["cmake", "--build", str(root / "build/release"), "--target", "app/all", "manual-html"],
                   check=True)
    install = Install(root)
    subprocess.run(["cmake", "--install", str(install.build), "--prefix", str(install.prefix)], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([root / "packaging/package"], check=True)
    findings = [line for part in (install.files, install.desktop, install.pages, install.programs, install.debian)
                for line in part()]
    return findings, install.looked_at


def main() -> None:
    root: Path = arguments(__doc__).root.resolve()
    findings, looked_at = installed(root)
    used, where, missing = chroots.use(root, root / "build/package/out")
    report([*findings, *used], f"{looked_at} things of an installed program, Ubuntu's dependencies by name, {where}",
           missing)


if __name__ == "__main__":
    main()
