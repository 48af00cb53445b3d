// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/imports/import_reading.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <thread>

namespace pw {

// Reads files on a thread of its own: a trace of 100 MB takes seconds. One reading at a time; the answer of
// one that was stopped is not heard.
class ImportJob : public QObject {
    Q_OBJECT

public:
    explicit ImportJob(QObject* parent = nullptr);
    ~ImportJob() override;

    void start(const ImportRequest& request, const Model* model); // copied; one that runs is stopped
    void stop();
    bool isRunning() const { return m_running; }
    double share() const { return m_share->load(); } // of the file that is being read
    int file() const { return m_file->load(); }

Q_SIGNALS:
    void finished(std::shared_ptr<const pw::ImportReading> reading);

private:
    bool m_running = false;
    int m_asked = 0;
    // Shared with the thread, which may outlast a stop.
    std::shared_ptr<std::atomic<double>> m_share = std::make_shared<std::atomic<double>>(0.0);
    std::shared_ptr<std::atomic<int>> m_file = std::make_shared<std::atomic<int>>(0);
    std::jthread m_thread; // last: joined before the rest dies
};

} // namespace pw
