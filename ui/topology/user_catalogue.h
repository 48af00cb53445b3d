// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/disk.h"
#include "core/project/project.h"

#include <QObject>
#include <QString>

#include <string>
#include <vector>

namespace pw {

// Device kinds of the user's own, in the form of the catalogue that ships, in one file of the settings
// folder. A project that uses one carries it, so that whoever opens it sees the same numbers: a later change
// here leaves other projects as they are. One for the program, like the theme.
class UserCatalogue : public QObject {
    Q_OBJECT

public:
    explicit UserCatalogue(const Disk& disk = systemDisk()) : m_disk(disk) {}
    static UserCatalogue& instance();

    // Reads `file`; none is an empty catalogue. One that cannot be read is reported and not written to.
    Status load(const QString& file);
    const std::vector<DeviceKind>& kinds() const { return m_kinds; }
    const DeviceKind* find(const std::string& name) const;

    // Puts `kind` in the place of the one called `name`, or adds it where there is none, and writes the file.
    // Refused: no name, the name of another kind here or in the catalogue that ships, a rate that is missing.
    Status put(const std::string& name, const DeviceKind& kind);
    Status remove(const std::string& name);
    std::string freeName(const std::string& wanted) const; // "Mine", "Mine 2", ...

Q_SIGNALS:
    void changed();

private:
    Status write(std::vector<DeviceKind> kinds);

    const Disk& m_disk;
    QString m_file;
    bool m_readable = true;
    std::vector<DeviceKind> m_kinds;
};

// Finer processes first, then faster kinds: the latest generations on top. The order of ties stays.
std::vector<DeviceKind> newestFirst(std::vector<DeviceKind> kinds);
// What a node of this cluster may be made of: the project's own kinds, the user's, those that ship; each name
// once, the former win.
std::vector<DeviceKind> kindsFor(const Cluster& cluster);
// `wanted` (Selection::kind()), if a node of this cluster may be made of it; else a common kind that ships.
std::string kindToDraw(const Cluster& cluster, const std::string& wanted);
// The project with the user's kind of that name in it, if only the user's catalogue has it.
Project withUserKind(const Project& project, const std::string& name);

} // namespace pw
