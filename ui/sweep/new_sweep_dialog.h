// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/prepared_sweep.h"
#include "core/sweep/sweep_draft.h"
#include "ui/base/background_job.h"
#include "ui/commands/app_context.h"

#include <QDialog>
#include <QTemporaryDir>
#include <QTimer>

#include <memory>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace pw {

class AxisRows;
class MessageBar;
class TrainerBox;

// Makes a sweep around the open project: from one of the three questions, or from axes of one's own. What it
// comes to is worked out in the background with every edit, and nothing is written before it is told.
class NewSweepDialog : public QDialog {
    Q_OBJECT

public:
    explicit NewSweepDialog(AppContext& context, QWidget* parent = nullptr);
    ~NewSweepDialog() override;

    AxisRows* axes() const { return m_axes; }
    bool isReady() const { return m_prepared != nullptr; } // it can be written
    bool isChecking() const { return m_job.isRunning() || m_wait.isActive(); }

Q_SIGNALS:
    void made(const QString& folder);

private:
    QLineEdit* addNumber(QGridLayout& grid, const QString& label, const char* name, const QString& hint);
    QWidget* makeLimits();
    QWidget* makeFolder();
    void keepInputs();
    void takeTemplate();
    void edited();
    QList<QLineEdit*> numbers() const; // fields of them
    QString fault() const;             // of a field; empty: the document can be asked
    SweepDraft draft() const;
    QString searchText() const; // what the searches take over from Search, and what they do not
    void check();
    void checked(Result<PreparedSweep> prepared);
    void followWrite();
    void write();

    AppContext& m_context;
    QTemporaryDir m_inputs; // the project as it is now, and plans of it
    std::vector<std::string> m_plans;
    QComboBox* m_template;
    QLineEdit* m_name;
    TrainerBox* m_trainer;
    AxisRows* m_axes;
    QLineEdit *m_price = nullptr, *m_power = nullptr, *m_tokens = nullptr, *m_days = nullptr,
              *m_budget = nullptr, *m_overhead = nullptr, *m_gpuHours = nullptr, *m_checkpoint = nullptr,
              *m_restart = nullptr;
    QCheckBox* m_keep;
    QLineEdit* m_folder;
    QLabel* m_estimate;
    MessageBar* m_message;
    QPushButton* m_write;
    QTimer m_wait{this}; // for the end of what is typed
    std::shared_ptr<const PreparedSweep> m_prepared;
    bool m_writing = false;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
