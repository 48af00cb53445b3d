// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/arrange.h"

#include "tests/project/small_project.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace pw;

namespace {

// Boxes of different sizes, not in order.
const std::vector<ItemBox> kBoxes = {
    {"n1", 100, 40, 256, 170}, {"n2", 0, 300, 256, 120}, {"s1", 700, 90, 112, 52}};

Project placed() {
    Project p = smallProject();
    for (const ItemBox& box : kBoxes) {
        for (Node& n : p.cluster.nodes)
            if (n.id == box.id)
                n.at = {box.x, box.y};
        for (Switch& s : p.cluster.switches)
            if (s.id == box.id)
                s.at = {box.x, box.y};
    }
    return p;
}

Point at(const Project& p, const char* id) {
    const Node* node = p.cluster.node(id);
    return node ? node->at : p.cluster.findSwitch(id)->at;
}

Node nodeCalled(const std::string& id) {
    Node node;
    node.id = id;
    node.kind = "A100-SXM4-40GB";
    node.gpus = 8;
    return node;
}

std::vector<ItemBox> boxesOf(const Project& p) {
    std::vector<ItemBox> boxes;
    boxes.reserve(p.cluster.nodes.size() + p.cluster.switches.size());
    for (const Node& n : p.cluster.nodes)
        boxes.push_back({n.id, n.at.x, n.at.y, 256, 141});
    for (const Switch& s : p.cluster.switches)
        boxes.push_back({s.id, s.at.x, s.at.y, 112, 52});
    return boxes;
}

// So many leaves of four nodes each, under two spines where there are several.
Project racksOfFour(int racks) {
    Project p;
    const auto link = [&p](const std::string& a, const std::string& b) {
        Link made;
        made.id = a + "-" + b;
        made.a = a;
        made.b = b;
        made.bandwidth = BytesPerSecond(1e10);
        p.cluster.links.push_back(made);
    };
    for (const char* spine : {"t1", "t2"})
        p.cluster.switches.push_back({spine, "InfiniBand", {}});
    for (int r = 0; r < racks; ++r) {
        const std::string leaf = "l" + std::to_string(r);
        p.cluster.switches.push_back({leaf, "InfiniBand", {}});
        for (int n = 0; n < 4; ++n) {
            p.cluster.nodes.push_back(nodeCalled("n" + std::to_string(4 * r + n)));
            link(p.cluster.nodes.back().id, leaf);
        }
        link(leaf, "t1");
        link(leaf, "t2");
    }
    return p;
}

bool overlap(const Project& p) {
    const std::vector<ItemBox> boxes = boxesOf(p);
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (boxes[i].x < boxes[k].x + boxes[k].width && boxes[k].x < boxes[i].x + boxes[i].width &&
                boxes[i].y < boxes[k].y + boxes[k].height && boxes[k].y < boxes[i].y + boxes[i].height)
                return true;
    return false;
}

} // namespace

class ArrangeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What leads up from a second row of racks would pass through the first.
    void racksUnderSpinesStandInOneRow() {
        for (const int racks : {2, 4, 8}) {
            const Project drawn = racksOfFour(racks);
            const Result<Project> tidy = tidyItems(drawn, boxesOf(drawn));
            QVERIFY(tidy && !overlap(*tidy));
            std::set<double> leaves, nodes;
            for (const Switch& item : tidy->cluster.switches)
                if (item.id.front() == 'l')
                    leaves.insert(item.at.y);
            for (const Node& node : tidy->cluster.nodes)
                nodes.insert(node.at.y);
            QCOMPARE(leaves.size(), std::size_t{1});
            QCOMPARE(nodes.size(), std::size_t{1});
        }
        const Project many = racksOfFour(40);
        QVERIFY(!overlap(*tidyItems(many, boxesOf(many))));
    }

    void tidyPutsLevelsInRows();
    void tidyKeepsDomainsTogetherAndLockedItems();

    void alignPutsOneEdgeOnALine() {
        const Project p = placed();
        const auto left = alignItems(p, kBoxes, Alignment::Left);
        const auto right = alignItems(p, kBoxes, Alignment::Right);
        const auto middle = alignItems(p, kBoxes, Alignment::Middle);
        QVERIFY(left && right && middle);
        for (const ItemBox& box : kBoxes) {
            QCOMPARE(at(*left, box.id.c_str()).x, 0.0);
            QCOMPARE(at(*right, box.id.c_str()).x + box.width, 812.0);
            QCOMPARE(at(*middle, box.id.c_str()).y + box.height / 2.0, 230.0);
        }
        // They stay beside that line as they were, but for what would come onto another: s1, at 90, onto n1.
        QCOMPARE(at(*left, "n1").y, 40.0);
        QCOMPARE(at(*left, "s1").y, 240.0);
        QCOMPARE(at(*left, "n2").y, 300.0);
        QVERIFY(!alignItems(p, {kBoxes[0]}, Alignment::Top));
        QVERIFY(!alignItems(p, {kBoxes[0], {"nobody", 0, 0, 1, 1}}, Alignment::Top));
    }

    void distributeMakesGapsEqual() {
        const auto spread = distributeItems(placed(), kBoxes, true);
        QVERIFY(spread);
        // n2 is outermost left, s1 right; 444 px are free of boxes between them but for n1's 256.
        QCOMPARE(at(*spread, "n2").x, 0.0);
        QCOMPARE(at(*spread, "s1").x, 700.0);
        QCOMPARE(at(*spread, "n1").x - 256.0, 700.0 - (at(*spread, "n1").x + 256.0));
        QVERIFY(!distributeItems(placed(), {kBoxes[0], kBoxes[1]}, false));
    }

    // Neither among themselves nor onto what stands there, chosen or not, locked or not.
    void nothingIsArrangedOntoAnother() {
        Project p;
        for (int i = 0; i < 6; ++i) { // two rows of three
            p.cluster.nodes.push_back(nodeCalled("n" + std::to_string(i)));
            p.cluster.nodes.back().at = {288.0 * (i % 3), 176.0 * (i / 3)};
        }
        p.cluster.nodes.push_back(nodeCalled("other"));
        p.cluster.nodes.back().at = {0, 400};
        p.cluster.nodes.push_back(nodeCalled("locked"));
        p.cluster.nodes.back().at = {16, 800};
        p.annotations.locked = {"locked"};
        std::vector<ItemBox> chosen = boxesOf(p);
        const std::vector<ItemBox> others = {chosen[6]};
        chosen.erase(chosen.begin() + 6);
        for (const Alignment line : {Alignment::Left, Alignment::Centre, Alignment::Right, Alignment::Top,
                                     Alignment::Middle, Alignment::Bottom}) {
            const auto aligned = alignItems(p, chosen, line, others);
            QVERIFY(aligned);
            QVERIFY2(!overlap(*aligned), qPrintable(QString::number(int(line))));
            QCOMPARE(at(*aligned, "other"), (Point{0, 400}));
            QCOMPARE(at(*aligned, "locked"), (Point{16, 800}));
        }
        const auto left = alignItems(p, chosen, Alignment::Left, others);
        for (int i = 0; i < 6; ++i)
            QCOMPARE(at(*left, ("n" + std::to_string(i)).c_str()).x, 0.0);
        QVERIFY(at(*left, "n1").y > at(*left, "n0").y &&
                at(*left, "n3").y > at(*left, "n2").y); // in their order
        for (const bool across : {false, true}) {
            const auto spread = distributeItems(*left, boxesOf(*left), across);
            QVERIFY(spread);
            QVERIFY(!overlap(*spread));
        }
        // With too little room between the outermost two the last one gives way.
        Project heap = p;
        for (int i = 0; i < 6; ++i)
            heap.cluster.nodes[static_cast<std::size_t>(i)].at = {2000, 20.0 * i};
        std::vector<ItemBox> six = boxesOf(heap);
        six.resize(6);
        const auto apart = distributeItems(heap, six, false, others);
        QVERIFY(apart);
        QVERIFY(!overlap(*apart));
        QCOMPARE(at(*apart, "n0").y, 0.0);
        QCOMPARE(at(*apart, "n5").y - at(*apart, "n4").y, at(*apart, "n1").y - at(*apart, "n0").y);
    }

    void lockedItemsStay() {
        const auto locked = lockItems(placed(), {"n1"}, true);
        QVERIFY(locked);
        const auto left = alignItems(*locked, kBoxes, Alignment::Left);
        QCOMPARE(at(*left, "n1").x, 100.0);
        QCOMPARE(at(*left, "s1").x, 0.0);
        const auto moved = moveItems(*locked, {"n1", "n2"}, 16, 0);
        QCOMPARE(at(*moved, "n1").x, 100.0);
        QCOMPARE(at(*moved, "n2").x, 16.0);
        QVERIFY(!removeItems(*locked, {"n1"}));
        const auto freed = lockItems(*locked, {"n1"}, false);
        QVERIFY(*freed == placed());
    }

    void pasteBringsWhatWasCopied() {
        const Project p = placed();
        const auto text = copyItems(p, {"n1", "s1"});
        QVERIFY2(text, text ? "" : text.error().text().c_str());
        ItemIds copies;
        const auto pasted = pasteItems(p, *text, 32, 32, &copies);
        QVERIFY2(pasted, pasted ? "" : pasted.error().text().c_str());
        QCOMPARE(pasted->cluster.nodes.size(), p.cluster.nodes.size() + 1);
        QCOMPARE(pasted->cluster.switches.size(), p.cluster.switches.size() + 1);
        QCOMPARE(pasted->cluster.links.size(), p.cluster.links.size() + 1); // the one between them
        const Node& copy = pasted->cluster.nodes.back();
        QVERIFY(copies.contains(copy.id));
        Node expected = *p.cluster.node("n1");
        expected.id = copy.id;
        expected.at = {expected.at.x + 32, expected.at.y + 32};
        QVERIFY(copy == expected);
        // Into an empty drawing the items keep their names.
        const auto alone = pasteItems(Project(), *text, 0, 0, nullptr);
        QVERIFY(alone);
        QVERIFY(alone->cluster.node("n1") && alone->cluster.findSwitch("s1"));
        // And each that is free elsewhere; others are called like it.
        const Project named = *renameItem(*renameItem(p, "s1", "leaf"), "n1", "gpu-07");
        const auto from = copyItems(named, {"gpu-07", "leaf"});
        QVERIFY(pasteItems(*removeItems(named, {"leaf"}), *from, 0, 500, &copies));
        QCOMPARE(copies, (ItemIds{"gpu-08", "leaf", "gpu-08-leaf"}));
        QVERIFY(!pasteItems(p, "not json", 0, 0, nullptr));
        QVERIFY(!copyItems(p, {p.cluster.links.front().id}));
    }

    void groupsFollowTheirItems() {
        auto p = groupItems(placed(), {"n1", "n2"});
        QVERIFY(p);
        QCOMPARE(withGroups(p->annotations, {"n2"}), (std::set<std::string>{"n1", "n2"}));
        QCOMPARE(withGroups(p->annotations, {"s1"}), (std::set<std::string>{"s1"}));
        const auto renamed = renameItem(*p, "n1", "first");
        QCOMPARE(withGroups(renamed->annotations, {"n2"}), (std::set<std::string>{"first", "n2"}));
        const auto removed = removeItems(*p, {"n1"});
        QVERIFY(removed->annotations.groups.empty()); // one is no group
        // An item is in one group: the newer one wins.
        const auto regrouped = groupItems(*p, {"n1", "s1"});
        QCOMPARE(regrouped->annotations.groups.size(), std::size_t(1));
        QVERIFY(ungroupItems(*regrouped, {"s1"})->annotations.groups.empty());
        QVERIFY(!groupItems(*p, {"n1"}));
    }

    void notesAndMarks() {
        auto p = addNote(Project(), {"", "first", {0, 0}});
        p = addNote(*p, {"", "second", {100, 0}});
        QCOMPARE(p->annotations.notes.size(), std::size_t(2));
        QVERIFY(p->annotations.notes[0].id != p->annotations.notes[1].id);
        Note changed = p->annotations.notes[1];
        changed.text = "other";
        p = setNote(*p, changed);
        QCOMPARE(p->annotations.notes[1].text, std::string("other"));
        p = removeNotes(*p, {p->annotations.notes[0].id});
        QCOMPARE(p->annotations.notes.size(), std::size_t(1));
        p = setMarks(*p, {{Seconds(2.0), "late"}, {Seconds(1.0), "early"}});
        QCOMPARE(p->annotations.marks.front().text, std::string("early"));
        QVERIFY(!setNote(*p, {"nobody", "", {}}));
    }
};

// Two spines over four leaves with six nodes each, and a node without a link, all on one heap.
void ArrangeTest::tidyPutsLevelsInRows() {
    Project p;
    const auto link = [&p](const std::string& a, const std::string& b) {
        p.cluster.links.push_back({a + "-" + b, a, b, BytesPerSecond(1e9)});
    };
    const auto node = [](int i) { return "n" + std::to_string(i); };
    const auto leaf = [](int i) { return "leaf" + std::to_string(i); };
    for (const char* id : {"spine1", "spine2", "leaf0", "leaf1", "leaf2", "leaf3", "alone"})
        p.cluster.switches.push_back({id, "Ethernet", {0, 0}});
    for (int i = 0; i < 25; ++i) {
        p.cluster.nodes.push_back(nodeCalled(node(i)));
        if (i < 24)
            link(node(i), leaf(i % 4));
    }
    for (int i = 0; i < 4; ++i)
        for (const char* spine : {"spine1", "spine2"})
            link(leaf(i), spine);
    const auto tidied = tidyItems(p, boxesOf(p));
    QVERIFY(tidied);
    QVERIFY(!overlap(*tidied));
    QCOMPARE(at(*tidied, "spine1").y, at(*tidied, "spine2").y);
    QCOMPARE(std::abs(at(*tidied, "spine1").x - at(*tidied, "spine2").x), 112.0 + 128.0); // ways pass between
    double lastRow = 0.0;
    for (int i = 0; i < 4; ++i) {
        const Point above = at(*tidied, leaf(i).c_str());
        QVERIFY(above.y > at(*tidied, "spine1").y);
        for (int k = 0; k < 6; ++k) { // its six stand beside each other, below it
            const Point here = at(*tidied, node(i + 4 * k).c_str());
            QCOMPARE(here.y, at(*tidied, node(i).c_str()).y);
            QCOMPARE(here.x, at(*tidied, node(i).c_str()).x + 288.0 * k);
            QVERIFY(here.y > above.y && here.y < above.y + 150.0);
            lastRow = std::max(lastRow, here.y);
        }
    }
    const Point loose = at(*tidied, node(24).c_str());
    QVERIFY(loose.y > lastRow || loose.x > at(*tidied, node(23).c_str()).x);
    QCOMPARE(tidyItems(*tidied, boxesOf(*tidied))->cluster, tidied->cluster); // it is tidy
}

void ArrangeTest::tidyKeepsDomainsTogetherAndLockedItems() {
    Project p;
    p.cluster.switches.push_back({"s1", "Ethernet", {500, 500}});
    for (int i = 0; i < 12; ++i) {
        const std::string id = "n" + std::to_string(i);
        p.cluster.nodes.push_back(nodeCalled(id));
        p.cluster.links.push_back({"l" + std::to_string(i), id, "s1", BytesPerSecond(1e9)});
    }
    p.cluster.nvlinkDomains = {{"even", {"n0", "n2", "n4", "n6"}}, {"odd", {"n1", "n3", "n5", "n7"}}};
    p.annotations.locked = {"n11"};
    p.cluster.nodes[11].at = {300, 300};
    const auto tidied = tidyItems(p, boxesOf(p));
    QVERIFY(tidied);
    QVERIFY(!overlap(*tidied));
    QCOMPARE(at(*tidied, "n11"), (Point{300, 300}));
    for (const char* id : {"n2", "n4", "n6"})
        QCOMPARE(at(*tidied, id).y, at(*tidied, "n0").y);
    for (const char* id : {"n3", "n5", "n7"})
        QCOMPARE(at(*tidied, id).y, at(*tidied, "n1").y);
    QVERIFY(at(*tidied, "n0").y != at(*tidied, "n1").y && at(*tidied, "n8").y != at(*tidied, "n1").y);
    QVERIFY(tidyItems(Project{}, {}));
}

QTEST_APPLESS_MAIN(ArrangeTest)
#include "arrange_test.moc"
