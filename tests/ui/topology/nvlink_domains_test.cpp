// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// NVLink domains on the drawing: shared, left, framed, chosen by their name, and edited in the properties.

#include "core/edit/domains.h"
#include "tests/ui/topology/shown_canvas.h"
#include "ui/base/theme.h"
#include "ui/topology/domain_dialog.h"
#include "ui/topology/domain_item.h"
#include "ui/topology/property_panel.h"
#include "ui/topology/stacks.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace pw;

namespace {

const QString kD1 = QStringLiteral("domain:d1");

struct Trays : ShownCanvas {
    explicit Trays(int count = 6) {
        document.apply(addNodes(*document.project(), "GB200", 4, count, {0, 0}), QStringLiteral("trays"));
        show();
    }
    QSet<QString> choose(int first, int last) {
        QSet<QString> nodes;
        for (int i = first; i <= last; ++i)
            nodes.insert(QStringLiteral("n%1").arg(i));
        selection.setItems(nodes);
        return nodes;
    }
    void share(const ItemIds& nodes, const DomainWish& wish = {}) {
        document.apply(shareDomain(*document.project(), nodes, wish), QStringLiteral("share"));
    }
    void share(int first, int last) {
        ItemIds nodes;
        for (int i = first; i <= last; ++i)
            nodes.insert("n" + std::to_string(i));
        share(nodes);
    }
    const std::vector<NvlinkDomain>& domains() const { return cluster().nvlinkDomains; }
    const DomainItem* frame(const QString& id = kD1) const { return canvas->topology().domainItem(id); }
    DomainDialog* dialog() const { return canvas->findChild<DomainDialog*>(); }
};

} // namespace

class NvlinkDomainsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharedAndLeftByKey();
    void racksAreDealtOut();
    void theDialogSaysWhatCannotBe();
    void theFrameIsRoundItsNodes();
    void theNameIsSeenAtAnyScale();
    void aClickOnTheNameChoosesTheNodes();
    void framesArePaintedInEveryTheme();
    void problemsStandOnTheName();
    void stacksKeepDomainsApart();
    void propertiesEditTheDomain();
    void propertiesOfSeveralDomains();
    void assistiveToolsFindTheDomain();
    void aThousandNodesAreFramedAtOnce();
};

void NvlinkDomainsTest::sharedAndLeftByKey() {
    Trays app;
    const QSet<QString> chosen = app.choose(1, 4);
    const int before = app.undoSteps();
    QTest::keyClick(app.canvas, Qt::Key_J);
    QVERIFY(app.dialog());
    app.dialog()->findChild<QLineEdit*>(QStringLiteral("domainDialog.name"))->setText(QStringLiteral("rack"));
    auto* rate = app.dialog()->findChild<QLineEdit*>(QStringLiteral("domainDialog.bandwidth"));
    rate->setText(QStringLiteral("800 GB/s"));
    QTest::keyClick(rate, Qt::Key_Return);
    QCOMPARE(app.domains().size(), std::size_t{1});
    QCOMPARE(app.domains()[0].id, std::string("rack"));
    QCOMPARE(app.domains()[0].nodes.size(), std::size_t{4});
    QCOMPARE(app.domains()[0].bandwidth.value, 8e11);
    QCOMPARE(app.undoSteps(), before + 1);
    QCOMPARE(app.selection.items(), chosen);
    QTRY_VERIFY_WITH_TIMEOUT(!app.dialog(), 60'000);
    app.commands->action("canvas.leaveDomain")->trigger();
    QVERIFY(app.domains().empty());
    QCOMPARE(app.undoSteps(), before + 2);
    app.document.undoStack()->undo();
    QCOMPARE(app.domains().size(), std::size_t{1});
    app.document.undoStack()->undo();
    QVERIFY(app.domains().empty());
    QVERIFY(!app.frame(QStringLiteral("domain:rack")));
    // Nothing to leave is said.
    QSignalSpy refused(&app.document, &Document::failed);
    app.commands->action("canvas.leaveDomain")->trigger();
    QCOMPARE(refused.size(), 1);
}

// As racks of the kind are built, if more is chosen.
void NvlinkDomainsTest::racksAreDealtOut() {
    Trays app(36);
    app.choose(1, 36);
    app.commands->action("canvas.domain")->trigger();
    QVERIFY(app.dialog());
    auto* gpus = app.dialog()->findChild<QSpinBox*>(QStringLiteral("domainDialog.gpus"));
    QCOMPARE(gpus->value(), 72);
    QCOMPARE(gpus->maximum(), 144);
    const auto* total = app.dialog()->findChild<QLabel*>(QStringLiteral("domainDialog.total"));
    QVERIFY2(total->text().contains(QStringLiteral("2 domains")), qPrintable(total->text()));
    gpus->setValue(36);
    QVERIFY2(total->text().contains(QStringLiteral("4 domains")), qPrintable(total->text()));
    QTest::mouseClick(app.dialog()->findChild<QPushButton*>(QStringLiteral("domainDialog.share")),
                      Qt::LeftButton);
    QCOMPARE(app.domains().size(), std::size_t{4});
    for (const NvlinkDomain& domain : app.domains())
        QCOMPARE(domain.nodes.size(), std::size_t{9});
}

void NvlinkDomainsTest::theDialogSaysWhatCannotBe() {
    Trays app;
    QSignalSpy refused(&app.document, &Document::failed);
    app.choose(1, 1);
    app.commands->action("canvas.domain")->trigger();
    QVERIFY(!app.dialog()); // one node shares with nobody: no use in asking
    QCOMPARE(refused.size(), 1);
    app.choose(1, 3);
    app.commands->action("canvas.domain")->trigger();
    auto* share = app.dialog()->findChild<QPushButton*>(QStringLiteral("domainDialog.share"));
    auto* name = app.dialog()->findChild<QLineEdit*>(QStringLiteral("domainDialog.name"));
    QVERIFY(share->isEnabled());
    name->setText(QStringLiteral("n5"));
    QVERIFY(!share->isEnabled());
    QVERIFY(app.dialog()
                ->findChild<QLabel*>(QStringLiteral("domainDialog.total"))
                ->text()
                .contains(QStringLiteral("n5")));
    name->setText(QStringLiteral("rack"));
    QVERIFY(share->isEnabled());
    app.dialog()->reject();
    QVERIFY(app.domains().empty());
}

// One round all while nobody else stands between; else one round each.
void NvlinkDomainsTest::theFrameIsRoundItsNodes() {
    Trays app(9); // three in a row
    app.share(1, 6);
    QCOMPARE(app.frame()->frames().size(), std::size_t{1});
    const QRectF whole = app.frame()->frames().front();
    for (int i = 1; i <= 9; ++i)
        QCOMPARE(whole.intersects(app.canvas->topology().boxOf(QStringLiteral("n%1").arg(i))), i <= 6);
    app.share({"n1", "n3", "n5"}); // n2 and n4 stand between
    const DomainItem* second = app.frame(QStringLiteral("domain:d2"));
    QVERIFY(second);
    QCOMPARE(second->frames().size(), std::size_t{3});
    for (const QRectF& frame : second->frames())
        for (const char* other : {"n2", "n4", "n6"})
            QVERIFY(!frame.intersects(app.canvas->topology().boxOf(QString::fromLatin1(other))));
    QVERIFY(second->frames().front().contains(app.canvas->topology().boxOf(QStringLiteral("n1"))));
    // It follows a node that is being moved.
    const QRectF before = app.frame()->boundingRect();
    app.canvas->topology().displace({QStringLiteral("n6")}, {900, 0});
    QVERIFY(app.frame()->boundingRect().right() > before.right());
    app.canvas->topology().displace({}, {});
    QCOMPARE(app.frame()->boundingRect(), before);
}

void NvlinkDomainsTest::theNameIsSeenAtAnyScale() {
    Trays app;
    app.share(1, 6);
    for (const double zoom : {2.0, 1.0, 0.6, 0.3, 0.22, 0.15, 0.08}) {
        app.canvas->setZoom(zoom);
        const QRectF label = app.frame()->label();
        QVERIFY2(!label.isNull(), qPrintable(QString::number(zoom)));
        QCOMPARE(label.height() * std::min(zoom, 1.0), 16.0); // px
        QVERIFY(label.width() <= app.frame()->frames().front().width() + 1e-6);
        QVERIFY(app.frame()->boundingRect().contains(label));
        if (zoom > kOutlineScale) // the names of its nodes stay readable
            for (int i = 1; i <= 6; ++i)
                QVERIFY(!label.intersects(app.canvas->topology().boxOf(QStringLiteral("n%1").arg(i))));
    }
    app.canvas->setZoom(0.01); // some px are no room for a name
    QVERIFY(app.frame()->label().isNull());
}

void NvlinkDomainsTest::aClickOnTheNameChoosesTheNodes() {
    Trays app;
    app.share(1, 4);
    app.selection.setItems({});
    const auto name = [&] { return app.canvas->mapFromScene(app.frame()->label().center()); };
    for (const double zoom : {1.0, 0.3, 0.15}) {
        app.canvas->setZoom(zoom);
        app.canvas->centerOn(app.frame()->label().center());
        app.selection.setItems({});
        QTest::mouseClick(app.canvas->viewport(), Qt::LeftButton, {}, name());
        QCOMPARE(app.selection.items().size(), 4);
        QVERIFY(app.frame()->look().chosen);
        QVERIFY(app.selection.device().isEmpty()); // whatever lies under the name
    }
    // A right click, too; and the frame beside its nodes is ground.
    app.selection.setItems({QStringLiteral("n6")});
    QTest::mousePress(app.canvas->viewport(), Qt::RightButton, {}, name());
    QVERIFY(app.selection.items().contains(QStringLiteral("n1")) && app.selection.items().size() == 4);
    app.canvas->setZoom(1.0);
    const QRectF first = app.canvas->topology().boxOf(QStringLiteral("n1"));
    QVERIFY(app.canvas->topology().itemAt(first.bottomRight() + QPointF(8, 8), 1.0).isEmpty());
    QCOMPARE(app.canvas->topology().boxAt(first.center()), QStringLiteral("n1"));
    // Two clicks go to its figures.
    QSignalSpy asked(&app.selection, &Selection::focusRequested);
    app.canvas->centerOn(app.frame()->label().center());
    QTest::mouseDClick(app.canvas->viewport(), Qt::LeftButton, {}, name());
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.front().front().toString(), QStringLiteral("d1"));
}

void NvlinkDomainsTest::framesArePaintedInEveryTheme() {
    Trays app;
    app.share(1, 6);
    app.selection.setItems({});
    app.canvas->setGridShown(false);
    for (const ThemeRow& row : themeTable()) {
        ThemeControl::instance().apply(*qApp, row.mode);
        for (const double zoom : {1.0, 0.15}) {
            app.canvas->setZoom(zoom);
            app.canvas->centerOn(app.frame()->frames().front().topLeft());
            const QImage shown = app.canvas->viewport()->grab().toImage();
            const QRectF frame = app.frame()->frames().front();
            const QPointF between = (app.canvas->topology().boxOf(QStringLiteral("n1")).bottomRight() +
                                     app.canvas->topology().boxOf(QStringLiteral("n5")).topLeft()) /
                                    2.0;
            QCOMPARE(shown.pixelColor(app.canvas->mapFromScene(between)), theme().infoGround);
            QCOMPARE(shown.pixelColor(app.canvas->mapFromScene(frame.bottomLeft()) + QPoint(-8, 8)),
                     theme().canvas);
            QCOMPARE(
                shown.pixelColor(app.canvas->mapFromScene(app.frame()->label().topLeft()) + QPoint(3, 3)),
                theme().panel);
        }
    }
    ThemeControl::instance().apply(*qApp, ThemeMode::Light);
}

void NvlinkDomainsTest::problemsStandOnTheName() {
    Trays app;
    app.share(1, 3);
    QVERIFY(!app.frame()->look().mark.severity);
    const QString before = app.frame()->toolTip();
    Node other = *app.cluster().node("n2");
    other.kind = "H100-SXM-80GB";
    app.document.apply(setNode(*app.document.project(), other), QStringLiteral("another kind"));
    QVERIFY(app.frame()->look().mark.severity == Severity::Error);
    QVERIFY(app.frame()->toolTip().size() > before.size());
}

// A large domain is a card of its own; small ones that are alike share one.
void NvlinkDomainsTest::stacksKeepDomainsApart() {
    const auto stacked = [](int domain) {
        AppFixture app;
        Project project = *addSwitch(*addNodes(Project(), "GB200", 4, 36, {0, 0}), "InfiniBand", {800, 3000});
        ItemIds nodes;
        for (const Node& node : Project(project).cluster.nodes) {
            project = *addLink(project, node.id, "s1");
            nodes.insert(node.id);
        }
        if (domain > 0)
            project = *shareDomain(project, nodes, {"", domain});
        return stacksOf(project.cluster, drawingOf(project, {}, nullptr, false, {}, {}));
    };
    QCOMPARE(stacked(0).size(), std::size_t{1});
    QCOMPARE(stacked(0)[0].title, QStringLiteral("36 nodes"));
    const std::vector<StackLook> racks = stacked(72);
    QCOMPARE(racks.size(), std::size_t{2});
    for (const StackLook& rack : racks)
        QCOMPARE(rack.nodes.size(), 18);
    QVERIFY(racks[0].title.contains(QStringLiteral("d1")) || racks[0].title.contains(QStringLiteral("d2")));
    QVERIFY(racks[0].title != racks[1].title);
    const std::vector<StackLook> small = stacked(36);
    QCOMPARE(small.size(), std::size_t{1});
    QCOMPARE(small[0].title, QStringLiteral("36 nodes, 4 NVLink domains"));
}

void NvlinkDomainsTest::propertiesEditTheDomain() {
    Trays app;
    auto* panel = new PropertyPanel(app.context, &app.window);
    panel->resize(340, 600);
    panel->show();
    const auto edit = [&](const char* name) {
        return panel->findChild<QLineEdit*>(QLatin1String("properties.") + QLatin1String(name));
    };
    const auto type = [&](const char* name, const char* text) {
        edit(name)->setText(QString::fromLatin1(text));
        QTest::keyClick(edit(name), Qt::Key_Return);
    };
    auto* choice = panel->findChild<QComboBox*>(QStringLiteral("properties.domain"));
    const auto pick = [&](const QString& text) {
        const int at = choice->findText(text);
        QVERIFY2(at >= 0, qPrintable(text));
        choice->setCurrentIndex(at);
        Q_EMIT choice->activated(at);
    };
    app.choose(1, 2);
    QCOMPARE(choice->currentText(), QStringLiteral("none"));
    QVERIFY(!edit("domainBandwidth")->isVisibleTo(panel)); // nothing to say
    app.share(1, 3);
    app.choose(1, 2);
    QCOMPARE(choice->currentText(), QStringLiteral("d1"));
    QVERIFY(edit("domainBandwidth")->isVisibleTo(panel));
    QCOMPARE(edit("domainBandwidth")->text(), QStringLiteral("of the nodes"));
    const int before = app.undoSteps();
    type("domainBandwidth", "700 GB/s");
    type("domainLatency", "4 us");
    QCOMPARE(app.domains()[0].bandwidth.value, 7e11);
    QCOMPARE(app.domains()[0].latency.value, 4e-6);
    QVERIFY(app.frame()->look().label.contains(QStringLiteral("700 GB/s")));
    type("domainName", "rack");
    QCOMPARE(app.domains()[0].id, std::string("rack"));
    QCOMPARE(app.undoSteps(), before + 3);
    type("domainName", "n4"); // taken
    QCOMPARE(app.domains()[0].id, std::string("rack"));
    QCOMPARE(edit("domainName")->text(), QStringLiteral("rack"));
    // Another node joins, and leaves.
    app.choose(4, 4);
    pick(QStringLiteral("rack"));
    QCOMPARE(app.domains()[0].nodes.size(), std::size_t{4});
    QCOMPARE(app.domains()[0].bandwidth.value, 7e11);
    pick(QStringLiteral("none"));
    QCOMPARE(app.domains()[0].nodes.size(), std::size_t{3});
    QCOMPARE(app.undoSteps(), before + 5);
    // Problems and two clicks ask for it by name.
    app.selection.setItems({});
    app.selection.requestFocus(QStringLiteral("rack"));
    QCOMPARE(app.selection.items().size(), 3);
}

void NvlinkDomainsTest::propertiesOfSeveralDomains() {
    Trays app;
    auto* panel = new PropertyPanel(app.context, &app.window);
    panel->show();
    app.share(1, 2);
    app.share(3, 4);
    app.choose(1, 6);
    auto* choice = panel->findChild<QComboBox*>(QStringLiteral("properties.domain"));
    QCOMPARE(choice->currentIndex(), -1);
    QCOMPARE(choice->placeholderText(), QStringLiteral("3 values")); // d1, d2 and none
    QVERIFY(!panel->findChild<QLineEdit*>(QStringLiteral("properties.domainName"))->isEnabled());
    auto* rate = panel->findChild<QLineEdit*>(QStringLiteral("properties.domainBandwidth"));
    const int before = app.undoSteps();
    rate->setText(QStringLiteral("500 GB/s"));
    QTest::keyClick(rate, Qt::Key_Return);
    for (const NvlinkDomain& domain : app.domains())
        QCOMPARE(domain.bandwidth.value, 5e11);
    QCOMPARE(app.undoSteps(), before + 1);
    // A new one is asked for, and the choice says what is so until then.
    const int fresh = choice->count() - 1;
    Q_EMIT choice->activated(fresh);
    QVERIFY(app.dialog());
    QCOMPARE(choice->currentIndex(), -1);
    app.dialog()->accept();
    QCOMPARE(app.domains().size(), std::size_t{1});
    QCOMPARE(app.domains()[0].nodes.size(), std::size_t{6});
}

void NvlinkDomainsTest::assistiveToolsFindTheDomain() {
    Trays app;
    app.share(1, 4);
    app.selection.setItems({});
    const std::vector<AccessiblePart> parts = app.canvas->accessibleParts();
    const auto part = std::ranges::find(parts, kD1, &AccessiblePart::key);
    QVERIFY(part != parts.end());
    QVERIFY(part->name.contains(QStringLiteral("d1")));
    app.canvas->activatePart(kD1);
    QCOMPARE(app.selection.items().size(), 4);
    QVERIFY(describeItem(app.cluster(), QStringLiteral("n1")).contains(QStringLiteral("d1")));
    QVERIFY(!describeItem(app.cluster(), QStringLiteral("n6")).contains(QStringLiteral("d1")));
    QVERIFY(describeItem(app.cluster(), QStringLiteral("d1")).contains(QStringLiteral("16 GPUs")));
}

// Of nodes that no switch gathers into stacks: an item each, and the frames.
void NvlinkDomainsTest::aThousandNodesAreFramedAtOnce() {
    Project project = *addNodes(Project(), "GB200", 4, 1008, {0, 0});
    ItemIds all;
    for (const Node& node : project.cluster.nodes)
        all.insert(node.id);
    project = *shareDomain(project, all, {"", 72});
    QCOMPARE(project.cluster.nvlinkDomains.size(), std::size_t{56});
    AppFixture app;
    app.document.adopt(project, {});
    TopologyCanvas canvas(app.context, &app.window);
    canvas.resize(900, 600);
    app.window.show();
    std::vector<QRectF> boxes;
    for (const NodeLook& node : canvas.drawing().nodes)
        boxes.push_back(canvas.topology().boxOf(node.id));
    for (const double zoom : {0.05, 0.3, 1.0}) {
        canvas.setZoom(zoom);
        // Rows of 32 cut some domains in two: those have a frame each node.
        std::size_t frames = 0;
        for (const DomainLook& look : canvas.drawing().domains)
            for (const QRectF& frame : canvas.topology().domainItem(look.id)->frames()) {
                ++frames;
                for (std::size_t i = 0; i < boxes.size(); ++i)
                    QVERIFY(!frame.intersects(boxes[i]) || look.nodes.contains(canvas.drawing().nodes[i].id));
            }
        QVERIFY(frames > 56 && frames < 1008);
    }
}

QTEST_MAIN(NvlinkDomainsTest)
#include "nvlink_domains_test.moc"
