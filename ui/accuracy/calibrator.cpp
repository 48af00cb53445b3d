// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/calibrator.h"

namespace pw {

Calibrator::Calibrator(QObject* parent) : QObject(parent) {}

Calibrator::~Calibrator() = default;

void Calibrator::start(const QString& title, std::vector<RunRow> rows) {
    m_title = title;
    m_report.reset();
    m_failure.reset();
    m_job.start(
        [rows = std::move(rows)](const std::stop_token& stop) { return fitCalibration(rows, {}, stop); },
        [this](const Result<FitReport>& made) {
            if (made)
                m_report = *made;
            else
                m_failure = made.error();
            Q_EMIT changed();
        });
    Q_EMIT changed();
}

void Calibrator::stop() {
    if (!isRunning())
        return;
    m_job.drop();
    Q_EMIT changed();
}

} // namespace pw
