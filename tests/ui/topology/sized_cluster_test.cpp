// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/sized_cluster.h"

#include "core/edit/edit.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/convert.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/cluster_form.h"
#include "ui/topology/drawing.h"
#include "ui/topology/scene.h"
#include "ui/topology/user_catalogue.h"
#include "ui/topology/view.h"
#include "ui/widgets/empty_state.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QUndoStack>

#include <algorithm>
#include <map>
#include <set>

using namespace pw;

namespace {

using Network = ClusterSize::Network;
constexpr const char* kNew = "H100-SXM-80GB";
constexpr const char* kOld = "A100-SXM4-80GB";

template <class T>
T* part(const QWidget& of, const char* name) {
    return of.findChild<T*>(QLatin1String(name));
}

} // namespace

// A cluster by its sizes, in one go: as a drawing, as a form, and in an empty canvas.
class SizedClusterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isDrawnWholeAndSound_data() {
        QTest::addColumn<ClusterSize>("size");
        QTest::addColumn<int>("switches");
        QTest::addColumn<int>("links");
        QTest::newRow("one node") << ClusterSize{kNew, 1, {}, 0, 8, Network::OneSwitch, 4} << 0 << 0;
        QTest::newRow("one kind") << ClusterSize{kNew, 5, {}, 0, 4, Network::OneSwitch, 4} << 1 << 5;
        QTest::newRow("two kinds") << ClusterSize{kNew, 3, kOld, 2, 8, Network::OneSwitch, 4} << 1 << 5;
        QTest::newRow("one of each") << ClusterSize{kNew, 1, kOld, 1, 8, Network::OneSwitch, 4} << 1 << 2;
        QTest::newRow("a switch each")
            << ClusterSize{kNew, 3, kOld, 2, 8, Network::SwitchOfEachKind, 4} << 2 << 6;
        QTest::newRow("a switch each, of one node")
            << ClusterSize{kNew, 1, kOld, 1, 4, Network::SwitchOfEachKind, 4} << 2 << 3;
        QTest::newRow("a switch each, of one kind")
            << ClusterSize{kNew, 4, {}, 0, 8, Network::SwitchOfEachKind, 4} << 1 << 4;
        QTest::newRow("a switch each, many")
            << ClusterSize{kNew, 60, kOld, 20, 8, Network::SwitchOfEachKind, 4} << 2 << 81;
        QTest::newRow("other nodes have fewer")
            << ClusterSize{kNew, 3, kOld, 2, 8, Network::SwitchOfEachKind, 4, 4} << 2 << 6;
        QTest::newRow("racks") << ClusterSize{kNew, 8, {}, 0, 8, Network::LeafAndSpine, 2} << 6 << 16;
        QTest::newRow("a rack that is not full")
            << ClusterSize{kNew, 5, {}, 0, 8, Network::LeafAndSpine, 2} << 5 << 11;
        QTest::newRow("racks of two kinds")
            << ClusterSize{kNew, 3, kOld, 3, 8, Network::LeafAndSpine, 2} << 6 << 14;
        QTest::newRow("a small rack of one GPU")
            << ClusterSize{kNew, 1, {}, 0, 1, Network::LeafAndSpine, 1} << 3 << 3;
        QTest::newRow("many") << ClusterSize{kNew, 60, kOld, 20, 8, Network::LeafAndSpine, 8} << 13 << 102;
        QTest::newRow("eight spines, not oversubscribed")
            << ClusterSize{kNew, 8, {}, 0, 8, Network::LeafAndSpine, 4, 0, 8, 1} << 10 << 24;
        QTest::newRow("rails") << ClusterSize{kNew, 6, {}, 0, 8, Network::Rails, 4} << 8 << 48;
        QTest::newRow("rails of one node") << ClusterSize{kNew, 1, {}, 0, 8, Network::Rails, 4} << 0 << 0;
        QTest::newRow("rails of two kinds")
            << ClusterSize{kNew, 3, kOld, 2, 8, Network::Rails, 4, 4} << 8 << 32;
    }

    void isDrawnWholeAndSound() {
        QFETCH(const ClusterSize, size);
        QFETCH(const int, switches);
        QFETCH(const int, links);
        const Result<Project> made = addCluster(Project{}, size, {160.0, 320.0});
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        const Cluster& cluster = made->cluster;
        QCOMPARE(cluster.gpuCount(), size.gpus());
        QCOMPARE(static_cast<int>(cluster.nodes.size()), size.nodes + size.otherNodes);
        const auto others = std::ranges::count(cluster.nodes, std::string(kOld), &Node::kind);
        QCOMPARE(static_cast<int>(others), size.otherNodes);
        QCOMPARE(static_cast<int>(cluster.switches.size()), switches);
        QCOMPARE(static_cast<int>(cluster.links.size()), links);
        for (const Link& link : cluster.links)
            if (const Node* node = cluster.node(link.a)) {
                QCOMPARE(link.bandwidth.value, (node->kind == kOld ? 200e9 : 400e9) / 8.0);
                QCOMPARE(node->gpus, node->kind == kOld ? size.gpusOfOthers() : size.gpusPerNode);
                QCOMPARE(link.lanes, size.network == Network::Rails ? 1 : node->gpus);
            }
        QVERIFY(!hasErrors(checkCluster(cluster)));
        // From its place on, and nothing on top of anything.
        TopologyScene scene;
        scene.show(cluster, drawingOf(*made, {}, nullptr, false, {}, {}));
        const QStringList boxes = scene.boxes();
        for (qsizetype i = 0; i < boxes.size(); ++i) {
            const QRectF box = scene.boxOf(boxes[i]);
            QVERIFY2(box.left() >= 160.0 && box.top() >= 320.0, qPrintable(boxes[i]));
            for (qsizetype k = 0; k < i; ++k)
                QVERIFY2(!box.intersects(scene.boxOf(boxes[k])), qPrintable(boxes[i]));
        }
    }

    // The catalogue's usual network of the kind, in the form as in the templates, and no more ports than
    // GPUs.
    void nodesHaveTheUsualPortsOfTheirKind_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<double>("gigabits");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<QString>("medium");
        const QString infiniBand = QStringLiteral("InfiniBand");
        QTest::newRow("H100") << QStringLiteral("H100-SXM-80GB") << 8 << 400.0 << 8 << infiniBand;
        QTest::newRow("A100") << QStringLiteral("A100-SXM4-80GB") << 8 << 200.0 << 8 << infiniBand;
        QTest::newRow("half a node") << QStringLiteral("A100-SXM4-80GB") << 4 << 200.0 << 4 << infiniBand;
        QTest::newRow("V100") << QStringLiteral("V100-SXM2-32GB") << 8 << 100.0 << 4 << infiniBand;
        QTest::newRow("cards") << QStringLiteral("RTX 4090") << 4 << 1.0 << 1 << QStringLiteral("Ethernet");
        QTest::newRow("by the GPU") << QStringLiteral("GB300") << 4 << 800.0 << 4 << infiniBand;
    }

    void nodesHaveTheUsualPortsOfTheirKind() {
        QFETCH(const QString, kind);
        QFETCH(const int, gpus);
        QFETCH(const double, gigabits);
        QFETCH(const int, lanes);
        QFETCH(const QString, medium);
        for (const Network network : {Network::OneSwitch, Network::LeafAndSpine}) {
            const Result<Project> made =
                addCluster(Project{}, {s(kind), 2, {}, 0, gpus, network, 4}, {160.0, 320.0});
            QVERIFY(made);
            QVERIFY(!made->cluster.links.empty());
            for (const Link& link : made->cluster.links) {
                QCOMPARE(link.bandwidth.value, gigabits * 1e9 / 8.0);
                if (made->cluster.node(link.a))
                    QCOMPARE(link.lanes, lanes);
            }
            for (const Switch& at : made->cluster.switches)
                QCOMPARE(q(at.medium), medium);
        }
        for (const ClusterTemplate& row : clusterTemplates()) {
            if (!row.make || std::string(row.key) == "nvlinkRack") // whose kind is its own where need be
                continue;
            const Result<Project> made = row.make(Project{}, s(kind), {160.0, 320.0});
            QVERIFY2(made, row.key);
            for (const Link& link : made->cluster.links)
                if (const Node* node = made->cluster.node(link.a); node && node->kind == s(kind))
                    QVERIFY2(qFuzzyCompare(link.bandwidth.value, gigabits * 1e9 / 8.0), row.key);
        }
    }

    // Where two networks meet, what both have: Ethernet, at the slower rate by the fewer ports.
    void differentNetworksMeetInEthernet() {
        const Result<Project> one = addCluster(Project{}, {kNew, 1, "T4", 1, 4, Network::OneSwitch, 4}, {});
        QVERIFY(one);
        QCOMPARE(one->cluster.switches.front().medium, std::string("Ethernet"));
        const Result<Project> each =
            addCluster(Project{}, {kNew, 2, "T4", 2, 4, Network::SwitchOfEachKind, 4}, {});
        QVERIFY(each);
        QCOMPARE(each->cluster.switches.front().medium, std::string("InfiniBand"));
        QCOMPARE(each->cluster.switches.back().medium, std::string("Ethernet"));
        const Link& between = each->cluster.links.back();
        QVERIFY(!each->cluster.node(between.a) && !each->cluster.node(between.b));
        QCOMPARE(between.bandwidth.value, 50e9 / 8.0);
        QCOMPARE(between.lanes, 1);
    }

    void aSwitchOfEachKindIsJoinedToTheOther() {
        const Result<Project> made =
            addCluster(Project{}, {kNew, 3, kOld, 2, 4, Network::SwitchOfEachKind, 4}, {});
        QVERIFY(made);
        const Cluster& cluster = made->cluster;
        std::map<std::string, std::set<std::string>> kindsBelow;
        std::vector<Link> between;
        for (const Link& link : cluster.links)
            if (const Node* node = cluster.node(link.a))
                kindsBelow[link.b].insert(node->kind);
            else
                between.push_back(link);
        QCOMPARE(kindsBelow.size(), std::size_t{2});
        std::set<std::string> kinds;
        for (const auto& [fabric, below] : kindsBelow) {
            QVERIFY(cluster.findSwitch(fabric));
            QCOMPARE(below.size(), std::size_t{1});
            kinds.insert(*below.begin());
        }
        QCOMPARE(kinds, (std::set<std::string>{kNew, kOld}));
        QCOMPARE(between.size(), std::size_t{1});
        QVERIFY(between[0].a != between[0].b);
        QVERIFY(kindsBelow.contains(between[0].a) && kindsBelow.contains(between[0].b));
        QCOMPARE(between[0].lanes, 4); // as of a node
    }

    void racksHoldOneKindAndReachBothSpines() {
        const Result<Project> made =
            addCluster(Project{}, {kNew, 3, kOld, 2, 8, Network::LeafAndSpine, 2}, {});
        QVERIFY(made);
        const Cluster& cluster = made->cluster;
        std::map<std::string, std::set<std::string>> kindsBelow;
        std::map<std::string, int> spines;
        for (const Link& link : cluster.links)
            if (const Node* node = cluster.node(link.a))
                kindsBelow[link.b].insert(node->kind);
            else {
                QCOMPARE(link.lanes, 4); // two nodes of eight lanes, halved, over two spines
                ++spines[link.a];
            }
        QCOMPARE(kindsBelow.size(), std::size_t{3});
        for (const auto& [leaf, kinds] : kindsBelow) {
            QCOMPARE(kinds.size(), std::size_t{1});
            QCOMPARE(spines[leaf], 2);
        }
    }

    void whatIsThereStaysWhereItIs() {
        const Result<Project> before = addNodes(Project{}, kOld, 4, 2, {0.0, 0.0});
        QVERIFY(before);
        const Result<Project> made =
            addCluster(*before, {kNew, 2, {}, 0, 8, Network::OneSwitch, 4}, {0, 960});
        QVERIFY(made);
        QCOMPARE(made->cluster.nodes.size(), std::size_t{4});
        for (const Node& node : before->cluster.nodes)
            QVERIFY(made->cluster.node(node.id) && *made->cluster.node(node.id) == node);
        QCOMPARE(made->cluster.links.size(), std::size_t{2}); // of the new ones alone
    }

    void anUnknownKindIsRefused() {
        QVERIFY(!addCluster(Project{}, {"none", 2, {}, 0, 8, Network::OneSwitch, 4}, {}));
        QVERIFY(!addCluster(Project{}, {kNew, 2, "none", 1, 8, Network::OneSwitch, 4}, {}));
        QVERIFY(addCluster(Project{}, {kNew, 2, "none", 0, 8, Network::OneSwitch, 4}, {})); // not asked for
        QVERIFY(!addCluster(Project{}, {kNew, 0, {}, 0, 8, Network::OneSwitch, 4}, {}));
    }

    // What leads up from a leaf, all spines together, is what lies below divided by the oversubscription.
    void spinesShareWhatLeadsUp() {
        for (const auto& [spines, over] : {std::pair(1, 1), {8, 1}, {4, 2}, {2, 4}}) {
            const Result<Project> made =
                addCluster(Project{}, {kNew, 8, {}, 0, 8, Network::LeafAndSpine, 4, 0, spines, over}, {});
            QVERIFY(made);
            std::map<std::string, int> up, down;
            for (const Link& link : made->cluster.links)
                (made->cluster.node(link.a) ? down[link.b] : up[link.a]) += link.lanes;
            QCOMPARE(up.size(), std::size_t{2});
            for (const auto& [leaf, cables] : up)
                QCOMPARE(cables * over, down[leaf]);
        }
    }

    // Every node has a port on each rail, no rail leads to another, and fewer ports are on the first.
    void railsHoldAPortOfEveryNode() {
        const Result<Project> made = addCluster(Project{}, {kNew, 3, kOld, 2, 8, Network::Rails, 4, 4}, {});
        QVERIFY(made);
        std::map<std::string, std::set<std::string>> nodesOn;
        for (const Link& link : made->cluster.links) {
            QVERIFY(made->cluster.node(link.a) && made->cluster.findSwitch(link.b));
            nodesOn[link.b].insert(link.a);
        }
        QCOMPARE(nodesOn.size(), std::size_t{8});
        for (std::size_t rail = 0; rail < made->cluster.switches.size(); ++rail)
            QCOMPARE(nodesOn[made->cluster.switches[rail].id].size(), std::size_t{rail < 4 ? 5U : 3U});
    }

    void theFormSaysWhatItComesTo() {
        Selection selection;
        ClusterForm form(QStringLiteral("f"), selection);
        const auto* total = part<QLabel>(form, "f.total");
        auto* otherKind = part<QComboBox>(form, "f.otherKind");
        auto* perRack = part<QSpinBox>(form, "f.perRack");
        QCOMPARE(total->text(), QStringLiteral("32 GPUs: H100-SXM-80GB"));
        QVERIFY(!otherKind->isEnabled() && !perRack->isVisibleTo(&form));
        part<QSpinBox>(form, "f.nodes")->setValue(6);
        part<QSpinBox>(form, "f.otherNodes")->setValue(2);
        part<QSpinBox>(form, "f.gpus")->setValue(4);
        auto* network = part<QComboBox>(form, "f.network");
        network->setCurrentText(QStringLiteral("A switch for each kind, joined"));
        QVERIFY(form.size().network == Network::SwitchOfEachKind);
        QVERIFY(otherKind->isEnabled() && !perRack->isVisibleTo(&form));
        network->setCurrentText(QStringLiteral("Racks, leaf and spine"));
        QVERIFY(otherKind->isEnabled() && perRack->isVisibleTo(&form));
        part<QSpinBox>(form, "f.spines")->setValue(4);
        part<QSpinBox>(form, "f.oversubscription")->setValue(1);
        QCOMPARE(total->text(), QStringLiteral("32 GPUs: 24 H100-SXM-80GB, 8 A100-SXM4-80GB"));
        part<QSpinBox>(form, "f.otherGpus")->setValue(2);
        QCOMPARE(total->text(), QStringLiteral("28 GPUs: 24 H100-SXM-80GB, 4 A100-SXM4-80GB"));
        std::vector<ClusterSize> asked;
        connect(&form, &ClusterForm::drawRequested, &form,
                [&](const ClusterSize& size) { asked.push_back(size); });
        part<QPushButton>(form, "f.draw")->click();
        QCOMPARE(asked.size(), std::size_t{1});
        QCOMPARE(asked[0].kind, std::string(kNew));
        QCOMPARE(asked[0].otherKind, std::string(kOld));
        QCOMPARE(asked[0].nodes, 6);
        QCOMPARE(asked[0].otherNodes, 2);
        QCOMPARE(asked[0].gpusPerNode, 4);
        QCOMPARE(asked[0].gpusOfOthers(), 2);
        QCOMPARE(asked[0].nodesPerRack, 4);
        QVERIFY(asked[0].network == Network::LeafAndSpine);
        QCOMPARE(asked[0].spines, 4);
        QCOMPARE(asked[0].oversubscription, 1);
        for (const auto* field : form.findChildren<QWidget*>())
            if (qobject_cast<const QSpinBox*>(field) || qobject_cast<const QComboBox*>(field))
                QVERIFY2(!field->accessibleName().isEmpty(), qPrintable(field->objectName()));
    }

    // What the user adds to the catalogue is offered, and the chosen kind stays.
    void theFormOffersTheUsersKinds() {
        QTemporaryDir folder;
        UserCatalogue& catalogue = UserCatalogue::instance();
        QVERIFY(catalogue.load(folder.filePath(QStringLiteral("devices.json"))));
        Selection selection;
        ClusterForm form(QStringLiteral("f"), selection);
        auto* kind = part<QComboBox>(form, "f.kind");
        kind->setCurrentText(QLatin1String(kOld));
        DeviceKind own = *Catalogue::builtin().find(kNew);
        own.name = "Mine";
        own.shortName = "Mine";
        QVERIFY(catalogue.put("Mine", own));
        QVERIFY(kind->findText(QStringLiteral("Mine")) >= 0);
        QCOMPARE(kind->currentText(), QLatin1String(kOld));
        const Result<Project> made = addCluster(Project{}, {"Mine", 2, {}, 0, 8, Network::OneSwitch, 4}, {});
        QVERIFY(made);
        QCOMPARE(made->cluster.kinds.size(), std::size_t{1}); // it goes along
        QVERIFY(catalogue.remove("Mine"));
    }

    // Two forms of one window, as on the start page and on the canvas.
    void formsOfferTheSameKind() {
        Selection selection;
        ClusterForm one(QStringLiteral("one"), selection), two(QStringLiteral("two"), selection);
        auto* first = part<QComboBox>(one, "one.kind");
        auto* second = part<QComboBox>(two, "two.kind");
        QCOMPARE(first->currentText(), second->currentText());
        first->setCurrentText(QLatin1String(kOld));
        QCOMPARE(second->currentText(), QLatin1String(kOld));
        QCOMPARE(two.size().kind, std::string(kOld));
        QCOMPARE(part<QLabel>(two, "two.total")->text(), QStringLiteral("32 GPUs: A100-SXM4-80GB"));
        // What only one project knows is no kind of an empty drawing, and stays the window's.
        selection.setKind(QStringLiteral("Lab card"));
        QVERIFY(first->findText(QStringLiteral("Lab card")) < 0);
        QCOMPARE(first->currentText(), QLatin1String(kNew));
        QCOMPARE(selection.kind(), QStringLiteral("Lab card"));
    }

    void anEmptyCanvasDrawsThem() {
        UiFixture app;
        TopologyView view(app.context);
        view.resize(900, 800);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        auto* begin = part<QWidget>(view, "topology.begin");
        QVERIFY(begin && begin->isVisible());
        QVERIFY(part<QPushButton>(view, "emptyState.button")->isVisible()); // the way that was there
        const QRect canvas = part<EmptyState>(view, "topology.empty")->rect();
        QVERIFY(canvas.contains(QRect(begin->mapTo(begin->parentWidget(), QPoint()), begin->size())));
        part<QSpinBox>(view, "topology.sizes.nodes")->setValue(3);
        part<QPushButton>(view, "topology.sizes.draw")->click();
        QCOMPARE(app.document.project()->cluster.gpuCount(), 24);
        QVERIFY(!begin->isVisible());
        app.document.undoStack()->undo(); // one step
        QVERIFY(app.document.project()->cluster.nodes.empty());
        QVERIFY(begin->isVisible());
        // A template is drawn of the kind that is chosen below it.
        part<QComboBox>(view, "topology.sizes.kind")->setCurrentText(QLatin1String(kOld));
        part<QPushButton>(view, "topology.template.oneKind")->click();
        QCOMPARE(app.document.project()->cluster.gpuCount(), 64);
        QCOMPARE(app.document.project()->cluster.nodes.front().kind, std::string(kOld));
    }

    // Where there is no room for all of it, the button stands alone.
    void aSmallCanvasKeepsTheButton() {
        UiFixture app;
        TopologyView view(app.context);
        view.resize(420, 260);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QVERIFY(!part<QWidget>(view, "topology.begin")->isVisible());
        QVERIFY(part<QPushButton>(view, "emptyState.button")->isVisible());
        view.resize(900, 800);
        QTRY_VERIFY(part<QWidget>(view, "topology.begin")->isVisible());
    }
};

QTEST_MAIN(SizedClusterTest)
#include "sized_cluster_test.moc"
