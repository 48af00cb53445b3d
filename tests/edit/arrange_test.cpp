// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/arrange.h"

#include "tests/project/small_project.h"

#include <QTest>

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

} // namespace

class ArrangeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void alignPutsOneEdgeOnALine() {
        const Project p = placed();
        const auto left = alignItems(p, kBoxes, Alignment::Left);
        const auto right = alignItems(p, kBoxes, Alignment::Right);
        const auto middle = alignItems(p, kBoxes, Alignment::Middle);
        QVERIFY(left && right && middle);
        for (const ItemBox& box : kBoxes) {
            QCOMPARE(at(*left, box.id.c_str()).x, 0.0);
            QCOMPARE(at(*left, box.id.c_str()).y, box.y);
            QCOMPARE(at(*right, box.id.c_str()).x + box.width, 812.0);
            QCOMPARE(at(*middle, box.id.c_str()).y + box.height / 2.0, 230.0);
        }
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

QTEST_APPLESS_MAIN(ArrangeTest)
#include "arrange_test.moc"
