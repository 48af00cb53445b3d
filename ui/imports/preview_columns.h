// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/document/plan_file.h"
#include "ui/base/format.h"
#include "ui/imports/import_preview.h"

#include <QCoreApplication>

// What the previews of all sorts share; not for use outside ui/imports.
namespace pw::preview {

inline QString tr(const char* text) {
    return QCoreApplication::translate("Preview", text);
}
inline QString count(std::int64_t n) {
    return countText(n);
}
inline QString counted(std::int64_t n, const char* one, const char* many) {
    return countText(n) + QLatin1Char(' ') + tr(n == 1 ? one : many);
}
inline QString unknown() {
    return tr("unknown, asked");
}
QString rate(const std::optional<BytesPerSecond>& value, const QString& otherwise = unknown());
QString milliseconds(Seconds time); // a dash for 0

// A table with a row an item; the columns keep the items alive.
template <class T>
struct Columns {
    std::shared_ptr<const std::vector<T>> items;
    std::vector<PreviewTable::Column> list;

    explicit Columns(std::shared_ptr<const std::vector<T>> all) : items(std::move(all)) {}
    explicit Columns(std::vector<T> all) : items(std::make_shared<const std::vector<T>>(std::move(all))) {}
    Columns& add(const char* title, std::function<QString(const T&)> text, bool figure = false) {
        list.push_back({tr(title), figure, [items = items, text = std::move(text)](int row) {
                            return text((*items)[static_cast<std::size_t>(row)]);
                        }});
        return *this;
    }
    std::unique_ptr<PreviewTable> table(const char* name) {
        return std::make_unique<PreviewTable>(tr(name), static_cast<int>(items->size()), std::move(list));
    }
};

// One a sort of content.
void rowsPreview(std::shared_ptr<const std::vector<ProfileRow>> rows, Preview& preview);
void linksPreview(const std::vector<LinkMeasurement>& links, Preview& preview);
void logsPreview(const TrainingLogs& logs, Preview& preview);
void trainerPreview(const TrainerPlan& plan, Preview& preview);
void plansPreview(const PlanFile& file, Preview& preview);

} // namespace pw::preview
