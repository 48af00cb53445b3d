// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/logged_events.h"

#include "ui/base/config_folder.h"
#include "ui/base/convert.h"
#include "ui/commands/app_context.h"
#include "ui/diagnostics/window_log.h"
#include "ui/imports/import_reading.h"
#include "ui/session/document.h"
#include "ui/session/improver.h"
#include "ui/session/search_runner.h"
#include "ui/session/tournament_runner.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/autosave.h"
#include "ui/window/file_actions.h"
#include "ui/window/settings.h"

namespace pw {

namespace {

constexpr std::size_t kMostNotes = 20; // of one import

// The log's words are English: it is read by who mends the program, too.
QString projectText(const Project& project) {
    return QStringLiteral("%1 nodes, %2 GPUs, %3 links, model %4, %5 measured rows, %6 kept plans")
        .arg(project.cluster.nodes.size())
        .arg(project.cluster.gpuCount())
        .arg(project.cluster.links.size())
        .arg(project.model ? q(project.model->name) : QStringLiteral("none"))
        .arg(project.profiles.size())
        .arg(project.plans.size());
}

QString placeOf(const Document& document) {
    return document.path().isEmpty() ? QStringLiteral("a new project") : document.path();
}

} // namespace

void logEvents(WindowLog& log, const AppContext& app, const FileActions& files, const Autosave& autosave,
               const Improver& improver, QObject* owner) {
    const auto info = [&log](const QString& place, const QString& text) {
        log.write(LogLevel::Info, place, text);
    };
    const Document& document = app.document;
    QObject::connect(&files, &FileActions::opened, owner, [&document, info] {
        info(placeOf(document), QStringLiteral("opened: ") + projectText(*document.project()));
    });
    QObject::connect(&files, &FileActions::saved, owner, [&document, info] {
        info(placeOf(document), QStringLiteral("saved: ") + projectText(*document.project()));
    });
    QObject::connect(&autosave, &Autosave::kept, owner, [&log, &autosave, &document] {
        log.write(LogLevel::Debug, autosave.file(),
                  QStringLiteral("keeps unsaved work of ") + placeOf(document));
    });
    const SearchRunner& runner = app.runner;
    QObject::connect(&runner, &SearchRunner::finished, owner, [&log, &runner] {
        if (runner.failure())
            log.write(QStringLiteral("The search did not run."), *runner.failure());
    });
    const TournamentRunner& tournament = app.tournament;
    QObject::connect(&tournament, &TournamentRunner::finished, owner, [&log, &tournament] {
        if (tournament.failure())
            log.write(QStringLiteral("The planners were not compared."), *tournament.failure());
    });
    QObject::connect(&improver, &Improver::finished, owner, [&improver, info] {
        if (!improver.failure()) // which a bar shows
            info(QStringLiteral("improve"), improver.text());
    });
}

void logErrors(WindowLog& log, const QWidget& part) {
    for (const MessageBar* bar : part.findChildren<MessageBar*>())
        QObject::connect(bar, &MessageBar::errorShown, bar,
                         [&log](const QString& lead, const Error& error) { log.write(lead, error); });
}

void logReading(WindowLog& log, const ImportReading& reading) {
    for (const ImportedFile& file : reading.files)
        log.write(file.refused ? LogLevel::Error : LogLevel::Info, file.path,
                  QStringLiteral("%1 to import: %2")
                      .arg(file.refused ? QStringLiteral("refused") : QStringLiteral("read"),
                           file.summary.isEmpty() ? QStringLiteral("nothing known") : file.summary));
    std::size_t left = kMostNotes;
    for (const Diagnostic& note : reading.notes) {
        if (left-- == 0)
            break;
        log.write(note.severity == Severity::Error     ? LogLevel::Error
                  : note.severity == Severity::Warning ? LogLevel::Warning
                                                       : LogLevel::Info,
                  q(note.where), q(note.message));
    }
}

Facts settingFacts(const Settings& settings, const AppContext& app) {
    return {{QStringLiteral("theme"), QLatin1String(themeName(settings.theme))},
            {QStringLiteral("recent projects"), QString::number(settings.recent.size())},
            {QStringLiteral("configuration"), configFolder()},
            {QStringLiteral("project"), projectText(*app.document.project())}};
}

} // namespace pw
