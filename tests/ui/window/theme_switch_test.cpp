// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/background_job.h"

#include <QDockWidget>

#include <map>
#include <utility>

using namespace pw;

namespace {

// How often each widget is told of a new style.
class StyleChanges : public QObject {
public:
    StyleChanges() { qApp->installEventFilter(this); }
    int most() const {
        int most = 0;
        for (const auto& [widget, times] : m_times)
            most = std::max(most, times);
        return most;
    }
    bool told(const QObject* widget) const { return m_times.contains(widget); }
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::StyleChange)
            ++m_times[object];
        return false;
    }

private:
    std::map<const QObject*, int> m_times;
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

    void noWidgetIsStyledAgainAndAgain() {
        MainWindow window;
        fill(window);
        const StyleChanges changes;
        show(ThemeMode::Dark);
        QVERIFY(changes.most() <= 2); // what writes colours into its own text is told once more
        for (const QWidget* widget : window.findChildren<QWidget*>())
            if (widget->isVisible())
                QVERIFY2(changes.told(widget), widget->metaObject()->className());
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
