// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is left out of plans by choosing it.

#include "core/edit/edit.h"
#include "core/problem/problem.h"

#include <QTest>

#include <tuple>

using namespace pw;

namespace {

using Names = std::vector<std::string>;

// n1 and n2 of four A100, n3 of four V100.
Project drawn() {
    const Project two = *addNodes(Project(), "A100-SXM4-40GB", 4, 2, {0, 0});
    return *addNodes(two, "V100-SXM2-32GB", 4, 1, {0, 0});
}

Project without(const Names& names) {
    return *setForbidden(drawn(), names);
}

std::string refusal(const Result<Project>& edited) {
    return edited ? std::string() : edited.error().text();
}

} // namespace

class LeftOutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nodesAndDevicesAreNamed() {
        const Project out = *leaveOut(drawn(), {"n1", "n2.g3", "s1"}, true);
        QCOMPARE(out.forbidden, Names({"n1", "n2.g3"}));
        QVERIFY(areLeftOut(out, {"n1"}) && areLeftOut(out, {"n1.g0"}) && areLeftOut(out, {"n2.g3"}));
        QVERIFY(areLeftOut(out, {"n1", "n2.g3"}));
        QVERIFY(!areLeftOut(out, {"n2"}) && !areLeftOut(out, {"n1", "n3"}) && !areLeftOut(out, {}));
        // A second time changes nothing.
        QCOMPARE(leaveOut(out, {"n1", "n2.g3"}, true)->forbidden, out.forbidden);
    }

    void aNodeTakesTheNamesOfItsDevicesWithIt() {
        const Project out = *leaveOut(without({"n1.g0", "n1.g2", "n2.g0"}), {"n1"}, true);
        QCOMPARE(out.forbidden, Names({"n2.g0", "n1"}));
        QVERIFY(leaveOut(out, {"n1"}, false)->forbidden == Names({"n2.g0"}));
        // All of its devices are the node.
        const Project each = without({"n1.g0", "n1.g1", "n1.g2", "n1.g3"});
        QVERIFY(areLeftOut(each, {"n1"}));
        QCOMPARE(leaveOut(each, {"n1"}, true)->forbidden, each.forbidden);
        QVERIFY(leaveOut(each, {"n1"}, false)->forbidden.empty());
        // A part of it comes back, too.
        QCOMPARE(leaveOut(without({"n1.g0", "n1.g1"}), {"n1.g0"}, false)->forbidden, Names({"n1.g1"}));
    }

    // A leaf stands for the nodes that have no other way; a spine for none, and for none where a node is
    // chosen with it.
    void aSwitchStandsForItsRack() {
        Project project = drawn();
        project.cluster.switches = {{"l1", "", {}}, {"l2", "", {}}, {"s1", "", {}}};
        int number = 0;
        for (const auto& [a, b] : {std::pair("n1", "l1"), std::pair("l1", "n2"), std::pair("n3", "l2"),
                                   std::pair("n2", "l2"), std::pair("l1", "s1"), std::pair("l2", "s1")})
            project.cluster.links.push_back({"k" + std::to_string(++number), a, b, BytesPerSecond(1e10)});
        QCOMPARE(leaveOut(project, {"l1"}, true)->forbidden, Names({"n1"})); // n2 has a way left
        QCOMPARE(leaveOut(project, {"l1", "l2"}, true)->forbidden, Names({"n1", "n2", "n3"}));
        QCOMPARE(leaveOut(project, {"l1", "l2", "n3"}, true)->forbidden, Names({"n3"}));
        QCOMPARE(whatToLeaveOut(project, {"l1", "l2"}).nodes, std::size_t{3});
        QCOMPARE(whatToLeaveOut(project, {"l1", "k1"}).network, std::size_t{0});
        const Project out = *leaveOut(project, {"l2"}, true);
        QVERIFY(areLeftOut(out, {"l2"}) && !areLeftOut(out, {"l1"}));
        QVERIFY(leaveOut(out, {"l2"}, false)->forbidden.empty());
    }

    // A spine that stands for no rack is itself what is left out, and so is a link; and a link of it comes
    // back with it alone.
    void spinesAndLinksThemselves() {
        Project project = drawn();
        project.cluster.switches = {{"l1", "", {}}, {"s1", "", {}}, {"s2", "", {}}};
        for (const auto& [id, a, b] : {std::tuple("n1-l1", "n1", "l1"),
                                       {"n2-l1", "n2", "l1"},
                                       {"n3-l1", "n3", "l1"},
                                       {"l1-s1", "l1", "s1"},
                                       {"l1-s2", "l1", "s2"}})
            project.cluster.links.push_back({id, a, b, BytesPerSecond(1e10)});
        QCOMPARE(whatToLeaveOut(project, {"s1", "n2-l1"}).network, std::size_t{2});
        const Project out = *leaveOut(project, {"s1", "n2-l1"}, true);
        QCOMPARE(out.forbidden, Names({"s1", "n2-l1"}));
        QVERIFY(areLeftOut(out, {"s1"}) && areLeftOut(out, {"n2-l1"}) && areLeftOut(out, {"l1-s1"}));
        QVERIFY(!areLeftOut(out, {"s2"}) && !areLeftOut(out, {"l1-s2"}) && !areLeftOut(out, {"s1", "s2"}));
        QCOMPARE(leaveOut(out, {"s1", "n2-l1"}, true)->forbidden, out.forbidden);
        QCOMPARE(closedLinks(out.cluster, out.forbidden),
                 (std::vector<bool>{false, true, false, true, false}));
        const std::string why = refusal(leaveOut(out, {"l1-s1"}, false));
        QVERIFY2(why.find("l1-s1") == 0 && why.find("left out with s1") != std::string::npos, why.c_str());
        QCOMPARE(leaveOut(out, {"s1"}, false)->forbidden, Names({"n2-l1"}));
        QVERIFY(closedLinks(out.cluster, {}).empty());
        // A link whose end is moved stays out under its new name.
        const Result<Project> moved = moveLinkEnd(out, "n2-l1", "l1", "s2");
        QVERIFY(moved);
        QCOMPARE(moved->forbidden, Names({"s1", "n2-s2"}));
        // A leaf that is named itself comes back by being chosen, though it stands for its nodes otherwise.
        Project leaf = project;
        leaf.forbidden = {"l1"};
        QVERIFY(areLeftOut(leaf, {"l1"}));
        QVERIFY(leaveOut(leaf, {"l1"}, false)->forbidden.empty());
        // A node that is left out is no reason why its link is.
        Project both = project;
        both.forbidden = {"n1", "n1-l1", "l1"};
        const std::string culprit = refusal(leaveOut(both, {"n1-l1"}, false));
        QVERIFY2(culprit.find("left out with l1") != std::string::npos, culprit.c_str());
        // A node that gets another name takes its link's along, and what goes is forgotten.
        const Result<Project> renamed = renameItems(out, {{"n2", "m2"}, {"s1", "core"}});
        QVERIFY(renamed);
        QCOMPARE(renamed->forbidden, Names({"core", "m2-l1"}));
        QVERIFY(differInNamesOnly(out, *renamed));
        QVERIFY(removeItems(out, {"s1"})->forbidden == Names({"n2-l1"}));
    }

    void whatIsLeftOutWithAKindIsNotNamedAgain() {
        const Project kind = without({"V100-32"}); // by its short name
        QVERIFY(areLeftOut(kind, {"n3"}) && areLeftOut(kind, {"n3.g1"}));
        QCOMPARE(leaveOut(kind, {"n1", "n3"}, true)->forbidden, Names({"V100-32", "n1"}));
        const std::string why = refusal(leaveOut(kind, {"n3"}, false));
        QVERIFY2(why.find("n3") == 0 && why.find("V100-SXM2-32GB") != std::string::npos, why.c_str());
    }

    void whatANodeHoldsStaysOutWithIt() {
        const std::string why = refusal(leaveOut(without({"n1"}), {"n1.g2"}, false));
        QVERIFY2(why.find("n1.g2") == 0 && why.find("left out with n1") != std::string::npos, why.c_str());
    }

    void otherItemsCannotBe() {
        for (const ItemIds& none : {ItemIds{}, ItemIds{"s9", "l9"}, ItemIds{"n1.g4", "n9"}})
            QCOMPARE(leaveOut(drawn(), none, true).error().code, std::string("edit.leave_out"));
    }
};

QTEST_APPLESS_MAIN(LeftOutTest)
#include "left_out_test.moc"
