# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small tree in which no check finds anything, for checks_test.py, which breaks it, and the ways in which
its tests call a check: as a command, or with some of its names replaced.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tree import ROOT

CHECKS = ROOT / "packaging/checks"
# For run_with(): a tool that is called for app/main.cpp runs over its time, without a test that waits for the clock.
LATE = """
import subprocess
def run(words, *, run=subprocess.run, **more):
    if words[-1] == "app/main.cpp":
        raise subprocess.TimeoutExpired(words, 1)
    return run(words, **more)
subprocess.run = run
"""

SOUND = {
    ".clang-format": (ROOT / ".clang-format").read_text(encoding="utf-8"),
    "core/CMakeLists.txt": "add_subdirectory(low)\nadd_subdirectory(high)\n",
    "core/low/CMakeLists.txt": "target_sources(pw_core PRIVATE first.cpp)\n",
    "core/high/CMakeLists.txt": "target_sources(pw_core PRIVATE fourth.cpp second.cpp third.cpp)\n",
    "core/low/first.h": "#pragma once\nint first();\n",
    "core/low/first.cpp": '#include "core/low/first.h"\n\nint first() {\n    return 1;\n}\n',
    "core/high/second.h": "#pragma once\nint second();\n",
    "core/high/second.cpp": '#include "core/high/second.h"\n\n#include "core/low/first.h"\n\n'
                            "int second() {\n    return first() + 1;\n}\n",
    "core/high/third.h": "#pragma once\nint third();\n",
    "core/high/third.cpp": '#include "core/high/third.h"\n\n#include "core/high/second.h"\n\n'
                           "int third() {\n    return second() + 1;\n}\n",
    "app/main.cpp": '#include "core/high/third.h"\n\n#include <vector>\n\nint main() {\n'
                    "    const std::vector<int> numbers{third()};\n    return numbers.front();\n}\n",
    "tests/high/third_test.cpp": '#include "core/high/third.h"\n\nint main() {\n    return third();\n}\n',
    "README.md": "# A program\n\n![A window](picture.png), see [the words](resources/manual/index.md#two-words).\n"
                 "What `core/low` is for; shown by `third_test`.\n",
    "picture.png": "a picture\n",
    "resources/manual/index.md": "# Manual\n\n## Two words\n\n[More](more.md), [architecture](architecture.md), "
                                 "and back to [the top](#manual).\n",
    "resources/manual/architecture.md": "# Architecture\n\n| core/ | holds |\n|---|---|\n| `low` | a |\n"
                                        "| `high` | b |\n",
    "resources/manual/more.md": "# More\n",
    "script": "#!/usr/bin/env bash\nset -euo pipefail\necho \"$HOME\"\n",
    "tool.py": "import sys\n\nsys.exit(0)\n",
}


class SmallTree(unittest.TestCase):
    def setUp(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for name, text in SOUND.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def insert(self, name: str, line: str) -> None:
        """As the file's new first line, after #pragma once."""
        text = (self.root / name).read_text(encoding="utf-8")
        pragma = "#pragma once\n"
        before, after = (pragma, text[len(pragma):]) if text.startswith(pragma) else ("", text)
        self.write(name, before + line + "\n" + after)

    def run_check(self, script: str, *more: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-B", CHECKS / script, *more, "--root", self.root],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def finds(self, script: str, what: str) -> None:
        code, said = self.run_check(script)
        self.assertIn(what, said)
        self.assertEqual(code, 1, said)

    def run_with(self, module: str, *lines: str, path: str = "") -> tuple[int, str]:
        """The check's main() after these lines of Python, with a folder of other tools before those of the system."""
        code = "\n".join((f"import sys; sys.path.insert(0, {str(CHECKS)!r})", f"import {module}", *lines,
                          f"{module}.main()"))
        done = subprocess.run([sys.executable, "-B", "-c", code, "--root", self.root], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              env=os.environ | {"PATH": f"{self.root / path}:{os.environ['PATH']}"})
        return done.returncode, done.stdout

    def tool(self, name: str, script: str) -> None:
        """One that stands in for the system's, where run_with() is told of build/tools."""
        self.write(f"build/tools/{name}", f"#!/bin/sh\n{script}\n")
        (self.root / "build/tools" / name).chmod(0o755)

    def history(self, *texts: str) -> None:
        """Commits, each of which adds one of these texts to app/main.cpp, which was empty."""
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(small CXX)\n"
                                     "option(PW_UNITY \"As ours has it\")\n"
                                     "set(CMAKE_EXPORT_COMPILE_COMMANDS ON)\nfile(GLOB files app/*.cpp)\n"
                                     "add_executable(small ${files})\ntarget_include_directories(small PRIVATE .)\n")
        self.write(".gitignore", "/build/\n")
        self.write(".clang-tidy", (ROOT / ".clang-tidy").read_text(encoding="utf-8"))
        self.git("init", "--quiet")
        for count in range(len(texts)):
            self.write("app/main.cpp", "".join(texts[:count + 1]))
            self.git("add", "--all")
            self.git("commit", "--quiet", "--message", "More")

    def git(self, *words: str) -> None:
        subprocess.run(["git", "-c", "user.name=A tester", "-c", "user.email=tester@example.invalid", *words],
                       cwd=self.root, check=True, capture_output=True)
