// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"

#include "core/base/random.h"
#include "core/cluster/host_name.h"
#include "tests/project/small_project.h"

#include <QTest>

#include <algorithm>
#include <limits>

using namespace pw;

namespace {

ItemIds ids(const Cluster& c) {
    ItemIds all;
    for (const Node& n : c.nodes)
        all.insert(n.id);
    for (const Switch& s : c.switches)
        all.insert(s.id);
    for (const Link& l : c.links)
        all.insert(l.id);
    return all;
}

std::size_t itemCount(const Cluster& c) {
    return c.nodes.size() + c.switches.size() + c.links.size();
}

// One random edit, often one that must be refused.
Result<Project> anyEdit(const Project& p, Random& random) {
    std::vector<std::string> all = {"nobody"};
    for (const std::string& id : ids(p.cluster))
        all.push_back(id);
    const auto pick = [&] { return all[random.below(all.size())]; };
    const auto some = [&] {
        ItemIds set;
        for (std::uint64_t i = random.below(4); i < 4; ++i)
            set.insert(all[random.below(all.size() - 1) + (all.size() > 1 ? 1 : 0)]);
        return set;
    };
    const Point at{random.uniform(-500, 500), random.uniform(-500, 500)};
    switch (random.below(10)) {
    case 0:
        return addNodes(p, random.below(2) == 0 ? "V100-SXM2-16GB" : "A100-40",
                        static_cast<int>(random.below(9)), 2, at);
    case 1:
        return addSwitch(p, random.below(2) == 0 ? "Ethernet" : "InfiniBand", at);
    case 2:
    case 3:
        return addLink(p, pick(), pick());
    case 4:
        return moveItems(p, some(), at.x, at.y);
    case 5:
        return removeItems(p, {pick()});
    case 6:
        return p.cluster.nodes.size() > 40 ? removeItems(p, some())
                                           : duplicateItems(p, some(), 20, 20, nullptr);
    case 7:
        return renameItem(p, pick(), random.below(2) == 0 ? pick() : "x" + std::to_string(random.below(50)));
    case 8: {
        Link link = p.cluster.links.empty() ? Link() : p.cluster.links[random.below(p.cluster.links.size())];
        link.lanes = static_cast<int>(random.below(5));
        return setLinks(p, {link});
    }
    default: {
        Node node = p.cluster.nodes.empty() ? Node() : p.cluster.nodes[random.below(p.cluster.nodes.size())];
        node.gpus = static_cast<int>(random.below(9));
        return setNode(p, node);
    }
    }
}

} // namespace

class EditTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Whatever is edited, names stay unique and no structural error is left; a refused edit says why; what
    // was reached can be saved and read back.
    void editsKeepTheDrawingSound() {
        // A drawing may be unfinished; that is for the user to end, not for an edit to refuse.
        const std::set<std::string> unfinished = {"cluster.empty", "cluster.unlinked", "cluster.island"};
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Random random(seed);
            Project p = smallProject();
            p.forbidden = {"n1", "n3.g0"};
            int done = 0, refused = 0;
            for (int step = 0; step < 150; ++step) {
                Result<Project> edited = anyEdit(p, random);
                if (!edited) {
                    QVERIFY(!edited.error().message.empty());
                    ++refused;
                    continue;
                }
                ++done;
                p = *std::move(edited);
                QVERIFY2(ids(p.cluster).size() == itemCount(p.cluster), qPrintable(QString::number(seed)));
                for (const Diagnostic& d : checkCluster(p.cluster))
                    if (d.severity == Severity::Error && !unfinished.contains(d.code))
                        QFAIL(("seed " + std::to_string(seed) + ": " + d.message).c_str());
                QVERIFY(unknownNames(p.cluster, p.forbidden).empty());
            }
            qInfo("seed %llu: %d edits, %d refused", static_cast<unsigned long long>(seed), done, refused);
            QVERIFY(done > 50 && refused > 5); // both ways were tried
            const Result<Project> back = readProject(printProject(p), "a.pwx");
            QVERIFY(back && *back == p);
        }
    }

    void newItemsGetTheLowestFreeNumber() {
        Project p;
        p = *addNodes(p, "A100-40", 8, 3, {10, 20});
        QCOMPARE(p.cluster.nodes.size(), std::size_t{3});
        QCOMPARE(p.cluster.nodes[0].id, std::string("n1"));
        QCOMPARE(p.cluster.nodes[2].id, std::string("n3"));
        QCOMPARE(p.cluster.nodes[0].kind,
                 std::string("A100-SXM4-40GB")); // the catalogue's key, not the short name
        QVERIFY(p.cluster.nodes[0].at == (Point{10, 20}));
        QVERIFY(!(p.cluster.nodes[1].at == p.cluster.nodes[0].at));
        p = *removeItems(p, {"n2"});
        p = *addNodes(p, "T4", 1, 1, {});
        QCOMPARE(p.cluster.nodes.back().id, std::string("n2"));
        p = *addSwitch(p, "Ethernet", {});
        QCOMPARE(p.cluster.switches[0].id, std::string("s1"));
        p = *addLink(p, "n1", "s1");
        QCOMPARE(p.cluster.links[0].id, std::string("n1-s1"));
        QVERIFY(!addNodes(p, "abacus", 1, 1, {}));
        QVERIFY(!addNodes(p, "T4", 0, 1, {}));
        QVERIFY(!addNodes(p, "T4", 1024, 1000, {})); // beyond 131,072 GPUs
        QVERIFY(!addSwitch(p, "Ethernet", {std::numeric_limits<double>::quiet_NaN(), 0}));
    }

    void domainsFollowTheirNodes() {
        Project p = smallProject();
        p.cluster.nvlinkDomains = {{"d1", {"n1", "n2"}, {}, Seconds(2e-6)}};
        const Project renamed = *renameItem(p, "n1", "tray1");
        QVERIFY((renamed.cluster.nvlinkDomains[0].nodes == std::vector<std::string>{"tray1", "n2"}));
        QCOMPARE(renameItem(p, "d1", "rack")->cluster.nvlinkDomains[0].id, std::string("rack"));
        QVERIFY(!renameItem(p, "n1", "d1")); // taken
        const Project fewer = *removeItems(p, {"n1"});
        QVERIFY((fewer.cluster.nvlinkDomains[0].nodes == std::vector<std::string>{"n2"}));
        QVERIFY(removeItems(p, {"n1", "n2"})->cluster.nvlinkDomains.empty());
        const Project dissolved = *removeItems(p, {"d1"});
        QVERIFY(dissolved.cluster.nvlinkDomains.empty() && dissolved.cluster.nodes == p.cluster.nodes);
        const Project twice = *duplicateItems(p, {"n1", "n2"}, 500, 0, nullptr);
        QCOMPARE(twice.cluster.nvlinkDomains.size(), std::size_t{2});
        QVERIFY(twice.cluster.nvlinkDomains[1].nodes != p.cluster.nvlinkDomains[0].nodes);
        QCOMPARE(duplicateItems(p, {"n1"}, 500, 0, nullptr)->cluster.nvlinkDomains.size(), std::size_t{1});
    }

    void linksStartWithTheirMedium() {
        Project p = smallProject();
        p = *addSwitch(p, "InfiniBand", {}); // s2
        p = *addLink(p, "n1", "s2");
        const Link infiniBand = p.cluster.links.back();
        QCOMPARE(infiniBand.bandwidth.value, 25e9);
        QCOMPARE(infiniBand.latency.value, 5e-6);
        const CommConstants& k = ConstantSet::builtin().comm();
        QCOMPARE(infiniBand.efficiency, k.rdmaShare);
        for (const auto& [a, b] : {std::pair("s1", "s2"), std::pair("n1", "n2")}) {
            p = *addLink(p, a, b);
            QCOMPARE(p.cluster.links.back().bandwidth.value, 12.5e9);
            QCOMPARE(p.cluster.links.back().latency.value, 20e-6);
            QCOMPARE(p.cluster.links.back().efficiency, k.ethernetShare);
        }
        // A further node is cabled as those of its kind are, whatever others on the switch have.
        Project mixed;
        mixed = *addSwitch(mixed, "InfiniBand", {});
        const std::string fabric = mixed.cluster.switches.back().id;
        for (const auto& [kind, lanes] : {std::pair("H100-SXM-80GB", 8), std::pair("A100-SXM4-80GB", 4)}) {
            mixed = *addNodes(mixed, kind, 8, 1, {0, 0});
            mixed = *addLink(mixed, mixed.cluster.nodes.back().id, fabric);
            mixed.cluster.links.back().lanes = lanes;
        }
        for (const auto& [kind, lanes] : {std::pair("H100-SXM-80GB", 8), std::pair("A100-SXM4-80GB", 4)}) {
            mixed = *addNodes(mixed, kind, 8, 1, {0, 0});
            mixed = *addLink(mixed, mixed.cluster.nodes.back().id, fabric);
            QCOMPARE(mixed.cluster.links.back().lanes, lanes);
        }
        mixed = *addNodes(mixed, "H100-SXM-80GB", 4, 1, {0, 0}); // of another size: what all agree on
        mixed = *addLink(mixed, mixed.cluster.nodes.back().id, fabric);
        QCOMPARE(mixed.cluster.links.back().lanes, 1);
        // Another medium takes along what is usual for it, and leaves what somebody stated.
        Link stated = *p.cluster.link("n1-n2");
        Project own = p;
        Link& cable =
            own.cluster.links[static_cast<std::size_t>(own.cluster.link("n1-s2") - own.cluster.links.data())];
        cable.efficiency = 0.5;
        Switch other = *p.cluster.findSwitch("s2");
        other.medium = "EFA";
        QCOMPARE(setSwitch(p, other)->cluster.link("n1-s2")->efficiency, k.efaShare);
        QCOMPARE(setSwitch(p, other)->cluster.link("n1-s2")->latency.value, 20e-6);
        other.medium = "RoCE";
        QCOMPARE(setSwitch(p, other)->cluster.link("n1-s2")->latency.value, 5e-6);
        Project converged = *addSwitch(p, "RoCE", {});
        converged = *addLink(converged, "n1", converged.cluster.switches.back().id);
        QCOMPARE(converged.cluster.links.back().latency.value, 5e-6);
        QCOMPARE(converged.cluster.links.back().bandwidth.value, 12.5e9);
        other.medium = "EFA";
        QCOMPARE(setSwitch(own, other)->cluster.link("n1-s2")->efficiency, 0.5);
        QCOMPARE(setSwitch(p, other)->cluster.link("n1-n2")->efficiency, stated.efficiency);
    }

    void removalTakesLinksAndPromisesAlong() {
        Project p = smallProject();
        p.forbidden = {"n3", "n3.g1", "V100-SXM2-16GB", "n1"};
        p = *removeItems(p, {"n3"});
        QCOMPARE(p.cluster.links.size(), std::size_t{2});
        QCOMPARE(p.forbidden, std::vector<std::string>{"n1"});
        p = *removeItems(p, {"s1", "n1-s1"});
        QVERIFY(p.cluster.links.empty());
        QVERIFY(!removeItems(p, {"n1", "gone"}));
    }

    void copiesCarryTheLinksBetweenThem() {
        const Project p = smallProject();
        ItemIds copies;
        const Project q = *duplicateItems(p, {"n1", "n2", "s1"}, 50, 60, &copies);
        QCOMPARE(copies, (ItemIds{"n4", "n5", "s2", "n4-s2", "n5-s2"}));
        QCOMPARE(q.cluster.links.size(), std::size_t{5});
        QVERIFY(q.cluster.node("n5")->at == (Point{250, 60}));
        QVERIFY(q.cluster.link("n4-s2")->bandwidth == p.cluster.links[0].bandwidth);
        QVERIFY(!duplicateItems(p, {"n1-s1"}, 1, 1, nullptr));
        QVERIFY(*moveItems(q, copies, -50, -60) != q);
    }

    // After what they are copies of, and with as many digits.
    void copiesAreCalledLikeTheirOriginals() {
        Project p = smallProject();
        for (const auto& [id, name] : {std::pair("s1", "leaf"), std::pair("n1", "gpu-007"),
                                       std::pair("n2", "gpu-008"), std::pair("n3", "12")})
            p = *renameItem(p, id, name);
        ItemIds copies;
        const Project twice = *duplicateItems(p, {"gpu-008", "gpu-007", "leaf", "12"}, 0, 500, &copies);
        QCOMPARE(copies, (ItemIds{"gpu-009", "gpu-010", "leaf1", "13", "gpu-009-leaf1", "gpu-010-leaf1",
                                  "13-leaf1"}));
        QVERIFY(duplicateItems(twice, {"leaf1"}, 0, 900, &copies));
        QCOMPARE(copies, ItemIds{"leaf2"});
    }

    void renamingFollowsEverywhere() {
        Project p = smallProject();
        p.forbidden = {"n1", "n1.g3", "n2"};
        p = *renameItem(p, "n1", "big");
        QVERIFY(p.cluster.link("big-s1") != nullptr);
        QCOMPARE(p.forbidden, (std::vector<std::string>{"big", "big.g3", "n2"}));
        QVERIFY(!renameItem(p, "big", "n2"));
        QVERIFY(!renameItem(p, "big", "n2-s1"));
        QVERIFY(!renameItem(p, "big", "a b"));
        QVERIFY(!renameItem(p, "big", ""));
        for (const char* item : {"big", "s1", "big-s1"})
            for (const char* bad : {"a b", "a,6", ""}) { // of what is there, and not of what it is not
                const Error why = renameItem(p, item, bad).error();
                QCOMPARE(why.where, std::string(item));
                QVERIFY2(why.message.find("switch") == std::string::npos, why.message.c_str());
            }
        p = *renameItem(p, "big-s1", "uplink");
        p = *renameItem(p, "s1", "core");
        QVERIFY(p.cluster.link("uplink")->b == "core");
        QVERIFY(p.cluster.link("n2-core") != nullptr);
        QVERIFY(!hasErrors(checkProject(p)));
    }

    // All names that no host has, in one step; links that nobody named follow, a name that is taken is not
    // given twice, and what is there keeps its name.
    void nodesAreNamedAsHostsAre() {
        Project p = smallProject();
        p = *renameItem(p, "n1", "n\u00f8de<1>");
        p = *renameItem(p, "n2", "n+de<1>");
        p = *renameItem(p, "n3", "-\u00e9-");
        p = *renameItem(p, "s1", "spine!");
        p.forbidden = {"n+de<1>", "n\u00f8de<1>.g3"};
        p.annotations.locked = {"n+de<1>", "spine!"};
        const auto warned = [](const Project& of) {
            return std::ranges::count(checkProject(of), "cluster.host_name", &Diagnostic::code);
        };
        QCOMPARE(warned(p), 1); // thousands would be thousands of lines
        const Diagnostics all = checkProject(p);
        const auto said = std::ranges::find(all, "cluster.host_name", &Diagnostic::code);
        QVERIFY2(said->message.starts_with("3 nodes "), said->message.c_str()); // a switch starts nothing
        QVERIFY(!hasErrors(checkProject(p)));
        const Project named = *nameForHosts(p);
        QCOMPARE(warned(named), 0);
        QVERIFY(named.cluster.node("n-de-1") && named.cluster.node("n-de-1-2") && named.cluster.node("node"));
        QVERIFY(named.cluster.link("n-de-1-spine!") && named.cluster.link("n-de-1-2-spine!"));
        QCOMPARE(named.forbidden, (std::vector<std::string>{"n-de-1", "n-de-1-2.g3"}));
        QCOMPARE(named.annotations.locked, (std::set<std::string>{"n-de-1", "spine!"}));
        QVERIFY(differInNamesOnly(p, named));
        QVERIFY(*nameForHosts(named) == named);
        for (const char* name : {"", "-a", ".a", "a b", "a/b", "\u00e9"})
            QVERIFY2(!isHostName(name), name);
        for (const char* name : {"a", "_a", "7", "gpu-01.example.org", "A_b"})
            QVERIFY2(isHostName(name), name);
    }

    // Of two that share a name one gets another: there is no other way out.
    void aNameThatIsThereTwiceIsMended() {
        Project p = smallProject();
        p.cluster.nodes[1].id = "n1";
        p.cluster.links[1].a = "n1";
        const auto twice = [](const Project& of) {
            return std::ranges::count(checkProject(of), "cluster.id_duplicate", &Diagnostic::code);
        };
        QCOMPARE(twice(p), 1);
        const Project mended = *renameItem(p, "n1", "n7");
        QCOMPARE(twice(mended), 0);
        QVERIFY(mended.cluster.node("n7") && mended.cluster.node("n1"));
        // A link that is called as a node is.
        p = smallProject();
        p.cluster.links[0].id = "n2";
        const Project other = *renameItem(p, "n2", "up");
        QVERIFY(other.cluster.link("up") && other.cluster.node("n2"));
    }

    // What is wrong with a name is said of the item, and not of the links that lead to it.
    void aBadNameIsNoMissingItem() {
        Project p = smallProject();
        p.cluster.nodes[0].id = p.cluster.links[0].a = "rack 1/node 7";
        const Diagnostics found = checkCluster(p.cluster);
        QCOMPARE(std::ranges::count(found, "cluster.id_character", &Diagnostic::code), 1);
        QCOMPARE(std::ranges::count(found, "cluster.link_end", &Diagnostic::code), 0);
        QCOMPARE(std::ranges::count(found, "cluster.host_name", &Diagnostic::code), 0); // said once
    }

    // Kept plans and the end of the search are those of the renamed question; a device is named by its node,
    // and a word that is no device stays.
    void plansFollowANewName() {
        Project p = smallProject();
        const std::string hash = (*problemOf(p))->hash();
        p.plans = {
            {"1", "", true, hash, "", R"({"stages":[{"devices":["n1.g0","n2.g1"]}],"recompute":"n1"})"},
            {"2", "", true, "another", "", R"({"stages":[{"devices":["n1.g0"]}]})"},
            {"3", "", true, hash, "", "no json"}};
        p.search = KeptSearch{hash, "{}"};
        const Project renamed = *renameItem(p, "n1", "node-a.example");
        const std::string now = (*problemOf(renamed))->hash();
        QVERIFY(now != hash);
        QCOMPARE(renamed.plans[0].problemHash, now);
        QCOMPARE(renamed.plans[0].entry,
                 std::string(R"({"recompute":"n1","stages":[{"devices":["node-a.example.g0","n2.g1"]}]})"));
        QVERIFY(renamed.plans[1] == p.plans[1]);
        QVERIFY(renamed.plans[2] == p.plans[2]);
        QCOMPARE(renamed.search->problemHash, now);
        for (const char* item : {"s1", "n1-s1"}) {
            const Project other = *renameItem(p, item, "x9");
            QCOMPARE(other.plans[0].problemHash, (*problemOf(other))->hash());
            QCOMPARE(other.search->problemHash, (*problemOf(other))->hash());
        }
        QVERIFY(differInNamesOnly(p, renamed));
        QVERIFY(renamedNodes(p, renamed) == (NodeNames{{"n1", "node-a.example"}}));
        QVERIFY(renamedNodes(renamed, p) == (NodeNames{{"node-a.example", "n1"}}));
        QVERIFY(renamedNodes(p, *renameItem(p, "s1", "x9")).empty()); // no node
        QVERIFY(!differInNamesOnly(p, p));                            // no name differs
        Project swapped = p; // the names are there, the nodes are others
        std::swap(swapped.cluster.nodes[0], swapped.cluster.nodes[2]);
        QVERIFY(!differInNamesOnly(p, swapped));
        Project more = renamed;
        more.recipe.gbs *= 2;
        QVERIFY(!differInNamesOnly(p, more));
        Project out = p, outElsewhere = renamed;
        out.forbidden = {"n1.g3"};
        outElsewhere.forbidden = {"n2.g3"};
        QVERIFY(!differInNamesOnly(out, outElsewhere));
        outElsewhere.forbidden = {"node-a.example.g3"};
        QVERIFY(differInNamesOnly(out, outElsewhere));
    }

    void badValuesAreRefused() {
        const Project p = smallProject();
        Node node = p.cluster.nodes[0];
        node.speed = 0;
        QVERIFY(!setNode(p, node));
        node = p.cluster.nodes[0];
        node.kind = "abacus";
        QVERIFY(!setNode(p, node));
        Link link = p.cluster.links[0];
        link.bandwidth = BytesPerSecond(0);
        const auto zero = setLinks(p, {p.cluster.links[1], link});
        QVERIFY(!zero);
        QCOMPARE(zero.error().where, std::string("n1-s1"));
        link = p.cluster.links[0];
        link.b = "n2";
        QVERIFY(!setLinks(p, {link}));
        Recipe recipe = p.recipe;
        recipe.gbs = 0;
        QCOMPARE(setRecipe(p, recipe).error().where, std::string("model.gbs"));
        Model model = *p.model;
        model.hidden = 0;
        QVERIFY(!setModel(p, model));
        QVERIFY(!setSwitch(p, {"s9", "Ethernet", {}}));
    }

    void setsReplaceOneSection() {
        Project p = smallProject();
        Link a = p.cluster.links[0], b = p.cluster.links[1];
        a.lanes = b.lanes = 4;
        p = *setLinks(p, {a, b});
        QCOMPARE(p.cluster.links[1].lanes, 4);
        p = *setSwitch(p, {"s1", "InfiniBand", {1, 2}});
        QCOMPARE(p.cluster.switches[0].medium, std::string("InfiniBand"));
        Recipe recipe = p.recipe;
        recipe.gbs = 128;
        QVERIFY(setRecipe(p, recipe)->recipe == recipe);
    }

    void profilesReplaceTheirPoint() {
        Project p = smallProject();
        ProfileRow same = p.profiles[0], other = p.profiles[0], longer = p.profiles[0], op = p.profiles[0];
        same.forward = Seconds(0.5);
        other.source = "another.csv";
        longer.source = "another.csv";
        longer.seq += 1024;
        op.op = "gemm"; // no figure rests on it
        p = *addProfiles(p, {same, other, longer, op});
        QCOMPARE(p.profiles.size(), std::size_t{3});
        QCOMPARE(p.profiles[0].forward.value, 0.5);
        p = *removeProfiles(p, "another.csv");
        QCOMPARE(p.profiles.size(), std::size_t{1});
        QVERIFY(!removeProfiles(p, "another.csv"));
    }

    void plansAreKeptByName() {
        Project p = *keepPlan(smallProject(), {"a", "", false, "h", "", "{\"x\":1}"});
        p = *keepPlan(p, {"a", "better", true, "h", "", "{\"x\":2}"});
        QCOMPARE(p.plans.size(), std::size_t{1});
        QCOMPARE(p.plans[0].note, std::string("better"));
        QVERIFY(!keepPlan(p, {"b", "", false, "h", "", "[1]"}));
        QVERIFY(!keepPlan(p, {"b", "", false, "h", "", "{"}));
        QVERIFY(!keepPlan(p, {"", "", false, "h", "", "{}"}));
        QVERIFY(!dropPlan(p, "b"));
        QVERIFY(dropPlan(p, "a")->plans.empty());
        QVERIFY(!dropPlans(p, {"a", "b"}));
        QCOMPARE(dropPlans(p, {})->plans.size(), 1u);
        p = *keepPlan(p, {"a, edited", "", false, "h", "a", "{}"});
        const Project renamed = *renamePlan(p, "a", "fast one");
        QCOMPARE(renamed.plans[0].name, std::string("fast one"));
        QCOMPARE(renamed.plans[1].base, std::string("fast one"));
        QVERIFY(!renamePlan(p, "a", "a, edited"));
        QVERIFY(!renamePlan(p, "a", ""));
        QVERIFY(!renamePlan(p, "b", "c"));
    }
};

QTEST_APPLESS_MAIN(EditTest)
#include "edit_test.moc"
