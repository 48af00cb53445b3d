// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_fixture.h"
#include "ui/base/theme.h"
#include "ui/topology/box_lettering.h"
#include "ui/topology/canvas.h"
#include "ui/topology/geometry.h"
#include "ui/topology/items.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <QTest>

#include <set>

using namespace pw;

// What boxes of a small drawing are called, and of which kind they are.
class SmallNamesTest : public QObject {
    Q_OBJECT

private:
    static QStringList wordsOfSwitch(TopologyCanvas& canvas, const QString& id) {
        for (QGraphicsItem* item : canvas.topology().items())
            if (const auto* box = dynamic_cast<SwitchItem*>(item); box && box->id() == id)
                return box->words();
        return {QStringLiteral("no switch is called so")};
    }
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
    static QImage node(const char* name, bool withKind, double scale, bool oneFamily = false) {
        NodeLook look;
        look.oneFamily = oneFamily;
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

    // Widths are whole numbers, letters are not: a name that has just its room is not cut.
    void aNameThatJustFitsIsWhole() {
        const auto picture = [](const QString& name, double width) {
            QImage image(120, 20, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            drawUnscaled(painter, QRectF(4, 0, width, 20), 1.0, name, {});
            return image;
        };
        for (const char* stem : {"n", "s", "leaf", "hgx", "gpu-"})
            for (int i = 0; i < 20; ++i) {
                const QString name = QLatin1String(stem) + QString::number(i);
                QVERIFY2(picture(name, nameWidth(name)) == picture(name, 100.0), qPrintable(name));
            }
    }

    // A switch whose name is cut is as wide as its name where nothing stands beside it.
    void aSwitchIsAsWideAsItsName() {
        UiFixture ui;
        Project project = smallProject();
        project.cluster.switches = {{"spine-12", "InfiniBand", {0, 0}},
                                    {"spine-13", "InfiniBand", {400, 0}},
                                    {"leaf-104", "InfiniBand", {640, 0}},
                                    {"leaf-105", "InfiniBand", {800, 0}}};
        project.cluster.nodes.clear();
        project.cluster.links.clear();
        ui.document.adopt(project, QString());
        TopologyCanvas canvas(ui.context);
        const auto widths = [&](double zoom) {
            canvas.topology().setScale(zoom);
            QList<double> list;
            for (const char* name : {"spine-12", "spine-13", "leaf-104", "leaf-105"})
                for (QGraphicsItem* item : canvas.topology().items())
                    if (const auto* box = dynamic_cast<SwitchItem*>(item);
                        box && box->id() == QLatin1String(name))
                        list << box->shownBox().width();
            return list;
        };
        const QList<double> small = widths(0.3);
        QCOMPARE(small.size(), qsizetype{4});
        QVERIFY(small[0] > kSwitchSize.width() && small[0] * 0.3 >= nameWidth(QStringLiteral("spine-12")));
        QVERIFY(small[1] > kSwitchSize.width()); // 128 beside it are enough
        QCOMPARE(small[2], kSwitchSize.width()); // these two have 48 between them
        QCOMPARE(small[3], kSwitchSize.width());
        for (const double width : widths(1.0))
            QCOMPARE(width, kSwitchSize.width());
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

    // A kind that all nodes are of tells none of them from another.
    void theOnlyKindGivesWayToTheName() {
        QVERIFY(node("n1", true, 0.15, true) != node("n2", true, 0.15, true));
        const char* one = "compute-node-0001";
        QVERIFY(node(one, true, 0.37, true) != node(one, true, 0.37, false)); // more of it is left
        QVERIFY(node(one, true, 0.21, true) != node("other-node-0001", true, 0.21, true));
    }

    void whatStandsBehindNamesFitsBehindTheWidest() {
        const double narrow = nameWidth(QStringLiteral("n1")), wide = nameWidth(QStringLiteral("n88"));
        QVERIFY(wide > narrow);
        const QStringList more{QStringLiteral("8 \u00d7 A100-80"), QStringLiteral("A100-80"),
                               QStringLiteral("A100")};
        const auto first = [&](double widest, double room) {
            return wordsBehind({widest, room}, 0.25, more, more.last());
        };
        qsizetype least = 0;
        bool differed = false;
        for (double room = 800.0; room > 160.0; room -= 4.0) {
            const qsizetype of = first(wide, room);
            QVERIFY(of >= first(narrow, room) && of >= least); // no longer ones where there is less room
            differed = differed || of != first(narrow, room);
            least = of;
        }
        QVERIFY(differed);
        QCOMPARE(first(narrow, 800.0), qsizetype{0});
        QCOMPARE(first(narrow, 4.0 * (narrow + 7.0)), qsizetype{3}); // a whole name, and nothing
        QCOMPARE(first(1000.0, 4.0 * 50.0), qsizetype{2});           // a name that gives way to the kind
        QCOMPARE(wordsBehind({wide, 4.0 * (wide + 7.0)}, 0.25, {QStringLiteral("InfiniBand")}), qsizetype{1});
    }

    // At one scale, whatever their names take and whichever has a warning.
    void boxesThatAreAlikeSayTheSame() {
        AppFixture app;
        Project project = *addNodes(Project(), "A100-SXM4-80GB", 8, 12, {0, 0});
        for (int i = 0; i < 12; ++i)
            project = *addSwitch(project, "InfiniBand", {160.0 * i, 2000});
        project = *addLink(project, "n1", "s1"); // the others have a mark
        app.document.adopt(project, {});
        TopologyCanvas canvas(app.context, &app.window);
        canvas.resize(900, 600);
        std::set<QString> ofNodes, ofSwitches;
        for (double zoom = 0.84; zoom > 0.2; zoom -= 0.01) {
            canvas.setZoom(zoom);
            const QStringList node = canvas.topology().nodeItem(QStringLiteral("n1"))->words();
            const QStringList fabric = wordsOfSwitch(canvas, QStringLiteral("s1"));
            for (int i = 2; i <= 12; ++i) {
                QCOMPARE(canvas.topology().nodeItem(QStringLiteral("n%1").arg(i))->words(), node);
                QCOMPARE(wordsOfSwitch(canvas, QStringLiteral("s%1").arg(i)), fabric);
            }
            ofNodes.insert(node.value(0));
            ofSwitches.insert(fabric.value(0));
        }
        QVERIFY(ofNodes.size() >= 3 && ofSwitches.size() >= 2); // they follow the scale
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
