# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One user's way with a real mouse and keyboard: an empty window, a drawn cluster, a search, a look at the plan,
a change by hand, a comparison, files, and the same project again after a restart. With a folder as second
argument every step leaves a picture there, to be looked at.

    tests/e2e/journey.py build/release/app/pipewright [PICTURES]
"""
import json
import os
import re
import sys

import desk
from desk import USUAL, check


def canvas_place(d, across, down):
    x, y, width, height = d.rect(d.find("Topology canvas"))
    return x + int(width * across), y + int(height * down)


def draw(d):
    d.click(d.find("New project", "push button"))
    d.find("Topology canvas")
    d.shot("empty")
    kinds = d.find("Things to draw")
    d.field(d.find("Find a kind", "text"), "A100-SXM4-40")
    d.click(d.find("A100-SXM4-40GB", "table cell", kinds))
    d.field(d.find("Find a kind", "text"), "node")
    d.shot("palette")
    d.drag(d.find("Node of 8", "table cell", kinds), canvas_place(d, 0.5, 0.3))
    drawing = d.find("Topology canvas")
    d.find("node n1", "list item", drawing)
    d.shot("dragged-a-node")

    d.click(canvas_place(d, 0.1, 0.75))
    d.keys("n")
    dialog = d.find("Add nodes", "dialog")
    d.keys("2", "shift+Tab")
    d.type("4")
    d.keys("shift+Tab")
    d.type("V100-SXM2-16")
    d.shot("how-many")
    d.click(d.find("Place", "push button", dialog))
    d.gone("Add nodes", "dialog")
    d.find("node n3", "list item", drawing)
    d.click(canvas_place(d, 0.5, 0.55))
    d.keys("s")
    d.find("switch s1", "list item", drawing)
    d.keys("Home", "l")
    for node in ("node n1", "node n2", "node n3"):
        d.click(d.find(node, under=drawing))
        d.at(*d.middle(d.find("switch s1", under=drawing)))
        if node == "node n1":
            d.shot("linking")
        d.click(d.find("switch s1", under=drawing))
        d.find(re.compile(f"^link .*{node.split()[1]}"), "list item", drawing)
    d.keys("v", "ctrl+z", "ctrl+z")
    d.gone(re.compile("^link .*n3"), "list item")
    d.keys("ctrl+shift+z", "ctrl+shift+z")
    d.find(re.compile("^link .*n3"), "list item", drawing)
    d.shot("linked")


def choose_model(d):
    d.raise_dock("Model")
    d.click(d.find("Model", "combo box"))
    d.type("gpt3-1.3b")
    d.keys("Return")
    d.find("Layer table", "table")
    d.shot("model")
    d.raise_dock("Problems")
    d.gone(re.compile("Problems, .*error"), "filler")


def turn_the_wheel(d):
    """Over fields that are not in use it scrolls and changes nothing."""
    d.raise_dock("Model")
    for label in ("Precision", "Optimizer", "Recompute", "Sharding", "Planner"):
        field = d.find(label, "combo box")
        form = d.parent(field)
        before = d.name(field)
        d.wheel(field)
        check(d.name(d.find(label, "combo box", form)) == before, f"the wheel changed {label}")


def search(d):
    d.keys("F5")  # from the drawing; the first plan brings what there is to see of it
    d.shot("searching", still=False)
    table = d.find("Plans", "table", seconds=USUAL)
    d.wait("the end of the search", lambda: d.has(d.find("Run search", "push button"), "ENABLED"), USUAL)
    d.shot("found")
    d.click(d.find(re.compile("^Plan [0-9]+$"), "table cell", table))  # the best one
    d.keys("Down")
    d.shot("second-plan")
    d.keys("Up")


def inspect(d):
    tracks = d.find("Timeline", "list")
    x, y, width, height = d.rect(tracks)
    d.at(x + width // 4, y + height // 4)
    d.click(d.find(re.compile("Row .* busy"), "list item"))
    d.click((x + width // 4, y + height - 12))
    d.keys("w", "w", "w", "w", "w", "w")
    bar = d.find(re.compile("^B [0-9]+, stage 1"), "list item", tracks)
    d.click(bar)
    d.chosen(d.name(bar), "list item", tracks)
    d.shot("chosen-bar")
    d.keys("Home")
    d.drag((x + width * 3 // 10, y + height - 8), (x + width * 5 // 10, y + height - 8))
    d.shot("area")
    d.keys("Escape", "Escape")
    d.click(d.find(re.compile("^Device whose memory is shown"), "combo box"))
    d.keys("Down", "Return")
    d.shot("memory-of-another-device")


def what_if(d):
    stages = d.find("Stage map", "list")
    boundary = d.find(re.compile("^boundary between stage 0 and 1"), "list item", stages)
    before = d.name(boundary)
    x, y = d.middle(boundary)
    d.drag((x, y), (x - 40, y))
    d.find(re.compile("^Plan .*edited"), "table cell")

    def elsewhere():
        name = d.name(d.find(re.compile("^boundary between stage 0 and 1"), "list item", stages))
        return name if name != before else None
    moved = d.wait("the boundary elsewhere", elsewhere)
    d.shot("boundary-moved")
    d.keys("ctrl+z")
    d.wait("the boundary where it was",
           lambda: d.look(before, "list item", d.find("Stage map", "list")))
    d.keys("ctrl+shift+z")
    d.wait("the boundary moved again",
           lambda: d.look(moved, "list item", d.find("Stage map", "list")))
    d.keys("ctrl+shift+k")
    d.raise_dock("Findings")
    d.shot("findings")
    d.raise_dock("Plans")


def compare(d):
    d.keys("ctrl+Return")
    d.find(re.compile("^Lane 1: plan"), "list item")
    d.find(re.compile("^Lane 2: plan .*edited"), "list item")
    d.shot("compared")
    d.keys("F10")


def export(d):
    folder = d.path("export")
    d.keys("ctrl+e")
    dialog = d.find(re.compile("^Export "), "dialog")
    formats = d.find("Formats", "list", dialog)
    d.shot("export")
    for format, file in (("Plan document", "plan.json"), ("Chrome trace", "trace.json")):
        d.click(d.find(re.compile(f"^{format}, can express it"), "list item", formats))
        if file == "plan.json":
            d.field(d.find("Folder to write to", "text", dialog), folder)  # Return exports
        else:
            d.click(d.find("Export", "push button", dialog))
        d.find(re.compile("written"), "label", dialog)
        d.wait(file, lambda: os.path.exists(os.path.join(folder, file)))
    d.shot("exported")
    d.keys("Escape")
    d.gone(re.compile("^Export "), "dialog")
    with open(os.path.join(folder, "plan.json"), encoding="utf-8") as plan:
        check(json.load(plan)["plans"], "plan.json holds no plan")


def save(d):
    path = d.path("drawn.pwx")
    d.keys("ctrl+s")
    d.find(re.compile("^Save"), "dialog")
    d.type(path)
    d.keys("Return")
    d.wait("the project's file", lambda: os.path.exists(path))
    d.shot("saved")
    d.keys("ctrl+q")
    d.wait("the end of the program", d.ended)
    return path


def begin_anew(d):
    """A new project is new in every view."""
    d.keys("ctrl+n")
    d.find("Nothing searched yet", "label")
    d.gone(re.compile("^Plan [0-9]"), "table cell")
    d.gone(re.compile("stale", re.IGNORECASE), "label")
    d.raise_dock("Model")
    d.gone("Layer table", "table")
    d.keys("F4")
    d.raise_dock("Answers")
    d.gone(re.compile("earlier state"), "label")
    d.shot("new-again")


def main():
    desk.under_session_bus()
    pictures = sys.argv[2] if len(sys.argv) > 2 else None
    with desk.Desk(sys.argv[1], pictures) as d:
        d.find("New project", "push button")
        d.shot("start")
        for part in (draw, choose_model, turn_the_wheel, search, inspect, what_if, compare, export):
            part(d)
        path = save(d)
        d.restart([path])
        d.find(re.compile("node n3"), "list item")
        d.find(re.compile("^Plan .*edited"), "table cell")
        d.shot("reopened")
        begin_anew(d)


if __name__ == "__main__":
    desk.run(main)
