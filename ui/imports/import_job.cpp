// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/import_job.h"

namespace pw {

ImportJob::ImportJob(QObject* parent) : QObject(parent) {}

ImportJob::~ImportJob() = default;

void ImportJob::start(const ImportRequest& request, const Model* model) {
    stop();
    m_running = true;
    ++m_asked;
    m_share->store(0.0);
    m_file->store(0);
    std::optional<Model> present;
    if (model)
        present = *model;
    m_thread = std::jthread([this, request, present = std::move(present), asked = m_asked, share = m_share,
                             file = m_file](const std::stop_token& stop) {
        auto reading = std::make_shared<ImportReading>(
            readImport(request, present ? &*present : nullptr, stop, [&](int number, double part) {
                file->store(number);
                share->store(part);
            }));
        QMetaObject::invokeMethod(
            this,
            [this, asked, reading = std::move(reading)] {
                if (asked != m_asked)
                    return;
                m_running = false;
                Q_EMIT finished(reading);
            },
            Qt::QueuedConnection);
    });
}

void ImportJob::stop() {
    if (!m_running)
        return;
    ++m_asked; // what still comes is not heard
    m_thread.request_stop();
    m_running = false;
}

} // namespace pw
