// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Links between nodes and switches: their figures, their ends and the names that nobody gave them.

#include "core/edit/edit.h"
#include "tests/project/small_project.h"

#include <QTest>

using namespace pw;

class LinkEditsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // One cable more of a rack is like the others of it, as far as these agree.
    void linksFollowTheOthersOfTheirSwitch() {
        Project p;
        p = *addNodes(p, "A100-40", 8, 4, {});
        p = *addSwitch(p, "InfiniBand", {});
        p = *addSwitch(p, "InfiniBand", {});
        p = *addLinks(p, {"n1", "n2", "s2"}, "s1");
        Link first = *p.cluster.link("n1-s1"), second = *p.cluster.link("n2-s1");
        const Link usual = first;
        first.bandwidth = second.bandwidth = BytesPerSecond(50e9);
        first.lanes = 4;
        second.lanes = 8;
        first.latency = second.latency = Seconds(7e-6);
        first.efficiency = second.efficiency = 0.5;
        p = *setLinks(p, {first, second});
        for (const auto& [a, b] : {std::pair("n3", "s1"), std::pair("s1", "n4")}) {
            const Link made = addLink(p, a, b)->cluster.links.back();
            QCOMPARE(made.bandwidth, first.bandwidth);
            QCOMPARE(made.latency, first.latency);
            QCOMPARE(made.efficiency, first.efficiency);
            QCOMPARE(made.lanes, usual.lanes); // of which they do not agree
        }
        // What leads to nodes says nothing of what leads to switches.
        p = *addSwitch(p, "InfiniBand", {});
        QCOMPARE(addLink(p, "s3", "s1")->cluster.links.back().bandwidth, usual.bandwidth);
        Link trunk = *p.cluster.link("s2-s1");
        trunk.lanes = 16;
        p = *setLinks(p, {trunk});
        QCOMPARE(addLink(p, "s3", "s1")->cluster.links.back().lanes, 16);
        QCOMPARE(addLink(p, "s1", "s3")->cluster.links.back().lanes, 16);
        QCOMPARE(addLink(p, "n3", "n4")->cluster.links.back().bandwidth.value, 12.5e9);
    }

    void anEndOfALinkLeadsElsewhere() {
        Project p = smallProject();
        p = *addSwitch(p, "InfiniBand", {}); // s2
        Link link = *p.cluster.link("n1-s1");
        link.bandwidth = BytesPerSecond(50e9);
        link.lanes = 4;
        p = *setLinks(p, {link});
        std::string id;
        const Result<Project> moved = moveLinkEnd(p, "n1-s1", "s1", "s2", &id);
        QVERIFY(moved);
        QCOMPARE(id, std::string("n1-s2"));
        QCOMPARE(moved->cluster.links.size(), p.cluster.links.size());
        Link expected = link;
        expected.id = id;
        expected.b = "s2";
        QVERIFY(*moved->cluster.link(id) == expected);
        // A name that was given stays; the same place changes nothing.
        const Project named = *renameItem(p, "n1-s1", "uplink");
        QVERIFY(moveLinkEnd(named, "uplink", "n1", "s2", &id));
        QCOMPARE(id, std::string("uplink"));
        QVERIFY(*moveLinkEnd(p, "n1-s1", "s1", "s1") == p);
        for (const auto& [name, from, to] : {std::tuple("n1-s1", "s1", "n1"), std::tuple("n1-s1", "n1", "n2"),
                                             std::tuple("n1-s1", "n2", "s2"), std::tuple("n1-s1", "s1", "s9"),
                                             std::tuple("none", "s1", "s2")})
            QVERIFY2(!moveLinkEnd(p, name, from, to), to);
    }

    void linksAreRefusedWithTheReason() {
        const Cluster c = smallProject().cluster;
        QCOMPARE(linkRefusal(c, "n1", "n2").message, std::string());
        QVERIFY(linkRefusal(c, "n1", "n1").message.find("itself") != std::string::npos);
        QVERIFY(linkRefusal(c, "s1", "n1").message.find("already linked") != std::string::npos);
        QVERIFY(linkRefusal(c, "n1", "n9").message.find("\"n9\"") != std::string::npos);
        QVERIFY(!addLink(smallProject(), "s1", "n1"));
    }

    // "n1-s1-2" is a name that nobody gave, as "n1-s1" is: it stood there because the other was taken.
    void ownNamesFollowTheEndsWithTheirNumber() {
        Project p = smallProject();
        p = *addSwitch(p, "InfiniBand", {}); // s2
        const auto called = [&p](const char* name) { return *renameItem(p, "n1-s1", name); };
        std::string id;
        for (const char* own : {"n1-s1-2", "n1-s1-17"}) {
            const Result<Project> moved = moveLinkEnd(called(own), own, "s1", "s2", &id);
            QVERIFY(moved && moved->cluster.link("n1-s2"));
            QCOMPARE(id, std::string("n1-s2"));
            const Result<Project> renamed = renameItem(called(own), "s1", "core");
            QVERIFY(renamed && renamed->cluster.link("n1-core"));
        }
        for (const char* given : {"n1-s1-1", "n1-s1-02", "n1-s1-", "n1-s1-2b", "n1-s12", "n1-s1-west"}) {
            QVERIFY2(moveLinkEnd(called(given), given, "s1", "s2", &id), given);
            QCOMPARE(id, std::string(given));
            QVERIFY2(renameItem(called(given), "s1", "core")->cluster.link(given), given);
        }
    }

    // Many at once are what the same ones would be one after the other.
    void manyLinksAreAsOneByOne() {
        Project p;
        p = *addNodes(p, "A100-40", 8, 6, {});
        for (const char* medium : {"InfiniBand", "Ethernet", "InfiniBand", "Ethernet"})
            p = *addSwitch(p, medium, {});
        p = *addLinks(p, {"n1", "n2"}, "s1");
        Link odd = *p.cluster.link("n2-s1");
        odd.lanes = 8;
        odd.efficiency = 0.5;
        p = *setLinks(p, {odd});
        for (const char* hub : {"s1", "s2", "n6"}) {
            const std::vector<std::string> from = {"s2", "n3", "s3", "n2", "s4", "n4", "s1", "n5"};
            Project single = p;
            for (const std::string& end : from)
                if (const Result<Project> more = addLink(single, end, hub))
                    single = *more;
            QVERIFY(*addLinks(p, from, hub) == single);
        }
    }

    // Less than a second; a minute and more if all links of the switch are gone through for each new one.
    void manyLinksOfManySwitchesAreQuick() {
        Project p;
        for (int i = 0; i < 8192; ++i)
            p.cluster.switches.push_back({"s" + std::to_string(i), "Ethernet", {}});
        std::vector<std::string> from;
        for (int i = 1; i < 8192; ++i)
            from.push_back("s" + std::to_string(i));
        const Result<Project> linked = addLinks(p, from, "s0");
        QVERIFY(linked);
        QCOMPARE(linked->cluster.links.size(), from.size());
        QCOMPARE(linked->cluster.links.back().bandwidth, linked->cluster.links.front().bandwidth);
    }
};

QTEST_APPLESS_MAIN(LinkEditsTest)
#include "link_edits_test.moc"
