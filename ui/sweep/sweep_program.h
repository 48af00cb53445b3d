// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <optional>

namespace pw {

// Works a sweep off, submits and cancels it: with the very commands that a terminal has, as a child process,
// so that a search that takes all memory takes neither the window nor the other searches with it. One at a
// time.
class SweepProgram : public QObject {
    Q_OBJECT

public:
    enum class Task { Run, Submit, Cancel };

    explicit SweepProgram(QObject* parent = nullptr);
    ~SweepProgram() override; // asks what runs to end, and waits for it

    // pipewright-cli beside this program, else on the path; empty: there is none.
    static QString commandLine();
    void setCommandLine(const QString& program) { m_program = program; }
    static bool hasSlurm(); // sbatch is on the path

    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    Task task() const { return m_task; } // the latest
    QString folder() const { return m_folder; }
    int processes() const { return m_processes; } // of the latest run
    void run(const QString& folder, int processes, bool retryFailed);
    void submit(const QString& folder, const QStringList& slurm); // further flags of `sweep run`
    void cancel(const QString& folder, const QString& through);   // words before each command of Slurm
    void stop();                                                  // what is done is kept

Q_SIGNALS:
    void started();
    // `said`: in a sentence, empty where the results say it. No error where it was stopped, or tasks failed.
    void ended(const QString& said, const std::optional<pw::Error>& error);

private:
    void start(Task task, const QString& folder, const QStringList& words);
    void hear(int code, QProcess::ExitStatus how);

    QString m_program, m_folder;
    QProcess m_process;
    Task m_task = Task::Run;
    int m_processes = 1;
    bool m_stopped = false;
};

} // namespace pw
