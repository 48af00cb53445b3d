// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/calibration.h"
#include "core/cluster/cluster.h"
#include "ui/accuracy/accuracy_context.h"
#include "ui/accuracy/calibrator.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace pw {

// Fits the chosen source's runs: errors before, after and of runs that the fit has not seen, and the edit
// that applies the fit to the project's cluster. Factors that the command line has fitted are read from their
// file and applied likewise.
class CalibrationPanel : public QWidget {
    Q_OBJECT

public:
    explicit CalibrationPanel(AccuracyContext& context, QWidget* parent = nullptr);
    Calibrator& calibrator() { return m_calibrator; }
    void open(const QString& path); // a file of factors, as `calibrate --out` writes it

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void startOrStop();
    void apply();
    void choose();
    const Calibration* found() const; // of the file or the last fit; null: neither
    QString messageText() const;

    AccuracyContext& m_context;
    Calibrator m_calibrator;
    QLabel* m_note;
    QLabel* m_names[3];
    QLabel* m_values[3];
    QLabel* m_texts[3];
    QLabel* m_message;
    QProgressBar* m_busy;
    QPushButton *m_run, *m_apply, *m_open;
    std::optional<Result<Calibration>> m_file; // what the file says, if it was opened last
    QString m_fileName;
    QString m_applied; // what the last Apply did
    Cluster m_after;   // what it made: applying once more would count the fit twice
};

} // namespace pw
