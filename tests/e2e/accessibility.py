# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A program outside of Pipewright that has nothing but the accessibility bus: it finds controls by name and
presses them, as a screen reader or a switch does. No mouse, no key, no picture.

    tests/e2e/accessibility.py build/release/app/pipewright
"""
import re
import sys

import desk
from desk import USUAL, check

CONTROLS = ("push button", "check box", "radio button", "combo box", "text", "spin button", "table", "tree",
            "list", "page tab", "menu item", "toggle button", "slider", "tree table")


def unnamed(d):
    """Controls on the screen that nothing says the purpose of. The button inside a line of text that clears it
    is Qt's own and has neither name nor a way to be given one."""
    return [f"{d.role(item)} at {d.rect(item)}" for item in d.items()
            if d.role(item) in CONTROLS and not (d.role(item) == "push button" and d.within(item, "text"))
            and not (d.name(item) or d.description(item) or any(d.labels(item)))]


def every_control_has_a_name(d, where):
    missing = unnamed(d)
    check(not missing, f"{where}: without a name: {missing}")


def items_of_the_drawing(d):
    canvas = d.find("Topology canvas", "list")
    for name in ("node n1", "node n2", "node n3", "switch s1"):
        d.find(name, "list item", canvas)
    link = d.find(re.compile("^link n1 to s1$"), "list item", canvas)
    check("100 Gbit/s" in d.description(link), f"the link is described as {d.description(link)!r}")
    node = d.find("node n2", "list item", canvas)
    check("V100-SXM2-16GB" in d.description(node), f"the node is described as {d.description(node)!r}")
    d.press(node)
    d.chosen("node n2", "list item", canvas)
    d.press(d.find("GPU n2.g3", "list item", canvas))


def search(d):
    d.press(d.find("Run search", "push button", d.find("Tools", "tool bar")))
    table = d.find("Plans", "table", seconds=USUAL)
    d.heard("^Search: .*[.] Best: Plan [0-9]+, [0-9.]+ s", USUAL)
    d.wait("the end of the search",
           lambda: d.has(d.find("Run search", "push button", d.find("Tools", "tool bar")), "ENABLED"), USUAL)
    return table


def select_a_plan(d, table):
    plans = [d.name(item) for item in d.items(table) if re.fullmatch("Plan [0-9]+", d.name(item) or "")]
    d.select_row(table, 2)
    d.find(plans[2], "label")  # the heading of the details
    d.find(re.compile("^Iteration .*s$"), "table cell", table)


def views_of_the_plan(d):
    rows = d.find("Timeline rows", "list")
    d.press(d.find(re.compile("^Row .*, [0-9]+ % busy"), "list item", rows))
    tracks = d.find("Timeline", "list")
    bar = d.find(re.compile("^[FB] [0-9]+, stage [0-9]+, .* s for .*s$"), "list item", tracks)
    name = d.name(bar)
    d.press(bar)
    d.chosen(name, "list item", tracks)
    d.find(re.compile("^Bar"), "label")  # of the details
    stages = d.find("Stage map", "list")
    d.press(d.find(re.compile("^stage 1, blocks .* devices, .* a micro-batch$"), "list item", stages))
    d.find(re.compile("^boundary between stage 0 and 1"), "list item", stages)
    d.wait("how full the memory gets", lambda: "GiB" in d.description(d.find("Memory over time")))


PROBLEMS = re.compile("^Problems")
PERSPECTIVES: list[tuple[str, list[str | re.Pattern[str]]]] = [
    ("Draw", ["Model", "Profiles", PROBLEMS]),
    ("Compare", ["Plans to compare", "Peak memory"]),
    ("Look", ["Pareto", "Parallel", "Planners", PROBLEMS, re.compile("^Findings"), "Plans"]),
]


def export(d):
    d.press(d.find("Export the selected plan", "push button"))
    dialog = d.find(re.compile("^Export Plan"), "dialog")
    formats = d.find("Formats", "list", dialog)
    names = [d.name(item) for item in d.items(formats)]
    check(any(name.startswith("Plan document, can express it") for name in names), f"formats: {names}")
    every_control_has_a_name(d, "export")
    d.press(d.find("Close", "push button", dialog))
    d.gone(re.compile("^Export Plan"), "dialog")


def main():
    desk.under_session_bus()
    with desk.Desk(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None) as d:
        every_control_has_a_name(d, "start page")
        d.press(d.find(re.compile("^measured-16"), "push button"))
        d.find("Topology canvas", "list")
        d.listen()
        items_of_the_drawing(d)
        table = search(d)
        select_a_plan(d, table)
        views_of_the_plan(d)
        for perspective, titles in PERSPECTIVES:
            d.press(d.find(perspective, "check box", d.find("Perspective")))
            every_control_has_a_name(d, perspective)
            for title in titles:
                d.press(d.find(title, "page tab"))
                every_control_has_a_name(d, getattr(title, "pattern", title))
        export(d)


if __name__ == "__main__":
    desk.run(main)
