// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMimeData>
#include <QString>
#include <QStringList>

#include <optional>

namespace pw {

// What comes from the palette to the canvas: "kind" + a catalogue name, "template" + its key, "switch" +
// medium, or "note".
struct DragPayload {
    static constexpr char kMime[] = "application/x-pipewright-palette";
    QString what, name;
    QString kind; // chosen in the palette, for templates
    bool operator==(const DragPayload&) const = default;

    QMimeData* toMime() const {
        auto* data = new QMimeData;
        data->setData(QLatin1String(kMime),
                      (what + QLatin1Char('\n') + name + QLatin1Char('\n') + kind).toUtf8());
        return data;
    }
    static std::optional<DragPayload> fromMime(const QMimeData& data) {
        if (!data.hasFormat(QLatin1String(kMime)))
            return std::nullopt;
        const QStringList parts = QString::fromUtf8(data.data(QLatin1String(kMime))).split(QLatin1Char('\n'));
        if (parts.size() != 3)
            return std::nullopt;
        return DragPayload{parts[0], parts[1], parts[2]};
    }
};

// GPUs that leave the canvas for a stage, by their ids.
struct DeviceDrag {
    static constexpr char kMime[] = "application/x-pipewright-devices";
    static QMimeData* toMime(const QStringList& devices) {
        auto* data = new QMimeData;
        data->setData(QLatin1String(kMime), devices.join(QLatin1Char('\n')).toUtf8());
        return data;
    }
    static QStringList fromMime(const QMimeData& data) {
        return QString::fromUtf8(data.data(QLatin1String(kMime)))
            .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    }
};

} // namespace pw
