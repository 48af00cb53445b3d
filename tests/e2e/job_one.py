# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Job 1 as a user does it, from the window as it opens first: 2 nodes of 8 H100 and 4 nodes of 8 A100-80 behind a
switch each, the two switches joined, every link 200 Gbit/s; Llama 3 70B, global batch 512, sequence 4096; F5; Export.

    tests/e2e/job_one.py build/release/app/pipewright [PICTURES]

The mouse's way; the three ways below with PW_DRAWS=all.

- mouse: an empty drawing, switches from the palette, nodes by N, links by clicks.
- keys: the drawing of two kinds on the start page, of which two nodes are removed and the links changed.
- drawn by keys: an empty drawing, and nothing but S, N and L on it. It ends with the cluster.

What counts. A pointer action is a click, a drag or a turn of the wheel; to move the pointer is none. A key is one that
is pressed, alone or with Ctrl, Alt and Shift held; each character of a name or number that is typed is one, too. With
the mouse at most 15 pointer actions and 25 keys are needed. With keys alone every pointer action has to be a key: at
most 40. Saving, which tells what was drawn, comes after the job and does not count.

The end is a folder that its trainer accepts: on every node its script starts the trainer with the plan (torchrun is
tests/exchange/torchrun_stub.sh), and the trainer's own reader takes plan, model and placement.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

import desk
from desk import USUAL, check
from journey import canvas_place

POINTER, KEYS = 15, 25  # at most
NODES = {"H100-SXM-80GB": 2, "A100-SXM4-80GB": 4}  # of eight GPUs
RATE = 25e9  # bytes a second
DRAWINGS = ("Rail-optimised, 4 nodes", "One kind, 8 nodes")  # before that of two kinds
LETTERS = {"H100-SXM-80GB": ("h", 0), "A100-SXM4-80GB": ("a", 4)}  # in the list of kinds, and steps down from there
READER = """
import sys
sys.path.insert(0, "runner")
from order import pass_orders, read_order
from placement import check_divisions
from plan import read_plan
from shape import shape_of
plan = read_plan("plan.json")
check_divisions(plan, shape_of(plan.model))
for pipeline in plan.pipelines:
    read_order(pipeline.order, pipeline) if pipeline.order else pass_orders(pipeline)
print(len({device for p in plan.pipelines for s in p.stages for r in s.replicas for device in r.devices}))
"""


class Counting(desk.Desk):
    """Hands that count what they do."""
    pointer = pressed = typed = 0

    def click(self, where, button=1, times=1, modifier=None):
        self.pointer += 1
        self.pressed += 1 if modifier else 0
        super().click(where, button, times, modifier)

    def drag(self, start, end, button=1, modifier=None):
        self.pointer += 1
        self.pressed += 1 if modifier else 0
        super().drag(start, end, button, modifier)

    def keys(self, *names):
        self.pressed += len(names)
        super().keys(*names)

    def type(self, text):
        self.typed += len(text)
        super().type(text)


def add_nodes(d, kind, last):
    """Of the kind as many as the job has; `last`: how the last of them is called."""
    d.keys("n")
    d.find("Add nodes", "dialog")
    d.type(str(NODES[kind]))
    if d.name(d.find("Kind", "combo box")) != kind:  # it begins with what is drawn on
        d.keys("alt+k")
        letter, down = LETTERS[kind]
        d.type(letter)
        for _ in range(down):
            d.keys("Down")
    d.wait(kind, lambda: d.name(d.find("Kind", "combo box")) == kind)
    d.shot(f"nodes-of-{kind}")
    d.keys("Return")
    d.gone("Add nodes", "dialog")
    d.find(f"node {last}", "list item")


def is_linked(d, one, other):
    d.find(re.compile(f"^link ({one} to {other}|{other} to {one})$"), "list item")


def size_of_the_job(d):
    """From the list of models on, where llama3-70b was chosen."""
    d.type("512")
    d.keys("Tab")
    d.type("4096")
    d.shot("model")


def is_found(d):
    d.find("Plans", "table", seconds=USUAL)
    d.wait("the end of the search",
           lambda: d.has(d.find("Run search", "push button", d.find("Tools", "tool bar")), "ENABLED"), USUAL)
    d.shot("found")


def export(d):
    d.keys("ctrl+e")
    d.find(re.compile("^Export "), "dialog")
    d.shot("export")
    d.keys("Return")
    d.find(re.compile("written"), "label")
    d.shot("exported")


def by_mouse(d):
    d.click(d.find("New project", "push button"))
    d.find("Topology canvas", "list")
    kinds = d.find("Things to draw")
    d.wheel(kinds, 30)
    for kind, across, switch, last in (("H100-SXM-80GB", 0.05, "s1", "n2"), ("A100-SXM4-80GB", 0.85, "s2", "n6")):
        d.drag(d.find("Switch, InfiniBand", "table cell", kinds), canvas_place(d, across, 0.1))
        d.find(f"switch {switch}", "list item")
        d.at(*canvas_place(d, across, 0.8))
        add_nodes(d, kind, last)  # linked to the switch, which is chosen
        is_linked(d, last, switch)
        d.shot(f"linked-{switch}")
    d.click("switch s1")  # none of the nodes, which would all be linked
    d.keys("l")
    d.click("switch s1")
    d.click("switch s2")
    is_linked(d, "s1", "s2")
    d.shot("drawn")
    d.raise_dock("Model")
    d.click(d.find("Model", "combo box"))
    d.click(d.find("llama3-70b", "list item"))
    d.find("Layer table", "table")
    d.click(d.find("Global batch", "text"))
    size_of_the_job(d)
    d.click(d.find("Run search", "push button", d.find("Tools", "tool bar")))
    is_found(d)
    export(d)


def focused(d, name):
    return any(d.has(item, "FOCUSED") and d.name(item) == name for item in d.items())


def by_keys(d):
    d.keys("Right")  # from the first of the actions to the samples beside them, and down to the drawings
    while not focused(d, "Two kinds"):
        check(d.pressed < KEYS, "the drawing of two kinds is out of reach")
        d.keys("Right" if any(focused(d, name) for name in DRAWINGS) else "Down")
    d.shot("two-kinds")
    d.keys("Return")
    d.find("node n8", "list item")
    for node in ("node n1", "node n2"):
        d.keys("Tab")
        d.chosen(node, "list item")
        d.keys("Delete")
        d.gone(node, "list item")
    d.keys("ctrl+shift+e", "ctrl+m")
    d.type("200")
    d.keys("Tab")
    d.type("1")  # lane
    d.keys("alt+2")
    d.shot("drawn")
    d.keys("space")
    d.type("l")
    d.keys("Down", "Down", "Return")
    d.find("Layer table", "table")
    check(d.name(d.find("Model", "combo box")) == "llama3-70b", "another model was chosen")
    d.keys("Tab", "Tab", "Tab")
    size_of_the_job(d)
    d.keys("F5")
    is_found(d)
    export(d)


def drawn_by_keys(d):
    d.keys("ctrl+n")
    d.find("Topology canvas", "list")
    for kind, switch, last in (("H100-SXM-80GB", "s1", "n2"), ("A100-SXM4-80GB", "s2", "n6")):
        d.keys("s")
        d.find(f"switch {switch}", "list item")
        add_nodes(d, kind, last)  # linked to the switch, which is chosen
        is_linked(d, last, switch)
    d.keys("Escape", "l", "shift+Tab", "Return", "shift+Tab", "Return")  # the switches are the last
    is_linked(d, "s1", "s2")
    d.keys("ctrl+shift+e", "ctrl+m")
    d.type("200")
    d.keys("Return")
    d.wait("200 Gbit/s", lambda: d.look("200 Gbit/s") or "200 Gbit/s" in d.text(d.find("Bandwidth", "text")))
    d.shot("drawn")


def saved(d, name):
    path = d.path(f"{name}.pwx")
    if d.look(re.compile("^Export "), "dialog"):
        d.keys("Escape")
        d.gone(re.compile("^Export "), "dialog")
    d.keys("ctrl+s")
    d.find(re.compile("^Save"), "dialog")
    d.type(path)
    d.keys("Return")
    d.wait("the project's file", lambda: os.path.exists(path))
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check_cluster(cluster):
    kinds = {node["id"]: node["kind"] for node in cluster["nodes"]}
    check(sorted(kinds.values()) == sorted(kind for kind, count in NODES.items() for _ in range(count)),
          f"the nodes are {kinds}")
    check(all(node["gpus"] == 8 for node in cluster["nodes"]), "a node has not eight GPUs")
    switches = {item["id"] for item in cluster["switches"]}
    check(len(switches) == 2, f"the switches are {switches}")
    links = [(link["a"], link["b"]) for link in cluster["links"]]
    check(all(link["bandwidth"] == RATE and link["lanes"] == 1 for link in cluster["links"]),
          f"the links are {cluster['links']}")
    behind = {switch: {kinds[end] for link in links if switch in link for end in link if end in kinds}
              for switch in switches}
    check(sorted(map(len, behind.values())) == [1, 1] and set().union(*behind.values()) == set(NODES),
          f"behind the switches are {behind}")
    check(len(links) == len(kinds) + 1 and sum(set(link) == switches for link in links) == 1 and
          all(sum(node in link for link in links) == 1 for node in kinds), f"the links are {links}")


def check_export(d):
    """Its trainer is Pipewright's own runner, which runs every plan of such a search."""
    folders = glob.glob(d.path("Documents/*"))
    check(len(folders) == 1 and folders[0].endswith("-runner"), f"exported were {folders}")
    os.mkdir(d.path("bin"))
    shutil.copy(os.path.join(desk.ROOT, "tests/exchange/torchrun_stub.sh"), d.path("bin/torchrun"))
    os.chmod(d.path("bin/torchrun"), 0o755)
    for node in range(sum(NODES.values())):
        env = dict(os.environ, PATH=d.path("bin") + os.pathsep + os.environ["PATH"], NODE_RANK=str(node))
        started = subprocess.run(["bash", "run.sh", "--dry-run", "1"], cwd=folders[0], env=env, capture_output=True,
                                 text=True, timeout=USUAL)
        wanted = {os.path.join(folders[0], name) for name in ("runner/run.py", "plan.json")}
        check(started.returncode == 0 and wanted <= set(started.stdout.splitlines()) and
              all(map(os.path.isfile, wanted)), f"node {node} does not start: {started}")
    read = subprocess.run([sys.executable, "-B", "-c", READER], cwd=folders[0], capture_output=True, text=True,
                          timeout=USUAL)
    check(read.returncode == 0 and read.stdout.strip() == "48", f"the trainer does not take the plan: {read}")


def check_job(d, name):
    check_export(d)
    project = saved(d, name)
    check_cluster(project["cluster"])
    check(project["model"]["name"] == "llama3-70b", f"the model is {project['model']['name']}")
    recipe = project["recipe"]
    check((recipe["gbs"], recipe["seq"]) == (512, 4096), f"the recipe is {recipe}")


def job(name, way, most_pointer, most_keys):
    """Done this way from a first start on; most_keys is None where only the cluster is drawn."""
    pictures = os.path.join(sys.argv[2], name) if len(sys.argv) > 2 else None
    with Counting(sys.argv[1], pictures) as d:
        d.find("New project", "push button")
        d.shot("start")
        way(d)
        pointer, keys = d.pointer, d.pressed + d.typed  # what follows is no part of the job
        said = f"{name}: {pointer} pointer actions, {keys} keys, of which {d.typed} are characters of text"
        print(said, flush=True)
        check(pointer <= most_pointer and (most_keys is None or keys <= most_keys), said)
        if most_keys is None:
            check_cluster(saved(d, name)["cluster"])
        else:
            check_job(d, name)


def main():
    desk.under_session_bus()
    job("mouse", by_mouse, POINTER, KEYS)
    if os.environ.get("PW_DRAWS") == "all":
        job("keys", by_keys, 0, POINTER + KEYS)
        job("drawn-by-keys", drawn_by_keys, 0, None)


if __name__ == "__main__":
    desk.run(main)
