# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From an empty drawing to files for a trainer over the accessibility bus alone: its actions, texts, values and
selections, as a screen reader, a switch or a voice has them. No mouse, no key. Nodes and a switch are drawn, linked and
the links changed; a model and its batch chosen; the search run and its result read; the plan changed and exported.

    tests/e2e/bus_alone.py build/release/app/pipewright [PICTURES]
"""
import json
import os
import re
import sys

import desk
from desk import USUAL, check

KIND, MODEL, BATCH = "A100-SXM4-80GB", "gpt3-1.3b", 64


def choose(d, name, value, under=None):
    """In the list of choices of that name, which is opened and closes again."""
    box = d.find(name, "combo box", under)
    d.press(box)
    d.press(d.find(value, "list item", box))
    d.wait(f"{value} as {name}", lambda: d.name(d.find(name, "combo box", under)) == value)
    d.wait(f"the end of the list of {name}", lambda: not d.look(value, "list item", box))


def fill(d, name, text, other):
    """A field of text; what is written counts when the focus goes on, to another one."""
    field = d.find(name, "text")
    d.focus(field)
    d.put(field, text)
    d.focus(d.find(other, "text"))
    d.wait(f"{text} taken as {name}", lambda: d.text(d.find(name, "text")).replace(",", "").startswith(text))


def draw(d):
    d.press(d.find("New project", "push button"))
    canvas = d.find("Topology canvas", "list")
    d.press(d.find("Add nodes...", "push button"))
    dialog = d.find("Add nodes", "dialog")
    choose(d, "Kind", KIND, dialog)
    d.set_value(d.find("How many nodes", "spin button", dialog), 2)
    d.find(re.compile("^16 GPUs with "), "label", dialog)
    d.press(d.find("Place", "push button", dialog))
    d.gone("Add nodes", "dialog")
    d.find("node n2", "list item", canvas)
    d.press(d.find("Add switch", "check box"))
    d.press(d.find("middle of the view", "list item", canvas))
    d.find("switch s1", "list item", canvas)
    d.press(d.find("Link tool", "check box"))
    for node in ("n1", "n2"):
        d.press(d.find(f"node {node}", "list item", canvas))
        d.press(d.find("switch s1", "list item", canvas))
        d.find(f"link {node} to s1", "list item", canvas)
    d.press(d.find("Select tool", "check box"))
    d.wait("the tool that selects", lambda: d.has(d.find("Select tool", "check box"), "CHECKED"))
    d.shot("linked")
    for node in ("n1", "n2"):
        d.press(d.find(f"link {node} to s1", "list item", canvas))
        d.chosen(f"link {node} to s1", "list item", canvas)
        fill(d, "Bandwidth", "200", "Lanes")
        d.wait("200 Gbit/s", lambda node=node:
               "200 Gbit/s" in d.description(d.find(f"link {node} to s1", "list item", canvas)))
    d.shot("drawn")


def choose_model(d):
    d.press(d.find("Model", "page tab"))
    choose(d, "Model", MODEL)
    d.find("Layer table", "table")
    fill(d, "Global batch", str(BATCH), "Sequence length")
    d.shot("model")


def search(d):
    d.listen()
    d.press(d.find("Run search", "push button", d.find("Tools", "tool bar")))
    said = d.heard("^Search: .*[.] Best: Plan [0-9]+, [0-9.]+ m?s", USUAL)
    d.wait("the end of the search",
           lambda: d.has(d.find("Run search", "push button", d.find("Tools", "tool bar")), "ENABLED"), USUAL)
    best = re.findall("Best: (Plan [0-9]+), ([0-9.]+ m?s)", said)[-1]
    table = d.find("Plans", "table")
    d.find(best[0], "table cell", table)
    cells = [d.name(item) for item in d.items(table) if d.role(item) == "table cell"]
    check(any(cell.startswith("Iteration ") and best[1] in cell for cell in cells),
          f"{best} is not told of any plan: {cells[:20]}")
    d.find(best[0], "label")  # the heading of the details
    d.shot("found")


def change(d):
    stages = d.find("Stage map", "list")
    d.press(d.find(re.compile("^stage 0, "), "list item", stages))
    field = "Recompute of the chosen stage"
    before = d.name(d.find(field, "combo box"))
    choose(d, field, "full" if before != "full" else "none")
    edited = d.name(d.find(re.compile("^Plan [0-9]+, edited$"), "table cell"))
    d.find(edited, "label")
    d.shot("changed")
    d.press(d.find(re.compile("^Undo "), "push button"))
    d.wait("the recompute as it was", lambda: d.name(d.find(field, "combo box")) == before)
    d.press(d.find(re.compile("^Redo "), "push button"))
    d.wait("the recompute changed again", lambda: d.name(d.find(field, "combo box")) != before)


def export(d):
    d.press(d.find("Export the selected plan", "push button"))
    dialog = d.find(re.compile("^Export Plan [0-9]+, edited"), "dialog")
    formats = d.find("Formats", "list", dialog)
    files = d.find("Files that will be written", "list", dialog)
    for wanted, file in (("Plan document", "plan.json"), ("Launch files", "launch.sh")):
        d.press(d.find(re.compile(f"^{wanted}, can express it"), "list item", formats))
        d.find(wanted, "label", dialog)
        d.find(file, "list item", files)
        d.put(d.find("Folder to write to", "text", dialog), d.path(wanted))
        d.press(d.find("Export", "push button", dialog))
        d.find(re.compile("written"), "label", dialog)
        check(os.path.exists(os.path.join(d.path(wanted), file)), f"{file} was not written")
    d.shot("exported")
    d.press(d.find("Close", "push button", dialog))
    d.gone(re.compile("^Export Plan"), "dialog")
    with open(os.path.join(d.path("Plan document"), "plan.json"), encoding="utf-8") as written:
        document = json.load(written)
    problem, plan = document["problem"], document["plans"][0]
    check([node["kind"] for node in problem["cluster"]["nodes"]] == [KIND, KIND] and
          problem["model"]["name"] == MODEL and problem["recipe"]["gbs"] == BATCH,
          f"the plan is of {problem['recipe']}, {problem['model']['name']}")
    check(plan["pipelines"][0]["stages"], "the plan has no stage")


def main():
    desk.under_session_bus()
    with desk.Desk(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None) as d:
        for part in (draw, choose_model, search, change, export):
            part(d)


if __name__ == "__main__":
    desk.run(main)
