// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/base/background_job.h"
#include "ui/imports/import_reading.h"

#include <QObject>

#include <memory>

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
    bool isRunning() const { return m_job.isRunning(); }
    double share() const { return m_place->read().share; } // of the file that is being read
    int file() const { return m_place->read().file; }

Q_SIGNALS:
    void finished(std::shared_ptr<const pw::ImportReading> reading);

private:
    struct Place {
        int file = 0;
        double share = 0.0;
    };
    std::shared_ptr<Mailbox<Place>> m_place = std::make_shared<Mailbox<Place>>(); // of the last reading
    BackgroundJob m_job;                                                          // last: it uses the above
};

} // namespace pw
