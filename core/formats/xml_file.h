// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"

#include <pugixml.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace pw {

// A well-formed XML document under the rules for every import: no entity declared, nothing fetched, nesting
// of 128 and 1,000,000 elements at most, one root, no attribute twice. A bare DOCTYPE is fine.
class XmlFile {
public:
    static Result<XmlFile> parse(std::string_view text, const std::string& file);

    pugi::xml_node root() const { return m_document->document_element(); }
    std::string where(const pugi::xml_node& node) const; // "file:line:column <name>"
    int line(const pugi::xml_node& node) const;

    // Reads typed attributes; what is wrong with one goes to `faults` and reads as the fallback.
    std::int64_t count(const pugi::xml_node& node, const char* name, std::int64_t low, std::int64_t high,
                       std::int64_t fallback, TextFaults& faults) const;
    double number(const pugi::xml_node& node, const char* name, double low, double high, double fallback,
                  TextFaults& faults) const;

private:
    XmlFile() = default;
    std::unique_ptr<pugi::xml_document> m_document;
    std::string m_file;
    std::vector<std::size_t> m_lineStarts;
};

// Attribute as text, "" where it is absent.
inline std::string_view attribute(const pugi::xml_node& node, const char* name) {
    return node.attribute(name).as_string();
}

// The next element in document order after `node`, below `top`; an empty node at the end. Importers walk
// with it in place of recursion.
pugi::xml_node nextElement(const pugi::xml_node& node, const pugi::xml_node& top);

} // namespace pw
