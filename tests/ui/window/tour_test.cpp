// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/session/document.h"
#include "ui/window/tour.h"

#include <QApplication>
#include <QDockWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace pw;

// Five steps from the start page to an export, which can be left at any of them.
class TourTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

    static void show(MainWindow& window, const QSize& size) {
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.resize(size);
        QVERIFY(settle());
    }
    static Tour* tour(const MainWindow& window) { return window.findChild<Tour*>(); }
    static QPushButton* button(const MainWindow& window, const char* name) {
        return window.findChild<QPushButton*>(QLatin1String(name));
    }

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }
    void cleanup() { Settings().save(); }

    void fromTheStartPageToAnExport_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("large") << QSize(1600, 1000);
        QTest::newRow("laptop") << QSize(1366, 768);
        QTest::newRow("small") << QSize(1024, 700);
    }
    void fromTheStartPageToAnExport() {
        QFETCH(QSize, size);
        MainWindow window;
        show(window, size);
        QVERIFY(button(window, "start.help.tour")); // which opens a sample where these are installed
        QVERIFY(window.openFile(QStringLiteral(PW_SOURCE_DIR "/samples/projects/measured-16.pwx")));
        QVERIFY(settle());
        window.commands().action("help.tour")->trigger();
        QTRY_VERIFY(tour(window) && tour(window)->isOn());
        const QString project = window.context().document.path();
        QVERIFY(!project.isEmpty()); // a sample
        Tour& tour = *TourTest::tour(window);
        const QStringList views =
            QStringLiteral("topology search stageMap timeline plans").split(QLatin1Char(' '));
        for (int i = 0; i < views.size(); ++i) {
            QVERIFY(settle());
            QCOMPARE(tour.step(), i);
            QCOMPARE(tour.view()->objectName(), views[i]);
            QVERIFY2(!tour.view()->visibleRegion().isEmpty(), qPrintable(views[i]));
            QVERIFY(window.rect().contains(tour.geometry()));
            QCOMPARE(window.childAt(tour.geometry().center()) == &tour ||
                         tour.isAncestorOf(window.childAt(tour.geometry().center())),
                     true); // nothing lies over it
            QVERIFY(QApplication::focusWidget() == button(window, "tour.next"));
            if (views[i] == QLatin1String("search")) {
                QSignalSpy ended(&window.context().runner, &SearchRunner::finished);
                QTest::mouseClick(button(window, "tour.do"), Qt::LeftButton);
                QVERIFY(ended.wait(60'000));
                QVERIFY(!window.context().candidates.all().empty());
            } else if (views[i] == QLatin1String("plans")) {
                QVERIFY(button(window, "tour.do")->isVisible() && button(window, "tour.do")->isEnabled());
            } else {
                QVERIFY(!button(window, "tour.do")->isVisible());
            }
            QTest::mouseClick(button(window, "tour.next"), Qt::LeftButton);
        }
        QVERIFY(!tour.isOn() && !tour.isVisible());
        QVERIFY(!window.context().document.isModified());
        QCOMPARE(window.context().document.path(), project);
    }

    // Whoever goes on without searching sees why the next views are empty, and need not go back.
    void aViewWithoutAPlanOffersTheSearch() {
        MainWindow window;
        show(window, {1366, 768});
        QVERIFY(window.openFile(m_folder.smallProjectFile()));
        QVERIFY(settle());
        window.commands().action("help.tour")->trigger();
        QTRY_VERIFY(tour(window) && tour(window)->isOn());
        const auto said = [&] { return tour(window)->accessibleName(); };
        for (int i = 0; i < 2; ++i)
            QTest::mouseClick(button(window, "tour.next"), Qt::LeftButton);
        QCOMPARE(tour(window)->view()->objectName(), QStringLiteral("stageMap"));
        QVERIFY2(said().contains(QStringLiteral("empty until a plan is found")), qPrintable(said()));
        QSignalSpy ended(&window.context().runner, &SearchRunner::finished);
        QVERIFY(button(window, "tour.do")->isVisible());
        QTest::mouseClick(button(window, "tour.do"), Qt::LeftButton);
        QVERIFY(ended.wait(60'000));
        QTRY_VERIFY(!said().contains(QStringLiteral("empty until a plan is found")));
        QCOMPARE(tour(window)->step(), 2); // where it was
        QVERIFY(!button(window, "tour.do")->isVisible());
        tour(window)->end();
    }

    void anyStepCanBeLeft() {
        MainWindow window;
        show(window, {1600, 1000});
        QVERIFY(window.openFile(m_folder.smallProjectFile()));
        QVERIFY(settle());
        const QString project = window.context().document.path();
        for (int leave = 0; leave < 5; ++leave) {
            window.commands().action("help.tour")->trigger();
            QVERIFY(settle());
            for (int i = 0; i < leave; ++i)
                QTest::keyClick(button(window, "tour.next"), Qt::Key_Space);
            QCOMPARE(tour(window)->step(), leave);
            QVERIFY(settle());
            if (leave % 2 == 0)
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            else
                QTest::mouseClick(button(window, "tour.leave"), Qt::LeftButton);
            QVERIFY(!tour(window)->isOn());
        }
        QCOMPARE(window.context().document.path(), project); // the open project, not a sample
        window.commands().action("help.tour")->trigger();
        QVERIFY(tour(window)->isOn());
        QVERIFY(!button(window, "tour.back")->isEnabled());
        window.showStartPage(true); // what it speaks of is gone
        QVERIFY(!tour(window)->isOn());
    }
};

QTEST_MAIN(TourTest)
#include "tour_test.moc"
