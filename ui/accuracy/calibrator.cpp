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
    m_running = true;
    ++m_asked;
    m_thread = std::jthread([this, rows = std::move(rows), asked = m_asked](const std::stop_token& stop) {
        Result<FitReport> report = fitCalibration(rows, {}, stop);
        QMetaObject::invokeMethod(
            this,
            [this, asked, made = std::move(report)] {
                if (asked != m_asked)
                    return;
                m_running = false;
                if (made)
                    m_report = *made;
                else
                    m_failure = made.error();
                Q_EMIT changed();
            },
            Qt::QueuedConnection);
    });
    Q_EMIT changed();
}

void Calibrator::stop() {
    if (!m_running)
        return;
    ++m_asked; // what still comes is not heard
    m_thread.request_stop();
    m_running = false;
    Q_EMIT changed();
}

} // namespace pw
