// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/view.h"
#include "ui/sweep/sweep_program.h"

class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace pw {

class ElidedLabel;
class MessageBar;
class SlurmFields;
class SweepStudy;

// How far the open sweep is, and what works on it: here, or on Slurm. Below, what failed and what is chosen.
class SweepPanel : public View {
    Q_OBJECT

public:
    explicit SweepPanel(AppContext& context, QWidget* parent = nullptr);
    SweepProgram& program() { return m_program; }
    MessageBar* message() const { return m_message; }

private:
    QWidget* makeContent();
    QPushButton* makeButton(const char* name, const QString& iconName, const QString& text,
                            const QString& help);
    QWidget* makeEngines();
    QWidget* makeFailures();
    QWidget* makeChosen();
    void refresh();
    void refreshEngines();
    void refreshFailures();
    void refreshTrouble();
    void refreshChosen();
    void ended(const QString& said, const std::optional<Error>& error);

    AppContext& m_context;
    SweepStudy& m_study;
    SweepProgram m_program;
    MessageBar* m_message;
    ElidedLabel* m_path;
    QLabel *m_name, *m_counts, *m_left, *m_slurmNote;
    QProgressBar* m_bar;
    QSpinBox* m_processes;
    QPushButton *m_run, *m_stop, *m_submit, *m_cancel, *m_slurmOptions, *m_retry, *m_openPlan;
    SlurmFields* m_slurm;
    QWidget* m_failures;
    QLabel* m_failedCount;
    QListWidget* m_failed;
    QLabel *m_task, *m_figures;
    QString m_trouble; // that was told
};

} // namespace pw
