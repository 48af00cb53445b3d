// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/disk.h"
#include "core/base/result.h"
#include "core/links/link_measurement.h"
#include "core/profile/profile.h"
#include "ui/base/background_job.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace pw {

// Adds rows, or timed collectives, to the user's store on a thread of its own, all or none: a million rows
// take seconds. Stopping undoes the transaction.
class StoreJob : public QObject {
    Q_OBJECT

public:
    explicit StoreJob(QObject* parent = nullptr, const Disk& disk = systemDisk()); // of the folder
    ~StoreJob() override;

    // The file and its folder are made if they are not there.
    void start(const QString& storePath, std::vector<ProfileRow> rows, std::vector<LinkMeasurement> links);
    void stop();
    bool isRunning() const { return m_job.isRunning(); }
    double share() const { return m_share->read(); }

Q_SIGNALS:
    void finished(const Status& stored);

private:
    const Disk& m_disk;
    std::shared_ptr<Mailbox<double>> m_share = std::make_shared<Mailbox<double>>(); // of the rows that are in
    BackgroundJob m_job;                                                            // last: it uses the above
};

} // namespace pw
