// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/picture.h"

#include "tests/ui/ui_fixture.h"
#include "ui/plots/parallel_plot.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>

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
};

QTEST_MAIN(PictureTest)
#include "picture_test.moc"
