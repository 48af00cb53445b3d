// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Edited plans in the window: that one was added is said, and after a crash the one that was on screen is so
// again.

#include "core/base/file.h"
#include "core/edit/edit.h"
#include "core/whatif/whatif.h"
#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/autosave.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace pw;

class RestoredWorkTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;
    QString m_project;

    // The best plan with another recompute setting for its first stage; the name of the edit.
    static QString edit(MainWindow& window) {
        AppContext& app = window.context();
        const Candidate first = app.candidates.all().front();
        app.selection.setPlan(first.id);
        const bool full = first.plan.pipelines.front().stages.front().recompute == Recompute::Full;
        if (!app.whatIf.edit(
                whatif::setRecompute(*first.problem, first.plan, 0, full ? Recompute::None : Recompute::Full),
                QStringLiteral("recompute")))
            return {};
        return app.candidates.find(app.selection.plan())->name;
    }

    static QString autosaved() {
        return QStringLiteral("%1/%2.autosave").arg(stateFolder()).arg(QCoreApplication::applicationPid());
    }

    // Of the autosave's text: as a program on another machine has left it.
    static Status leave(const std::string& text, bool withPlan = true) {
        const std::size_t end = text.find('\n');
        QJsonObject head = QJsonDocument::fromJson(QByteArray::fromStdString(text.substr(0, end))).object();
        head.insert(QStringLiteral("host"), QStringLiteral("elsewhere"));
        if (!withPlan) // as an earlier version did
            head.remove(QStringLiteral("plan"));
        return writeFileAtomically(s(QStringLiteral("%1/1.autosave").arg(stateFolder())),
                                   QJsonDocument(head).toJson(QJsonDocument::Compact).toStdString() +
                                       text.substr(end));
    }

    static bool says(const MainWindow& window, const QString& words) {
        const auto bars = window.findChildren<MessageBar*>();
        return std::any_of(bars.begin(), bars.end(), [&](const MessageBar* bar) {
            return !bar->isHidden() && bar->text().contains(words);
        });
    }

private Q_SLOTS:
    void init() {
        m_folder.use();
        m_project = m_folder.smallProjectFile();
        QVERIFY(!m_project.isEmpty());
    }

    void whatIsAddedIsSaid() {
        MainWindow window;
        QVERIFY(window.openFile(m_project));
        QVERIFY(searched(window));
        const QString edited = edit(window);
        QVERIFY(!edited.isEmpty());
        const QString words = QStringLiteral("Plan %1 is pinned in Plans").arg(edited);
        QVERIFY(!says(window, words));
        window.commands().action("whatif.keep")->trigger();
        QVERIFY(says(window, words));
    }

    // The file was saved with another plan in view; the edit came after that.
    void theEditIsInViewAgain() {
        const QString lost = QStringLiteral("%1/1.autosave").arg(stateFolder());
        QString base, edited;
        std::string work;
        {
            MainWindow window;
            QVERIFY(window.openFile(m_project));
            QVERIFY(searched(window));
            AppContext& app = window.context();
            app.selection.setPlan(app.candidates.all().front().id);
            base = app.candidates.all().front().name;
            window.commands().action("file.save")->trigger();
            edited = edit(window);
            QVERIFY(!edited.isEmpty() && edited != base);
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(autosaved()), 60'000);
            const auto text = readFile(s(autosaved()));
            QVERIFY(text);
            work = *text;
        }
        for (const bool named : {true, false}) {
            QVERIFY(leave(work, named));
            QCOMPARE(lostWork().front().plan, named ? edited : QString());
            MainWindow window;
            window.offerLostWork();
            window.commands().action("file.restore")->trigger();
            const AppContext& app = window.context();
            QVERIFY(app.document.isModified());
            const Candidate* shown = app.candidates.find(app.selection.plan());
            QVERIFY(shown);
            QCOMPARE(shown->name, named ? edited : base);
            QVERIFY(!QFile::exists(lost));
        }
    }

    // Without any edit.
    void whatWasFoundIsThereAgain() {
        std::string work;
        std::vector<QString> names;
        double best = 0.0;
        {
            MainWindow window;
            QVERIFY(window.openFile(m_project));
            QVERIFY(searched(window));
            const AppContext& app = window.context();
            QVERIFY(!app.document.isModified());
            for (const Candidate& plan : app.candidates.all())
                names.push_back(plan.name);
            best = app.runner.outcome()->plans.front().evaluation.iteration.value;
            const auto isKept = [&] {
                const auto text = readFile(s(autosaved()));
                work = text ? *text : std::string();
                return work.find("\"search\"") != std::string::npos;
            };
            QTRY_VERIFY_WITH_TIMEOUT(isKept(), 60'000);
        }
        QVERIFY(!QFile::exists(autosaved()));
        QVERIFY(leave(work));
        MainWindow window;
        window.offerLostWork();
        window.commands().action("file.restore")->trigger();
        const AppContext& app = window.context();
        QVERIFY(app.document.isModified()); // the file does not have them
        std::vector<QString> again;
        for (const Candidate& plan : app.candidates.all())
            again.push_back(plan.name);
        QCOMPARE(again, names);
        QVERIFY(app.runner.outcome());
        QCOMPARE(app.runner.outcome()->plans.front().evaluation.iteration.value, best);
    }

    // In the names of the work, not as the file was saved.
    void whatIsAskedOfPlansIsAskedAgain() {
        SearchDemand asked;
        asked.required = {"n2"};
        std::string work;
        {
            MainWindow window;
            QVERIFY(window.openFile(m_project));
            AppContext& app = window.context();
            app.runner.setDemand(asked);
            window.commands().action("file.save")->trigger();
            QVERIFY(app.document.apply(renameItem(*app.document.project(), "n2", "b7"), m_project));
            asked.required = {"b7"};
            QVERIFY(app.runner.demand() == asked);
            asked.maxTp = 2;
            app.runner.setDemand(asked);
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(autosaved()), 60'000);
            asked.maxTp = 4; // without any edit
            app.runner.setDemand(asked);
            const auto isKept = [&] {
                const auto text = readFile(s(autosaved()));
                work = text ? *text : std::string();
                return work.find("\"max_tp\": 4") != std::string::npos;
            };
            QTRY_VERIFY_WITH_TIMEOUT(isKept(), 60'000);
        }
        QVERIFY(leave(work));
        MainWindow window;
        window.offerLostWork();
        window.commands().action("file.restore")->trigger();
        QVERIFY(window.context().document.isModified());
        QVERIFY(window.context().runner.demand() == asked);
    }
};

QTEST_MAIN(RestoredWorkTest)
#include "restored_work_test.moc"
