# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first start on the screens that people have, in the light and the dark theme: the window stands on the screen
with its frame (Desk sees to that), and what one works with can be reached in it: the cards of the start page, menus
and tool bar, the title of every dock of each perspective, and the buttons of the export dialog. A dock that lies
behind others has a tab, and where tabs have no room beside each other they scroll.

    tests/e2e/screens.py build/release/app/pipewright [PICTURES]

The smallest screen, its docks in the dark theme only; all five in both themes with PW_DRAWS=all.
"""
import os
import re
import sys

import desk
from desk import USUAL, check

SCREENS: list[tuple[str, float, dict[str, str]]] = [  # size in pixels, pixels of one unit of the program
    ("1024x768", 1, {}),
    ("1280x720", 1, {}),
    ("1366x768", 1, {}),
    ("1600x1000", 1.5, {"QT_FONT_DPI": "144"}),
    ("2560x1600", 2, {"QT_SCALE_FACTOR": "2"}),
]
DOCKS = {
    "Draw": ("Palette", "Topology", "Properties", "Search", "Problems", "Model", "Profiles"),
    "Look": ("Topology", "Search", "Stage map", "Timeline", "Memory", "Details", "Breakdown", "Durations",
             "Sensitivity", "Pareto", "Plans", "Parallel", "Planners", "Plan runs", "Problems", "Findings", "Answers"),
    "Compare": ("Compare", "Differences", "Pareto", "Plans", "Plans to compare", "Peak memory"),
}
CARDS = ("New project", "Open...", "Import...", "Accuracy")
PRESSED = ("push button", "check box", "combo box", "menu item")


class Screen:
    def __init__(self, d, scale):
        self.d = d
        self.scale = scale
        self.theme = "Light"

    def window(self):
        x, y, width, height = self.d.rect(self.d.find(re.compile("Pipewright$"), "frame"))
        return x, y, x + width, y + height

    def within(self, item, across_only=False):
        left, top, right, bottom = self.window()
        x, y, width, height = self.d.rect(item)
        return left <= x and x + width <= right and (across_only or (top <= y and y + height <= bottom))

    def needs(self, item, where, across_only=False):
        check(self.within(item, across_only),
              f"{self.d.screen}, {self.theme}, {where}: {self.d.role(item)} {self.d.name(item)!r} at "
              f"{self.d.rect(item)} is beyond the window, which is {self.window()}")

    def start_page(self):
        for name in CARDS:
            self.needs(self.d.find(name, "push button"), "start page")
        for item in self.d.items():  # samples and drawings may be further down: the page scrolls
            if self.d.role(item) in PRESSED:
                self.needs(item, "start page", across_only=True)

    def bars(self, where):
        menus = next(item for item in self.d.items() if self.d.role(item) == "menu bar")
        found = [item for bar in (menus, self.d.find("Tools", "tool bar"))
                 for item in self.d.items(bar) if self.d.role(item) in PRESSED]
        check(len(found) > 15, f"menus and tools are only {[self.d.name(item) for item in found]}")
        for item in found:
            self.needs(item, where)

    def docks(self, perspective):
        d = self.d
        d.press(d.find(perspective, "check box", d.find("Perspective")))
        d.find(re.compile(f"^{DOCKS[perspective][0]}"), "frame")
        self.bars(perspective)
        parts = [(d.role(item), d.name(item), item) for item in d.items(d.find("Planning", "frame"))]
        frames = {name: item for role, name, item in parts if role == "frame"}
        tabs = [(name, item) for role, name, item in parts if role == "page tab"]
        for title in DOCKS[perspective]:
            tab = next((item for name, item in tabs if name == title), None) or \
                next((item for name, item in tabs if re.fullmatch(f"{title} [0-9]+", name)), None)
            if tab:
                self.needs(tab.get_parent(), perspective)
                d.press(tab)
                self.needs(tab, perspective)  # where the tabs have no room beside each other they scroll to it
            check(title in frames, f"{d.screen}, {perspective}: there is no dock {title!r} among {sorted(frames)}")
            self.needs(d.find(f"Maximise {title} (F12)", "push button", frames[title]), perspective)
        d.shot(f"{d.screen}-{self.theme}-{perspective}")

    def export_dialog(self):
        d = self.d
        d.press(d.find("Export the selected plan", "push button"))
        dialog = d.find(re.compile("^Export Plan"), "dialog")
        width, height = (int(size) / self.scale for size in d.screen.split("x"))
        for name in ("Export", "Close"):
            x, y, wide, high = d.rect(d.find(name, "push button", dialog))
            check(x >= 0 and y >= 0 and x + wide <= width and y + high <= height,
                  f"{d.screen}: the button {name} of the export dialog is off the screen at {x}, {y}")
        d.shot(f"{d.screen}-{self.theme}-export")
        d.press(d.find("Close", "push button", dialog))
        d.gone(re.compile("^Export Plan"), "dialog")

    def choose_theme(self, name):
        self.theme = name
        self.d.press(self.d.find(name, "menu item", self.d.find("View", "menu item"), showing=False))
        self.d.wait(f"the {name} theme", lambda: self.d.brightness() > 0.5 if name == "Light"
                    else self.d.brightness() < 0.5)


def first_start(program, pictures, size, scale, environment, themes):
    with desk.Desk(program, pictures, screen=size, environment=environment) as d:
        screen = Screen(d, scale)
        d.shot(f"{size}-start")
        screen.start_page()
        screen.choose_theme("Dark")
        screen.start_page()
        d.press(d.find(re.compile("^measured-16"), "push button"))
        d.find("Topology canvas", "list")
        d.press(d.find("Run search", "push button", d.find("Tools", "tool bar")))
        d.find("Plans", "table", seconds=USUAL)
        for theme in themes:
            screen.choose_theme(theme)
            for perspective in DOCKS:
                screen.docks(perspective)
            screen.export_dialog()


def main():
    desk.under_session_bus()
    pictures = sys.argv[2] if len(sys.argv) > 2 else None
    every = os.environ.get("PW_DRAWS") == "all"
    for size, scale, environment in SCREENS if every else SCREENS[:1]:
        first_start(sys.argv[1], pictures, size, scale, environment, ("Dark", "Light") if every else ("Dark",))


if __name__ == "__main__":
    desk.run(main)
