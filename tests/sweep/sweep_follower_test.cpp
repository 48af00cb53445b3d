// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/sweep/heat_map.h"
#include "core/sweep/sweep_follower.h"
#include "tests/sweep/written_sweep.h"

#include <QTest>

#include <set>

using namespace pw;
using namespace pw::test;

// What views read of a sweep: rows as they come, cells, and the front.
class SweepFollowerTest : public QObject {
    Q_OBJECT

private:
    static SweepFollower follow(const WrittenSweep& sweep) {
        Result<SweepFolder> folder = openSweepFolder(sweep.path());
        if (!folder)
            qFatal("%s", folder.error().text().c_str());
        Result<SweepFollower> follower = SweepFollower::make(*std::move(folder));
        if (!follower)
            qFatal("%s", follower.error().text().c_str());
        return *std::move(follower);
    }
    static std::set<std::size_t> tasksOf(const SweepNews& news) {
        std::set<std::size_t> tasks;
        for (const auto& [task, row] : news.rows)
            tasks.insert(task);
        return tasks;
    }

private Q_SLOTS:
    void onlyWhatIsNewComes() {
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128, 256})}, kChunk);
        SweepFollower follower = follow(sweep);
        QVERIFY(follower.readOn().rows.empty());
        sweep.append(sweep.begin(0) + sweep.plan(0, 1.5));
        SweepNews news = follower.readOn();
        QCOMPARE(tasksOf(news), std::set<std::size_t>{0});
        QCOMPARE(news.rows.back().second.figure(SweepFigure::Iteration), 1.5);
        QCOMPARE(news.status.done, std::size_t(1));
        QVERIFY(follower.readOn().rows.empty());

        // A half line does not count until its end is there.
        const std::string line = sweep.plan(1, 2.5);
        sweep.append(line.substr(0, 30));
        QVERIFY(follower.readOn().rows.empty());
        sweep.append(line.substr(30));
        QCOMPARE(tasksOf(follower.readOn()), std::set<std::size_t>{1});

        sweep.append(sweep.begin(2), "00000-local.0.there.2-00000002");
        news = follower.readOn();
        QCOMPARE(news.rows.back().second.standing, TaskStanding::Begun);
        QCOMPARE(news.status.begun, std::size_t(1));
        sweep.append(sweep.noPlan(2, "too large"), "00000-local.0.there.2-00000002");
        news = follower.readOn();
        QCOMPARE(news.rows.back().second.standing, TaskStanding::NoPlan);
        QCOMPARE(news.rows.back().second.reason, std::string("too large"));
        QVERIFY(news.status.complete());
    }

    void damageStopsItsFileAlone() {
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128, 256})}, kChunk);
        SweepFollower follower = follow(sweep);
        sweep.append(sweep.plan(0, 1.0) + "no JSON\n" + sweep.plan(1, 1.0));
        sweep.append(sweep.plan(2, 3.0), "00000-local.0.there.2-00000002");
        for (int look = 0; look < 2; ++look) {
            const SweepNews news = follower.readOn();
            QCOMPARE(tasksOf(news), look == 0 ? (std::set<std::size_t>{0, 2}) : std::set<std::size_t>());
            QCOMPARE(news.damage.size(), std::size_t(1));
            QVERIFY2(news.damage.front().where.find(".jsonl:2:") != std::string::npos,
                     news.damage.front().where.c_str());
            QCOMPARE(news.status.done, std::size_t(2));
        }
    }

    void damageThatIsMendedIsNoLongerTold() {
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128, 256})}, kChunk);
        SweepFollower follower = follow(sweep);
        sweep.append(sweep.plan(0, 1.0) + "no JSON\n");
        const auto file = std::filesystem::path(follower.readOn().damage.front().where.substr(
            0, follower.readOn().damage.front().where.find(".jsonl") + 6));
        std::filesystem::resize_file(file, sweep.plan(0, 1.0).size());
        QVERIFY(follower.readOn().damage.empty());
        sweep.append(sweep.plan(1, 1.0));
        QCOMPARE(tasksOf(follower.readOn()), std::set<std::size_t>{1});
    }

    void aFolderThatGoesIsTold() {
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128})}, kChunk);
        SweepFollower follower = follow(sweep);
        sweep.append(sweep.plan(0, 1.0));
        QVERIFY(!follower.readOn().gone);
        const std::filesystem::path away = sweep.path().string() + ".away";
        std::filesystem::rename(sweep.path(), away);
        const SweepNews gone = follower.readOn();
        QVERIFY(gone.gone && gone.rows.empty() && gone.damage.empty());
        QCOMPARE(gone.status.done, std::size_t(1));
        std::filesystem::rename(away, sweep.path());
        sweep.append(sweep.plan(1, 1.0));
        const SweepNews back = follower.readOn();
        QVERIFY(!back.gone);
        QCOMPARE(tasksOf(back), std::set<std::size_t>{1});
    }

    // Beside the bubble of plan documents, which can be above 1.
    void theBubbleIsAShare() {
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64})}, kChunk);
        SweepFollower follower = follow(sweep);
        Json record = Json::parse(sweep.plan(0, 1.0));
        record["bubble"] = 3.0;
        sweep.append(record.dump() + '\n');
        QCOMPARE(follower.readOn().rows.back().second.figure(SweepFigure::Bubble), 0.75);
    }

    // Its GPUs and their price are known, and nobody can train on it.
    void whatHasNoPlanHasNoValueAndBeatsNothing() {
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128, 256})}, kChunk);
        const SweepFollower follower = follow(sweep);
        std::vector<SweepRow> rows(3);
        for (std::size_t i = 0; i < 3; ++i) {
            rows[i].standing = i == 0 ? TaskStanding::NoPlan : TaskStanding::Plan;
            rows[i].figures[static_cast<std::size_t>(SweepFigure::Gpus)] = static_cast<double>(i + 1);
        }
        const std::vector<SweepFigure> figures = {SweepFigure::Gpus};
        QCOMPARE(sweepFront(rows, figures), std::vector<std::size_t>{1});
        HeatQuestion question;
        question.figure = SweepFigure::Gpus;
        const HeatMap map = heatMap(follower.folder().sweep, follower.tasks(), rows, question);
        QVERIFY(std::isnan(map.cell(0, 0, 0).value));
        QCOMPARE(map.cell(0, 0, 0).noPlans, std::size_t(1));
        QCOMPARE(map.low, 2.0);
    }

    // A file with another result of a task than the one before it is read no further, however much follows.
    void aDisagreementStaysTold() {
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128, 256})}, kChunk);
        SweepFollower follower = follow(sweep);
        const std::string other = "00000-local.0.there.2-00000002";
        sweep.append(sweep.plan(0, 1.0));
        sweep.append(sweep.plan(0, 2.0), other);
        QCOMPARE(follower.readOn().damage.size(), std::size_t(1));
        sweep.append(sweep.plan(1, 1.0), other);
        sweep.append(sweep.plan(2, 3.0));
        const SweepNews news = follower.readOn();
        QCOMPARE(tasksOf(news), std::set<std::size_t>{2});
        QCOMPARE(news.damage.size(), std::size_t(1));
        QCOMPARE(news.damage.front().code, std::string("sweep.disagreement"));
        QVERIFY2(news.damage.front().where.find(other) != std::string::npos,
                 news.damage.front().where.c_str());
        // Taken away, as messages.md says.
        QVERIFY(std::filesystem::remove(sweep.path() / "results" / (other + ".jsonl")));
        QVERIFY(follower.readOn().damage.empty());
    }

    void muchComesInTurns() {
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128}), drawAxis("draw", 50)}, kChunk);
        SweepFollower follower = follow(sweep);
        for (std::size_t task = 0; task < sweep.tasks(); ++task)
            sweep.append(sweep.plan(task, 1.0));
        std::set<std::size_t> all;
        for (int turn = 0; turn < 4; ++turn) {
            const SweepNews news = follower.readOn(30);
            all.merge(tasksOf(news));
            QCOMPARE(news.more, turn < 3);
        }
        QCOMPARE(all.size(), sweep.tasks());
    }

    void threeBeginningsAreAFailure() {
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64})}, kChunk);
        SweepFollower follower = follow(sweep);
        sweep.append(sweep.begin(0) + sweep.begin(0) + sweep.begin(0));
        const SweepNews news = follower.readOn();
        QCOMPARE(news.rows.back().second.standing, TaskStanding::Failed);
        QCOMPARE(news.status.failed.size(), std::size_t(1));
    }

    void aCellIsTheBestOrTheMedianOfItsTasks() {
        const WrittenSweep sweep({axis("gbs", "recipe.gbs", {64, 128}), drawAxis("draw", 5)}, kChunk);
        const SweepFollower follower = follow(sweep);
        std::vector<SweepRow> rows(sweep.tasks());
        const double times[] = {3.0, 1.0, 2.0, 9.0}; // of the first batch; its last draw has no result
        for (std::size_t i = 0; i < 4; ++i) {
            rows[i].standing = TaskStanding::Plan;
            rows[i].figures[0] = times[i];
        }
        rows[5].standing = TaskStanding::NoPlan;
        rows[5].reason = "too large";
        HeatQuestion question;
        question.figure = SweepFigure::Iteration;
        HeatMap map = heatMap(follower.folder().sweep, follower.tasks(), rows, question);
        QCOMPARE(map.columns, std::size_t(2));
        QCOMPARE(map.cell(0, 0, 0).value, 1.0);
        QCOMPARE(map.cell(0, 0, 0).task, std::size_t(1));
        QCOMPARE(map.cell(0, 0, 0).open(), std::size_t(1));
        QVERIFY(std::isnan(map.cell(0, 0, 1).value));
        QCOMPARE(map.cell(0, 0, 1).task, std::size_t(5)); // which says why
        question.median = true;
        map = heatMap(follower.folder().sweep, follower.tasks(), rows, question);
        QCOMPARE(map.cell(0, 0, 0).value, 2.0);
        question.figure.reset(); // the share that has a plan
        map = heatMap(follower.folder().sweep, follower.tasks(), rows, question);
        QCOMPARE(map.cell(0, 0, 0).value, 1.0);
        QCOMPARE(map.cell(0, 0, 1).value, 0.0);
        QVERIFY(map.low == 0.0 && map.high == 1.0);
        question.y = 1;
        QCOMPARE(heatMap(follower.folder().sweep, follower.tasks(), rows, question).rows, std::size_t(5));
    }

    void theFrontIsWhatNoOtherBeats() {
        const std::uint64_t seed = 23;
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        Random random(seed);
        const std::vector<SweepFigure> figures = {SweepFigure::Iteration, SweepFigure::Tokens,
                                                  SweepFigure::Power};
        for (int round = 0; round < 30; ++round) {
            std::vector<SweepRow> rows(40);
            for (SweepRow& row : rows) {
                row.standing = TaskStanding::Plan;
                for (const SweepFigure figure : figures)
                    if (random.below(10) > 0)
                        row.figures[static_cast<std::size_t>(figure)] = static_cast<double>(random.below(6));
            }
            const auto cost = [&](std::size_t i, std::size_t k) { // Tokens: more is better
                const double value = rows[i].figure(figures[k]);
                return k == 1 ? -value : value;
            };
            std::vector<std::size_t> front;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                bool in = true;
                for (std::size_t k = 0; k < 3; ++k)
                    in = in && !std::isnan(cost(i, k));
                for (std::size_t j = 0; j < rows.size() && in; ++j) {
                    bool asGood = true, better = false;
                    for (std::size_t k = 0; k < 3; ++k) {
                        asGood = asGood && cost(j, k) <= cost(i, k);
                        better = better || cost(j, k) < cost(i, k);
                    }
                    in = !(asGood && better);
                }
                if (in)
                    front.push_back(i);
            }
            QCOMPARE(sweepFront(rows, figures), front);
        }
    }
};

QTEST_GUILESS_MAIN(SweepFollowerTest)
#include "sweep_follower_test.moc"
