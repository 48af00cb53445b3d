// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/picture.h"

#include "tests/ui/ui_fixture.h"
#include "ui/plots/parallel_plot.h"

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
};

QTEST_MAIN(PictureTest)
#include "picture_test.moc"
