// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/links/link_measurement.h"
#include "core/profile/profile.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace pw {

// Adds rows, or timed collectives, to the user's store on a thread of its own, all or none: a million rows
// take seconds. Stopping undoes the transaction.
class StoreJob : public QObject {
    Q_OBJECT

public:
    explicit StoreJob(QObject* parent = nullptr);
    ~StoreJob() override;

    // The file and its folder are made if they are not there.
    void start(const QString& storePath, std::vector<ProfileRow> rows, std::vector<LinkMeasurement> links);
    void stop();
    bool isRunning() const { return m_running; }
    double share() const { return m_share->load(); }

Q_SIGNALS:
    void finished(const Status& stored);

private:
    bool m_running = false;
    std::shared_ptr<std::atomic<double>> m_share = std::make_shared<std::atomic<double>>(0.0);
    std::jthread m_thread; // last: joined before the rest dies
};

} // namespace pw
