// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/display.h"

#include "core/base/text.h"

#include <QLibrary>

#include <fmt/format.h>

#include <cerrno>
#include <netinet/in.h>
#include <string_view>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
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

// Of "vnc:size=1600x900:port=5977", which Qt would run on without anybody that could reach it.
std::optional<std::string> vncProblem(std::string_view platform) {
    constexpr int kMostPorts = 65535;
    std::int64_t port = 5900; // Qt's
    for (const std::string_view option : partsOf(platform, ':'))
        if (option.starts_with("port=")) {
            const std::string_view text = option.substr(std::string_view("port=").size());
            port = integerNumber(text).value_or(0);
            if (port < 1 || port > kMostPorts)
                return fmt::format("the port \"{}\" of vnc is none from 1 to {}", text, kMostPorts);
        }
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0)
        return std::nullopt; // nobody knows
    const int reuse = 1;     // as Qt does, after one that has just ended
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    ::setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    const bool bound = ::bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const int why = errno;
    ::close(probe);
    if (bound)
        return std::nullopt;
    return fmt::format("the port {} of vnc cannot be opened ({}): take another, as in -platform vnc:port={}",
                       port, std::generic_category().message(why), port < kMostPorts ? port + 1 : 5900);
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
            if (platform.starts_with("vnc") && !namesX && !namesWayland) // else it may not come to that
                if (std::optional<std::string> problem = vncProblem(platform))
                    return printable(*problem, kInLine);
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
    if (!tried.empty())
        text += " cannot be reached";
    return printable(text, kInLine) + ". pipewright-cli does the same on a terminal; pipewright -platform "
                                      "offscreen or -platform vnc runs without one";
}

} // namespace pw
