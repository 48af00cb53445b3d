// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"
#include "core/exchange/exports/export_set.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace pw {

// Exported scripts, run by a real bash with programs that only say what they were asked.
class ScriptRun {
public:
    // The files of an export as they lie in its folder, with the manifest that scripts ask for.
    explicit ScriptRun(const ExportResult& made) {
        static_cast<void>(writeSet(made.files, made.plan, m_folder.path().toStdString(), Replace::All));
    }

    // Puts a program into the path that prints its own name, chosen variables and its arguments, one a line.
    void fake(const QString& program, const QString& variables = {}) {
        QByteArray text = "#!/bin/bash\nprintf '%s\\n' \"" + program.toUtf8() + "\"\n";
        for (const QString& v : variables.split(QLatin1Char(' '), Qt::SkipEmptyParts))
            text += "printf '%s\\n' \"" + v.toUtf8() + "=${" + v.toUtf8() + ":-}\"\n";
        text += "printf '%s\\n' \"$@\"\n";
        place(program, text);
    }
    // Puts this program into the path.
    void place(const QString& program, const QByteArray& text) {
        write(QStringLiteral("bin/") + program, text);
    }

    struct Output {
        int code = -1;
        std::vector<std::string> lines;
        std::string errors;
    };
    Output run(const QStringList& command, const std::vector<std::pair<QString, QString>>& environment = {}) {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        QProcessEnvironment own = QProcessEnvironment::systemEnvironment();
        own.insert(QStringLiteral("PATH"), m_folder.filePath(QStringLiteral("bin")) + QLatin1Char(':') +
                                               own.value(QStringLiteral("PATH")));
        for (const auto& [name, value] : environment)
            own.insert(name, value);
        process.setProcessEnvironment(own);
        process.start(command.front(), command.mid(1));
        Output out;
        if (!process.waitForFinished(60000))
            return out;
        out.code = process.exitCode();
        for (const QByteArray& line : process.readAllStandardOutput().split('\n'))
            out.lines.push_back(line.toStdString());
        if (!out.lines.empty() && out.lines.back().empty())
            out.lines.pop_back();
        out.errors = process.readAllStandardError().toStdString();
        return out;
    }

    // What `bash -n` has to say against a file; empty: nothing.
    std::string syntax(const std::string& file) {
        const Output out = run({QStringLiteral("bash"), QStringLiteral("-n"), QString::fromStdString(file)});
        return out.code == 0 ? std::string() : file + ": " + out.errors;
    }

    QString path(const QString& name) const { return m_folder.filePath(name); }

private:
    void write(const QString& name, const QByteArray& text) {
        const QString path = m_folder.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return;
        file.write(text);
        file.setPermissions(file.permissions() | QFile::ExeOwner);
    }

    QTemporaryDir m_folder;
};

// The words of an array in a script, read by bash.
inline std::vector<std::string> arrayOf(const std::string& script, const std::string& name) {
    const QString text = QString::fromStdString(script);
    const QString body =
        text.section(QString::fromStdString("\n" + name + "=(\n"), 1).section(QStringLiteral("\n)"), 0, 0);
    ScriptRun run(ExportResult{});
    const auto out = run.run({QStringLiteral("bash"), QStringLiteral("-c"),
                              QStringLiteral("here=/x; printf '%s\\n' ") +
                                  QString(body).replace(QLatin1Char('\n'), QLatin1Char(' '))});
    return out.lines;
}

// What stands behind the flag, up to the next one.
inline std::vector<std::string> valuesOf(const std::vector<std::string>& words, const std::string& flag) {
    std::vector<std::string> values;
    auto at = std::find(words.begin(), words.end(), flag);
    while (at != words.end() && ++at != words.end() && !at->starts_with("--"))
        values.push_back(*at);
    return values;
}

// bash reads every script of them.
inline void checkScripts(const ExportResult& made) {
    ScriptRun scripts(made);
    for (const ExportFile& file : made.files)
        if (file.name.ends_with(".sh") || file.name.ends_with(".sbatch"))
            QVERIFY2(scripts.syntax(file.name).empty(), scripts.syntax(file.name).c_str());
}

} // namespace pw
