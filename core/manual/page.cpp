// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/manual/page.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>

namespace pw {

namespace {

constexpr int kOptions = CMARK_OPT_VALIDATE_UTF8;

struct Free {
    void operator()(cmark_node* node) const { cmark_node_free(node); }
    void operator()(cmark_parser* parser) const { cmark_parser_free(parser); }
    void operator()(cmark_iter* iterator) const { cmark_iter_free(iterator); }
    void operator()(char* text) const { std::free(text); } // of the default allocator
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

Owned<cmark_node> parse(std::string_view markdown) {
    cmark_gfm_core_extensions_ensure_registered();
    const Owned<cmark_parser> parser(cmark_parser_new(kOptions));
    for (const char* name : {"table", "strikethrough", "autolink"})
        cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension(name));
    cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
    return Owned<cmark_node>(cmark_parser_finish(parser.get()));
}

template <class Visit>
void everyNode(cmark_node* root, const Visit& visit) {
    const Owned<cmark_iter> iterator(cmark_iter_new(root));
    for (cmark_event_type event = cmark_iter_next(iterator.get()); event != CMARK_EVENT_DONE;
         event = cmark_iter_next(iterator.get()))
        if (event == CMARK_EVENT_ENTER)
            visit(cmark_iter_get_node(iterator.get()));
}

bool isBlock(cmark_node_type type) {
    return (type & CMARK_NODE_TYPE_MASK) == CMARK_NODE_TYPE_BLOCK;
}

std::string plainText(cmark_node* root) {
    std::string text;
    everyNode(root, [&](cmark_node* node) {
        const cmark_node_type type = cmark_node_get_type(node);
        const bool parts = isBlock(type) || type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK;
        if (parts && !text.empty() && text.back() != ' ')
            text += ' ';
        if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE || type == CMARK_NODE_CODE_BLOCK)
            text += cmark_node_get_literal(node);
    });
    return text;
}

std::string rendered(cmark_node* node) {
    const Owned<char> html(cmark_render_html(node, kOptions, nullptr));
    return html.get();
}

// Of a character outside ASCII: whether it belongs to a word. Punctuation, arrows, mathematical and other
// signs lie in Latin-1's second half and from U+2000 to U+2BFF.
bool isWord(char32_t c) {
    return c > 0xBF ? c != 0xD7 && c != 0xF7 && (c < 0x2000 || c > 0x2BFF)
                    : c == 0xAA || c == 0xB5 || c == 0xBA;
}

} // namespace

std::string headingAnchor(std::string_view heading) {
    std::string anchor;
    for (std::size_t i = 0; i < heading.size(); ++i) {
        const auto byte = static_cast<unsigned char>(heading[i]);
        if (byte < 0x80) {
            if (std::isalnum(byte) || byte == '-' || byte == '_')
                anchor += static_cast<char>(std::tolower(byte));
            else if (byte == ' ')
                anchor += '-';
            continue;
        }
        const std::size_t more = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
        char32_t c = byte & (0x3Fu >> more);
        for (std::size_t k = 1; k <= more && i + k < heading.size(); ++k)
            c = c << 6 | (static_cast<unsigned char>(heading[i + k]) & 0x3Fu);
        if (isWord(c))
            anchor += heading.substr(i, more + 1);
        i += more;
    }
    return anchor;
}

std::string ManualPage::title() const {
    for (const ManualSection& section : sections)
        if (section.level > 0)
            return section.heading;
    return name;
}

ManualPage readManualPage(std::string name, std::string_view markdown, const LinkRewrite& rewrite) {
    ManualPage page;
    page.name = std::move(name);
    const Owned<cmark_node> document = parse(markdown);
    everyNode(document.get(), [&](cmark_node* node) {
        if (cmark_node_get_type(node) == CMARK_NODE_IMAGE)
            page.pictures.emplace_back(cmark_node_get_url(node));
        if (cmark_node_get_type(node) != CMARK_NODE_LINK)
            return;
        page.links.emplace_back(cmark_node_get_url(node));
        if (rewrite)
            cmark_node_set_url(node, rewrite(page.links.back()).c_str());
    });
    std::map<std::string, int> seen;
    for (cmark_node* node = cmark_node_first_child(document.get()); node; node = cmark_node_next(node)) {
        std::string html = rendered(node);
        if (cmark_node_get_type(node) == CMARK_NODE_HEADING) {
            ManualSection section{cmark_node_get_heading_level(node), plainText(node), {}, {}};
            section.anchor = headingAnchor(section.heading);
            if (const int before = seen[section.anchor]++; before > 0)
                section.anchor += "-" + std::to_string(before);
            html.insert(3, " id=\"" + section.anchor + "\""); // behind "<h2"
            page.sections.push_back(std::move(section));
        } else {
            if (page.sections.empty())
                page.sections.emplace_back();
            std::string& words = page.sections.back().words;
            words += (words.empty() ? "" : " ") + plainText(node);
        }
        page.html += html;
    }
    return page;
}

} // namespace pw
