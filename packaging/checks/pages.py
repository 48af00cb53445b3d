#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Markdown pages: every link, anchor, picture and quoted path leads somewhere, every page of the manual can be
reached from another, every test that a page names is there, every page that code cites ships, every path in a comment
is there, the folders are told as they are built, and README.md stays short. What a program prints is compared with its
quotes by quotes_test, which has a built program.
"""
import re
from pathlib import Path
from typing import Iterator
from urllib.parse import unquote

from tree import DATA, all_files, arguments, line_at, report, text_of

README_LINES = 150
MANUAL = "resources/manual/"
CODE = (".cpp", ".h", ".in", ".py", ".cmake", ".txt")
_FENCE = re.compile(r"^(```+|~~~+).*?^\1[ \t]*$", re.M | re.S)
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]*)>?(?:\s+\"[^\"]*\")?\s*\)")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?\s*$", re.M)
_HTML = re.compile(r"<(?:img|a)\b[^>]*?\b(?:src|href)=\"([^\"]*)\"")
_NO_WORDS = re.compile(r"!\[\s*\]\([^)]*\)")
_QUOTED = re.compile(r"`([^`\n]+)`")
_OWN_PATH = re.compile(r"(?:core|ui|app|tests|packaging|resources|samples|\.ci)/[\w./+-]*\w")
_COMMENT = re.compile(r"^[ \t]*//(.*)$|[ \t]//(?!/)(.*)$", re.M)
_CODE_PATH = re.compile(r"(?<![\w/.-])(?:core|ui|app|tests|packaging|resources|samples)/[\w./-]*\w")
_STREET = re.compile(r"^add_subdirectory\((\w+)\)", re.M)
_TEST = re.compile(r"\w+_(?:test|perf)")
_CASE = re.compile(r"\b[a-z]+[A-Z]\w*\b")
_CITED = re.compile(r"(?<![\w*])((?:[\w.-]+/)*[A-Za-z][\w.-]*\.md)\b(?:#([\w-]+))?")
_OUTSIDE = re.compile(r"design reference|\(contract: |\b[Tt]he (?:design|contract)\b(?! of)|\b[Ss]ee README, \w")


def blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def anchors_of(text: str) -> set[str]:
    """The anchors of a page's headings, as the usual renderers name them, and those that it gives itself."""
    found: set[str] = set()
    prose = _FENCE.sub(blank, text)
    for match in re.finditer(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", prose, re.M):
        heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", match[1])
        plain = re.sub(r"[^\w\- ]", "", heading.lower().replace("`", "")).replace(" ", "-")
        name, count = plain, 0
        while name in found:
            count += 1
            name = f"{plain}-{count}"
        found.add(name)
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", prose))


class Pages:
    def __init__(self, root: Path) -> None:
        self.root = root
        everything = all_files(root)
        self.known = set(everything) | {str(parent) for name in everything for parent in Path(name).parents}
        self.files = [name for name in everything if not name.startswith(DATA)]
        self.texts = {name: text_of(root, name) for name in self.files if name.endswith(".md")}
        self.anchors = {name: anchors_of(text) for name, text in self.texts.items()}
        self.reached: set[str] = set()
        self.links = 0

    def resolved(self, page: str, target: str) -> str:
        parts: list[str] = []
        for part in (Path(page).parent / target).parts:
            if part != "..":
                parts.append(part)
            elif parts:
                parts.pop()
        return "/".join(parts) or "."

    def links_of(self, page: str) -> Iterator[str]:
        text = _FENCE.sub(blank, self.texts[page])
        for match in _NO_WORDS.finditer(text):
            yield f"{page}:{line_at(text, match.start())}: a picture without words for those who do not see it"
        prose = _QUOTED.sub(blank, text)
        for pattern in (_LINK, _REFERENCE, _HTML):
            for match in pattern.finditer(prose):
                target = match[1]
                if re.match(r"[a-z][a-z+.-]*:", target):
                    continue  # of the world: nothing here can tell
                self.links += 1
                path, _, anchor = unquote(target).partition("#")
                name = self.resolved(page, path) if path else page
                place = f"{page}:{line_at(prose, match.start(1))}: "
                if name not in self.known:
                    yield f"{place}{target} leads nowhere"
                    continue
                if name != page:
                    self.reached.add(name)
                if anchor and name in self.anchors and anchor not in self.anchors[name]:
                    yield f"{place}{name} has no heading #{anchor}"

    def quotes_of(self, page: str) -> Iterator[str]:
        text = _FENCE.sub(blank, self.texts[page])
        for match in _QUOTED.finditer(text):
            if _OWN_PATH.fullmatch(match[1]) and match[1].rstrip("/") not in self.known:
                yield f"{page}:{line_at(text, match.start())}: there is no {match[1]}"

    def tests_of(self, page: str) -> Iterator[str]:
        """`name_test` is a program of tests/, and what a page of tests/ writes like a test function is one."""
        text = _FENCE.sub(blank, self.texts[page])
        programs = {Path(name).stem for name in self.files
                    if name.startswith("tests/") and name.endswith((".cpp", ".py"))}
        for match in _QUOTED.finditer(text):
            if _TEST.fullmatch(match[1]) and match[1] not in programs:
                yield f"{page}:{line_at(text, match.start())}: there is no test {match[1]}"
        if not page.startswith("tests/"):
            return
        words = set()
        for name in self.files:
            if name.startswith("tests/") and name.endswith((".cpp", ".h", ".py")):
                words |= set(re.findall(r"\w+", text_of(self.root, name)))
        prose = re.sub(r"\([^)]*\)", blank, _QUOTED.sub(blank, text))
        for match in _CASE.finditer(prose):
            if match[0] not in words:
                yield f"{page}:{line_at(prose, match.start())}: no test has {match[0]}"

    def cited(self) -> Iterator[str]:
        """Pages that comments and messages of the code name, by their path or by their place in the manual."""
        for name in self.files:
            if not name.endswith(CODE) or name.startswith(("packaging/checks/", "tests/")):
                continue  # these make pages up
            text = text_of(self.root, name)
            for match in _CITED.finditer(text):
                if match[1].endswith("/README.md") or match[1] == "PAGE.md":
                    continue  # of another project; any page
                own = (match[1], MANUAL + match[1], self.resolved(name, match[1]),
                       self.resolved(MANUAL + "generated/page.md", match[1]))
                pages = [page for page in own if page in self.texts]
                place = f"{name}:{line_at(text, match.start())}: "
                if not pages:
                    yield f"{place}cites {match[1]}, which does not ship"
                elif match[2] and match[2] not in self.anchors[pages[0]]:
                    yield f"{place}{pages[0]} has no heading #{match[2]}"

    def promised(self) -> Iterator[str]:
        """What our code and data call a document that does not ship, or a part of one that is not there."""
        for name in self.files:
            if name.endswith((".cpp", ".h")) and not name.startswith("tests/") \
                    or name.startswith("resources/calibration/"):
                text = text_of(self.root, name)
                for match in _OUTSIDE.finditer(text):
                    yield f"{name}:{line_at(text, match.start())}: cites what does not ship: {match[0].strip(' (:')}"

    def commented(self) -> Iterator[str]:
        """Paths of the tree that comments of C++ name; a unit goes by its path without an ending, too."""
        for name in self.files:
            if name.endswith((".cpp", ".h")):
                text = text_of(self.root, name)
                for comment in _COMMENT.finditer(text):
                    for match in _CODE_PATH.finditer(comment[0]):
                        if not {match[0], match[0] + ".h", match[0] + ".cpp"} & self.known:
                            yield f"{name}:{line_at(text, comment.start())}: there is no {match[0]}"

    def streets(self) -> Iterator[str]:
        """The tables of folders in architecture.md are there and have the folders of the build, in its order."""
        page = MANUAL + "architecture.md"
        for heading, folder in (("core/", "core"), ("street", "core/search")):
            table = re.search(rf"^\| {heading} \|.*\n((?:\|.*\n)+)", self.texts.get(page, ""), re.M)
            lists = f"{folder}/CMakeLists.txt"
            if lists not in self.known:
                continue
            if not table:
                yield f"{page}: no table begins with \"| {heading} |\", which tells the folders of {folder}"
                continue
            told = [word for row in table[1].splitlines() for word in re.findall(r"`(\w+)`", row.split("|")[1])]
            built = _STREET.findall(text_of(self.root, lists))
            if told != built:
                odd = sorted(set(told) ^ set(built))
                yield f"{page}: folders of {folder} are not those of {lists}: " + (", ".join(odd) or "another order")

    def lonely(self) -> Iterator[str]:
        """Pages and pictures of the manual that nothing leads to; its first page is what the others hang from."""
        for name in self.files:
            if name.startswith(MANUAL) and name.endswith((".md", ".png", ".svg")) and name not in self.reached:
                if name != MANUAL + "index.md":
                    yield f"{name}: no page leads here"

    def findings(self) -> Iterator[str]:
        for page in self.texts:
            yield from self.links_of(page)
            yield from self.quotes_of(page)
            yield from self.tests_of(page)
        yield from self.cited()
        yield from self.promised()
        yield from self.commented()
        yield from self.streets()
        yield from self.lonely()
        lines = self.texts.get("README.md", "").count("\n")
        if lines > README_LINES:
            yield f"README.md: {lines} lines, at most {README_LINES} are to stand there"


def main() -> None:
    pages = Pages(arguments(__doc__).root)
    findings = list(pages.findings())
    report(findings, f"{len(pages.texts)} pages, {pages.links} links")


if __name__ == "__main__":
    main()
