// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// NVLink domains: sharing, joining, leaving, and what goes with copies.

#include "core/edit/arrange.h"
#include "core/edit/domains.h"

#include <QTest>

using namespace pw;

namespace {

// n1 to n`count`, of four GB200 each.
Project trays(int count) {
    return *addNodes(Project(), "GB200", 4, count, {0, 0});
}

ItemIds allNodes(const Project& project) {
    ItemIds ids;
    for (const Node& node : project.cluster.nodes)
        ids.insert(node.id);
    return ids;
}

std::string codeOf(const Result<Project>& edited) {
    return edited ? std::string() : edited.error().code;
}

using Names = std::vector<std::string>;

} // namespace

class DomainEditsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharingMakesOneDomainOrOneARack() {
        const Project p = trays(36);
        const Project one = *shareDomain(p, allNodes(p), {"rack", 0, BytesPerSecond(8e11), Seconds(3e-6)});
        QCOMPARE(one.cluster.nvlinkDomains.size(), std::size_t{1});
        const NvlinkDomain& rack = one.cluster.nvlinkDomains[0];
        QCOMPARE(rack.id, std::string("rack"));
        QCOMPARE(rack.nodes.size(), std::size_t{36});
        QCOMPARE(rack.nodes[9], std::string("n10")); // in the order of the drawing, not of the alphabet
        QCOMPARE(rack.bandwidth.value, 8e11);
        QCOMPARE(rack.latency.value, 3e-6);
        // 72 GPUs a domain: two racks, and with their names free.
        const Project two = *shareDomain(one, allNodes(one), {"", 72});
        QCOMPARE(two.cluster.nvlinkDomains.size(), std::size_t{2});
        QCOMPARE(two.cluster.nvlinkDomains[0].id, std::string("d1"));
        QCOMPARE(two.cluster.nvlinkDomains[1].nodes.front(), std::string("n19"));
        QCOMPARE(shareDomain(p, allNodes(p), {"r", 72})->cluster.nvlinkDomains[1].id, std::string("r2"));
        // A rest of one node shares nothing.
        const Project rest = *shareDomain(trays(3), allNodes(trays(3)), {"", 8});
        QCOMPARE(rest.cluster.nvlinkDomains.size(), std::size_t{1});
        QVERIFY(!domainOf(rest.cluster, "n3"));
        QCOMPARE(domainOf(two.cluster, "n36")->id, std::string("d2"));
    }

    void whatCannotShareIsRefused() {
        Project p = trays(4);
        QCOMPARE(codeOf(shareDomain(p, {"n1"}, {})), std::string("edit.domain"));
        QCOMPARE(codeOf(shareDomain(p, {}, {})), std::string("edit.domain"));
        QCOMPARE(codeOf(shareDomain(p, {"n1", "n2"}, {"", 4})), std::string("edit.domain"));
        QCOMPARE(codeOf(shareDomain(p, {"n1", "n2"}, {"n3"})), std::string("edit.name"));
        QCOMPARE(codeOf(shareDomain(p, {"n1", "n2"}, {"", 0, BytesPerSecond(-1.0)})),
                 std::string("cluster.domain_rate"));
        p = *addNodes(p, "P100-SXM2-16GB", 4, 2, {2000, 0}); // n5 and n6, without a switch
        QCOMPARE(codeOf(shareDomain(p, {"n5", "n6"}, {})), std::string("cluster.domain_fabric"));
        QCOMPARE(codeOf(shareDomain(p, {"n1", "n5"}, {})), std::string("cluster.domain_kinds"));
        QCOMPARE(codeOf(leaveDomain(p, {"n1"})), std::string("edit.domain"));
        QCOMPARE(codeOf(joinDomain(p, {"n1"}, "d1")), std::string("edit.unknown"));
        QCOMPARE(codeOf(setDomain(p, {"d1", {}, {}, Seconds(0.0)})), std::string("edit.unknown"));
    }

    void nodesLeaveAndJoin() {
        Project p = trays(6);
        p = *shareDomain(p, {"n1", "n2", "n3"}, {"a"});
        p = *shareDomain(p, {"n4", "n5", "n6"}, {"b"});
        // Of three two stay, and of two none: one alone shares nothing.
        const Project left = *leaveDomain(p, {"n1"});
        QVERIFY((left.cluster.nvlinkDomains[0].nodes == Names{"n2", "n3"}));
        const Project gone = *leaveDomain(left, {"n2", "n4"});
        QCOMPARE(gone.cluster.nvlinkDomains.size(), std::size_t{1});
        QCOMPARE(gone.cluster.nvlinkDomains[0].id, std::string("b"));
        const Project joined = *joinDomain(p, {"n3", "n4"}, "b");
        QVERIFY((joined.cluster.nvlinkDomains[0].nodes == Names{"n1", "n2"}));
        QVERIFY((joined.cluster.nvlinkDomains[1].nodes == Names{"n4", "n5", "n6", "n3"}));
        QCOMPARE(domainOf(joined.cluster, "n3")->id, std::string("b"));
        // Sharing takes nodes out of where they were; a name that goes with its domain is free.
        const Project moved = *shareDomain(p, {"n1", "n2", "n4"}, {"a"});
        QCOMPARE(moved.cluster.nvlinkDomains.size(), std::size_t{2});
        QCOMPARE(domainOf(moved.cluster, "n4")->id, std::string("a"));
        QVERIFY(!domainOf(moved.cluster, "n3"));
    }

    void figuresAreSetByName() {
        const Project p = *shareDomain(trays(2), {"n1", "n2"}, {"a"});
        const Project set = *setDomain(p, {"a", {}, BytesPerSecond(5e11), Seconds(1e-6)});
        QCOMPARE(set.cluster.nvlinkDomains[0].bandwidth.value, 5e11);
        QVERIFY((set.cluster.nvlinkDomains[0].nodes == Names{"n1", "n2"})); // the nodes stay
        QCOMPARE(codeOf(setDomain(p, {"a", {}, BytesPerSecond(-5.0), Seconds(0.0)})),
                 std::string("cluster.domain_rate"));
    }

    void wholeDomainsAreCopied() {
        const Project p = *shareDomain(trays(3), {"n1", "n2"}, {"a", 0, BytesPerSecond(8e11)});
        const Project pasted = *pasteItems(p, *copyItems(p, {"n1", "n2"}), 0, 1000, nullptr);
        QCOMPARE(pasted.cluster.nvlinkDomains.size(), std::size_t{2});
        QVERIFY((pasted.cluster.nvlinkDomains[1].nodes == Names{"n4", "n5"}));
        QCOMPARE(pasted.cluster.nvlinkDomains[1].bandwidth.value, 8e11);
        QVERIFY((pasted.cluster.nvlinkDomains[0] == p.cluster.nvlinkDomains[0]));
        QCOMPARE(pasteItems(p, *copyItems(p, {"n1", "n3"}), 0, 1000, nullptr)->cluster.nvlinkDomains.size(),
                 std::size_t{1}); // half of one is none
        // Into another drawing, where the name is free.
        const Project other = *pasteItems(trays(1), *copyItems(p, {"n1", "n2"}), 0, 1000, nullptr);
        QVERIFY((other.cluster.nvlinkDomains[0].nodes == Names{"n2", "n3"}));
    }
};

QTEST_APPLESS_MAIN(DomainEditsTest)
#include "domain_edits_test.moc"
