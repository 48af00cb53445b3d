// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/collect.h"

#include "core/base/file.h"
#include "core/formats/csv.h"
#include "core/sweep/result_file.h"
#include "tests/sweep/made_sweep.h"
#include "tests/sweep/sweep_sample.h"

#include <QTest>

#include <SQLiteCpp/Database.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <utility>

using namespace pw;
using test::MadeSweep;
namespace fs = std::filesystem;

// What becomes of the results of a sweep: a table, a database, the best plans.
class CollectTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A row a task, whether it has a result, a plan, both or none.
    void theTableHasARowATask() {
        MadeSweep made(Json{{"training", {{"tokens", 1e9}, {"deadline_days", 1e6}}}});
        made.work(1); // 0 of the A100: V100 alone
        const Collection some = *collect(*made.folder, false);
        QVERIFY(!some.status.complete());
        made.work(0);
        const Collection all = *collect(*made.folder, false);
        QVERIFY(all.status.complete());
        for (const Collection* collection : {&std::as_const(some), &all}) {
            const auto table = parseCsv(*sweepCsv(*made.folder, *collection), "table.csv");
            QVERIFY(table);
            QCOMPARE(table->size(), std::size_t{7});
            for (const CsvRecord& row : *table)
                QCOMPARE(row.size(), table->front().size());
            QCOMPARE((*table)[0][2].text, std::string("A100s"));
            QCOMPARE((*table)[0][4].text, std::string("status"));
            QCOMPARE((*table)[1][3].text, std::string("64"));
            QCOMPARE((*table)[1][4].text == kOpenStatus, collection == &some);
        }
        QVERIFY(!all.best.empty());
        const auto daysOf = [](const CollectedTask& row) { return row.cost.value_or(TrainingCost{}).days; };
        const double best = daysOf(all.rows[all.best.front()]);
        QVERIFY(best > 0.0);
        for (const CollectedTask& row : all.rows)
            QVERIFY(!row.cost || daysOf(row) >= best);
    }

    void aDatabaseTakesResultsOnce() {
        MadeSweep made;
        made.work(0);
        const fs::path file = made.out("results.db");
        QCOMPARE(*writeSweepDatabase(file, *made.folder, *collect(*made.folder, false)), std::size_t{3});
        QCOMPARE(*writeSweepDatabase(file, *made.folder, *collect(*made.folder, false)), std::size_t{0});
        made.work(1);
        QCOMPARE(*writeSweepDatabase(file, *made.folder, *collect(*made.folder, false)), std::size_t{3});
        SQLite::Database database(file.string());
        QCOMPARE(database.execAndGet("SELECT count(*) FROM sweep_row WHERE status <> 'open'").getInt(), 6);
        QCOMPARE(database.execAndGet("SELECT count(DISTINCT \"batch\") FROM task").getInt(), 3);
        MadeSweep other(Json{{"name", "another"}});
        other.work(0);
        const auto refused = writeSweepDatabase(file, *other.folder, *collect(*other.folder, false));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("sweep.database"));
        // A note of somebody's, which SQLite would make a database of.
        std::ofstream(made.out("note.db")) << "1\n";
        QVERIFY(!writeSweepDatabase(made.out("note.db"), *made.folder, *collect(*made.folder, false)));
        QCOMPARE(*readFile(made.out("note.db")), std::string("1\n"));
    }

    // An axis keeps its name; the column of the same name says that it is the result's.
    void axesMayBeCalledAsColumns() {
        const MadeSweep made(Json{{"axes",
                                   {test::axis("planner", "search.planner", {"megatron", "harp"}),
                                    test::axis("gpus", "recipe.gbs", {64, 128})}}});
        made.work(0);
        const Collection all = *collect(*made.folder, false);
        const auto table = parseCsv(*sweepCsv(*made.folder, all), "table.csv");
        std::map<std::string, std::string> first;
        for (std::size_t c = 0; c < table->front().size(); ++c)
            QVERIFY(first.emplace((*table)[0][c].text, (*table)[1][c].text).second);
        QCOMPARE(first["planner"], std::string("megatron"));
        QCOMPARE(first["result_planner"], std::string("megatron"));
        QCOMPARE(first["gpus"], std::string("64"));
        QCOMPARE(first["result_gpus"], std::string("16"));
        QVERIFY(writeSweepDatabase(made.out("x.db"), *made.folder, all));
        for (const char* name : {"Status", "task", "result_x"})
            QVERIFY(!checkAxisNames(
                test::ReadSweep(test::sweepJson({test::axis(name, "recipe.gbs", {64})})).sweep));
        QVERIFY(!checkAxisNames(test::ReadSweep(test::sweepJson({test::axis("a", "recipe.gbs", {64}),
                                                                 test::axis("A", "recipe.seq", {64})}))
                                    .sweep));
    }

    void versionsAreNotMixedUnasked() {
        MadeSweep made;
        made.work(0);
        const fs::path file = resultFiles(made.folder->resultsFolder()).front();
        std::string text = *readFile(file);
        const std::size_t at = text.find("\"tool_version\":\"");
        text.insert(at + 16, "9.");
        QVERIFY(writeFileAtomically(file, text));
        const auto refused = collect(*made.folder, false);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, ErrorKind::Infeasible);
        QCOMPARE(collect(*made.folder, true)->versions.size(), std::size_t{2});
    }

    // The best of each group leaves its plan document, which is the plan document of its search.
    void bestPlansAreKept() {
        MadeSweep made(Json{{"keep", {{"plans", 1}, {"documents", "best-of:A100s"}}}});
        made.work(0);
        made.work(1);
        const Collection all = *collect(*made.folder, false);
        std::set<std::string> kept;
        for (const auto& entry : fs::directory_iterator(made.path() / "plans"))
            kept.insert(entry.path().filename().string());
        std::set<std::string> best;
        for (const std::size_t group : {std::size_t{0}, std::size_t{1}}) {
            std::size_t first = 3 * group;
            for (std::size_t i = first; i < first + 3; ++i)
                if (all.rows[i].iteration > 0.0 && isBefore(all.rows[i], all.rows[first]))
                    first = i;
            if (all.rows[first].iteration > 0.0)
                best.insert(all.tasks[first].id + ".json.gz");
        }
        QVERIFY(!best.empty());
        QCOMPARE(kept, best);
    }

    // What is to be chosen has its document, and not what is quickest in the luckiest world.
    void theChoiceHasItsDocument() {
        MadeSweep made(Json{{"axes",
                             {test::axis("batch", "recipe.gbs", {16, 32, 64}),
                              test::axis("event", "scenario", {"slow:n1:0.5", "none"})}},
                            {"skip", {{{"batch", 16}, {"event", "slow:n1:0.5"}}}},
                            {"keep", {{"plans", 1}, {"documents", "best"}}}});
        for (std::size_t c = 0; c < made.folder->chunks.size(); ++c)
            made.work(c);
        const Collection all = *collect(*made.folder, false);
        std::optional<std::size_t> first; // of the first world
        for (std::size_t i = 0; i < all.rows.size(); ++i)
            if (all.tasks[i].at[1] == 0 && (!first || isBefore(all.rows[i], all.rows[*first])))
                first = i;
        QVERIFY(fs::exists(made.path() / "plans" / (all.tasks[first.value()].id + ".json.gz")));
        const auto documents = [](const MadeSweep& of) {
            return std::distance(fs::directory_iterator(of.path() / "plans"), {});
        };
        QVERIFY(documents(made) <= static_cast<std::ptrdiff_t>(made.folder->chunks.size()));
        // Where the first world has none there is the next one's.
        MadeSweep other(Json{{"axes",
                              {test::axis("batch", "recipe.gbs", {16, 32}),
                               test::axis("event", "scenario", {"slow:n1:0.5", "none"})}},
                             {"skip", {{{"event", "slow:n1:0.5"}}}},
                             {"keep", {{"plans", 1}, {"documents", "best"}}}});
        for (std::size_t c = 0; c < other.folder->chunks.size(); ++c)
            other.work(c);
        QVERIFY(documents(other) > 0);
    }

    void whatIsNotKnownComesLast() {
        const auto row = [](double money, double days, bool meets) {
            CollectedTask made;
            made.iteration = 1.0;
            made.cost = TrainingCost{{}, days, money, 0.0, meets};
            return made;
        };
        const CollectedTask cheap = row(10.0, 5.0, true), dear = row(20.0, 1.0, true),
                            unknown = row(0.0, 1.0, true), late = row(1.0, 90.0, false),
                            never = row(kNever, kNever, false);
        QVERIFY(isBefore(cheap, dear) && isBefore(dear, unknown) && isBefore(unknown, late) &&
                isBefore(late, never));
        QVERIFY(!isBefore(unknown, cheap) && !isBefore(never, cheap) && !isBefore(cheap, cheap));
        for (const ResultColumn& column : trainingColumns())
            if (std::string_view(column.key) == "days" || std::string_view(column.key) == "money")
                QVERIFY(columnValue(never, Json::object(), column).is_null());
    }

    // Of a program that repeats exactly; what another version worked out takes the place of what is there.
    void aDatabaseIsNotContradicted() {
        MadeSweep made(Json{{"training", {{"tokens", 1e9}}}});
        made.work(0);
        const fs::path file = made.out("results.db");
        Collection all = *collect(*made.folder, false);
        QCOMPARE(*writeSweepDatabase(file, *made.folder, all), std::size_t{3});
        const auto changed = [&](const char* key, const Json& value) {
            Json record = Json::parse(all.rows[0].record);
            record[key] = value;
            all.rows[0].record = record.dump();
            return writeSweepDatabase(file, *made.folder, all);
        };
        QCOMPARE(*changed("wall_s", 1e3), std::size_t{0});
        // What a training run comes to is the collector's own, and is put right.
        SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("UPDATE result SET days = days + 1");
        QCOMPARE(*writeSweepDatabase(file, *made.folder, all), std::size_t{0});
        const auto refused = changed("bubble", 0.123);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("sweep.disagreement"));
        QCOMPARE(*changed("tool_version", "another"), std::size_t{1});
        SQLite::Database database(file.string());
        QCOMPARE(database.execAndGet("SELECT count(*) FROM result WHERE bubble = 0.123").getInt(), 1);
    }

    // Where a choice has no plan there is nothing to regret, and nothing where no other was looked at.
    void regretNeedsSomethingBesideIt() {
        MadeSweep made(Json{{"axes",
                             {test::axis("planner", "search.planner", {"megatron", "harp"}),
                              test::axis("event", "scenario", {"none", "slow:n1:0.5"})}},
                            {"skip",
                             {{{"planner", "megatron"}, {"event", "none"}},
                              {{"planner", "harp"}, {"event", "slow:n1:0.5"}}}}});
        for (std::size_t c = 0; c < made.folder->chunks.size(); ++c)
            made.work(c);
        const Collection all = *collect(*made.folder, false);
        QCOMPARE(all.robust.size(), std::size_t{2});
        QVERIFY(!all.sameWorlds);
        for (const Robustness& robust : all.robust) {
            QCOMPARE(robust.plans, std::size_t{1});
            QCOMPARE(robust.compared, std::size_t{0});
        }
    }

    // A model or a recipe is a question of its own and no choice.
    void theOnlyChoiceIsHeldAgainstNothing() {
        const MadeSweep made(Json{{"axes",
                                   {test::axis("batch", "recipe.gbs", {64, 128}),
                                    test::axis("event", "scenario", {"none", "slow:n1:0.5"})}}});
        for (std::size_t c = 0; c < made.folder->chunks.size(); ++c)
            made.work(c);
        const Collection all = *collect(*made.folder, false);
        QCOMPARE(all.robust.size(), std::size_t{2});
        QVERIFY(all.sameWorlds);
        for (const Robustness& robust : all.robust) {
            QCOMPARE(robust.plans, std::size_t{2});
            QCOMPARE(robust.compared, std::size_t{0});
        }
    }

    // Oracle: the regret of a choice in a world, counted by hand.
    void aPlanIsHeldAgainstTheBestOfItsWorld() {
        const MadeSweep made(Json{{"axes",
                                   {test::axis("planner", "search.planner", {"megatron", "harp"}),
                                    test::axis("event", "scenario", {"none", "slow:n1:0.5", "lost:n2"})}}});
        for (std::size_t c = 0; c < made.folder->chunks.size(); ++c)
            made.work(c);
        const Collection all = *collect(*made.folder, false);
        QCOMPARE(all.robust.size(), std::size_t{2});
        for (const Robustness& robust : all.robust) {
            const std::size_t own = all.tasks[robust.example].at[0];
            double worst = 0.0, mean = 0.0;
            for (std::size_t event = 0; event < 3; ++event) {
                const double mine = all.rows[3 * own + event].iteration;
                const double other = all.rows[3 * (1 - own) + event].iteration;
                QVERIFY(mine > 0.0 && other > 0.0);
                worst = std::max(worst, mine / std::min(mine, other) - 1.0);
                mean += mine / 3.0;
            }
            QCOMPARE(robust.worstRegret, worst);
            QCOMPARE(robust.mean, mean);
            QCOMPARE(robust.worlds, std::size_t{3});
            QCOMPARE(robust.compared, std::size_t{3});
        }
        QVERIFY(all.sameWorlds);
        QVERIFY(all.robust[0].worstRegret <= all.robust[1].worstRegret);
    }
};

QTEST_GUILESS_MAIN(CollectTest)
#include "collect_test.moc"
