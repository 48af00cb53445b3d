// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/display.h"

#include "core/base/text.h"

#include <QLibrary>

#include <string_view>
#include <vector>

namespace pw {
namespace {

// The last value of an argument that Qt takes with one dash or two.
std::optional<std::string> valueOf(std::string_view flag, int argc, char** argv) {
    std::optional<std::string> value;
    for (int i = 1; i + 1 < argc; ++i) {
        std::string_view argument = argv[i];
        if (argument.starts_with("--"))
            argument.remove_prefix(1);
        if (argument == flag)
            value = argv[++i];
    }
    return value;
}

std::string environment(const char* variable) {
    return qEnvironmentVariableIsSet(variable) ? qgetenv(variable).toStdString() : std::string();
}

bool reachesX(const std::string& display) {
    QLibrary xcb(QStringLiteral("xcb"), 1);
    const auto connect = reinterpret_cast<void* (*)(const char*, int*)>(xcb.resolve("xcb_connect"));
    const auto failed = reinterpret_cast<int (*)(void*)>(xcb.resolve("xcb_connection_has_error"));
    const auto end = reinterpret_cast<void (*)(void*)>(xcb.resolve("xcb_disconnect"));
    if (connect == nullptr || failed == nullptr || end == nullptr)
        return true;
    void* connection = connect(display.c_str(), nullptr);
    const bool reached = failed(connection) == 0;
    end(connection);
    return reached;
}

bool reachesWayland() {
    if (qEnvironmentVariableIsSet("WAYLAND_SOCKET")) // an open one, which is good for one connection
        return true;
    QLibrary client(QStringLiteral("wayland-client"), 0);
    const auto connect = reinterpret_cast<void* (*)(const char*)>(client.resolve("wl_display_connect"));
    const auto end = reinterpret_cast<void (*)(void*)>(client.resolve("wl_display_disconnect"));
    if (connect == nullptr || end == nullptr)
        return true;
    void* connection = connect(nullptr);
    if (connection == nullptr)
        return false;
    end(connection);
    return true;
}

} // namespace

std::optional<std::string> displayProblem(int argc, char** argv) {
    const std::string platforms = valueOf("-platform", argc, argv).value_or(environment("QT_QPA_PLATFORM"));
    const std::string display = valueOf("-display", argc, argv).value_or(environment("DISPLAY"));
    bool asksX = !display.empty(), asksWayland = !environment("WAYLAND_DISPLAY").empty();
    if (!platforms.empty()) { // "wayland;xcb:option": one after the other
        bool namesX = false, namesWayland = false;
        for (const std::string_view platform : partsOf(platforms, ';')) {
            namesX = namesX || platform.starts_with("xcb");
            namesWayland = namesWayland || platform.starts_with("wayland");
            if (!platform.starts_with("xcb") && !platform.starts_with("wayland"))
                return std::nullopt; // offscreen, vnc, a frame buffer
        }
        asksX = asksX && namesX;
        asksWayland = namesWayland; // which has a name where none is given
    }
    if ((asksX && reachesX(display)) || (asksWayland && reachesWayland()))
        return std::nullopt;
    std::vector<std::string> tried;
    if (asksWayland) {
        const std::string name = environment("WAYLAND_DISPLAY");
        tried.push_back("Wayland display " + (name.empty() ? "wayland-0" : name));
    }
    if (asksX)
        tried.push_back("X display " + display);
    std::string text = tried.empty() ? "there is no display" : "the " + tried.front();
    if (tried.size() > 1)
        text += " and the " + tried.back();
    return tried.empty() ? text : printable(text + " cannot be reached", kInLine);
}

} // namespace pw
