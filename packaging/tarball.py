#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes an archive of both programs with all that they need, for users without root: unpacked anywhere, moved at will.

  bin/          pipewright, a script that finds fonts and starts the window; pipewright-cli
  libexec/      the window
  lib/          libraries, of which each finds the others by its own place
  plugins/      Qt's: xcb, wayland, offscreen and vnc, icons, pictures, input
  share/        samples, manual, pages of man, fonts for machines that have none

What every system with that glibc has stays out: glibc, libstdc++ and libgcc. The archive is refused if anything in it
asks for a glibc later than the one that is promised.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

GLIBC = (2, 36)  # Debian 12's, where packages are built
SYSTEM = re.compile(r"^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|gcc_s)\.so\..*|libstdc\+\+\.so\..*|linux-vdso.*)$")
PLATFORMS = ("libqxcb", "libqwayland-generic", "libqoffscreen", "libqvnc")
PLUGINS = ["iconengines/*", "imageformats/libqsvg.so", "imageformats/libqjpeg.so",
           "platforminputcontexts/libcompose*.so", "wayland-shell-integration/libxdg-shell.so",
           "wayland-decoration-client/*", *(f"platforms/{name}.so" for name in PLATFORMS)]
FONTS = ["dejavu/DejaVuSans.ttf", "dejavu/DejaVuSans-Bold.ttf", "dejavu/DejaVuSansMono.ttf"]
FONTS_CONF = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""
START = """#!/bin/sh
# Starts the window, with fonts of its own on a machine that has none.
here=$(dirname -- "$(readlink -f -- "$0")")/..
fonts() {
    find /usr/share/fonts /usr/local/share/fonts "$HOME/.fonts" "$HOME/.local/share/fonts" \\
        -name '*.[ot]t[fc]' 2>/dev/null | head -n 1
}
if [ -z "$FONTCONFIG_FILE" ] && { [ ! -e /etc/fonts/fonts.conf ] || [ -z "$(fonts)" ]; }; then
    export FONTCONFIG_FILE="$here/share/fonts/fonts.conf"
fi
exec "$here/libexec/pipewright" "$@"
"""
README = """Pipewright {version} for x86-64 Linux with glibc {glibc} or later (Debian 12, Ubuntu 24.04, Fedora 37).

  bin/pipewright                     the window
  bin/pipewright -platform vnc       the window for a VNC viewer, on a machine without a display
  bin/pipewright-cli --help          the command line
  share/doc/pipewright/manual        the manual, index.html first

Nothing has to be installed; the folder may lie anywhere. LICENSE holds for Pipewright; the libraries in lib and plugins
are those of Debian 12, each under the licence in share/doc/libraries.
"""


def output(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(path: Path) -> dict[str, Path]:
    """The libraries that a program or library loads, all of them, by name."""
    found: dict[str, Path] = {}
    for line in output("ldd", path).splitlines():
        if "not found" in line:
            sys.exit(f"{path}: {line.strip()}")
        if match := re.match(r"\s*(\S+) => (/\S+)", line):
            found[match[1]] = Path(match[2])
    return {name: where for name, where in found.items() if not SYSTEM.match(name)}


def latest_glibc(path: Path) -> tuple[int, ...]:
    versions = re.findall(r"GLIBC_(\d+(?:\.\d+)+)", output("objdump", "-T", path))
    return max((tuple(map(int, version.split("."))) for version in versions), default=(0,))


class Tree:
    def __init__(self, root: Path, build: Path) -> None:
        self.root = root
        subprocess.run(["cmake", "--install", str(build), "--prefix", str(root), "--strip"], check=True,
                       stdout=subprocess.DEVNULL)

    def place(self, source: Path, place: str, libraries: str) -> Path:
        """A copy that finds its libraries by its own place."""
        target = self.root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if source != target:
            shutil.copy2(source.resolve(), target)
        target.chmod(0o755)
        subprocess.run(["patchelf", "--force-rpath", "--set-rpath", f"$ORIGIN/{libraries}", target], check=True)
        return target

    def programs(self) -> list[Path]:
        window = self.root / "libexec/pipewright"
        window.parent.mkdir()
        (self.root / "bin/pipewright").rename(window)
        (window.parent / "qt.conf").write_text("[Paths]\nPrefix = ..\nPlugins = plugins\n", encoding="utf-8")
        start = self.root / "bin/pipewright"
        start.write_text(START, encoding="utf-8")
        start.chmod(0o755)
        programs = [window, self.root / "bin/pipewright-cli"]
        return [self.place(path, str(path.relative_to(self.root)), "../lib") for path in programs]

    def plugins(self) -> list[Path]:
        folder = Path(output("qmake6", "-query", "QT_INSTALL_PLUGINS").strip())
        placed = []
        for pattern in PLUGINS:
            sources = sorted(folder.glob(pattern))
            if not sources:
                sys.exit(f"{folder / pattern}: no such plugin of Qt is installed")
            placed += [self.place(source, f"plugins/{source.relative_to(folder)}", "../../lib") for source in sources]
        return placed

    def libraries(self, users: dict[str, Path]) -> list[Path]:
        return [self.place(source, f"lib/{name}", ".") for name, source in sorted(users.items())]

    def licences(self, sources: list[Path]) -> None:
        """Debian's copyright files of the packages that the libraries are from."""
        folder = self.root / "share/doc/libraries"
        folder.mkdir(parents=True)
        for source in sources:
            real = source.resolve()  # dpkg may know it as it was before /lib became /usr/lib
            before = Path("/") / real.relative_to("/usr") if real.is_relative_to("/usr") else real
            for path in dict.fromkeys((source, real, before, before.with_name(source.name))):
                owner = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True).stdout
                if owner:
                    package = owner.split(":")[0]
                    shutil.copyfile(f"/usr/share/doc/{package}/copyright", folder / package)
                    break
            else:
                sys.exit(f"{source} belongs to no package: under which licence is it?")

    def documents(self, source: Path, version: str) -> None:
        fonts = self.root / "share/fonts"
        fonts.mkdir(parents=True)
        for name in FONTS:
            shutil.copy2(Path("/usr/share/fonts/truetype") / name, fonts)
        (fonts / "fonts.conf").write_text(FONTS_CONF, encoding="utf-8")
        shutil.copyfile(source / "LICENSE", self.root / "LICENSE")
        text = README.format(version=version, glibc=".".join(map(str, GLIBC)))
        (self.root / "README").write_text(text, encoding="utf-8")


def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="the folder of the build, made of the preset `package`")
    parser.add_argument("out", type=Path, help="where the archive goes")
    options = parser.parse_args()
    source = Path(__file__).resolve().parents[1]
    project = (source / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"^project\(pipewright VERSION (\S+)", project, re.M)
    assert found, "CMakeLists.txt states the version"
    name = f"pipewright-{found[1]}-linux-x86_64"
    root = options.out / name
    shutil.rmtree(root, ignore_errors=True)
    tree = Tree(root, options.build.resolve())
    # Asked before they are told to look beside themselves.
    programs = [root / "bin/pipewright", root / "bin/pipewright-cli"]
    folder = Path(output("qmake6", "-query", "QT_INSTALL_PLUGINS").strip())
    users = [*programs, *(path for pattern in PLUGINS for path in folder.glob(pattern))]
    libraries = {library: path for user in users for library, path in needed(user).items()}
    placed = tree.programs() + tree.plugins() + tree.libraries(libraries)
    tree.licences([*libraries.values(), *(path for pattern in PLUGINS for path in folder.glob(pattern)),
                   *(Path("/usr/share/fonts/truetype") / font for font in FONTS)])
    tree.documents(source, found[1])
    for path in placed:
        if (version := latest_glibc(path)) > GLIBC:
            sys.exit(f"{path} needs glibc {'.'.join(map(str, version))}; expected {'.'.join(map(str, GLIBC))} at most")
    archive = options.out / f"{name}.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=6) as tar:
        tar.add(root, name, filter=plain)
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    print(f"{archive}: {os.path.getsize(archive) >> 20} MB, unpacked {size >> 20} MB, {len(libraries)} libraries")
    shutil.rmtree(root)


if __name__ == "__main__":
    main()
