// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/constants.h"

#include "core/base/json.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace pw {

namespace embedded {
extern const char* const
    constantsJson; // resources/calibration/constants.json, written into a unit by the build
}

namespace {

[[noreturn]] void fatal(const std::string& text) {
    std::fprintf(stderr, "fitted constants: %s\n", text.c_str());
    std::abort();
}

std::vector<FittedConstant> read() {
    const Result<Json> document = parseJson(embedded::constantsJson, "constants.json");
    if (!document)
        fatal(document.error().text());
    const JsonReader reader(*document, "constants.json");
    std::vector<FittedConstant> list;
    for (const auto& [section, content] : reader.object("sections").members())
        for (const JsonReader& item : content.items())
            list.push_back({section, item.text("name"), item.number("value", -1e300, 1e300),
                            item.text("unit"), item.text("meaning"), item.text("source")});
    if (const Status sound = reader.status(); !sound)
        fatal(sound.error().text());
    return list;
}

} // namespace

std::span<const FittedConstant> fittedConstants() {
    static const std::vector<FittedConstant> list = read();
    return list;
}

double fittedConstant(std::string_view section, std::string_view name) {
    for (const FittedConstant& constant : fittedConstants())
        if (constant.section == section && constant.name == name)
            return constant.value;
    fatal("no " + std::string(section) + "." + std::string(name));
}

} // namespace pw
