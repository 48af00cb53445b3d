// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/background_job.h"
#include "ui/base/own_colour.h"
#include "ui/base/restyle.h"

#include <QDockWidget>
#include <QLabel>
#include <QProxyStyle>

#include <map>
#include <utility>

using namespace pw;

namespace {

// How often each widget is styled.
class CountingStyle : public QProxyStyle {
public:
    CountingStyle() : QProxyStyle(QStringLiteral("Fusion")) {}
    using QProxyStyle::polish;
    void polish(QWidget* widget) override {
        ++m_times[widget];
        QProxyStyle::polish(widget);
    }
    void begin() { m_times.clear(); }
    int times(QWidget* widget) const {
        const auto found = m_times.find(widget);
        return found == m_times.end() ? 0 : found->second;
    }

private:
    std::map<QWidget*, int> m_times;
};

int differentPixels(const QImage& a, const QImage& b) {
    if (a.size() != b.size())
        return a.width() * a.height();
    int different = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            different += a.pixel(x, y) != b.pixel(x, y);
    return different;
}

} // namespace

// Another theme in a window that is full of a project: quick, and the same picture as of a window that was
// begun in it.
class ThemeSwitchTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

    static QString name(QWidget& widget, const CountingStyle& style) {
        return QStringLiteral("%1: %2")
            .arg(QLatin1String(widget.metaObject()->className()))
            .arg(style.times(&widget));
    }

    static void show(ThemeMode mode) { ThemeControl::instance().apply(*qApp, mode); }

    static void fill(MainWindow& window) {
        window.resize(1366, 768);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(window.openFile(QStringLiteral(PW_SOURCE_DIR "/samples/projects/mixed-16.pwx")));
        QTRY_VERIFY(!BackgroundJob::anyRunning());
        QVERIFY(settle());
    }

    // Once nothing is painted any more: a message that goes again is in one of two windows only.
    static QImage picture(MainWindow& window) {
        QImage now;
        const auto rests = [&] {
            settle();
            QImage before = std::exchange(now, window.grab().toImage());
            return !BackgroundJob::anyRunning() && differentPixels(before, now) == 0;
        };
        return QTest::qWaitFor(rests, 10'000) ? now : QImage();
    }

private Q_SLOTS:
    void init() { m_folder.use(); }

    void eachWidgetIsStyledOnce() {
        auto* style = new CountingStyle; // the application's
        QApplication::setStyle(style);
        MainWindow window;
        fill(window);
        style->begin();
        show(ThemeMode::Dark);
        for (QWidget* widget : window.findChildren<QWidget*>())
            if (!widget->visibleRegion().isEmpty() || style->times(widget) > 1)
                QVERIFY2(style->times(widget) == 1, qPrintable(name(*widget, *style)));
    }

    // Most of a window with many docks: neither when the theme changes nor twice later.
    void whatIsOutOfSightIsStyledWhenItIsSeen() {
        auto* style = new CountingStyle; // the application's
        QApplication::setStyle(style);
        MainWindow window;
        fill(window);
        QList<QDockWidget*> docks = window.findChildren<QDockWidget*>();
        docks.removeIf([](const QDockWidget* dock) { return !dock->isVisible(); });
        QDockWidget* behind = nullptr;
        for (QDockWidget* dock : docks)
            if (dock->visibleRegion().isEmpty())
                behind = dock;
        QVERIFY(behind);
        style->begin();
        show(ThemeMode::Dark);
        show(ThemeMode::WhiteOnBlack);
        const QList<QWidget*> within = behind->findChildren<QWidget*>();
        for (QWidget* widget : within)
            QVERIFY2(style->times(widget) == 0, qPrintable(name(*widget, *style)));
        behind->raise();
        QVERIFY(settle());
        for (QWidget* widget : within)
            if (!widget->visibleRegion().isEmpty())
                QVERIFY2(style->times(widget) == 1, qPrintable(name(*widget, *style)));
    }

    // A style takes a palette back that it has not given.
    void ownColoursStayWhereverTheyAreSet() {
        show(ThemeMode::Light);
        QWidget page;
        QLabel seen(&page), hidden(&page);
        page.show();
        const auto colour = [&](QColor wanted) {
            for (QLabel* label : {&seen, &hidden})
                setOwnColour(*label, QPalette::WindowText, wanted);
        };
        const auto is = [](const QLabel& label, QColor wanted) {
            return label.palette().color(QPalette::WindowText) == wanted;
        };
        colour(Qt::red);
        hidden.hide();
        show(ThemeMode::Dark);
        colour(Qt::green);
        show(ThemeMode::WhiteOnBlack);
        colour(Qt::green); // as before
        QVERIFY(is(seen, Qt::green));
        hidden.show();
        QVERIFY(is(hidden, Qt::green));
        show(ThemeMode::Light); // nobody sets them again
        QVERIFY(is(seen, Qt::green) && is(hidden, Qt::green));
    }

    // A picture of what nobody sees.
    void whatIsOutOfSightIsStyledForAPicture() {
        show(ThemeMode::Light);
        QWidget page;
        QLabel hidden(&page);
        page.show();
        hidden.hide();
        show(ThemeMode::Dark);
        restyleUnseen(hidden);
        const QImage picture = hidden.grab().toImage();
        QLabel fresh(&page);
        fresh.resize(hidden.size());
        QCOMPARE(differentPixels(picture, fresh.grab().toImage()), 0);
    }

    void aSwitchAndBackLeavesNoTrace() {
        MainWindow window;
        fill(window);
        const QImage light = picture(window);
        show(ThemeMode::Dark);
        const QImage dark = picture(window);
        show(ThemeMode::WhiteOnBlack);
        show(ThemeMode::Light);
        QTRY_COMPARE(differentPixels(picture(window), light), 0);
        show(ThemeMode::Dark);
        QTRY_COMPARE(differentPixels(picture(window), dark), 0);
        QVERIFY(differentPixels(light, dark) > light.width() * light.height() / 2);
    }

    void aSwitchedWindowLooksLikeOneBegunSo() {
        const auto begun = [](ThemeMode mode) {
            show(mode);
            MainWindow window;
            fill(window);
            return picture(window);
        };
        for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::WhiteOnBlack}) {
            const QImage expected = begun(mode);
            show(ThemeMode::Light);
            MainWindow window;
            fill(window);
            show(mode);
            // A line above the tabs of docks is drawn or not, whatever was switched.
            QTRY_VERIFY(differentPixels(picture(window), expected) < expected.width());
        }
    }

    void viewsBehindOthersChangeTheirColoursToo() {
        const auto eachInFront = [](MainWindow& window) {
            std::map<QString, QImage> found;
            for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
                dock->show();
                dock->raise();
                picture(window);
                found[dock->objectName()] = dock->grab().toImage();
            }
            return found;
        };
        show(ThemeMode::Dark);
        std::map<QString, QImage> expected;
        {
            MainWindow window;
            fill(window);
            expected = eachInFront(window);
        }
        QVERIFY(expected.size() > 5);
        show(ThemeMode::Light);
        MainWindow window;
        fill(window);
        show(ThemeMode::Dark);
        for (const auto& [name, switched] : eachInFront(window))
            QVERIFY2(differentPixels(switched, expected[name]) < switched.width(), qPrintable(name));
    }
};

QTEST_MAIN(ThemeSwitchTest)
#include "theme_switch_test.moc"
