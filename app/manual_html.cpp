// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// pipewright-manual FOLDER OUT: the manual as HTML that needs no server, with its pictures and a stylesheet.
// Run by the build; what it writes is installed under share/doc.
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/manual/manual.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

namespace fs = std::filesystem;
using namespace pw;

namespace {

// "planners/default.md#seeds" as a page that a browser finds: the same path with .html.
std::string htmlTarget(const std::string& target) {
    const std::size_t hash = std::min(target.find('#'), target.size());
    const std::string_view file = std::string_view(target).substr(0, hash);
    if (isExternal(target) || !file.ends_with(".md"))
        return target;
    return fmt::format("{}.html{}", file.substr(0, file.size() - 3), target.substr(hash));
}

std::string escaped(std::string_view text) {
    std::string html;
    for (const char c : text)
        html += c == '&' ? std::string("&amp;") : c == '<' ? std::string("&lt;") : std::string(1, c);
    return html;
}

// From the page's folder back to the manual's.
std::string rootOf(const ManualPage& page) {
    std::string root;
    for (const char c : page.name)
        if (c == '/')
            root += "../";
    return root;
}

// Every page lists all pages and, of its own, the headings of the second level.
std::string contents(const Manual& manual, const ManualPage& here) {
    std::string list;
    for (const ManualPage& page : manual.pages()) {
        const bool own = page.name == here.name;
        list += fmt::format("<li><a href=\"{}{}\"{}>{}</a>", rootOf(here), htmlTarget(page.name),
                            own ? " aria-current=\"page\"" : "", escaped(page.title()));
        std::string inner;
        for (const ManualSection& section : page.sections)
            if (own && section.level == 2)
                inner += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.anchor,
                                     escaped(section.heading));
        list += inner.empty() ? "</li>\n" : "\n<ul>\n" + inner + "</ul></li>\n";
    }
    return list;
}

std::string document(const Manual& manual, const ManualPage& page) {
    return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{} - Pipewright {}</title>
<link rel="stylesheet" href="{}manual.css">
</head>
<body>
<nav aria-label="Contents"><ul>
{}</ul></nav>
<main>
{}</main>
</body>
</html>
)",
                       escaped(page.title()), version(), rootOf(page), contents(manual, page), page.html);
}

Status convert(const fs::path& from, const fs::path& to) {
    std::vector<ManualPage> pages;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
        const fs::path name = entry.path().lexically_relative(from);
        fs::create_directories((to / name).parent_path());
        if (entry.path().extension() == ".md") {
            const Result<std::string> text = readFile(entry.path());
            if (!text)
                return text.error();
            pages.push_back(readManualPage(name.generic_string(), *text, htmlTarget));
        } else if (entry.path().extension() == ".png" || entry.path().extension() == ".css") {
            fs::copy_file(entry.path(), to / name, fs::copy_options::overwrite_existing);
        }
    }
    const Manual manual(std::move(pages));
    for (const ManualPage& page : manual.pages())
        if (Status written = writeFileAtomically(to / htmlTarget(page.name), document(manual, page));
            !written)
            return written;
    return Ok{};
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("usage: pipewright-manual FOLDER OUT\n", stderr);
        return static_cast<int>(ErrorKind::BadInput);
    }
    try {
        const Status done = convert(argv[1], argv[2]);
        if (done)
            return 0;
        std::fprintf(stderr, "pipewright-manual: %s\n", done.error().text().c_str());
        return static_cast<int>(done.error().kind);
    } catch (const fs::filesystem_error& error) {
        std::fprintf(stderr, "pipewright-manual: %s\n", error.what());
        return static_cast<int>(ErrorKind::Failure);
    }
}
