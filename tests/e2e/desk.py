# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The real program on a screen, a session bus and an accessibility bus of its own.

A driver finds controls by the names and roles that the accessibility bus tells, as a screen reader does, and
either presses them over the bus (`press`, `put`) or moves the mouse to where they stand and types (`click`,
`drag`, `keys`): no coordinate is written down anywhere. After each of these it waits until nobody has anything to
do (`settle`), and for what an action brings until that is there (`find`, `gone`, `wait`): never for a fixed time,
which a busy machine would make too short. Needs Xvfb, openbox, xdotool, xprop, ImageMagick's import,
dbus-run-session, at-spi2-core and Debian's own Python with gi; where one of them is absent `skip` says which and
fails, unless PW_ALLOW_SKIP names "screen".
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77  # the exit code that ctest reads as "skipped"
REASON = "screen"  # what PW_ALLOW_SKIP must name to let a driver be skipped
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCREEN = os.environ.get("PW_SCREEN", "1600x1000")  # all of it: the window has to find room in it with its frame
USUAL = 60                  # seconds that a search of 16 GPUs may take on a busy machine
DEEPEST, MOST = 24, 6000    # a walk over the bus is slow: every item is a call


def skip(why):
    """Ends as skipped where PW_ALLOW_SKIP names the reason, and as failed where it does not."""
    if REASON in os.environ.get("PW_ALLOW_SKIP", "").split(","):
        print(f"skipped: {why}", flush=True)
        sys.exit(SKIPPED)
    print(f"FAILED: cannot run: {why} (PW_ALLOW_SKIP={REASON} lets it be skipped)", file=sys.stderr, flush=True)
    sys.exit(1)


def under_session_bus():
    """Runs the script again under a bus of its own, so that nothing of the user's desktop is seen or touched."""
    if os.environ.get("PW_DESK"):
        return
    for tool in ("Xvfb", "openbox", "xdotool", "xprop", "import", "dbus-run-session"):
        if not shutil.which(tool):
            skip(f"{tool} is not installed")
    if not os.path.exists("/usr/share/dbus-1/services/org.a11y.Bus.service"):
        skip("there is no accessibility bus: at-spi2-core is not installed")
    os.environ["PW_DESK"] = "1"
    os.environ["NO_AT_BRIDGE"] = "1"
    os.execvp("dbus-run-session", ["dbus-run-session", "--", sys.executable, *sys.argv])


class Failed(Exception):
    pass


def check(true, what):
    if not true:
        raise Failed(what)


def run(main):
    try:
        main()
    except Failed as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        sys.exit(1)


class Desk:
    def __init__(self, program, pictures=None, arguments=(), screen=SCREEN, environment=None):
        try:
            import gi
            gi.require_version("Atspi", "2.0")
            from gi.repository import Atspi, GLib
        except (ImportError, ValueError) as error:
            skip(f"the accessibility bus cannot be asked from Python: {error}")
        self.atspi = Atspi
        self.events = GLib.MainContext.default()
        self.said: list[str] = []
        self.work = tempfile.mkdtemp()
        self.pictures = pictures
        self.screen = screen
        self.environment = environment or {}
        self.started = []
        self.shots = 0
        if pictures:
            os.makedirs(pictures, exist_ok=True)
        try:
            self._screen()
            self.start(program, arguments)
        except BaseException:  # nobody enters, so that nobody leaves: a server that stays keeps ctest waiting
            self.close()
            raise

    def start(self, program, arguments=()):
        env = dict(os.environ, HOME=self.work, XDG_RUNTIME_DIR=self.work, QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1",
                   PIPEWRIGHT_CONFIG_DIR=self.path("config"), PIPEWRIGHT_DATA_DIR=self.path("data"),
                   PIPEWRIGHT_STATE_DIR=self.path("state"), LC_ALL="C.UTF-8", QT_QPA_PLATFORM="xcb",
                   **self.environment)
        env.pop("WAYLAND_DISPLAY", None)
        self.program = program
        self.process = subprocess.Popen([program, *arguments], env=env)
        self.started.append(self.process)
        self.window = self._xdotool("search", "--sync", "--onlyvisible", "--name", "Pipewright").split()[-1]
        self._xdotool("windowactivate", "--sync", self.window)
        self.app = self.wait("the program on the accessibility bus", self._program, USUAL)
        self._inside()

    def _inside(self):
        """Whether the window stands on the screen with its frame, as it opened."""
        width, height = (int(size) for size in self.screen.split("x"))

        def placed():
            place = self._asked("xwininfo", "-id", self.window)
            numbers = [re.search(f"{what}: *(-?[0-9]+)", place)
                       for what in ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")]
            frame = self._asked("xprop", "-id", self.window, "_NET_FRAME_EXTENTS").partition("=")[2]
            if not all(numbers) or not frame:
                return None
            x, y, wide, high = (int(number.group(1)) for number in numbers if number)
            left, right, top, bottom = (int(size) for size in frame.split(","))
            return x - left, y - top, x + wide + right, y + high + bottom
        outer = self.wait("the window with its frame", placed)
        check(min(outer) >= 0 and outer[2] <= width and outer[3] <= height,
              f"the window opened beyond the screen of {self.screen}: from {outer[:2]} to {outer[2:]}")

    def restart(self, arguments=()):
        self.start(self.program, arguments)

    def path(self, name):
        return os.path.join(self.work, name)

    def close(self):
        for process in reversed(self.started):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.started:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
        shutil.rmtree(self.work, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind and not self.ended():
            self.shot("failed", still=False)
            print(self.tree(), flush=True)
        self.close()

    # What is there.

    def items(self, under=None, showing=True):
        """Breadth first, those that are on the screen unless told otherwise."""
        queue = [(under or self.app, 0)]
        seen = 0
        while queue and seen < MOST:
            item, depth = queue.pop(0)
            for child in self._children(item):
                seen += 1
                if showing and not self.is_showing(child):
                    continue
                yield child
                if depth < DEEPEST:
                    queue.append((child, depth + 1))

    def look(self, name, role=None, under=None, showing=True):
        """The first of that name (a string, or a compiled pattern to be found in it), or None."""
        for item in self.items(under, showing):
            if self._is(item, name, role):
                return item
        return None

    def find(self, name, role=None, under=None, seconds=20, showing=True):
        return self.wait(f"{role or 'item'} named {getattr(name, 'pattern', name)!r}",
                         lambda: self.look(name, role, under, showing), seconds)

    def gone(self, name, role=None, seconds=20):
        self.wait(f"the end of {name!r}", lambda: self.look(name, role) is None, seconds)

    def chosen(self, name, role=None, under=None):
        """The item of that name, once it is selected."""
        def selected():
            item = self.look(name, role, under)
            return item if item and self.has(item, "SELECTED") else None
        return self.wait(f"the choice of {getattr(name, 'pattern', name)!r}", selected)

    def listen(self):
        """From here on what a screen reader says unasked is kept: alerts, as they begin to show."""
        def hear(event):
            if event.detail1 and self.role(event.source) == "alert":
                self.said.append(self.name(event.source))
        self.listener = self.atspi.EventListener.new(hear)
        self.listener.register("object:state-changed:showing")

    def heard(self, pattern, seconds=20):
        def said():
            while self.events.iteration(False):
                pass
            return next((text for text in self.said if re.search(pattern, text)), None)
        return self.wait(f"{pattern!r} said aloud", said, seconds)

    def wait(self, what, found, seconds=20, every=0.1):
        """What `found` answers, once that is something; asked again and again."""
        until = time.monotonic() + seconds
        while True:
            answer = found()
            if answer:
                return answer
            if time.monotonic() > until or self.ended():
                raise Failed(f"{what} was not found" + (": the program has ended" if self.ended() else ""))
            time.sleep(every)

    def settle(self):
        """Until what was sent has been dealt with: the screen, the window manager and the program have nothing to
        run, seen three times. The program's workers and timers are not waited for; what they bring has a name."""
        seen = [0]

        def quiet():
            seen[0] = 0 if any(self._busy(process) for process in self.started) else seen[0] + 1
            return seen[0] >= 3 or self.ended()
        self.wait("a moment of rest", quiet, USUAL, 0.01)

    def ended(self):
        return hasattr(self, "process") and self.process.poll() is not None

    def name(self, item):
        return self._call(item.get_name) or ""

    def description(self, item):
        return self._call(item.get_description) or ""

    def role(self, item):
        return self._call(item.get_role_name) or ""

    def text(self, item):
        return self._call(lambda: self.atspi.Text.get_text(item, 0, -1)) or ""

    def has(self, item, state):
        states = self._call(item.get_state_set)
        return bool(states) and states.contains(getattr(self.atspi.StateType, state))

    def is_showing(self, item):
        return self.has(item, "SHOWING") or self.role(item) in ("application", "menu bar")

    def parent(self, item):
        return self._call(item.get_parent)

    def within(self, item, role):
        parent = self.parent(item)
        return parent is not None and self.role(parent) == role

    def rect(self, item):
        r = self._call(lambda: self.atspi.Component.get_extents(item, self.atspi.CoordType.SCREEN))
        if r is None or r.width <= 0 or r.height <= 0:
            raise Failed(f"{self.name(item)!r} has no place on the screen")
        return r.x, r.y, r.width, r.height

    def middle(self, item):
        x, y, width, height = self.rect(item)
        return x + width // 2, y + height // 2

    def tree(self, under=None):
        """One line an item, for a driver that looks around."""
        lines = []

        def walk(item, depth):
            lines.append("  " * depth + f"{self.role(item)} {self.name(item)!r}")
            for child in self._children(item):
                if depth < DEEPEST and len(lines) < MOST and self.is_showing(child):
                    walk(child, depth + 1)
        walk(under or self.app, 0)
        return "\n".join(lines)

    # Hands on the bus.

    def press(self, item):
        """The item's own action over the bus; no mouse, no key."""
        if isinstance(item, str):
            item = self.find(item)
        if not self._call(lambda: self.atspi.Action.get_n_actions(item)):
            raise Failed(f"{self.name(item)!r} ({self.role(item)}) has no action")
        self._call(lambda: self.atspi.Action.do_action(item, 0))
        self.settle()

    def select_row(self, table, row):
        for other in self._call(lambda: self.atspi.Table.get_selected_rows(table)) or []:
            self._call(lambda: self.atspi.Table.remove_row_selection(table, other))
        if not self._call(lambda: self.atspi.Table.add_row_selection(table, row)):
            raise Failed(f"row {row} of {self.name(table)!r} cannot be selected")
        self.settle()

    def put(self, item, text):
        if not self._call(lambda: self.atspi.EditableText.set_text_contents(item, text)):
            raise Failed(f"{self.name(item)!r} takes no text")

    def set_value(self, item, number):
        if not self._call(lambda: self.atspi.Value.set_current_value(item, number)):
            raise Failed(f"{self.name(item)!r} takes no value")
        self.settle()

    def focus(self, item):
        if not self._call(item.grab_focus):
            raise Failed(f"{self.name(item)!r} takes no focus")
        self.settle()

    # Hands on mouse and keyboard.

    def at(self, x, y):
        self._xdotool("mousemove", str(int(x)), str(int(y)))

    def click(self, where, button=1, times=1, modifier=None):
        """`where` is a point, an item or a name."""
        x, y = self._place(where)
        self.at(x, y)
        if modifier:
            self._xdotool("keydown", modifier)
        self._xdotool("click", "--repeat", str(times), "--delay", "60", str(button))
        if modifier:
            self._xdotool("keyup", modifier)
        self.settle()

    def drag(self, start, end, button=1, modifier=None):
        """In steps: a drag that jumps is not taken for one."""
        (x, y), (to_x, to_y) = self._place(start), self._place(end)
        self.at(x, y)
        if modifier:
            self._xdotool("keydown", modifier)
        self._xdotool("mousedown", str(button))
        for i in range(1, 13):
            self.at(x + (to_x - x) * i / 12, y + (to_y - y) * i / 12)
            self.settle()
        self._xdotool("mouseup", str(button))
        if modifier:
            self._xdotool("keyup", modifier)
        self.settle()

    def wheel(self, where, turns=3):
        """Towards the user."""
        self.click(where, button=5, times=turns)

    def keys(self, *names):
        self._xdotool("key", "--delay", "30", *names)
        self.settle()

    def type(self, text):
        self._xdotool("type", "--delay", "15", text)
        self.settle()

    def raise_dock(self, title):
        """A dock that lies behind another comes up by its tab."""
        self.click(self.find(title, "page tab"))

    def field(self, item, text):
        """All of a field's text replaced, as typed."""
        self.click(item)
        self.keys("ctrl+a")
        self.type(text)
        self.keys("Return")

    def shot(self, name, still=True):
        """A picture, where pictures are wanted: of a screen that does not change any more, if `still`."""
        self.shots += 1
        if self.pictures:
            path = os.path.join(self.pictures, f"{self.shots:02d}-{name}.png")
            before, now = None, self._screen_now()
            for _ in range(20 if still else 0):  # a cursor that blinks never rests
                if now == before:
                    break
                self.settle()
                before, now = now, self._screen_now()
            subprocess.run(["convert", "ppm:-", path], input=now, check=True)
        print(f"step {self.shots}: {name}", flush=True)

    def brightness(self):
        """Of the screen on the whole, from 0 to 1."""
        some = self._screen_now()[::97]
        return sum(some) / (255 * len(some))

    # How.

    def _screen(self):
        for _ in range(5):  # another server may take the display that this one found free
            read, write = os.pipe()
            server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0",
                                       f"{self.screen}x24"], pass_fds=[write],
                                      stderr=subprocess.DEVNULL)
            self.started.append(server)
            os.close(write)
            with os.fdopen(read) as answer:
                display = answer.readline().strip()
            os.environ["DISPLAY"] = f":{display}"
            if display and not subprocess.run(["xdotool", "getdisplaygeometry"], capture_output=True).returncode:
                break
            server.kill()
        else:
            raise Failed("Xvfb did not start")
        # A window that comes while openbox starts may be forgotten by it and stay off the screen.
        manages = self.path("openbox-manages")
        self.started.append(subprocess.Popen(["openbox", "--startup", f"touch {manages}"], stderr=subprocess.DEVNULL))
        self.wait("openbox", lambda: os.path.exists(manages))

    def _screen_now(self):
        return subprocess.run(["import", "-window", "root", "ppm:-"], check=True, capture_output=True).stdout

    def _busy(self, process):
        """Whether a process runs or would run: of the program the window's thread and Qt's own, not its workers."""
        tasks = f"/proc/{process.pid}/task"
        try:
            for task in os.listdir(tasks):
                with open(f"{tasks}/{task}/stat", encoding="utf-8", errors="replace") as file:
                    name, _, rest = file.read().partition("(")[2].rpartition(")")
                own = process is not self.process or int(task) == process.pid or name.startswith("Q")
                if own and rest.split()[0] in "RD":
                    return True
        except OSError:  # it ended meanwhile
            pass
        return False

    def _program(self):
        desktop = self.atspi.get_desktop(0)
        for child in self._children(desktop):
            if self._call(child.get_process_id) == self.process.pid:
                return child
        return None

    def _children(self, item):
        count = self._call(item.get_child_count) or 0
        children = (self._call(lambda i=i: item.get_child_at_index(i)) for i in range(count))
        return [child for child in children if child is not None]

    def _is(self, item, name, role):
        own = self.role(item)
        if role and own != role:
            return False
        # A combo box is called by its value; what it is for, its label or its description says.
        names = [self.name(item)] if own != "combo box" else [*self.labels(item), self.description(item)]
        return any(bool(name.search(one)) if isinstance(name, re.Pattern) else one == name
                   for one in (text.replace("&", "") for text in names))

    def labels(self, item):
        labelled = self.atspi.RelationType.LABELLED_BY
        return [self.name(relation.get_target(i)) for relation in self._call(item.get_relation_set) or []
                if relation.get_relation_type() == labelled for i in range(relation.get_n_targets())]

    def _place(self, where):
        if isinstance(where, tuple):
            return where
        return self.middle(self.find(where) if isinstance(where, (str, re.Pattern)) else where)

    def _call(self, question):
        """None from an item that went away while it was asked."""
        from gi.repository import GLib
        try:
            return question()
        except GLib.Error:
            return None

    def _xdotool(self, *arguments):
        return self._asked("xdotool", *arguments)

    def _asked(self, *command):
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout
