// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/picture.h"

#include "tests/ui/timeline/shown_timeline.h"
#include "tests/ui/ui_fixture.h"
#include "ui/plots/parallel_plot.h"
#include "ui/topology/canvas.h"
#include "ui/topology/view.h"

#include <QClipboard>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QTemporaryDir>
#include <QVBoxLayout>

using namespace pw;

class PictureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void picturesInThreeForms() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        ParallelPlot plot(ui.context);
        plot.resize(640, 240);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        QTemporaryDir folder;
        const auto saved = [&](const char* name) {
            const QString path = folder.filePath(QLatin1String(name));
            return savePicture(plot, path) ? path : QString();
        };
        const QImage png(saved("a.png"));
        QCOMPARE(png.size(), QSize(1280, 480));
        QFile svg(saved("a.svg"));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray text = svg.readAll();
        QVERIFY(text.contains("<polyline") || text.contains("<path"));
        QVERIFY(!text.contains("<image")); // lines and text, no pixels
        QFile pdf(saved("a.pdf"));
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.read(5) == "%PDF-");
        QVERIFY(!savePicture(plot, folder.filePath(QStringLiteral("a.bmp"))));
        QVERIFY(!savePicture(plot, folder.filePath(QStringLiteral("none/a.png"))));
    }

    // Neither a frame that lies over a list nor one that a view draws itself; and the focus stays where it
    // is.
    void aPictureHasNoFocusFrame() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* list = new QListWidget;
        list->addItems({QStringLiteral("one"), QStringLiteral("two")});
        list->setCurrentRow(0);
        auto* plot = new ParallelPlot(ui.context);
        auto* line = new QLineEdit(QStringLiteral("12"));
        for (QWidget* widget :
             {static_cast<QWidget*>(list), static_cast<QWidget*>(plot), static_cast<QWidget*>(line)})
            column->addWidget(widget);
        window.resize(640, 480);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QSignalSpy takenOver(line, &QLineEdit::editingFinished);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.png"));
        for (QWidget* view : {static_cast<QWidget*>(list), static_cast<QWidget*>(plot)}) {
            line->setFocus();
            const QImage plain = view->grab().toImage().convertToFormat(QImage::Format_RGB32);
            QVERIFY(savePicture(*view, path));
            const QImage large(path);
            view->setFocus();
            QVERIFY(view->hasFocus());
            QVERIFY(view->grab().toImage().convertToFormat(QImage::Format_RGB32) != plain);
            copyPicture(*view);
            QCOMPARE(QApplication::clipboard()->image().convertToFormat(QImage::Format_RGB32), plain);
            QVERIFY(savePicture(*view, path));
            QCOMPARE(QImage(path), large);
            QVERIFY(view->hasFocus());
        }
        line->setFocus();
        takenOver.clear();
        copyPicture(window);
        QVERIFY(line->hasFocus());
        QCOMPARE(takenOver.size(), 0);
    }

    // What is for the screen alone is not in it, and is there again afterwards.
    void buttonsOfTheScreenAreNotPictured() {
        QWidget view;
        auto* row = new QVBoxLayout(&view);
        auto* text = new QLineEdit(QStringLiteral("12"));
        auto* button = new QLineEdit(QStringLiteral("button"));
        button->setStyleSheet(QStringLiteral("background: #ff0000"));
        button->setProperty(kNotPictured, true);
        row->addWidget(text);
        row->addWidget(button);
        view.resize(200, 100);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto reds = [](const QImage& image) {
            int count = 0;
            for (int x = 0; x < image.width(); ++x)
                for (int y = 0; y < image.height(); ++y)
                    count += image.pixelColor(x, y) == QColor(255, 0, 0);
            return count;
        };
        const QImage before = view.grab().toImage();
        QVERIFY(reds(before) > 100);
        copyPicture(view);
        QCOMPARE(reds(QApplication::clipboard()->image()), 0);
        QVERIFY(button->isVisible());
        QCOMPARE(view.grab().toImage(), before);
    }

    // All of a drawing of which a corner is in view, and the view is as it was.
    void aDrawingIsPicturedWhole() {
        UiFixture ui;
        ui.openSmallProject();
        TopologyView view(ui.context);
        view.resize(640, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        TopologyCanvas& canvas = *view.canvas();
        canvas.setZoom(3.0);
        const double zoom = canvas.zoom();
        const QRectF content = canvas.topology().content();
        QVERIFY(!canvas.visibleScene().contains(content));
        const QImage before = view.grab().toImage();
        copyPicture(view);
        const QImage copied = QApplication::clipboard()->image();
        QCOMPARE(copied.size(), content.size().toSize());
        for (const char* node : {"n1", "n2", "n3"}) { // each of them is there, and not ground alone
            const QRect box =
                canvas.topology().boxOf(QLatin1String(node)).translated(-content.topLeft()).toRect();
            QVERIFY(copied.rect().contains(box));
            QSet<QRgb> colours;
            for (int x = box.left(); x < box.right(); ++x)
                for (int y = box.top(); y < box.bottom(); ++y)
                    colours.insert(copied.pixel(x, y));
            QVERIFY2(colours.size() > 8, qPrintable(QString::number(colours.size())));
        }
        QCOMPARE(canvas.zoom(), zoom);
        QCOMPARE(view.grab().toImage(), before);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.svg"));
        QVERIFY(savePicture(view, path));
        QFile svg(path);
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QVERIFY(svg.readAll().contains(
            QStringLiteral("viewBox=\"0 0 %1 %2\"").arg(copied.width()).arg(copied.height()).toUtf8()));
    }

    // Every row of a timeline that scrolls, and it stands where it stood.
    void aTimelineIsPicturedWithAllRows() {
        test::ShownTimeline shown({700, 260});
        TimelineTracks& tracks = *shown.view.tracks();
        tracks.setRowHeight(60);
        const int hidden = tracks.contentHeight() - tracks.height();
        QVERIFY(hidden > 0);
        tracks.setScroll(40);
        const QImage before = shown.view.grab().toImage();
        copyPicture(shown.view);
        const QImage copied = QApplication::clipboard()->image();
        QCOMPARE(copied.size(), QSize(700, 260 + hidden));
        const int top = tracks.mapTo(&shown.view, QPoint()).y();
        for (int row = 0; row < tracks.rowCount(); ++row) { // each of them is there, and not ground alone
            QSet<QRgb> colours;
            for (int x = 0; x < copied.width(); ++x)
                colours.insert(copied.pixel(x, top + row * tracks.rowHeight() + 20));
            QVERIFY2(colours.size() > 3, qPrintable(QString::number(row)));
        }
        QCOMPARE(tracks.scroll(), 40);
        QApplication::processEvents();
        QCOMPARE(shown.view.grab().toImage(), before);
    }
};

QTEST_MAIN(PictureTest)
#include "picture_test.moc"
