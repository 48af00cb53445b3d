// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_program.h"

#include "core/base/json.h"
#include "ui/base/convert.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

namespace pw {

namespace {

constexpr int kEndMs = 10'000; // searches end at their next round

// What the command line says is wrong, as it said it.
Error errorOf(const Json& answer, int code, const QByteArray& words) {
    const auto kind = code >= 2 && code <= 4 ? static_cast<ErrorKind>(code) : ErrorKind::Failure;
    const Json said = answer.is_object() ? answer.value("error", Json::object()) : Json::object();
    if (!said.is_object() || !said.contains("message"))
        return Error(kind, "sweep.program", "",
                     {"the command line ended with exit code {code}: {message}",
                      {{"code", code}, {"message", q(words.toStdString()).trimmed().toStdString()}}});
    Error error(kind, said.value("code", "sweep.program"), said.value("where", ""),
                Wording::asIs(said.value("message", "")));
    for (const Json& reason : said.value("reasons", Json::array()))
        error.because(Wording::asIs(reason.is_object() ? reason.value("message", "") : reason.dump()));
    return error;
}

} // namespace

SweepProgram::SweepProgram(QObject* parent) : QObject(parent), m_program(commandLine()) {
    connect(&m_process, &QProcess::finished, this, &SweepProgram::hear);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError problem) {
        if (problem == QProcess::FailedToStart)
            Q_EMIT ended({},
                         failure("sweep.program", s(m_program),
                                 {"cannot be started ({reason})", {{"reason", s(m_process.errorString())}}}));
    });
}

SweepProgram::~SweepProgram() {
    m_process.disconnect(this);
    if (!isRunning())
        return;
    m_process.terminate();
    if (!m_process.waitForFinished(kEndMs))
        m_process.kill();
}

QString SweepProgram::commandLine() {
    const QString name = QStringLiteral("pipewright-cli");
    const QFileInfo beside(QDir(QCoreApplication::applicationDirPath()).filePath(name));
    return beside.isExecutable() ? beside.filePath() : QStandardPaths::findExecutable(name);
}

bool SweepProgram::hasSlurm() {
    return !QStandardPaths::findExecutable(QStringLiteral("sbatch")).isEmpty();
}

void SweepProgram::run(const QString& folder, int processes, bool retryFailed) {
    m_processes = processes;
    QStringList words = {QStringLiteral("run"), folder, QStringLiteral("--jobs"), QString::number(processes)};
    if (retryFailed)
        words << QStringLiteral("--retry-failed");
    start(Task::Run, folder, words);
}

void SweepProgram::submit(const QString& folder, const QStringList& slurm) {
    start(Task::Submit, folder,
          QStringList{QStringLiteral("run"), folder, QStringLiteral("--on"), QStringLiteral("slurm")} +
              slurm);
}

void SweepProgram::cancel(const QString& folder, const QString& through) {
    QStringList words = {QStringLiteral("cancel"), folder};
    if (!through.isEmpty())
        words << QStringLiteral("--through=") + through;
    start(Task::Cancel, folder, words);
}

void SweepProgram::stop() {
    m_stopped = isRunning();
    m_process.terminate();
}

void SweepProgram::start(Task task, const QString& folder, const QStringList& words) {
    if (isRunning())
        return;
    m_task = task;
    m_folder = folder;
    m_stopped = false;
    m_process.start(m_program, QStringList{QStringLiteral("--json"), QStringLiteral("sweep")} + words,
                    QIODevice::ReadOnly);
    Q_EMIT started();
}

void SweepProgram::hear(int code, QProcess::ExitStatus how) {
    const Json answer = Json::parse(m_process.readAllStandardOutput().toStdString(), nullptr, false);
    const QByteArray words = m_process.readAllStandardError();
    if (how == QProcess::CrashExit && !m_stopped)
        return Q_EMIT ended({}, failure("sweep.program", s(m_program),
                                        {"ended with {how} without getting on", {{"how", "a signal"}}}));
    // Open and failed tasks stand in the results.
    const bool told = m_stopped || (answer.is_object() && answer.contains("done"));
    if (code != 0 && !told)
        return Q_EMIT ended({}, errorOf(answer, code, words));
    if (m_task == Task::Run || !answer.is_object())
        return Q_EMIT ended(m_stopped ? tr("Stopped; what was done is kept.") : QString(), std::nullopt);
    QStringList ids;
    for (const Json& id : answer.value(m_task == Task::Submit ? "jobs" : "cancelled", Json::array()))
        ids << q(id.get<std::string>());
    const QString list = ids.join(QStringLiteral(", "));
    if (m_task == Task::Submit)
        Q_EMIT ended(ids.isEmpty() ? tr("Nothing to submit: all open chunks wait or run already.")
                                   : tr("Submitted as job %1.").arg(list),
                     std::nullopt);
    else
        Q_EMIT ended(ids.isEmpty() ? tr("Nothing was queued.") : tr("Cancelled job %1.").arg(list),
                     std::nullopt);
}

} // namespace pw
