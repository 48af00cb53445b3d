// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The fields of the training form and of Search are found by their names from any perspective.
#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/commands/quick_open.h"
#include "ui/model/model_panel.h"
#include "ui/model/training_form.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/window/dock_area.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>

#include <algorithm>

using namespace pw;

class FindSettingsTest : public QObject {
    Q_OBJECT

    WindowFolders m_folder;

    static QuickOpen* find(MainWindow& window, const QString& typed) {
        window.commands().action("nav.locate")->trigger();
        auto* open = window.findChild<QuickOpen*>();
        if (open)
            QTest::keyClicks(static_cast<QWidget*>(open->line()), typed);
        return open;
    }

private Q_SLOTS:
    void init() { m_folder.use(); }

    // A node that is out of view is seen once it is found.
    void aNodeThatIsFoundIsSeen() {
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folder.smallProjectFile()));
        window->commands().action("view.draw")->trigger();
        auto* canvas = window->docks().findChild<TopologyCanvas*>();
        const QString node =
            QString::fromStdString(window->context().document.project()->cluster.nodes.back().id);
        const QRectF box = canvas->topology().boxOf(node);
        canvas->setZoom(2.0);
        canvas->ensureVisible(
            canvas->topology()
                .boxOf(QString::fromStdString(window->context().document.project()->cluster.nodes.front().id))
                .adjusted(0, 0, -200, -100),
            0, 0);
        const auto seen = [&] {
            return canvas->mapToScene(canvas->viewport()->rect()).boundingRect().contains(box.center());
        };
        QVERIFY(!seen());
        QuickOpen* open = find(*window, node);
        QVERIFY(open);
        QTest::keyClick(static_cast<QWidget*>(open->line()), Qt::Key_Return);
        QTRY_VERIFY(seen());
        QVERIFY(window->context().selection.items().contains(node));
    }

    void aSettingIsFoundByItsName_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("label");
        QTest::addColumn<QString>("field");
        QTest::newRow("chance") << "chance"
                                << "Chance to fit"
                                << "recipe.fit_chance";
        QTest::newRow("micro-batches") << "micro-b"
                                       << "Micro-batches"
                                       << "recipe.mbs"; // within a box
        QTest::newRow("seq. parallel") << "seq. par"
                                       << "Seq. parallel"
                                       << "recipe.sequenceParallel";
        QTest::newRow("leave out") << "leave o"
                                   << "Leave out"
                                   << "search.forbid";
        QTest::newRow("trainer") << "run with"
                                 << "Run with"
                                 << "search.target";
        QTest::newRow("for experts") << "fine c"
                                     << "Fine cuts"
                                     << "search.fine-cuts"; // folded away until then
    }
    void aSettingIsFoundByItsName() {
        QFETCH(QString, typed);
        QFETCH(QString, label);
        QFETCH(QString, field);
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folder.smallProjectFile()));
        window->commands().action("view.look")->trigger(); // where the form is not
        window->resize(1366, 640);                         // nor has all of it room
        QuickOpen* open = find(*window, typed);
        QVERIFY(open);
        QCOMPARE(open->list()->item(0)->text(), label);
        QTest::keyClick(static_cast<QWidget*>(open->line()), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(window->focusWidget() && window->focusWidget()->objectName() == field,
                                 60'000);
        QTRY_VERIFY(!window->focusWidget()->visibleRegion().isEmpty());
    }

    void aViewComesBeforeTheFieldOfItsName() {
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folder.smallProjectFile()));
        QuickOpen* open = find(*window, QStringLiteral("plans"));
        QVERIFY(open);
        QTest::keyClick(static_cast<QWidget*>(open->line()), Qt::Key_Return);
        const QDockWidget* plans = window->docks().dock(QStringLiteral("plans"));
        QTRY_VERIFY(window->focusWidget() && plans->isAncestorOf(window->focusWidget()));
    }

    // Drawn and chosen without a way through the panels.
    void whatCanBeDrawnIsFoundByItsName() {
        const auto window = shownWindow();
        window->commands().action("file.new")->trigger();
        const auto& project = window->context().document;
        const auto take = [&](const QString& typed) {
            QuickOpen* open = find(*window, typed);
            QVERIFY(open);
            QTest::keyClick(static_cast<QWidget*>(open->line()), Qt::Key_Return);
            QTRY_VERIFY(!window->findChild<QuickOpen*>());
        };
        take(QStringLiteral("H200"));
        QTRY_COMPARE(project.project()->cluster.nodes.size(), std::size_t{1});
        QVERIFY(project.project()->cluster.nodes.front().kind.find("H200") != std::string::npos);
        take(QStringLiteral("switch, inf"));
        QTRY_COMPARE(project.project()->cluster.switches.size(), std::size_t{1});
        QCOMPARE(project.project()->cluster.switches.front().medium, std::string("InfiniBand"));
        QDockWidget* drawing = window->docks().dock(QStringLiteral("topology"));
        QVERIFY(window->focusWidget() && drawing->isAncestorOf(window->focusWidget()));
    }

    void aModelIsFoundByItsName() {
        const auto window = shownWindow();
        window->commands().action("file.new")->trigger();
        window->commands().action("view.look")->trigger();
        auto* models = window->docks().findChild<ModelPanel*>();
        if (!models)
            models = window->findChild<ModelPanel*>();
        QVERIFY(models && !models->known().empty());
        QuickOpen* open = find(*window, models->known().back().name);
        QVERIFY(open);
        QCOMPARE(open->list()->item(0)->text(), models->known().back().name);
        QTest::keyClick(static_cast<QWidget*>(open->line()), Qt::Key_Return);
        QTRY_VERIFY(window->context().document.project()->model.has_value());
        // What is asked next: the batch that it is trained with.
        QTRY_VERIFY(window->focusWidget() &&
                    window->focusWidget()->objectName() == QLatin1String("recipe.gbs"));
    }

    // Whose keys are for it: from the form, too, which had the focus.
    void aNodeThatIsFoundHasTheKeys() {
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folder.smallProjectFile()));
        window->commands().action("view.model")->trigger();
        QDockWidget* drawing = window->docks().dock(QStringLiteral("topology"));
        QTRY_VERIFY(window->focusWidget() && !drawing->isAncestorOf(window->focusWidget()));
        QuickOpen* open = find(*window, QStringLiteral("n2"));
        QVERIFY(open);
        QTest::keyClick(static_cast<QWidget*>(open->line()), Qt::Key_Return);
        QTRY_VERIFY(window->focusWidget() && drawing->isAncestorOf(window->focusWidget()));
        QCOMPARE(window->context().selection.items(), QSet<QString>{QStringLiteral("n2")});
    }

    // Named from any view, once there is one.
    void thePlanInViewIsNamedFromTheDrawing() {
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folder.smallProjectFile()));
        QVERIFY(searched(*window));
        window->commands().action("view.topology")->trigger();
        QDockWidget* plans = window->docks().dock(QStringLiteral("plans"));
        QTRY_VERIFY(window->focusWidget() && !plans->isAncestorOf(window->focusWidget()));
        QTest::keyClick(window->focusWidget(), Qt::Key_F2, Qt::ShiftModifier);
        QTRY_VERIFY(qobject_cast<QLineEdit*>(window->focusWidget()) &&
                    plans->isAncestorOf(window->focusWidget()));
        auto* line = qobject_cast<QLineEdit*>(window->focusWidget());
        line->selectAll();
        QTest::keyClicks(line, QStringLiteral("quick"));
        QTest::keyClick(line, Qt::Key_Return);
        const AppContext& context = window->context();
        QTRY_COMPARE(context.candidates.find(context.selection.plan())->name, QStringLiteral("quick"));
    }

    // What the form does not show is not offered: the load of experts without experts, all without a model.
    void onlyWhatIsShownIsOffered() {
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folder.smallProjectFile()));
        const auto* form = window->docks().findChild<TrainingForm*>();
        QVERIFY(form);
        const auto offers = [form](const char* name) {
            const auto fields = form->fields();
            return std::any_of(fields.begin(), fields.end(), [name](const TrainingForm::Field& field) {
                return field.name == QLatin1String(name);
            });
        };
        QVERIFY(offers("gbs") && offers("mbs") && offers("fit_chance"));
        QVERIFY(!offers("expert_load"));
        window->commands().action("file.new")->trigger();
        const QuickOpen* open = find(*window, QStringLiteral("chance to fit"));
        QVERIFY(open);
        for (int row = 0; row < open->list()->count(); ++row)
            QVERIFY(open->list()->item(row)->text() != QStringLiteral("Chance to fit"));
    }
};

QTEST_MAIN(FindSettingsTest)
#include "find_settings_test.moc"
