// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/import_job.h"

namespace pw {

ImportJob::ImportJob(QObject* parent) : QObject(parent) {}

ImportJob::~ImportJob() = default;

void ImportJob::start(const ImportRequest& request, const Model* model) {
    m_place = std::make_shared<Mailbox<Place>>();
    m_job.start(
        [request, present = model ? std::optional(*model) : std::nullopt,
         place = m_place](const std::stop_token& stop) {
            return readImport(request, present ? &*present : nullptr, stop, [&](int file, double share) {
                place->write([&](Place& now) { now = {file, share}; });
            });
        },
        [this](Result<ImportReading> made) {
            ImportReading reading = made ? *std::move(made) : ImportReading();
            if (!made)
                reading.notes = diagnosticsOf(made.error());
            Q_EMIT finished(std::make_shared<const ImportReading>(std::move(reading)));
        });
}

void ImportJob::stop() {
    m_job.drop();
}

} // namespace pw
