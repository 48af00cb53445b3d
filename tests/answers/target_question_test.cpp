// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/ask.h"
#include "core/answers/by_trainer.h"
#include "core/answers/target_search.h"
#include "core/search/space/chain.h"
#include "tests/answers/small_question.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

// Llama 3 8B on mixed-16, where the V100 force fp16: a plan that leaves them idle, one that does not, and
// what a search without them finds.
struct Mixed {
    std::shared_ptr<const Problem> problem =
        test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("llama3-8b"), 128, 2048);
    FoundPlan idle, used;
    SearchOutcome without;

    Mixed() {
        without = searched(*problem->withForbidden({"V100-SXM2-16GB"}), "megatron", 0);
        const Plan& narrow = without.plans.front().plan;
        idle = {narrow, *evaluate(*problem, narrow)};
        for (const FoundPlan& found : searched(problem, "pipewright", 20'000).plans)
            if (used.plan.pipelines.empty() && usedKinds(*problem, found.plan).size() > 1)
                used = found;
        if (used.plan.pipelines.empty())
            qFatal("no plan over both kinds");
    }

    static SearchOutcome searched(const std::shared_ptr<const Problem>& problem, const char* planner,
                                  std::int64_t work) {
        SearchOptions options;
        options.planner = planner;
        options.work = work;
        SearchObserver nobody;
        return *search(problem, options, nobody, {});
    }
};

} // namespace

// A question as a trainer is asked it: kinds of GPU that are left out for the sake of the precision, and the
// plans that a document keeps for each trainer.
class TargetQuestionTest : public QObject {
    Q_OBJECT

private slots:
    // A kind that a trainer's precision is not for is left out for this trainer alone, and the answer says
    // so.
    void aKindIsLeftOutForATrainerAlone() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("llama3-8b"), 128, 2048);
        QVERIFY(problem->precision() == Precision::Fp16);
        SearchOptions options;
        options.work = 20'000;
        SearchObserver nobody;
        const Result<BestByTrainer> all = bestByTrainer(problem, options, nobody, {});
        QVERIFY(all);
        const Json entries = toJson(*problem, *all);
        for (std::size_t r = 0; r < all->rows.size(); ++r) {
            const BestByTrainer::Row& row = all->rows[r];
            const bool runsIt = row.asked.leftOut.empty();
            QVERIFY(!runsIt || questionFor(problem, *row.trainer).leftOut.empty());
            QCOMPARE(row.asked.problem->hash() == problem->hash(), runsIt);
            QCOMPARE(row.leftOut.has_value(), !runsIt);
            if (row.best)
                QVERIFY(exportRefusals(*row.trainer, *row.asked.problem, row.best->plan).empty());
            if (std::string(row.trainer->format) != "torchtitan")
                continue;
            QVERIFY(row.best && row.leftOut && row.leftOut->code == "search.left_out");
            QVERIFY(row.asked.problem->precision() == Precision::Bf16);
            QCOMPARE(entries[r]["left_out"].size(), std::size_t{1});
        }
        const Json document = {{"best_by_target", entries}};
        for (const BestByTrainer::Row& row : all->rows) {
            const auto read = planForTrainer(document, problem, row.trainer->format, "plans.json");
            QVERIFY2(read, read ? "" : read.error().text().c_str());
            QCOMPARE(read->has_value(), row.best.has_value());
            if (!row.best)
                continue;
            QVERIFY((*read)->plan == row.best->plan);
            QCOMPARE((*read)->asked.problem->hash(), row.asked.problem->hash());
            QCOMPARE((*read)->asked.leftOut, row.asked.leftOut);
        }
        QVERIFY(!planForTrainer(document, problem, "csv", "plans.json")->has_value());
        QVERIFY(!planForTrainer(Json::object(), problem, "megatron", "plans.json")->has_value());
    }

    // A document from elsewhere.
    void aBrokenEntryIsAnError_data() {
        QTest::addColumn<QByteArray>("entries");
        QTest::newRow("no list") << QByteArray("{}");
        QTest::newRow("no entry") << QByteArray("[7]");
        QTest::newRow("no format") << QByteArray(R"([{"plan": {}}])");
        QTest::newRow("no plan") << QByteArray(R"([{"target": "megatron", "plan": {}}])");
        QTest::newRow("a number") << QByteArray(
            R"([{"target": "megatron", "plan": {}, "forbidden": [7], "left_out": []}])");
        QTest::newRow("no such kind")
            << QByteArray(R"([{"target": "megatron", "plan": {}, "forbidden": ["Z80"], "left_out": []}])");
        QTest::newRow("nothing left") << QByteArray(
            R"([{"target": "megatron", "plan": {}, "forbidden": ["n1", "n2", "n3", "n4"], "left_out": []}])");
    }
    void aBrokenEntryIsAnError() {
        QFETCH(QByteArray, entries);
        const Json document = {{"best_by_target", Json::parse(entries.constData())}};
        const auto read = planForTrainer(document, test::smallQuestion(), "megatron", "plans.json");
        QVERIFY(!read);
        QVERIFY2(read.error().where.starts_with("plans.json"), read.error().where.c_str());
    }

    // Kinds that force a lower precision on all are left out for a trainer whose best plan leaves them idle,
    // where that costs nothing; not where they are used, are wanted, or the plans are to be of the problem.
    void idleKindsDoNotKeepThePrecisionDown() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-16"), test::sampleModel("llama3-8b"), 128, 2048);
        Question asked;
        asked.options.work = 20'000;
        asked.target = exporterRow("nemo2"); // places stages by itself, on one kind of GPU
        QuestionObserver nobody;
        const auto without = ask(problem, asked, nobody, {});
        QVERIFY2(without && !without->refused, without ? "" : without.error().text().c_str());
        QVERIFY(without->problem->precision() == Precision::Bf16);
        const auto noteIn = [](const Result<Answer>& answer) {
            const Diagnostics& notes = answer->found().notes;
            const auto note = std::ranges::find(notes, "search.left_out", &Diagnostic::code);
            return note == notes.end() ? nullptr : &*note;
        };
        QVERIFY(noteIn(without));
        QCOMPARE(noteIn(without)->param("kinds"), std::string("V100-16"));
        QVERIFY(noteIn(without)->message.find("idle") != std::string::npos);
        QVERIFY(static_cast<int>(without->found().plans.size()) <= asked.options.top);
        for (const FoundPlan& found : without->found().plans) {
            QVERIFY(exportRefusals(*asked.target, *without->problem, found.plan).empty());
            QVERIFY(evaluate(*without->problem, found.plan)->feasible);
        }
        asked.fewerKinds = false;
        const auto with = ask(problem, asked, nobody, {});
        QVERIFY(with && !noteIn(with));
        QCOMPARE(with->problem->hash(), problem->hash());
        QVERIFY(!takesLess(with->found().plans.front().evaluation.iteration.value,
                           without->found().plans.front().evaluation.iteration.value));
        asked.fewerKinds = true;
        asked.target = exporterRow("runner"); // its best plan is of both kinds
        const auto used = ask(problem, asked, nobody, {});
        QVERIFY(used && !used->found().plans.empty() && !noteIn(used));
        QCOMPARE(usedKinds(*problem, used->found().plans.front().plan).size(), std::size_t{2});
        QCOMPARE(used->problem->hash(), problem->hash());
    }

    // The recipe's own precision is nobody's to change, and a plan that leaves nothing idle has no such
    // kinds.
    void onlyIdleKindsThatForceAPrecisionAreLeftOut() {
        const ExporterRow& nemo = *exporterRow("nemo2");
        const Cluster cluster = test::sampleCluster("mixed-16");
        const Model model = test::sampleModel("llama3-8b");
        const auto problem = test::problemOf(cluster, model, 128, 2048);
        SearchOptions options;
        options.planner = "megatron";
        SearchObserver nobody;
        std::optional<Error> refused;
        const auto found = searchForTarget(problem, options, nemo, nobody, {}, refused);
        QVERIFY(found && !found->plans.empty());
        const Plan& plan = found->plans.front().plan;
        QCOMPARE(usedKinds(*problem, plan).size(), std::size_t{1});
        const auto without = withoutIdle(*problem, nemo, plan);
        QVERIFY(without && without->why == TargetQuestion::Why::Idle);
        QVERIFY(without->instead == Precision::Bf16);
        QCOMPARE(without->leftOut, std::vector<std::string>{"V100-16"});
        QVERIFY(!withoutIdle(*without->problem, nemo, plan)); // once is enough
        ExporterRow half = nemo;
        half.capability.precisions = {Precision::Fp16};
        QVERIFY(!withoutIdle(*problem, half, plan));
        Recipe recipe = problem->recipe();
        recipe.precision = Precision::Fp16;
        const auto fixed = Problem::make(cluster, model, recipe, {}, problem->space());
        QVERIFY(fixed && !withoutIdle(**fixed, nemo, plan));
        QVERIFY(!withFewerKinds(**fixed, nemo, nullptr, {}, {}));
    }

    // A second search that fails costs nobody the plans of the first, and is not passed over in silence.
    void aSecondSearchThatFailsIsSaid() {
        const Mixed of;
        const ExporterRow& nemo = *exporterRow("nemo2");
        TargetQuestion asked{of.problem};
        SearchOutcome outcome;
        outcome.plans = {of.idle};
        Error broken = failure("search.broken", "n1", "is on fire");
        broken.because("of what is in it");
        const auto note = askWithFewerKinds(
            asked, nemo, {},
            [&](const std::shared_ptr<const Problem>&) -> Result<SearchOutcome> { return broken; }, outcome);
        QVERIFY(note);
        QCOMPARE(note->code, std::string("search.not_left_out"));
        QVERIFY(note->severity == Severity::Note);
        for (const char* part : {"V100-16", "bf16", nemo.label, "n1: is on fire", "of what is in it"})
            QVERIFY2(note->message.find(part) != std::string::npos, note->message.c_str());
        QVERIFY(asked.leftOut.empty() && asked.problem == of.problem);
        QCOMPARE(outcome.plans.size(), std::size_t{1});
        QVERIFY(outcome.plans.front().plan == of.idle.plan);
    }

    // Kinds that are used are left out where that is faster, not where it is slower.
    void usedKindsAreLeftOutWhereThatIsFaster_data() {
        QTest::addColumn<double>("times"); // what the best plan with them takes, of the best without
        QTest::addColumn<bool>("faster");
        QTest::newRow("faster") << 1.5 << true;
        QTest::newRow("as fast") << 1.0 << false;
        QTest::newRow("slower") << 0.999 << false;
    }
    void usedKindsAreLeftOutWhereThatIsFaster() {
        QFETCH(double, times);
        QFETCH(bool, faster);
        const Mixed of;
        const ExporterRow& runner = *exporterRow("runner");
        TargetQuestion asked{of.problem};
        SearchOutcome outcome;
        outcome.plans = {of.used};
        outcome.plans.front().evaluation.iteration = of.without.plans.front().evaluation.iteration * times;
        int calls = 0;
        const auto note = askWithFewerKinds(
            asked, runner, {.top = 2, .open = Seconds(1e-3)},
            [&](const std::shared_ptr<const Problem>& problem) -> Result<SearchOutcome> {
                ++calls;
                if (problem->precision() != Precision::Bf16)
                    return failure("test", "", "of another question");
                return of.without;
            },
            outcome);
        QVERIFY2(!note, note ? note->message.c_str() : "");
        QCOMPARE(calls, 1);
        QCOMPARE(asked.leftOut.empty(), !faster);
        const Plan& best = faster ? of.without.plans.front().plan : of.used.plan;
        QVERIFY(outcome.plans.front().plan == best);
        const auto said = noteOf(asked, *of.problem, runner);
        QCOMPARE(said.has_value(), faster);
        if (!faster)
            return;
        QVERIFY(asked.why == TargetQuestion::Why::Slower);
        QVERIFY(outcome.plans.size() <= 2);
        QVERIFY(said->code == "search.left_out" && said->param("kinds") == "V100-16");
        QVERIFY(said->message.find("no plan as fast") != std::string::npos);
    }

    // Nothing is searched where that cannot be faster, or is not asked for.
    void aSecondSearchIsMadeWhereItMayBringSomething_data() {
        QTest::addColumn<double>("best"); // s
        QTest::addColumn<double>("open"); // s
        QTest::addColumn<bool>("bf16");   // whether the target has it
        QTest::addColumn<QStringList>("required");
        QTest::addColumn<bool>("asked");
        const QStringList none;
        QTest::newRow("costs something") << 1e6 << 1.0 << true << none << true;
        QTest::newRow("nothing found") << 0.0 << 0.0 << true << none << true;
        QTest::newRow("as fast as any trainer's") << 1e6 << 1e6 << true << none << false;
        QTest::newRow("below the bound") << 1e-6 << 1e-7 << true << none << false;
        QTest::newRow("a precision that it lacks") << 1e6 << 1.0 << false << none << false;
        QTest::newRow("a kind that is wanted")
            << 1e6 << 1.0 << true << QStringList{QStringLiteral("n2")} << false;
        QTest::newRow("another kind") << 1e6 << 1.0 << true << QStringList{QStringLiteral("n1")} << true;
    }
    void aSecondSearchIsMadeWhereItMayBringSomething() {
        QFETCH(double, best);
        QFETCH(double, open);
        QFETCH(bool, bf16);
        QFETCH(QStringList, required);
        QFETCH(bool, asked);
        const Mixed of;
        ExporterRow target = *exporterRow("runner");
        if (!bf16)
            target.capability.precisions = {Precision::Fp16};
        FoundPlan found = of.used;
        found.evaluation.iteration = Seconds(best);
        std::vector<std::string> names;
        for (const QString& name : required)
            names.push_back(name.toStdString());
        const auto without =
            withFewerKinds(*of.problem, target, best > 0.0 ? &found : nullptr, Seconds(open), names);
        QCOMPARE(without.has_value(), asked);
        if (!without)
            return;
        QCOMPARE(without->leftOut, std::vector<std::string>{"V100-16"});
        QVERIFY(without->problem->precision() == Precision::Bf16);
        QVERIFY(!withFewerKinds(*without->problem, target, &found, Seconds(open), {})); // no old kind there
    }
};

QTEST_APPLESS_MAIN(TargetQuestionTest)
#include "target_question_test.moc"
