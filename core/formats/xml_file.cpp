// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/xml_file.h"

#include "core/formats/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pw {

namespace {

constexpr int kMostNested = 128;
constexpr std::size_t kMostAttributes = 256; // of one element

// Counted in the text, before anything is built: a tag takes a name right behind its bracket.
std::size_t tagsIn(std::string_view text) {
    std::size_t tags = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        tags += text[i] == '<' && text[i + 1] != '/' && text[i + 1] != '!' && text[i + 1] != '?' ? 1 : 0;
    return tags;
}

} // namespace

pugi::xml_node nextElement(const pugi::xml_node& node, const pugi::xml_node& top) {
    const auto element = [](pugi::xml_node n) {
        while (n && n.type() != pugi::node_element)
            n = n.next_sibling();
        return n;
    };
    if (const pugi::xml_node child = element(node.first_child()))
        return child;
    for (pugi::xml_node at = node; at && at != top; at = at.parent())
        if (const pugi::xml_node next = element(at.next_sibling()))
            return next;
    return {};
}

Result<XmlFile> XmlFile::parse(std::string_view text, const std::string& file) {
    if (tagsIn(text) > ImportLimits::xmlElements)
        return badInput("xml.size", file,
                        {"has more than {limit} elements", {{"limit", ImportLimits::xmlElements}}});
    XmlFile xml;
    xml.m_file = file;
    xml.m_document = std::make_unique<pugi::xml_document>();
    const pugi::xml_parse_result read = xml.m_document->load_buffer(
        text.data(), text.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
    if (!read)
        return badInput("xml.syntax", placeOf(file, text, static_cast<std::size_t>(read.offset)),
                        {"is not well-formed XML: {reason}", {{"reason", read.description()}}});
    xml.m_lineStarts.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\n')
            xml.m_lineStarts.push_back(i + 1);

    int roots = 0;
    for (const pugi::xml_node& node : xml.m_document->children()) {
        if (node.type() == pugi::node_doctype &&
            std::string_view(node.value()).find("<!ENTITY") != std::string_view::npos)
            return badInput("xml.entity", placeOf(file, text, text.find("<!ENTITY")),
                            "declares an entity; entities are not read");
        if (node.type() == pugi::node_element && ++roots == 2)
            return badInput("xml.syntax", xml.where(node), "is a second root element; expected one");
    }
    const pugi::xml_node root = xml.root();
    int depth = 0;
    pugi::xml_node before;
    for (pugi::xml_node node = root; node; node = nextElement(node, root)) {
        if (before && node.parent() == before)
            ++depth;
        else
            for (pugi::xml_node up = before; up && up.parent() != node.parent(); up = up.parent())
                --depth;
        before = node;
        if (depth >= kMostNested)
            return badInput("xml.depth", xml.where(node),
                            {"is nested deeper than {levels} levels", {{"levels", kMostNested}}});
        std::set<std::string_view> names;
        for (const pugi::xml_attribute& attr : node.attributes()) {
            if (!names.insert(attr.name()).second)
                return badInput("xml.syntax", xml.where(node),
                                {"has the attribute {name} twice", {{"name", attr.name()}}});
            if (names.size() > kMostAttributes)
                return badInput("xml.size", xml.where(node),
                                {"has more than {limit} attributes", {{"limit", kMostAttributes}}});
        }
    }
    return xml;
}

int XmlFile::line(const pugi::xml_node& node) const {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
    const auto next = std::upper_bound(m_lineStarts.begin(), m_lineStarts.end(), offset);
    return static_cast<int>(next - m_lineStarts.begin());
}

std::string XmlFile::where(const pugi::xml_node& node) const {
    const int at = line(node);
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
    return fmt::format("{}:{}:{} <{}>", m_file, at, offset - m_lineStarts[static_cast<std::size_t>(at - 1)],
                       node.name());
}

std::int64_t XmlFile::count(const pugi::xml_node& node, const char* name, std::int64_t low, std::int64_t high,
                            std::int64_t fallback, TextFaults& faults) const {
    if (!node.attribute(name))
        return fallback;
    const std::optional<std::int64_t> value = integerNumber(attribute(node, name));
    if (value && *value >= low && *value <= high)
        return *value;
    faults.add("xml.count", where(node),
               {"{name} is \"{found}\"; expected a whole number from {low} to {high}",
                {{"name", name}, {"found", attribute(node, name)}, {"low", low}, {"high", high}}});
    return fallback;
}

double XmlFile::number(const pugi::xml_node& node, const char* name, double low, double high, double fallback,
                       TextFaults& faults) const {
    if (!node.attribute(name))
        return fallback;
    const std::optional<double> value = finiteNumber(attribute(node, name));
    if (value && *value >= low && *value <= high)
        return *value;
    faults.add("xml.number", where(node),
               {"{name} is \"{found}\"; expected a number from {low} to {high}",
                {{"name", name},
                 {"found", attribute(node, name)},
                 {"low", fmt::format("{:g}", low)},
                 {"high", fmt::format("{:g}", high)}}});
    return fallback;
}

} // namespace pw
