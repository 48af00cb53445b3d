# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every check of packaging/checks meets the fault that it is for, in a small tree made for it, and finds nothing in
the same tree without the fault."""
import json
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECKS = ROOT / "packaging/checks"
sys.path.insert(0, str(CHECKS))

import mutants  # noqa: E402
import package  # noqa: E402
import steps  # noqa: E402
import tidy  # noqa: E402
import tree  # noqa: E402
from small_tree import LATE, SOUND, SmallTree  # noqa: E402


class Checks(SmallTree):
    def test_sound_tree_has_no_findings(self) -> None:
        for script in ("formats", "includes", "circles", "layers", "unused", "wordings", "scripts", "pages"):
            with self.subTest(script):
                code, said = self.run_check(script + ".py")
                self.assertEqual(code, 0, said)
                self.assertIn("no findings", said)

    def test_every_check_says_what_it_is_for(self) -> None:
        for script in sorted(CHECKS.glob("*.py")):
            if script.read_text(encoding="utf-8").startswith("#!"):
                done = subprocess.run([sys.executable, "-B", script, "--help"], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, script)
                self.assertGreater(len(done.stdout), 200, script)

    def test_unformatted(self) -> None:
        self.write("core/low/first.cpp", '#include "core/low/first.h"\n\nint first() {\n  return 1;\n}\n')
        self.finds("formats.py", "core/low/first.cpp:3: is not formatted")

    def test_unused_includes(self) -> None:
        self.insert("app/main.cpp", "#include <map>")
        self.finds("includes.py", "app/main.cpp:1: nothing of map is used")
        self.insert("app/main.cpp", '#include "core/low/first.h"')
        self.finds("includes.py", "app/main.cpp:1: nothing of core/low/first.h is used")

    def test_what_is_kept_on_purpose_is_no_finding(self) -> None:
        self.insert("app/main.cpp", "#include <map> // keep: the next header forgets it")
        self.assertEqual(self.run_check("includes.py")[0], 0)

    def test_circle_of_four(self) -> None:
        self.write("core/high/fourth.h", '#pragma once\n#include "core/high/third.h"\nint fourth();\n')
        self.insert("core/high/second.h", '#include "core/high/fourth.h"')
        self.assertEqual(self.run_check("circles.py")[0], 0, "three may stand in a circle")
        self.insert("core/low/first.h", '#include "core/high/third.h"')
        self.finds("circles.py", "4 units in a circle")
        self.assertIn("core/high/fourth > core/high/third > core/high/second > core/high/fourth",
                      self.run_check("circles.py")[1])

    def test_against_the_order(self) -> None:
        self.insert("core/low/first.cpp", '#include "core/high/third.h"')
        self.finds("layers.py", "core/low/first.cpp:1: includes core/high/third.h, which stands below it")

    def test_order_of_sub_folders_and_sources(self) -> None:
        self.write("core/high/CMakeLists.txt",
                   "target_sources(pw_core PRIVATE second.cpp)\nadd_subdirectory(street)\n"
                   "target_sources(pw_core PRIVATE third.cpp)\n")
        self.write("core/high/street/CMakeLists.txt", "target_sources(pw_core PRIVATE house.cpp)\n")
        self.write("core/high/street/house.h", '#pragma once\n#include "core/high/second.h"\n')
        self.insert("core/high/third.h", '#include "core/high/street/house.h"')
        self.assertEqual(self.run_check("layers.py")[0], 0)
        self.insert("core/high/street/house.h", '#include "core/high/third.h"')
        self.finds("layers.py", "core/high/street/house.h:2: includes core/high/third.h, which stands below it in "
                                "core/high/CMakeLists.txt")

    def test_class_that_is_only_declared(self) -> None:
        self.insert("core/high/third.h", "struct Third {\n};")
        self.insert("core/low/first.h", "struct Third;")
        self.finds("layers.py", "core/low/first.h:2: declares Third, which stands below it in core/CMakeLists.txt")
        self.insert("core/low/first.cpp", "struct Third {\n};")  # one of its own
        self.assertEqual(self.run_check("layers.py")[0], 0)

    def test_sources_out_of_order(self) -> None:
        self.write("core/high/CMakeLists.txt", "target_sources(pw_core PRIVATE third.cpp second.cpp)\n")
        self.finds("layers.py", "core/high/CMakeLists.txt: second.cpp stands behind third.cpp")

    def test_folder_that_no_order_names(self) -> None:
        self.write("core/elsewhere/fifth.h", "#pragma once\n")
        self.finds("layers.py", "core/elsewhere/fifth.h: core/CMakeLists.txt does not say where this stands")

    def test_qt_below_the_window(self) -> None:
        self.insert("core/low/first.h", "#include <QString>")
        self.finds("layers.py", "core/low/first.h:2: includes QString below the window")

    def test_includes_that_pass_by_the_order(self) -> None:
        for spelled in ('"third.h"', '"../high/third.h"', "<core/high/third.h>", '"core/low/../high/third.h"'):
            with self.subTest(spelled):
                self.write("core/high/second.h", f"#pragma once\n#include {spelled}\n")
                self.write("core/high/third.h", '#pragma once\n#include "core/high/fourth.h"\n')
                self.write("core/high/fourth.h", '#pragma once\n#include "core/low/first.h"\n')
                self.write("core/low/first.h", '#pragma once\n#include "core/high/second.h"\n')
                self.finds("layers.py", 'which is to be written as "core/high/third.h"')
                self.finds("circles.py", "4 units in a circle")
        self.write("core/high/second.h", '#pragma once\n#include "made_by_the_build.h"\n')
        self.assertNotIn("written", self.run_check("layers.py")[1])

    def test_unused_functions(self) -> None:
        self.insert("core/low/first.h", "int never();")
        self.finds("unused.py", "core/low/first.h:2: never is used by nothing")
        self.insert("tests/high/third_test.cpp", "int x = never();")
        self.finds("unused.py", "core/low/first.h:2: never is used by tests only")

    def test_allowed_functions_must_be_there(self) -> None:
        self.insert("core/low/first.h", "int never();")
        self.write("packaging/checks/unused-allowed.txt", "never core/low/first.h a test counts it\n")
        self.assertEqual(self.run_check("unused.py")[0], 0)
        self.write("packaging/checks/unused-allowed.txt", "first core/low/first.h was unused once\n")
        self.finds("unused.py", "first of core/low/first.h is used, or is not there any more")

    def test_scripts(self) -> None:
        self.write("script", "#!/usr/bin/env bash\nset -euo pipefail\necho $HOME\n")
        self.finds("scripts.py", "script:3:6: note: Double quote to prevent globbing")
        self.write("tool.py", "import os\nimport sys\n\nsys.exit(\"a\" + 1)\n")
        self.finds("scripts.py", "tool.py:1:1: F401 'os' imported but unused")
        self.finds("scripts.py", "tool.py:4: error: Unsupported operand types")

    def test_pages(self) -> None:
        for text, what in (
                ("[gone](resources/manual/gone.md)", "README.md:1: resources/manual/gone.md leads nowhere"),
                ("[gone](resources/manual/index.md#three)",
                 "README.md:1: resources/manual/index.md has no heading #three"),
                ("![A view](gone.png)", "README.md:1: gone.png leads nowhere"),
                ("![](picture.png)", "README.md:1: a picture without words"),
                ("See `core/nowhere/x.h`", "README.md:1: there is no core/nowhere/x.h"),
                ("Shown by `fifth_test`", "README.md:1: there is no test fifth_test"),
                ("line\n" * 151, "at most 150 are to stand there")):
            with self.subTest(text[:40]):
                self.write("README.md", text + "\n" + SOUND["README.md"])
                self.finds("pages.py", what)

    def test_pages_that_code_cites(self) -> None:
        self.insert("core/low/first.h", "// The proof is in proofs.md#why.")
        self.finds("pages.py", "core/low/first.h:2: cites proofs.md, which does not ship")
        self.write("resources/manual/proofs.md", "# Proofs\n\n## Why\n")
        self.finds("pages.py", "resources/manual/proofs.md: no page leads here")
        self.write("resources/manual/more.md", "# More\n\n[Proofs](proofs.md)\n")
        self.assertEqual(self.run_check("pages.py")[0], 0)
        self.insert("core/low/first.h", "// Of all tables together; see README, accuracy.")
        self.finds("pages.py", "core/low/first.h:2: cites what does not ship: see README, a")

    def test_wordings(self) -> None:
        for call in ('badInput("a", where, "is " + text)', 'failure("a", "b", fmt::format("{} is", text))',
                     'reader.fail("a", where, std::string("expected ") + schema)',
                     'infeasible("a", "", text + ", " + std::to_string(1))', 'run.note("a", cheap ? a : a + "b")',
                     'usage("is " + text)', 'badInput("usage", flag, set.error().message)',
                     'failure("a", where, read.error().text())', 'wording.message += text',
                     'Wording::asIs(fmt::format("{} is", text))', 'Wording::asIs("is " + text)',
                     'failure("a", where, {"{file}: {why}", {{"file", f}, {"why", read.error().message}}})',
                     'refusal({"{why}", {{"why", reason.text()}}})'):
            with self.subTest(call):
                for name in ("core/low/first.cpp", "app/first.cpp"):
                    self.write(name, f"Error first() {{\n    return {call};\n}}\n")
                    self.finds("wordings.py", f"{name}:2: ")
                    self.write(name, "")
        self.write("core/low/first.cpp", 'Error first() {\n    note("a", {"{x} is", {{"x", fmt::format("{}", 1)}}});\n'
                                         '    fail("a" + b, "c" + d, "is (\\"+\\") text, " "at all");\n'
                                         '    json = {{"message", d.message}};\n'
                                         '    refusal({"{why} ({os})", {{"why", error}, {"os", code.message()}}});\n'
                                         '    return failure("a", "", Wording::asIs(error.what()));\n}\n')
        self.assertEqual(self.run_check("wordings.py"), (0, "4 messages: no findings\n"))

    def test_sources_of_the_guide(self) -> None:
        """The files that CONTRIBUTING.md has whole: formatted, their messages patterns, and they compile alone."""
        guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        whole = re.compile(r"^ *```cpp\n( *// SPDX.*?)^ *```$", re.M | re.S)
        blocks = [textwrap.dedent(block) for block in whole.findall(guide)]
        files = {}
        for block in blocks:
            unit = re.search(r'#include "(core/exchange/imports/\w+/\w+)\.h"', block)
            if unit:
                files[unit[1] + ".cpp"] = block
                files[unit[1] + ".h"] = next(other for other in blocks if "#pragma once" in other)
        self.assertEqual(len(files), 2)
        for name, text in files.items():
            self.write(name, text)
        for script in ("formats.py", "wordings.py", "includes.py"):
            self.assertEqual(self.run_check(script)[0], 0, self.run_check(script)[1])
        header = next(name for name in files if name.endswith(".h"))
        self.write("app/alone.cpp", f'#include "{header}"\n')
        for name in ("app/alone.cpp", header[:-2] + ".cpp"):
            done = subprocess.run(["c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", self.root,
                                   "-I", ROOT, self.root / name], stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_paths_in_comments(self) -> None:
        self.insert("core/low/first.h", "// As in core/low/gone/first.cpp.")
        self.finds("pages.py", "core/low/first.h:2: there is no core/low/gone/first.cpp")
        self.write("core/low/first.h", "#pragma once\n// Used by core/high/second; text/core/low/gone is elsewhere.\n"
                                       "int first();\n")
        self.assertEqual(self.run_check("pages.py")[0], 0)

    def test_folders_as_told(self) -> None:
        heading = "# Architecture\n\n| core/ | holds |\n|---|---|\n"
        for table, what in ((heading + "| `high` | b |\n", "are not those of core/CMakeLists.txt: low"),
                            (heading + "| `high` | b |\n| `low` | a |\n", "core/CMakeLists.txt: another order"),
                            (heading.replace("core/", "folder") + "| `low`, `high` | b |\n",
                             'no table begins with "| core/ |"')):
            self.write("resources/manual/architecture.md", table)
            self.finds("pages.py", what)
        self.write("resources/manual/architecture.md", heading + "| `low`, `high` | b |\n")
        self.assertEqual(self.run_check("pages.py")[0], 0)

    def test_tidy_needs_history(self) -> None:
        code, said = self.run_check("tidy.py")
        self.assertEqual((code, said), (tree.NOT_RUN, "not run: no history\n"))

    def test_tidy_looks_at_changed_lines(self) -> None:
        self.history("int* first() {\n    return 0;\n}\n", "// The last one.\nint* second() {\n    return 0;\n}\n")
        code, said = self.run_check("tidy.py")
        self.assertEqual(code, 1, said)
        self.assertIn("app/main.cpp:6: use nullptr", said)
        self.assertNotIn("app/main.cpp:2:", said)
        self.assertIn("1 of 1 changed files: 1 finding", said)

    def test_tidy_that_could_not_look_has_not_passed(self) -> None:
        self.history("", "int first();\n")
        self.tool("clang-tidy-16", "exit 0")
        for limit in (LATE, "tidy.SECONDS = -1"):
            self.assertEqual(self.run_with("tidy", limit, path="build/tools"), (
                tree.NOT_RUN, "Not looked at: app/main.cpp\n"
                "not run: none was looked at to its end (0 of 1 changed files: no findings)\n"))
        self.write("app/quick.cpp", "int quick();\n")
        self.assertEqual(self.run_with("tidy", LATE, path="build/tools"),
                         (0, "Not looked at: app/main.cpp\n1 of 2 changed files: no findings\n"))
        for end, code, what in (("kill -SEGV $$", tree.NOT_RUN, "crashes on app/main.cpp"),
                                ("exit 3", 1, "ends with 3"),
                                (f"echo '{tidy.CRASHED}' >&2; exit 139", tree.NOT_RUN, "crashes on app/main.cpp")):
            self.tool("clang-tidy-16", f"echo '1 warning generated.' >&2; {end}")
            ended, said = self.run_with("tidy", path="build/tools")
            self.assertIn(f"clang-tidy-16 {what}", said)
            self.assertEqual(ended, code, said)
        self.tool("clang-tidy-16", "exit 0")
        for _ in range(2):
            said = self.run_with("main", "sys.argv += ['tidy', 'circles', '--resume']", path="build/tools")[1]
            self.assertRegex(said, r"tidy +passed .*no findings\n")
        self.assertRegex(said, r"circles +passed .*\(in an earlier sitting\)")

    def test_parts_go_on_after_a_failed_one_and_resume(self) -> None:
        self.insert("core/low/first.h", "#include <QString>")
        code, said = self.run_check("main.py", "layers", "circles")
        self.assertEqual(code, 1)
        self.assertRegex(said, r"layers +FAILED")
        self.assertRegex(said, r"circles +passed")
        self.assertIn("failed: layers", said)
        self.assertIn("below the window", (self.root / "build/check/layers.log").read_text(encoding="utf-8"))
        said = self.run_check("main.py", "layers", "circles", "--resume")[1]
        self.assertRegex(said, r"circles +passed .*\(in an earlier sitting\)")
        self.assertNotRegex(said, r"layers .*\(in an earlier sitting\)")
        self.write("core/low/first.h", SOUND["core/low/first.h"])
        code, said = self.run_check("main.py", "layers", "circles", "--resume")
        self.assertEqual(code, 0)
        self.assertNotIn("earlier sitting", said)

    def test_broken_parts_are_no_passes(self) -> None:
        (self.root / "core/low/first.h").write_bytes(b"\xff\n")
        code, said = self.run_check("main.py", "circles")
        self.assertEqual(code, 1)
        self.assertRegex(said, r"circles +FAILED .*UnicodeDecodeError")

    def test_parts_under_which_the_tree_changes_fail(self) -> None:
        self.write("change.py", "import pathlib, sys\npathlib.Path(sys.argv[2], 'more.txt').touch()\n")
        begun = steps.tree_hash(self.root)
        code, said = self.run_with("main", "sys.argv += ['circles', 'layers']", "circles = main.PARTS['circles']",
                                   f"main.PARTS['circles'] = circles._replace(command=('{self.root}/change.py',))")
        self.assertRegex(said, rf"circles +FAILED .*{begun}  the tree changed while the part ran")
        self.assertRegex(said, rf"layers +passed .*{steps.tree_hash(self.root)}  ")
        self.assertEqual(code, 1)

    def test_skipped_tests_are_counted_and_run_again(self) -> None:
        self.write("CMakePresets.json", json.dumps({
            "version": 6, "testPresets": [{"name": "release", "configurePreset": "release"}], "configurePresets": [
                {"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release"}]}))
        self.write("CMakeLists.txt", 'cmake_minimum_required(VERSION 3.25)\nproject(small NONE)\nenable_testing()\n'
                   'add_test(NAME whole COMMAND sh -c "exit 77")\nadd_test(NAME sound COMMAND echo "***Failed")\n'
                   'add_test(NAME part COMMAND printf "PASS   : A::a()\\nSKIP   : A::b() c\\nSKIP   : A::d(e) f\\n")\n'
                   'set_tests_properties(whole sound part PROPERTIES LABELS long SKIP_RETURN_CODE 77)\n')
        self.assertRegex(self.run_check("main.py", "long")[1], "long +passed .* 3 tests, 3 skipped, 0 passed earlier")
        said = self.run_check("main.py", "long", "--resume")[1]
        self.assertRegex(said, "long +passed .* 3 tests, 3 skipped, 1 passed earlier")

    def test_package_without_any_chroot_was_not_run(self) -> None:
        lines = ("import chroots", "chroots.why_not = lambda: 'they take root'")
        self.assertEqual(self.run_with("chroots", *lines)[0], tree.NOT_RUN)
        code, said = self.run_with("package", *lines, "package.installed = lambda root: ([], 3)")
        self.assertIn("\nnot run: 2 of 2 chroots not used: they take root (3 things of an installed program, ", said)
        self.assertEqual(code, tree.NOT_RUN)
        code, said = self.run_with("package", *lines, "package.installed = lambda root: (['x is not installed'], 3)")
        self.assertEqual(code, 1, said)

    def test_dependencies_are_of_ubuntu(self) -> None:
        there = package.versions((tree.ROOT / package.UBUNTU).read_text(encoding="utf-8"))
        good = ("libc6 (>= 2.36), libqt6core6 (>= 6.4.0), libqt6widgets6t64, pipewright-cli (= 9.9.9), "
                "fonts-nobody | fonts-dejavu-core, libstdc++6:any (>= 12), zlib1g (>= 1:1.2.3.3)")
        self.assertEqual(list(package.unmet(good, there)), [])
        for depends in ("libfmt9", "libc6 (>= 2.40)", "libqt6core6 (>= 6.5.0)", "libqt6svg6t64 | libnone1",
                        "libc6 (2.36)", "libqt6core6 (= 6.4.1)"):
            with self.subTest(depends=depends):
                said = list(package.unmet(f"zlib1g, {depends}", there))
                self.assertEqual(said, [f"{package.UBUNTU} has nothing that meets {depends}"])

    def test_mutation_that_judges_nothing_has_not_passed(self) -> None:
        code, said = self.run_with("mutate", "from types import SimpleNamespace", "sys.argv.append('3')",
                                   "mutate.draw = lambda *_: []", "mutate.equivalent_in = lambda _: {}",
                                   "mutate.build = lambda root: root",
                                   "mutate.Laboratory = lambda *_: SimpleNamespace(seconds=0)")
        self.assertTrue(said.endswith("none judged\n"), said)
        self.assertEqual(code, 1)


class Mutants(unittest.TestCase):
    def changes(self, line: str, before: str = "{") -> set[str]:
        return {line[:at] + after + line[at + len(was):]
                for at, was, after in mutants.changes_of(line, tree.code_of(line), before)}

    def test_operators(self) -> None:
        self.assertLessEqual({"if (!(a < b + 1))", "if (a <= b + 1)", "if (a > b + 1)", "if (a < b - 1)",
                              "if (a < b + 2)"}, self.changes("if (a < b + 1)"))
        self.assertEqual(self.changes("    x = std::min(y, z);"), {"    x = std::max(y, z);", "    ;"})
        self.assertEqual(self.changes("return 0.5;"), {"return 1.5;"})
        self.assertEqual(self.changes("    const std::vector<int> numbers = list();"), set())

    def test_comments_and_texts_stay(self) -> None:
        self.assertEqual(self.changes('    say("1 < 2"); // 3 < 4'), {"    ;"})
        self.assertEqual(self.changes("    and so on);", before="    f(a,"), set())

    def test_the_draw_is_the_same_wherever_the_lines_stand(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            text = "".join(f"    int a{i} = b{i} + {i};\n" for i in range(40))
            (root / "a.cpp").write_text(text, encoding="utf-8")
            first = mutants.draw(root, ["a.cpp"], 10, seed=1)
            (root / "a.cpp").write_text("// one line more\n" + text, encoding="utf-8")
            second = mutants.draw(root, ["a.cpp"], 10, seed=1)
            self.assertEqual([mutant.key for mutant in first], [mutant.key for mutant in second])
            self.assertEqual([mutant.line + 1 for mutant in first], [mutant.line for mutant in second])
            self.assertEqual(second, mutants.draw(root, ["a.cpp"], 20, seed=1)[:10])
            self.assertNotEqual(second, mutants.draw(root, ["a.cpp"], 10, seed=2))
            self.assertEqual(len({mutant.line for mutant in second}), 10)


class Results(unittest.TestCase):
    def test_steps_hold_for_one_tree(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "some.steps"
            book = steps.Steps(file, "one", resume=False)
            book.record(steps.Step("passes", True, "Passed", 1.0))
            book.record(steps.Step("fails", False, "Failed", 1.0))
            book.record(steps.Step("skips", True, "Passed", 1.0, skipped=1))
            self.assertEqual(len([json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]), 3)
            again = steps.Steps(file, "one", resume=True)
            self.assertTrue(again.passed_before("passes"))
            self.assertFalse(again.passed_before("fails") or again.passed_before("skips"))
            self.assertFalse(steps.Steps(file, "two", resume=True).passed_before("passes"))
            self.assertFalse(steps.Steps(file, "one", resume=False).passed_before("passes"))


class Packages(unittest.TestCase):
    CHANGES = """# Changelog

## Unreleased

- Not yet.

## 0.2.0, 2026-11-22

### Added

- A point that goes
  on, with `code` and [a link](page.md).
- Another.

## 0.1.0, 2026-11-20

- First.
"""

    def test_debian_changelog(self) -> None:
        sys.path.insert(0, str(ROOT / "packaging"))
        import debian_changelog
        written = debian_changelog.debian(self.CHANGES, "Us <us@x>")
        self.assertEqual(written, """pipewright (0.2.0) unstable; urgency=medium

  * A point that goes on, with code and a link.
  * Another.

 -- Us <us@x>  Sun, 22 Nov 2026 12:00:00 +0000

pipewright (0.1.0) unstable; urgency=medium

  * First.

 -- Us <us@x>  Fri, 20 Nov 2026 12:00:00 +0000
""")
        self.assertEqual(debian_changelog.debian("# Changelog\n\n## Unreleased\n\n- x\n", "Us <us@x>"), "")

    def test_what_the_system_has_stays_out_of_the_archive(self) -> None:
        sys.path.insert(0, str(ROOT / "packaging"))
        import tarball
        for name in ("libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libstdc++.so.6", "libgcc_s.so.1"):
            self.assertTrue(tarball.SYSTEM.match(name), name)
        for name in ("libcap.so.2", "libmd.so.0", "libQt6Core.so.6", "libcom_err.so.2", "libxcb.so.1"):
            self.assertFalse(tarball.SYSTEM.match(name), name)

    def test_the_version_of_glibc_is_found(self) -> None:
        sys.path.insert(0, str(ROOT / "packaging"))
        import tarball
        found = tarball.latest_glibc(Path(sys.executable).resolve())
        self.assertGreaterEqual(found, (2, 2))
        self.assertLess(found, (3, 0))


if __name__ == "__main__":
    unittest.main()
