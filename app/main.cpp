// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/version.h"
#include "ui/base/convert.h"
#include "ui/base/heap.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/key_sheet.h"
#include "ui/diagnostics/bug_report.h"
#include "ui/diagnostics/crash_handler.h"
#include "ui/imports/file_kinds.h"
#include "ui/sweep/sweep_study.h"
#include "ui/window/display.h"
#include "ui/window/file_actions.h"
#include "ui/window/main_window.h"
#include "ui/window/screenshots.h"
#include "ui/window/translations.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QScreen>
#include <QTextStream>
#include <QTimer>
#include <QTranslator>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string_view>

namespace {

bool isAmong(int argc, char** argv, std::initializer_list<std::string_view> words) {
    return std::any_of(argv + 1, argv + argc, [&](std::string_view argument) {
        return std::find(words.begin(), words.end(), argument) != words.end();
    });
}

} // namespace

// pipewright [FILE...] [--search] [--screenshots DIR [--states] [--views NAMES]] [--keys]
// [--exit-after-startup]
int main(int argc, char** argv) {
    pw::returnLargeBlocks();
    std::signal(SIGXFSZ, SIG_IGN); // a limit on the size of files then is an error of writing
    const pw::CrashHandler crashes(pw::s(pw::stateFolder()) + "/crashes", pw::s(pw::versionLine()));
    // What is only asked is answered on a login node, too.
    const bool asked = isAmong(argc, argv, {"-h", "--help", "--help-all", "-v", "--version"});
    if (const auto problem = asked ? std::nullopt : pw::displayProblem(argc, argv)) {
        std::fprintf(stderr, "pipewright: %s\n", problem->c_str());
        return 1;
    }
    if (!asked)
        pw::applyTextSize(pw::Settings::load().textSize);
    const std::unique_ptr<QCoreApplication> app(asked ? new QCoreApplication(argc, argv)
                                                      : new QApplication(argc, argv));
    QApplication::setApplicationName(QStringLiteral("Pipewright"));
    // --version says what pipewright-cli says, in two lines.
    QApplication::setApplicationVersion(
        QString::fromStdString(pw::fullVersion() + (asked ? std::string("\n") + pw::buildKind() : "")));
    if (!asked) {
        QApplication::setDesktopFileName(QStringLiteral("pipewright"));
        QApplication::setWindowIcon(pw::icon(QStringLiteral("app")));
    }

    QTranslator translator;
    if (pw::loadTranslation(translator, QLocale(), pw::translationFolders()))
        QApplication::installTranslator(&translator);

    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate("main", "Plans for training on mixed GPUs."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("FILE"),
        QApplication::translate("main", "Project or sweep to open, or files to import."),
        QStringLiteral("[FILE...]"));
    const QCommandLineOption search(QStringLiteral("search"),
                                    QApplication::translate("main", "Run a search on the opened project."));
    const QCommandLineOption pictures(QStringLiteral("screenshots"),
                                      QApplication::translate("main",
                                                              "Save pictures of the window in both themes "
                                                              "and of every view into DIR, then quit."),
                                      QStringLiteral("DIR"));
    const QCommandLineOption states(
        QStringLiteral("states"),
        QApplication::translate("main", "With --screenshots: also long names, stale plans, a broken cluster "
                                        "and an empty window."));
    const QCommandLineOption views(
        QStringLiteral("views"),
        QApplication::translate("main",
                                "With --screenshots: only these pictures, as in window-light,plans-dark."),
        QStringLiteral("NAMES"));
    const QCommandLineOption keys(
        QStringLiteral("keys"),
        QApplication::translate("main",
                                "Print every command and its keys as a page of the manual, then quit."));
    const QCommandLineOption brief(QStringLiteral("exit-after-startup"),
                                   QApplication::translate("main", "Quit after the first paint."));
    parser.addOptions({search, pictures, states, views, keys, brief});
    parser.process(*app);
    if (parser.isSet(keys)) {
        QTextStream(stdout) << pw::keysPage();
        return 0;
    }

    pw::ThemeControl::instance().apply(static_cast<QApplication&>(*app), pw::Settings::load().theme);
    pw::MainWindow window;
    QObject::connect(&window.files(), &pw::FileActions::failed,
                     [](const QString& lead, const pw::Error& error) {
                         QTextStream(stderr)
                             << "pipewright: " << lead << ' ' << QString::fromStdString(error.text()) << '\n';
                     });
    bool opened = true;
    QStringList imports; // together: they may complete one another
    for (const QString& file : parser.positionalArguments())
        if (pw::isProjectFile(file) || pw::isSweepFolder(file) || !QFileInfo::exists(file))
            opened = window.openFile(file) && opened;
        else
            imports << file;
    if (!opened && (parser.isSet(pictures) || parser.isSet(brief))) // nobody is there to choose another file
        return 2;

    if (parser.isSet(brief))
        QObject::connect(&window, &pw::MainWindow::painted, app.get(), &QApplication::quit);
    const QSize room = window.screen()->availableSize(), wanted = window.size();
    if (!parser.isSet(pictures) && (wanted.width() > room.width() || wanted.height() > room.height()))
        window.showMaximized(); // a screen that the window does not fit
    else
        window.show();
    if (!parser.isSet(pictures))
        window.offerLostWork();
    if (!parser.isSet(pictures) && !parser.isSet(brief)) // else nobody sees it
        window.offerCrashReport();
    if (!imports.isEmpty())
        window.takeFiles(imports);
    bool searching = false;
    if (parser.isSet(search)) {
        searching = window.context().runner.start();
        if (!searching && parser.isSet(pictures)) {
            QTextStream(stderr) << QApplication::translate("main", "There is no question to search yet.\n");
            return 2;
        }
    }
    if (parser.isSet(pictures)) {
        auto* series = new pw::Screenshots(window, parser.value(pictures), parser.isSet(states),
                                           parser.value(views).split(QLatin1Char(','), Qt::SkipEmptyParts));
        QObject::connect(series, &pw::Screenshots::finished, app.get(),
                         [](int exitCode) { QApplication::exit(exitCode); });
        if (searching)
            QObject::connect(&window.context().runner, &pw::SearchRunner::finished, series,
                             &pw::Screenshots::start);
        else
            QTimer::singleShot(0, series, &pw::Screenshots::start);
    }
    return QApplication::exec();
}
