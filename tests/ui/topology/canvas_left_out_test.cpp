// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Nodes and GPUs that no search uses, on the canvas.

#include "tests/ui/topology/shown_canvas.h"
#include "ui/topology/geometry.h"
#include "ui/topology/items.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QTest>

using namespace pw;

namespace {

using Names = std::vector<std::string>;

struct ShownNodes : ShownCanvas {
    ShownNodes() {
        drawSample();
        show();
        action = commands->action("canvas.leaveOut");
    }
    const NodeLook& look(const char* id) const {
        return canvas->topology().nodeItem(QString::fromLatin1(id))->look();
    }
    const Names& forbidden() const { return document.project()->forbidden; }
    void choose(std::initializer_list<const char*> ids) {
        QSet<QString> items;
        for (const char* id : ids)
            items.insert(QString::fromLatin1(id));
        selection.setItems(items);
    }
    // What the menu of the chosen node offers beside the commands.
    QAction* offered(const QString& text) const {
        qDeleteAll(canvas->findChildren<QMenu*>());
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
        QApplication::sendEvent(canvas, &event);
        for (QMenu* menu : canvas->findChildren<QMenu*>())
            for (QAction* entry : menu->actions())
                if (entry->text() == text)
                    return entry;
        return nullptr;
    }

    QAction* action = nullptr;
};

} // namespace

class LeftOutCanvasTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void chosenNodesAreLeftOutAndUsedAgain() {
        ShownNodes app;
        QVERIFY(!app.action->isEnabled());
        app.choose({"s1"}); // stands for the nodes that have no other way
        QVERIFY(app.action->isEnabled() && !app.action->isChecked());
        app.action->trigger();
        QCOMPARE(app.forbidden(), Names({"n1", "n2"}));
        QVERIFY(app.action->isChecked());
        app.action->trigger();
        QVERIFY(app.forbidden().empty());
        app.choose({"n1-s1"}); // itself
        QVERIFY(app.action->isEnabled() && !app.action->isChecked());
        const auto drawn = [&] { return app.canvas->topology().linkItem(QStringLiteral("n1-s1"))->look(); };
        QVERIFY(!drawn().leftOut);
        app.action->trigger();
        QCOMPARE(app.forbidden(), Names({"n1-s1"}));
        QVERIFY(app.action->isChecked() && drawn().leftOut);
        QVERIFY(drawn().label.endsWith(QStringLiteral("left out")));
        app.action->trigger();
        QVERIFY(app.forbidden().empty() && !drawn().leftOut);
        const int before = app.document.undoStack()->index();
        app.choose({"n1", "s1", "n2"});
        QVERIFY(app.action->isEnabled() && !app.action->isChecked());
        app.action->trigger();
        QCOMPARE(app.forbidden(), Names({"n1", "n2"}));
        QCOMPARE(app.document.undoStack()->index(), before + 1);
        QVERIFY(app.action->isChecked());
        QVERIFY(app.look("n1").leftOut && app.look("n1").tiles[0].leftOut);
        QCOMPARE(app.look("n1").inside, QStringLiteral("left out"));
        // Some of them are used: then all are left out, and all of them are used again after that.
        app.choose({"n1", "n3"});
        QVERIFY(!app.action->isChecked());
        app.action->trigger();
        QCOMPARE(app.forbidden(), Names({"n1", "n2", "n3"}));
        app.action->trigger();
        QCOMPARE(app.forbidden(), Names({"n2"}));
        QVERIFY(!app.look("n1").leftOut && app.look("n2").leftOut);
        app.document.undoStack()->setIndex(before);
        QVERIFY(app.forbidden().empty() && !app.look("n2").leftOut);
    }

    void oneGpuFromItsMenu() {
        ShownNodes app;
        app.choose({"n1"});
        QVERIFY(!app.offered(QStringLiteral("Leave out n1.g1 only")));
        app.selection.setDevice(QStringLiteral("n1.g1"));
        QAction* leave = app.offered(QStringLiteral("Leave out n1.g1 only"));
        QVERIFY(leave);
        leave->trigger();
        QCOMPARE(app.forbidden(), Names({"n1.g1"}));
        QVERIFY(app.look("n1").tiles[1].leftOut && !app.look("n1").tiles[0].leftOut);
        QVERIFY(!app.look("n1").leftOut);
        QAction* back = app.offered(QStringLiteral("Use n1.g1 again"));
        QVERIFY(back);
        back->trigger();
        QVERIFY(app.forbidden().empty());
        app.choose({"n2"}); // another node than that of the chosen GPU
        QVERIFY(!app.offered(QStringLiteral("Leave out n1.g1 only")));
    }

    // By mouse it is the one under the pointer, chosen or not, beside the entry for all of its node.
    void aRightClickMeansTheGpuUnderThePointer() {
        ShownNodes app;
        app.canvas->setZoom(1.0);
        const QRectF box = app.canvas->topology().boxOf(QStringLiteral("n1"));
        const auto texts = [&](const QPointF& inNode) {
            const QPoint at = app.canvas->mapFromScene(box.topLeft() + inNode);
            QTest::mousePress(app.canvas->viewport(), Qt::RightButton, {}, at);
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, app.canvas->viewport()->mapToGlobal(at));
            QApplication::sendEvent(app.canvas->viewport(), &event);
            QTest::mouseRelease(app.canvas->viewport(), Qt::RightButton, {}, at);
            QStringList all;
            for (QMenu* menu : app.canvas->findChildren<QMenu*>()) {
                for (const QAction* entry : menu->actions())
                    all << entry->text().remove(u'&');
                menu->close();
            }
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            return all;
        };
        const QStringList onTile = texts(tileRect(2).center());
        const qsizetype one = onTile.indexOf(QStringLiteral("Leave out n1.g2 only"));
        QVERIFY2(one > 0, qPrintable(onTile.join(u'\n')));
        QCOMPARE(onTile[one - 1], QStringLiteral("Leave out of plans"));
        QVERIFY(texts(QPointF(8, 6)).filter(QStringLiteral(" only")).isEmpty()); // on its title
    }

    void toldApartInAPictureAtEveryScale() {
        for (const double zoom : {1.0, 0.6, 0.35, 0.15}) {
            ShownNodes app;
            app.canvas->setZoom(zoom);
            app.choose({"n1"});
            const QImage before = app.canvas->grab().toImage();
            app.action->trigger();
            const QImage after = app.canvas->grab().toImage();
            app.document.undoStack()->undo();
            QVERIFY2(after != before, qPrintable(QString::number(zoom)));
            QCOMPARE(app.canvas->grab().toImage(), before);
        }
    }

    void assistiveToolsAreTold() {
        ShownNodes app;
        app.choose({"n1"});
        app.action->trigger();
        QStringList said;
        for (const AccessiblePart& part : app.canvas->accessibleParts())
            if (part.key == QLatin1String("n1") || part.key == QLatin1String("n1.g0"))
                said << part.description;
        QCOMPARE(said.size(), 2);
        said << app.canvas->accessibleDescription(); // of what is chosen, where the focus is
        for (const QString& text : said)
            QVERIFY2(text.endsWith(QStringLiteral("left out of plans")), qPrintable(text));
    }
};

QTEST_MAIN(LeftOutCanvasTest)
#include "canvas_left_out_test.moc"
