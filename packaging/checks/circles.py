#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Circles of units: foo.h and foo.cpp are one unit, and units that include each other, however far around, are one
circle. A circle must be read, tested and compiled as a whole, so none may hold more than LARGEST units.
"""
from collections import deque
from pathlib import Path

from tree import arguments, included, includes_of, report, sources, text_of, unit_of

LARGEST = 3
FOLDERS = ("core", "ui", "app")


def graph_of(root: Path) -> dict[str, set[str]]:
    """Which units each unit includes."""
    names = sources(root, FOLDERS)
    files = set(names)
    known = {unit_of(name) for name in names}
    graph: dict[str, set[str]] = {unit: set() for unit in sorted(known)}
    for name in names:
        for include in includes_of(name, text_of(root, name)):
            other = unit_of(included(include, files))
            if other in known and other != unit_of(name):
                graph[unit_of(name)].add(other)
    return graph


def circles_of(graph: dict[str, set[str]]) -> list[list[str]]:
    """Strongly connected components of two units and more, the largest first (Tarjan's algorithm, with a stack of its
    own instead of recursion)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    found = []
    for start in graph:
        if start in order:
            continue
        work = [(start, iter(sorted(graph[start])))]
        order[start] = low[start] = len(order)
        path.append(start)
        on_path.add(start)
        while work:
            unit, others = work[-1]
            for other in others:
                if other not in order:
                    order[other] = low[other] = len(order)
                    path.append(other)
                    on_path.add(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in on_path:
                    low[unit] = min(low[unit], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == order[unit]:
                    circle = path[path.index(unit):]
                    del path[path.index(unit):]
                    on_path.difference_update(circle)
                    if len(circle) > 1:
                        found.append(sorted(circle))
    return sorted(found, key=lambda circle: (-len(circle), circle))


def way_around(graph: dict[str, set[str]], circle: list[str]) -> list[str]:
    """The shortest way from the circle's first unit back to itself."""
    start, inside = circle[0], set(circle)
    came_from: dict[str, str] = {}
    queue = deque([start])
    while queue:
        unit = queue.popleft()
        for other in sorted(graph[unit] & inside):
            if other == start:
                way = [start, unit]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return way[::-1]
            if other not in came_from:
                came_from[other] = unit
                queue.append(other)
    raise ValueError(f"{start} lies on no circle")


def main() -> None:
    graph = graph_of(arguments(__doc__).root)
    circles = circles_of(graph)
    findings = [f"{len(circle)} units in a circle, as in {' > '.join(way_around(graph, circle))}: {', '.join(circle)}"
                for circle in circles if len(circle) > LARGEST]
    sizes = ", ".join(str(len(circle)) for circle in circles) or "none"
    report(findings, f"{len(graph)} units, circles of {sizes}")


if __name__ == "__main__":
    main()
