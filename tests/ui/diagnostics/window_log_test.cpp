// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/window_log.h"

#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/diagnostics/diagnostics_dialog.h"
#include "ui/diagnostics/log_model.h"
#include "ui/diagnostics/log_tail.h"
#include "ui/session/document.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/dock_area.h"
#include "ui/window/file_actions.h"

#include <QDir>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

using namespace pw;

// What the window does stands in its log.
class WindowLogTest : public QObject {
    Q_OBJECT

    WindowFolders m_folder;
    std::unique_ptr<MainWindow> m_window;

    bool logged(LogLevel level, const QString& place, const char* text) const {
        LogTail tail(m_window->log().file(), WindowLog::kLimits.kept);
        for (const LogEvent& event : tail.read().events)
            if (event.level == level && q(event.place) == place &&
                q(event.text).contains(QLatin1String(text)))
                return true;
        return false;
    }

private Q_SLOTS:
    void init() {
        m_folder.use();
        m_window = std::make_unique<MainWindow>();
    }
    void cleanup() { m_window.reset(); }

    void startsInTheStateFolder() {
        QCOMPARE(m_window->log().file(),
                 m_folder.filePath(QStringLiteral("PIPEWRIGHT_STATE_DIR/log/pipewright.log")));
        QVERIFY(logged(LogLevel::Info, QStringLiteral("window"), "starts: Pipewright "));
        QVERIFY(!m_window->log().failure());
    }

    void filesStandWithTheirPaths() {
        const QString file = m_folder.smallProjectFile();
        QVERIFY(m_window->openFile(file));
        QVERIFY(logged(LogLevel::Info, file, "opened: 3 nodes, "));
        QVERIFY(m_window->files().save());
        QVERIFY(logged(LogLevel::Info, file, "saved: 3 nodes, "));
        const QString missing = m_folder.filePath(QStringLiteral("missing.pwx"));
        QVERIFY(!m_window->openFile(missing));
        QVERIFY(logged(LogLevel::Error, missing, "missing.pwx was not opened. cannot be opened"));
    }

    void unsavedWorkIsSaidToBeKept() {
        const QString file = m_folder.smallProjectFile();
        QVERIFY(m_window->openFile(file));
        Project changed = *m_window->context().document.project();
        changed.recipe.gbs *= 2;
        m_window->context().document.apply(changed, QStringLiteral("Batch"));
        const QString kept = m_folder.filePath(
            QStringLiteral("PIPEWRIGHT_STATE_DIR/%1.autosave").arg(QCoreApplication::applicationPid()));
        QTRY_VERIFY_WITH_TIMEOUT(
            logged(LogLevel::Debug, kept, s(QStringLiteral("keeps unsaved work of ") + file).c_str()),
            60'000);
    }

    // Whatever view shows them.
    void errorsOfViewsStandWithTheirPlace() {
        int bars = 0;
        for (DockArea* area : {&m_window->docks(), &m_window->accuracyDocks()})
            for (MessageBar* bar : area->findChildren<MessageBar*>()) {
                const std::string where = "there.json:" + std::to_string(bars++) + ":1";
                bar->setError(QStringLiteral("Refused."), badInput("json.syntax", where, "is broken"));
                QVERIFY2(logged(LogLevel::Error, q(where), "Refused. is broken"), where.c_str());
            }
        QVERIFY(bars > 4);
    }

    void searchesStandWithTheirPhases() {
        QVERIFY(m_window->openFile(m_folder.smallProjectFile()));
        QVERIFY(searched(*m_window));
        QVERIFY(logged(LogLevel::Info, QStringLiteral("search"), "pipewright searches the problem"));
        QVERIFY(logged(LogLevel::Info, QStringLiteral("search/bound"), " candidates, best none before"));
        QVERIFY(logged(LogLevel::Info, QStringLiteral("search"), "found by "));
        QVERIFY(!m_window->context().runner.outcome()->phases.empty());
    }

    void crashesOfProgramsBeforeAreTold() {
        const QString crashes = m_window->log().crashFolder();
        m_window.reset();
        QVERIFY(QDir().mkpath(crashes));
        QVERIFY(writeFileAtomically(s(crashes + QStringLiteral("/running-1-0.crash")),
                                    "Pipewright\n2026-01-01T00:00:00Z SIGSEGV\n"));
        m_window = std::make_unique<MainWindow>();
        const QStringList left = QDir(crashes).entryList({QStringLiteral("crash-*.txt")});
        QCOMPARE(left.size(), 1);
        QVERIFY(logged(LogLevel::Error, crashes + QLatin1Char('/') + left.front(), "SIGSEGV"));
    }

    // Once for each, in a bar that can be put away.
    void aCrashReportIsOffered() {
        const QString crashes = m_window->log().crashFolder();
        QVERIFY(QDir(crashes).removeRecursively() && QDir().mkpath(crashes)); // of other tests
        const auto restart = [&](const char* signal) {
            m_window.reset();
            if (*signal != '\0')
                QVERIFY(writeFileAtomically(s(crashes + QStringLiteral("/running-1-0.crash")),
                                            std::string("Pipewright\n2026-01-01T00:00:00Z ") + signal +
                                                "\nframe\n"));
            m_window = std::make_unique<MainWindow>();
            m_window->show();
            m_window->offerCrashReport();
        };
        const auto bar = [&] { return m_window->findChild<MessageBar*>(QStringLiteral("crashReport")); };
        restart("");
        QVERIFY(!bar()->isVisible());

        restart("SIGSEGV");
        QVERIFY(bar()->isVisible());
        QVERIFY2(bar()->accessibleName().contains(QLatin1String("broke down last time. 2026-01-01T00:00:00Z "
                                                                "SIGSEGV")),
                 qPrintable(bar()->accessibleName()));
        QVERIFY(!m_window->findChild<DiagnosticsDialog*>()); // it waits to be asked
        QTest::mouseClick(bar()->findChild<QPushButton*>(QStringLiteral("messageBar.action")),
                          Qt::LeftButton);
        QVERIFY(!bar()->isVisible());
        auto* dialog = m_window->findChild<DiagnosticsDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        auto* report = dialog->findChild<QPlainTextEdit*>(QStringLiteral("diagnostics.crash"));
        QVERIFY(report->isVisible());
        QVERIFY2(report->toPlainText().contains(QLatin1String("SIGSEGV\nframe")),
                 qPrintable(report->toPlainText()));
        dialog->reject();
        restart("");
        QVERIFY(!bar()->isVisible());

        restart("SIGABRT"); // shown or put away, it was offered
        QVERIFY2(bar()->isVisible() && bar()->accessibleName().contains(QLatin1String("SIGABRT")),
                 qPrintable(bar()->accessibleName()));
        QTest::mouseClick(bar()->findChild<QToolButton*>(QStringLiteral("messageBar.close")), Qt::LeftButton);
        QVERIFY(!bar()->isVisible());
        restart("");
        QVERIFY(!bar()->isVisible());
    }

    void theCommandShowsIt() {
        m_window->show();
        for (int asked = 0; asked < 2; ++asked) // the second time it comes to the front
            m_window->commands().action("help.diagnostics")->trigger();
        const QList<DiagnosticsDialog*> dialogs = m_window->findChildren<DiagnosticsDialog*>();
        QCOMPARE(dialogs.size(), 1);
        DiagnosticsDialog* const dialog = dialogs.front();
        QVERIFY(dialog->isVisible());
        QVERIFY(dialog->model()->rowCount() > 0);
        QVERIFY2(dialog->report().contains(QLatin1String("theme: ")), qPrintable(dialog->report()));
        dialog->reject();
    }
};

QTEST_MAIN(WindowLogTest)
#include "window_log_test.moc"
