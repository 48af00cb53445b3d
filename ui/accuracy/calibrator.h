// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/calibrate/fit.h"
#include "ui/base/background_job.h"

#include <QObject>
#include <QString>

#include <optional>

namespace pw {

// Fits device and link figures to runs, on a thread of its own: some 1,000 runs take minutes.
class Calibrator : public QObject {
    Q_OBJECT

public:
    explicit Calibrator(QObject* parent = nullptr);
    ~Calibrator() override;

    void start(const QString& title, std::vector<RunRow> rows); // one that runs is stopped
    void stop();                                                // without a result
    bool isRunning() const { return m_job.isRunning(); }
    const QString& title() const { return m_title; }                    // of the runs last given
    const std::optional<FitReport>& report() const { return m_report; } // of the last fit that ended
    const std::optional<Error>& failure() const { return m_failure; }   // why there is none

Q_SIGNALS:
    void changed();

private:
    QString m_title;
    std::optional<Error> m_failure;
    std::optional<FitReport> m_report;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
