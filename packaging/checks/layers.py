#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of the folders. What a CMakeLists.txt lists, sources of its own and sub-folders, it lists in the direction
of the flow: a room includes itself and what stands above it. Rooms are the sub-folders, and the sources of each
pw_sources(), target_sources() or add_library() together; a header that is not listed belongs to the first of these.
Arrows against the order stand in BACK with their reason, and must be there. No Qt and nothing of ui/ below core/ and
app/cli/. A file of ours is included in quotes, from the top of the tree: other spellings would pass by all of this. A
class that is only declared is an arrow to its header, too. Sources are listed in alphabetical order.
"""
import re
from pathlib import Path

from tree import arguments, included, includes_of, report, sources, text_of, unit_of

# folder: {(room that includes, room that is included): why}. A room of sources is called by its folder's name.
BACK: dict[str, dict[tuple[str, str], str]] = {}

_STATEMENT = re.compile(r"\b(add_subdirectory|pw_sources|target_sources|add_library)\(([^)]*)\)")
_COMMENT = re.compile(r"#[^\n]*")


class Order:
    """The rooms of one folder in the order of its CMakeLists.txt."""

    def __init__(self, root: Path, folder: str) -> None:
        self.folder = folder
        self.floor_of: dict[str, int] = {}  # of a sub-folder or a unit
        self.first_sources: int | None = None
        text = _COMMENT.sub("", text_of(root, f"{folder}/CMakeLists.txt"))
        for floor, match in enumerate(_STATEMENT.finditer(text)):
            words = match[2].split()
            if match[1] == "add_subdirectory":
                self.floor_of[words[0]] = floor
                continue
            listed = {unit_of(word) for word in words if word.endswith((".cpp", ".h"))}
            if listed and self.first_sources is None:
                self.first_sources = floor
            for unit in listed:
                self.floor_of.setdefault(unit, floor)

    def rooms(self) -> int:
        return len(set(self.floor_of.values()))

    def place_of(self, path: str) -> tuple[str, int] | None:
        """Name and floor of the room that a file under the folder stands in, or None."""
        inside = path.removeprefix(self.folder + "/")
        if "/" in inside:
            name = inside.split("/", 1)[0]
            return (name, self.floor_of[name]) if name in self.floor_of else None
        floor = self.floor_of.get(unit_of(inside), self.first_sources)
        return None if floor is None else (Path(self.folder).name, floor)


def against_the_order(root: Path, order: Order, names: list[str]) -> list[str]:
    folder = order.folder + "/"
    allowed = BACK.get(order.folder, {})
    met: set[tuple[str, str]] = set()
    found = []
    for name in names:
        own = order.place_of(name)
        if own is None:
            found.append(f"{name}: {order.folder}/CMakeLists.txt does not say where this stands")
            continue
        for include in includes_of(name, text_of(root, name)):
            if not include.quoted or not include.name.startswith(folder):
                continue
            other = order.place_of(include.name)
            if other is None:
                found.append(f"{name}:{include.line}: {order.folder}/CMakeLists.txt does not list {include.name}")
            elif other[1] > own[1]:
                met.add((own[0], other[0]))
                if (own[0], other[0]) not in allowed:
                    found.append(f"{name}:{include.line}: includes {include.name}, which stands below it in "
                                 f"{order.folder}/CMakeLists.txt")
    found += [f"{order.folder}: BACK in packaging/checks/layers.py allows {a} > {b}, which is not there any more"
              for a, b in sorted(set(allowed) - met)]
    return found


def qt_and_ui(root: Path, names: list[str]) -> list[str]:
    found = []
    for name in names:
        if not name.startswith(("core/", "app/cli/")) and name != "app/cli_main.cpp":
            continue
        for include in includes_of(name, text_of(root, name)):
            if re.match(r"ui/|Q[A-Zt]|qcustomplot", include.name):
                found.append(f"{name}:{include.line}: includes {include.name} below the window")
    return found


_DECLARED = re.compile(r"^(?:class|struct) (\w+);", re.M)
_DEFINED = re.compile(r"^(?:template <[^>]*>\n)?(?:class|struct) (?:\[\[\w+\]\] )?(\w+)(?: final)?"
                      r"(?: : [^;{]*)? ?\{", re.M)


def declared_below(root: Path, folder: str, order: Order, names: list[str]) -> list[str]:
    """A class that a header only names is an arrow to where it is defined all the same."""
    defined: dict[str, set[str]] = {}
    for name in names:
        for match in _DEFINED.finditer(text_of(root, name)):
            defined.setdefault(match[1], set()).add(name)
    found = []
    for name in names:
        text = text_of(root, name)
        own = order.place_of(name)
        for match in _DECLARED.finditer(text):
            homes = [place for home in defined.get(match[1], set()) if (place := order.place_of(home))]
            if own and homes and all(floor > own[1] for _, floor in homes):
                line = text.count("\n", 0, match.start()) + 1
                found.append(f"{name}:{line}: declares {match[1]}, which stands below it in {folder}/CMakeLists.txt")
    return found


def unsorted(root: Path, folder: str) -> list[str]:
    """Sources stand in alphabetical order, so that nobody looks for one in vain."""
    text = _COMMENT.sub("", text_of(root, f"{folder}/CMakeLists.txt"))
    found = []
    for match in _STATEMENT.finditer(text):
        names = [word for word in match[2].split() if word.endswith((".cpp", ".h"))]
        found += [f"{folder}/CMakeLists.txt: {later} stands behind {earlier}"
                  for earlier, later in zip(names, names[1:]) if unit_of(later) < unit_of(earlier)]
    return found


def upwards(root: Path, names: list[str]) -> list[str]:
    """core knows neither ui nor app, nothing that ships knows the tests, and ui does not know app."""
    above = {"core": ("ui/", "app/", "tests/"), "ui": ("app/", "tests/"), "app": ("tests/",)}
    return [f"{name}:{include.line}: includes {include.name} above it"
            for name in names for include in includes_of(name, text_of(root, name))
            if include.quoted and include.name.startswith(above[name.split("/", 1)[0]])]


def otherwise_written(root: Path, names: list[str]) -> list[str]:
    known = set(names)
    return [f"{name}:{include.line}: includes {include.name}, which is to be written as \"{file}\""
            for name in names for include in includes_of(name, text_of(root, name))
            if (file := included(include, known)) and (file != include.name or not include.quoted)]


def main() -> None:
    root: Path = arguments(__doc__).root
    names = sources(root, ("core", "ui", "app"))
    folders = sorted({str(parent) for name in names for parent in Path(name).parents
                      if parent.name and parent.parts[0] in ("core", "ui")
                      and (root / parent / "CMakeLists.txt").is_file()})
    findings = otherwise_written(root, sources(root)) + qt_and_ui(root, names) + upwards(root, names)
    rooms = 0
    for folder in folders:
        findings += unsorted(root, folder)
        order = Order(root, folder)
        if any((root / folder / room).is_dir() for room in order.floor_of):
            rooms += order.rooms()
            inside = [name for name in names if name.startswith(folder + "/")]
            findings += against_the_order(root, order, inside) + declared_below(root, folder, order, inside)
    back = sum(len(arrows) for arrows in BACK.values())
    report(findings, f"{rooms} rooms, {back} arrows back that are allowed")


if __name__ == "__main__":
    main()
