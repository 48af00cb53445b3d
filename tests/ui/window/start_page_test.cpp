// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/project.h"
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/theme.h"
#include "ui/window/start_cards.h"

#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>

#include <algorithm>
#include <set>

using namespace pw;

class StartPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_folders.use(); }

    // The menu of a card belongs to the card, which what is chosen takes off the page.
    void menuOfARecentProjectOutlivesItsCard_data() {
        QTest::addColumn<int>("entry");
        QTest::addColumn<bool>("opens");
        QTest::newRow("open") << 0 << true;
        QTest::newRow("remove from the list") << 2 << false;
    }

    void menuOfARecentProjectOutlivesItsCard() {
        QFETCH(const int, entry);
        QFETCH(const bool, opens);
        const QString file = m_folders.smallProjectFile();
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(file));
        window.showStartPage(true);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the cards of before
        const QPointer<RecentCard> card = window.findChild<RecentCard*>();
        QVERIFY(card);
        const QPoint at = card->rect().center();
        QContextMenuEvent asked(QContextMenuEvent::Mouse, at, card->mapToGlobal(at));
        QApplication::sendEvent(card, &asked);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        menu->setActiveAction(menu->actions().at(entry));
        QTest::keyClick(menu, Qt::Key_Return);
        QTRY_VERIFY(!card);
        QCOMPARE(window.findChild<QWidget*>(QStringLiteral("startPage"))->isVisible(), !opens);
    }

    // From the actions to the samples and drawings and back, without all the fields between them.
    void arrowsGoFromCardToCard() {
        MainWindow window;
        window.resize(1366, 768);
        window.show();
        window.activateWindow();
        QApplication::processEvents();
        auto* first = window.findChild<ActionCard*>(QStringLiteral("start.file.new"));
        QVERIFY(first);
        first->setFocus();
        const auto press = [&](Qt::Key key) {
            QTest::keyClick(window.focusWidget(), key);
            return window.focusWidget()->objectName();
        };
        QCOMPARE(press(Qt::Key_Up), first->objectName()); // nothing is above
        QCOMPARE(press(Qt::Key_Down), QStringLiteral("start.file.open"));
        QCOMPARE(press(Qt::Key_Up), first->objectName());
        QVERIFY2(press(Qt::Key_Right).startsWith(QStringLiteral("sample.")),
                 qPrintable(window.focusWidget()->objectName()));
        QVERIFY(press(Qt::Key_Left).startsWith(QStringLiteral("start.")));
        press(Qt::Key_Right);
        int down = 0;
        while (!window.focusWidget()->objectName().startsWith(QStringLiteral("template.")) && ++down < 10)
            press(Qt::Key_Down);
        QVERIFY2(down < 10, qPrintable(window.focusWidget()->objectName()));
        QVERIFY(!window.focusWidget()->visibleRegion().isEmpty()); // scrolled to
        QVERIFY(press(Qt::Key_Right).startsWith(QStringLiteral("template.")));
    }

    // What the keys are at is not taken for what the pointer rests on.
    void theCardUnderThePointerIsNotTheOneWithTheFocus() {
        ThemeControl::instance().apply(*qApp, ThemeMode::Light);
        QWidget window;
        ActionCard card(QStringLiteral("info"), QStringLiteral("title"), QString(), QString()),
            other(QStringLiteral("info"), QStringLiteral("other"), QString(), QString());
        card.setParent(&window);
        other.setParent(&window);
        card.resize(card.sizeHint());
        other.setGeometry(card.geometry().translated(0, card.height() + 20));
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        other.setFocus();
        const auto edge = [&] { return card.grab().toImage().pixelColor(card.width() / 2, 1); };
        card.setAttribute(Qt::WA_UnderMouse, false); // wherever the pointer rests
        const QColor plain = edge();
        card.setAttribute(Qt::WA_UnderMouse);
        const QColor hovered = edge();
        QVERIFY(hovered != plain);
        QVERIFY(hovered != theme().accent);
        card.setFocus();
        QCOMPARE(edge(), theme().accent);
        card.setAttribute(Qt::WA_UnderMouse, false);
        QCOMPARE(edge(), theme().accent);
    }

    // Rail, recent projects, links, samples, drawings, sizes; no stop without a name.
    void tabGoesAsThePageIsRead() {
        constexpr int kMost = 100;
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folders.smallProjectFile()));
        window->showStartPage(true);
        QVERIFY(settle());
        const auto* page = window->findChild<QWidget*>(QStringLiteral("startPage"));
        window->findChild<QWidget*>(QStringLiteral("start.file.new"))->setFocus();
        QStringList parts;
        for (int step = 0; step < kMost && page->isAncestorOf(QApplication::focusWidget()); ++step) {
            QWidget* at = QApplication::focusWidget();
            const QAccessibleInterface* told = QAccessible::queryAccessibleInterface(at);
            QVERIFY2(told && !told->text(QAccessible::Name).isEmpty(), at->metaObject()->className());
            const QString name = at->objectName();
            const int words = name.startsWith(QStringLiteral("start.")) ? 2 : 1;
            const QString part = qobject_cast<RecentCard*>(at) ? QStringLiteral("recent")
                                                               : name.section(QLatin1Char('.'), 0, words - 1);
            if (parts.isEmpty() || parts.last() != part)
                parts << part;
            QTest::keyClick(at, Qt::Key_Tab);
        }
        QCOMPARE(parts, (QStringList{QStringLiteral("start.file"), QStringLiteral("start.view"),
                                     QStringLiteral("start.file"), QStringLiteral("start.clearRecent"),
                                     QStringLiteral("recent"), QStringLiteral("start.help"),
                                     QStringLiteral("sample"), QStringLiteral("template"),
                                     QStringLiteral("start.sizes")}));
    }

    // A list without entries has nothing to clear, and no stop for it.
    void anEmptyListIsNotCleared() {
        const auto window = shownWindow();
        QVERIFY(window->openFile(m_folders.smallProjectFile()));
        window->showStartPage(true);
        QVERIFY(settle());
        auto* clear = window->findChild<QPushButton*>(QStringLiteral("start.clearRecent"));
        QVERIFY(clear->isVisible() && window->findChild<RecentCard*>());
        QTest::mouseClick(clear, Qt::LeftButton);
        QTRY_VERIFY(!window->findChild<RecentCard*>());
        QVERIFY(!clear->isVisible());
        QVERIFY(window->openFile(m_folders.smallProjectFile()));
        window->showStartPage(true);
        QVERIFY(settle());
        QVERIFY(clear->isVisible());
    }

    // One click, as on a link, and Enter.
    void aRecentProjectOpensAtOneClickAndByEnter() {
        const QString file = m_folders.smallProjectFile();
        const auto window = shownWindow();
        QVERIFY(window->openFile(file));
        const auto* page = window->findChild<QWidget*>(QStringLiteral("startPage"));
        const auto card = [&] {
            window->showStartPage(true);
            return settle() ? window->findChild<RecentCard*>() : nullptr;
        };
        RecentCard* found = card();
        QVERIFY(found && page->isVisible());
        QTest::mouseClick(found, Qt::LeftButton);
        QTRY_VERIFY(!page->isVisible());
        QCOMPARE(window->context().document.path(), file);
        found = card();
        QVERIFY(found && page->isVisible());
        found->setFocus();
        QTest::keyClick(found, Qt::Key_Return);
        QTRY_VERIFY(!page->isVisible());
    }

    // However many projects are listed above them.
    void theLinksAtTheFootAreSeenWhole() {
        const auto window = shownWindow();
        window->resize(1366, 700);
        QVERIFY(window->openFile(m_folders.smallProjectFile()));
        window->showStartPage(true);
        QVERIFY(settle());
        QVERIFY(window->findChild<RecentCard*>());
        for (const char* id : {"start.help.tour", "start.help.firstSteps", "start.help.keys"}) {
            const auto* link = window->findChild<QPushButton*>(QLatin1String(id));
            QVERIFY2(link, id);
            QCOMPARE(link->visibleRegion().boundingRect(), link->rect());
        }
    }

    // Not by where its file is.
    void aCardIsDescribedByItsMachinesAndModel() {
        SampleCard sample(QStringLiteral("small"), QStringLiteral("/here/small.pwx"), smallProject());
        const QString said = sample.accessibleDescription();
        QVERIFY2(said.contains(q(smallProject().model->name)) && !said.contains(QLatin1Char('/')),
                 qPrintable(said));
        QVERIFY2(said.startsWith(QStringLiteral("%1 GPUs: ").arg(smallProject().cluster.gpuCount())),
                 qPrintable(said));
        Project machines;
        machines.cluster = smallProject().cluster;
        SampleCard drawing(QStringLiteral("rack"), QStringLiteral("A rack of nodes"), machines);
        QVERIFY2(drawing.accessibleDescription().endsWith(QStringLiteral("A rack of nodes.")),
                 qPrintable(drawing.accessibleDescription()));
    }

    // Each sample shows something that no other does; small ones come first.
    void samplesDiffer() {
        MainWindow window;
        std::vector<Project> projects;
        std::set<std::string> names;
        for (const auto* card : window.findChildren<SampleCard*>())
            if (card->objectName().startsWith(QStringLiteral("sample."))) {
                const std::string file = s(card->toolTip());
                const Result<std::string> text = readFile(file);
                QVERIFY(text);
                Result<Project> project = readProject(*text, file);
                QVERIFY2(project, file.c_str());
                QVERIFY2(project->model && problemOf(*project), file.c_str());
                names.insert(project->name);
                projects.push_back(*std::move(project));
            }
        QVERIFY(projects.size() >= 5);
        QCOMPARE(names.size(), projects.size());
        QVERIFY(std::ranges::is_sorted(projects, {}, [](const Project& p) { return p.cluster.gpuCount(); }));
        const auto any = [&](auto is) { return std::ranges::any_of(projects, is); };
        const auto kinds = [](const Project& p) {
            std::set<std::string> all;
            for (const Node& node : p.cluster.nodes)
                all.insert(node.kind);
            return all.size();
        };
        const auto betweenSwitches = [](const Project& p, auto is) {
            return std::ranges::any_of(p.cluster.links, [&](const Link& link) {
                return p.cluster.findSwitch(link.a) && p.cluster.findSwitch(link.b) && is(link);
            });
        };
        QVERIFY(any([](const Project& p) { return p.cluster.nodes.size() == 1; }));
        QVERIFY(any([&](const Project& p) { return kinds(p) == 2; }));
        QVERIFY(any([](const Project& p) { return !p.profiles.empty(); }));
        QVERIFY(any([](const Project& p) { return p.model->experts.count > 0; }));
        QVERIFY(any([&](const Project& p) { // leaf and spine
            return betweenSwitches(p, [](const Link& link) { return link.latency.value < 1e-4; });
        }));
        QVERIFY(any([&](const Project& p) { // sites
            return betweenSwitches(p, [](const Link& link) { return link.latency.value >= 1e-3; });
        }));
    }

    void drawsAClusterByItsSizes() {
        MainWindow window;
        window.show();
        auto* page = window.findChild<QWidget*>(QStringLiteral("startPage"));
        page->findChild<QSpinBox*>(QStringLiteral("start.sizes.nodes"))->setValue(6);
        page->findChild<QSpinBox*>(QStringLiteral("start.sizes.otherNodes"))->setValue(2);
        page->findChild<QComboBox*>(QStringLiteral("start.sizes.network"))->setCurrentIndex(2);
        page->findChild<QPushButton*>(QStringLiteral("start.sizes.draw"))->click();
        QVERIFY(!page->isVisible());
        const Document& document = window.context().document;
        QVERIFY(document.path().isEmpty());
        QCOMPARE(document.project()->cluster.gpuCount(), 64);
        QCOMPARE(document.project()->cluster.nodes.size(), std::size_t{8});
        QCOMPARE(document.project()->cluster.switches.size(), std::size_t{5}); // three leaves, two spines
        QVERIFY(!hasErrors(checkCluster(document.project()->cluster)));
    }

    // Nothing is wider than a small screen; what is lower is scrolled to.
    void fitsASmallScreen_data() {
        QTest::addColumn<QSize>("screen");
        QTest::newRow("1024 x 768") << QSize(1024, 768);
        QTest::newRow("1366 x 768") << QSize(1366, 768);
        QTest::newRow("1600 x 1000") << QSize(1600, 1000);
    }
    void fitsASmallScreen() {
        QFETCH(const QSize, screen);
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.resize(screen);
        QVERIFY(settle());
        auto* network = window.findChild<QComboBox*>(QStringLiteral("start.sizes.network"));
        network->setCurrentText(QStringLiteral("Racks, leaf and spine")); // with most fields
        QVERIFY(settle());
        auto* draw = window.findChild<QPushButton*>(QStringLiteral("start.sizes.draw"));
        QScrollArea* scroll = nullptr;
        for (QWidget* above = draw; above && !scroll; above = above->parentWidget())
            scroll = qobject_cast<QScrollArea*>(above);
        QVERIFY(scroll);
        QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
        scroll->ensureWidgetVisible(draw);
        QVERIFY(settle());
        QCOMPARE(draw->visibleRegion().boundingRect(), draw->rect());
        // Fields stand beside and below each other, never over each other.
        QList<QWidget*> fields;
        for (auto* field :
             window.findChild<QWidget*>(QStringLiteral("start.sizes"))->findChildren<QWidget*>())
            if (qobject_cast<QAbstractSpinBox*>(field) || qobject_cast<QComboBox*>(field))
                fields << field;
        QCOMPARE(fields.size(), 10);
        const auto placeOf = [&](QWidget* field) {
            return QRect(field->mapTo(scroll->widget(), QPoint()), field->size());
        };
        for (int i = 0; i < fields.size(); ++i)
            for (int k = 0; k < i; ++k)
                QVERIFY2(!placeOf(fields[i]).intersects(placeOf(fields[k])),
                         qPrintable(fields[i]->objectName()));
    }

private:
    WindowFolders m_folders;
};

QTEST_MAIN(StartPageTest)
#include "start_page_test.moc"
