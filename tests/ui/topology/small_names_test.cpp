// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/theme.h"
#include "ui/topology/items.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <QTest>

using namespace pw;

// What boxes of a small drawing are called, and of which kind they are.
class SmallNamesTest : public QObject {
    Q_OBJECT

private:
    static QImage pictureOf(QGraphicsItem& item, double scale) {
        const QRectF room = item.boundingRect();
        QImage image((room.size() * scale).toSize() + QSize(2, 2), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.scale(scale, scale);
        painter.translate(-room.topLeft());
        const QStyleOptionGraphicsItem option;
        item.paint(&painter, &option, nullptr);
        return image;
    }
    static QImage node(const char* name, bool withKind, double scale) {
        NodeLook look;
        look.id = QLatin1String(name);
        look.tiles.resize(8);
        if (withKind) {
            look.brief = QStringLiteral("8 \u00d7 A100-80");
            look.kind = QStringLiteral("A100-80");
            look.family = QStringLiteral("A100");
        }
        NodeItem item(look.id);
        item.setLook(look);
        return pictureOf(item, scale);
    }
    static QImage switchBox(const char* name, double scale) {
        SwitchItem item{QLatin1String(name)};
        SwitchLook look;
        look.id = QLatin1String(name);
        item.setLook(look);
        item.setSeenAt(scale);
        return pictureOf(item, scale);
    }

private Q_SLOTS:
    void initTestCase() { ThemeControl::instance().apply(*qApp, ThemeMode::Light); }

    void aKindStandsBehindANameThatLeavesRoom() {
        QVERIFY(node("n1", true, 0.3) != node("n1", false, 0.3));
        QVERIFY(node("n1", true, 0.25) != node("n1", false, 0.25));
    }

    // A name that has room is whole before the kind stands beside it; of a longer one enough is left to tell
    // it from others.
    void aKindGivesWayToAWholeName() {
        QCOMPARE(node("gpu-a6", true, 0.21), node("gpu-a6", false, 0.21));
        QVERIFY(node("gpu-a6", true, 0.21) != node("gpu-b6", true, 0.21));
        const char* one = "compute-node-0001";
        QVERIFY(node(one, true, 0.37) != node("compute-node-0002", true, 0.37));
        QVERIFY(node(one, true, 0.37) != node(one, false, 0.37));
        QCOMPARE(node(one, true, 0.21), node("compute-node-0002", true, 0.21)); // the kind alone
    }

    void anOutlineHasTheNameAboveTheKindOrTheKind() {
        QVERIFY(node("n1", true, 0.19) != node("n2", true, 0.19));
        QVERIFY(node("n1", true, 0.19) != node("n1", false, 0.19));
        QCOMPARE(node("n1", true, 0.15), node("n2", true, 0.15));
        QVERIFY(node("n1", true, 0.15) != node("n1", false, 0.15));
        QCOMPARE(node("n1", true, 0.05), node("n1", false, 0.05)); // no room for letters
    }

    void switchesOfAnOutlineAreNamedWhereTheyHaveRoom() {
        for (const double scale : {0.15, 0.05}) {
            QVERIFY(switchBox("s1", scale) != switchBox("s2", scale));
            QCOMPARE(switchBox("a-name-of-many-letters", scale), switchBox("another-one-of-as-many", scale));
        }
    }
};

QTEST_MAIN(SmallNamesTest)
#include "small_names_test.moc"
