// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/ask.h"

#include "core/accuracy/memory_cases.h"
#include "core/answers/answer_tables.h"
#include "core/answers/require.h"
#include "core/answers/surer.h"
#include "core/answers/target_search.h"
#include "core/problem/memory_span.h"
#include "core/search/proof/scope_coverage.h"
#include "tests/answers/small_question.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <set>

using namespace pw;

namespace {

const std::vector<QuestionPart>& allParts() {
    using enum QuestionPart;
    static const std::vector<QuestionPart> parts = {AllPlanners, Target,    EveryTrainer, Required,
                                                    Deadline,    Objective, Around,       Judged};
    return parts;
}

void askPart(Question& question, QuestionPart part) {
    switch (part) {
    case QuestionPart::AllPlanners:
        question.entrants = allPlanners();
        break;
    case QuestionPart::Target:
        question.target = exporterRow("megatron");
        break;
    case QuestionPart::EveryTrainer:
        question.everyTrainer = true;
        break;
    case QuestionPart::Required:
        question.required = {"n2"};
        break;
    case QuestionPart::Deadline:
        question.deadline = Seconds(1.0);
        break;
    case QuestionPart::Objective:
        question.objective = Objective::Memory;
        break;
    case QuestionPart::Around:
        question.around = true;
        break;
    case QuestionPart::Judged:
        question.judged.emplace();
        break;
    }
}

// As the command line has refused them from the first, and what is new with a plan at hand.
bool isRefused(QuestionPart a, QuestionPart b) {
    using enum QuestionPart;
    using Pair = std::set<QuestionPart>;
    static const std::set<Pair> refused = {
        Pair{EveryTrainer, AllPlanners}, Pair{EveryTrainer, Required}, Pair{EveryTrainer, Deadline},
        Pair{EveryTrainer, Objective},   Pair{EveryTrainer, Around},   Pair{EveryTrainer, Judged},
        Pair{AllPlanners, Required},     Pair{AllPlanners, Deadline},  Pair{AllPlanners, Objective},
        Pair{AllPlanners, Around},       Pair{Required, Deadline},     Pair{Required, Objective},
        Pair{Required, Around},          Pair{Judged, AllPlanners},    Pair{Judged, Required},
        Pair{Judged, Deadline},          Pair{Judged, Objective},      Pair{Judged, Around}};
    return refused.contains(Pair{a, b});
}

Question smallBudget() {
    Question question;
    question.options.work = 20'000;
    question.options.top = 4;
    return question;
}

class Counter : public QuestionObserver {
public:
    void begins() override { ++begun; }
    void ends() override { ++ended; }
    int begun = 0, ended = 0;
};

std::vector<double> times(const SearchOutcome& outcome) {
    std::vector<double> list;
    for (const FoundPlan& found : outcome.plans)
        list.push_back(found.evaluation.iteration.value);
    return list;
}

} // namespace

class AskTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPairIsAllowedOrRefused_data() {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        for (const QuestionPart a : allParts())
            for (const QuestionPart b : allParts())
                if (a < b)
                    QTest::addRow("%s with %s", rowOf(a).flag, rowOf(b).flag)
                        << static_cast<int>(a) << static_cast<int>(b);
    }

    void everyPairIsAllowedOrRefused() {
        QFETCH(int, first);
        QFETCH(int, second);
        const auto a = static_cast<QuestionPart>(first), b = static_cast<QuestionPart>(second);
        Question question;
        askPart(question, a);
        askPart(question, b);
        const Clash* clash = clashOf(question);
        QCOMPARE(clash != nullptr, isRefused(a, b));
        if (!clash)
            return;
        QVERIFY((clash->part == a && clash->with == b) || (clash->part == b && clash->with == a));
        Counter observer;
        const auto answer = ask(test::smallQuestion(), question, observer, {});
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, ErrorKind::BadInput);
        QCOMPARE(answer.error().code, std::string("usage"));
        QCOMPARE(answer.error().where, std::string(rowOf(clash->part).flag));
        QVERIFY(answer.error().message.find(rowOf(clash->with).flag) != std::string::npos);
        QCOMPARE(observer.begun, 0); // before anything is searched
    }

    void noPartClashesByItself() {
        QVERIFY(!clashOf(Question()));
        for (std::size_t i = 0; i < questionPartTable().size(); ++i) {
            const QuestionPart part = questionPartTable()[i].part;
            QCOMPARE(static_cast<std::size_t>(part), i);
            Question question;
            askPart(question, part);
            QVERIFY(!clashOf(question));
            for (const QuestionPartRow& row : questionPartTable())
                QCOMPARE(row.asked(question), row.part == part);
        }
    }

    void whatIsNotThereIsRefused() {
        Question question = smallBudget();
        question.required = {"n9"};
        Counter observer;
        const auto unknown = ask(test::smallQuestion(), question, observer, {});
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().code, std::string("require.unknown"));
        QCOMPARE(unknown.error().where, std::string("n9"));
        question = smallBudget();
        question.objective = Objective::Money;
        const auto unpriced = ask(test::smallQuestion(), question, observer, {});
        QVERIFY(!unpriced);
        QCOMPARE(unpriced.error().code, std::string("objective.price"));
        QCOMPARE(observer.begun, 0);
    }

    // The layer chooses the search and adds nothing to what it finds.
    void theAnswerIsThatOfTheSearchItself() {
        const auto problem = test::smallQuestion();
        SearchObserver nobody;
        Counter observer;
        Question question = smallBudget();
        const auto direct = search(problem, question.options, nobody, {});
        QVERIFY(direct);
        const auto fastest = ask(problem, question, observer, {});
        QVERIFY(fastest && !fastest->refused);
        QCOMPARE(times(fastest->found()), times(*direct));
        QCOMPARE(observer.begun, 1);
        QCOMPARE(observer.ended, 1);

        question.required = {"V100-SXM2-32GB"};
        SearchOptions more = question.options;
        more.top = kLookedThrough;
        const auto required = ask(problem, question, observer, {});
        const auto requiring =
            searchRequiring(problem, question.required, 4,
                            [&](const auto& asked) { return search(asked, more, nobody, {}); }, {});
        QVERIFY(required && requiring && !requiring->plans.empty());
        QCOMPARE(times(required->found()), times(*requiring));
    }

    void aTargetSaysWhatItCosts() {
        const auto problem = test::smallQuestion();
        Counter observer;
        Question question = smallBudget();
        question.target = exporterRow("megatron");
        const auto answer = ask(problem, question, observer, {});
        QVERIFY(answer && !answer->refused && answer->target);
        for (const FoundPlan& found : answer->found().plans)
            QVERIFY(exportRefusals(*question.target, *problem, found.plan).empty());
        for (const FoundPlan& found : answer->found().differing)
            QVERIFY(exportRefusals(*question.target, *problem, found.plan).empty());
        QVERIFY(answer->target->best == answer->found().plans.front().evaluation.iteration);
        QVERIFY(answer->target->unrestricted.value > 0.0);
        QVERIFY(answer->target->unrestricted <= answer->target->best);
        QVERIFY(answer->problem->precision() == Precision::Bf16);
        QCOMPARE(observer.ended, 3); // for the target, for it without the idle kind, and an open one
        const Json document = documentOf(*answer);
        QCOMPARE(document["target"]["format"].get<std::string>(), std::string("megatron"));
        QCOMPARE(document["target"]["unrestricted_s"].get<double>(), answer->target->unrestricted.value);
        const std::string cost = textOf(*answer->target);
        const std::vector<AnswerTable> tables = tablesOf(*answer);
        QVERIFY(std::any_of(tables.begin(), tables.end(),
                            [&](const AnswerTable& table) { return table.text == cost; }));
    }

    // The search for any trainer finds a plan that recomputes the first block alone, which one for all modes
    // of recompute apart does not ask for.
    void whatIsFoundForAnyTrainerIsTakenWhereTheTargetRunsIt() {
        Model model = test::sampleModel("gpt3-1.3b");
        model.blocks = 12;
        model.hidden = model.ffn = 4096;
        model.ffn *= 4;
        model.heads = model.kvHeads = 32;
        model.headDim = 128;
        const auto plain =
            test::problemOf(test::drawnCluster({{"A100-SXM4-40GB", 2, 100.0}}), model, 64, 2048);
        Recipe recipe = plain->recipe();
        recipe.precision = Precision::Fp16;
        recipe.zero = 1;
        recipe.sequenceParallel = Choice::Off;
        const auto problem = Problem::make(plain->topology().cluster(), plain->model(), recipe, {});
        QVERIFY(problem);
        Counter observer;
        Question question;
        const auto open = ask(*problem, question, observer, {});
        question.target = exporterRow("megatron");
        const auto answer = ask(*problem, question, observer, {});
        QVERIFY(open && !open->refused && answer && !answer->refused);
        const Seconds best = answer->found().plans.front().evaluation.iteration;
        int taken = 0;
        for (const FoundPlan& found : open->found().plans)
            if (canRun(*question.target, **problem, found.plan)) {
                ++taken;
                QVERIFY(best.value <= found.evaluation.iteration.value * (1.0 + 1e-9));
            }
        QVERIFY(taken > 0);
        QVERIFY(answer->found().plans.size() <= static_cast<std::size_t>(question.options.top));
    }

    // What is proven for any trainer holds for each, wherever it speaks of the plan; what a search for the
    // trainer has proven itself stays.
    void theBoundForAnyTrainerHoldsForEach() {
        const auto problem =
            test::problemOf(test::drawnCluster({{"A100-SXM4-80GB", 4, 100.0}, {"A100-SXM4-40GB", 4, 100.0}}),
                            test::sampleModel("llama3-8b"), 64, 4096);
        Counter observer;
        Question question = smallBudget();
        const auto open = ask(problem, question, observer, {});
        QVERIFY(open && open->outcome.bound.value.value > 0.0);
        int bounded = 0, taken = 0;
        for (const ExporterRow& target : exporterTable()) {
            question.target = &target;
            if (!constrains(target))
                continue;
            const auto answer = ask(problem, question, observer, {});
            if (!answer || answer->refused || answer->problem->hash() != problem->hash())
                continue;
            const SearchOutcome& outcome = answer->outcome;
            const FoundPlan& best = outcome.plans.front();
            const bool spoken = contains(open->outcome.bound.scope, *problem, best.plan);
            QVERIFY2(outcome.bound.value.value > 0.0 || !spoken, target.format);
            if (outcome.bound.value.value <= 0.0)
                continue;
            ++bounded;
            taken += outcome.bound.value == open->outcome.bound.value ? 1 : 0;
            QVERIFY2(outcome.covered && contains(outcome.bound.scope, *problem, best.plan), target.format);
            QVERIFY2(outcome.bound.value.value <= best.evaluation.iteration.value * (1.0 + 1e-9),
                     target.format);
            QCOMPARE(outcome.status == SearchStatus::Optimal, outcome.meetsBound());
        }
        QVERIFY2(bounded > 2 && taken > 0, qPrintable(QStringLiteral("%1 %2").arg(bounded).arg(taken)));
    }

    // However many searches a question takes, their work is one sum; only a single one tells its limit.
    void progressIsThatOfTheQuestion() {
        class Listening : public Counter {
        public:
            void progress(const SearchProgress& now) override { told.push_back(now); }
            std::vector<SearchProgress> told;
        };
        Question plain = smallBudget();
        Question forTarget = plain, forEvery = plain, inTime = plain;
        forTarget.target = exporterRow("megatron");
        forEvery.everyTrainer = true;
        inTime.deadline = Seconds(1e6);
        for (const Question& question : {plain, forTarget, forEvery, inTime}) {
            Listening heard;
            const auto answer = ask(test::smallQuestion(), question, heard, {});
            QVERIFY(answer && !heard.told.empty());
            std::int64_t before = 0;
            bool unknown = false;
            for (const SearchProgress& now : heard.told) {
                QVERIFY2(now.work >= before,
                         qPrintable(QStringLiteral("%1 behind %2").arg(now.work).arg(before)));
                QVERIFY(now.workLimit == 0 || now.work <= now.workLimit);
                before = now.work;
                unknown = unknown || now.workLimit == 0;
            }
            QCOMPARE(heard.told.front().workLimit, question.options.work);
            QCOMPARE(unknown, heard.begun > 1 || question.everyTrainer);
        }
    }

    // "mbs" is what one replica takes; the size of a micro-batch is over all of them.
    void microbatchesAreSaidInAllAndOfAReplica() {
        Plan plan;
        Pipeline& pipeline = plan.pipelines.emplace_back();
        pipeline.microbatches = 8;
        pipeline.microbatchSize = 8;
        pipeline.stages.resize(2);
        Stage &first = pipeline.stages.front(), &second = pipeline.stages.back();
        first.replicas = {{{0}, 0.5}, {{1}, 0.5}};
        second.replicas = {{{2}, 0.5}, {{3}, 0.5}};
        const auto said = [&] { return microbatchesText(plan); };
        QCOMPARE(said(), std::string("8 x 8 (4 a replica)"));
        second.replicas = {{{2}, 0.25}, {{3}, 0.75}};
        QCOMPARE(said(), std::string("8 x 8 (2 to 6 a replica)"));
        pipeline.count = 2;
        second.replicas = first.replicas;
        QCOMPARE(said(), std::string("2 x 8 x 8 (4 a replica)"));
    }

    // What a requirement costs is not what the trainer costs: the open search is asked for it, too.
    void aTargetIsNotBlamedForWhatIsRequired() {
        const auto problem = test::smallQuestion();
        Counter observer;
        Question question = smallBudget();
        question.required = {"V100-SXM2-32GB"};
        const auto open = ask(problem, question, observer, {});
        question.target = exporterRow("runner");
        const auto answer = ask(problem, question, observer, {});
        QVERIFY(open && !open->found().plans.empty());
        QVERIFY(answer && answer->target);
        const Seconds best = open->found().plans.front().evaluation.iteration;
        QVERIFY(answer->target->unrestricted == std::min(best, answer->target->best));
    }

    // fp16 is only for the sake of the V100: a trainer that has none is asked without them, and the answer is
    // that of the question with them left out.
    void kindsThatForceAPrecisionAreLeftOut() {
        const auto problem =
            test::problemOf(test::sampleCluster("mixed-64"), test::sampleModel("llama3-70b"), 512, 4096);
        QVERIFY(problem->precision() == Precision::Fp16);
        Counter observer;
        Question question = smallBudget();
        question.target = exporterRow("torchtitan");
        const auto answer = ask(problem, question, observer, {});
        QVERIFY2(answer, answer ? "" : answer.error().text().c_str());
        QVERIFY(!answer->refused && !answer->found().plans.empty());
        QVERIFY(answer->problem->precision() == Precision::Bf16);
        for (const FoundPlan& found : answer->found().plans)
            QVERIFY(exportRefusals(*question.target, *answer->problem, found.plan).empty());
        const Diagnostics& notes = answer->found().notes;
        const auto note = std::ranges::find(notes, "search.left_out", &Diagnostic::code);
        QVERIFY(note != notes.end());
        QCOMPARE(note->param("kinds"), std::string("V100-32"));
        const auto without = problem->withForbidden({"V100-SXM2-32GB"});
        QVERIFY(without);
        QCOMPARE(answer->problem->hash(), (*without)->hash());
        const auto same = ask(*without, question, observer, {});
        QVERIFY(same && std::ranges::find(same->found().notes, "search.left_out", &Diagnostic::code) ==
                            same->found().notes.end());
        QCOMPARE(times(answer->found()), times(same->found()));
        question.target = nullptr; // what it costs is said beside all devices
        const auto open = ask(problem, question, observer, {});
        QVERIFY(open && answer->target);
        QVERIFY(answer->target->unrestricted ==
                std::min(open->found().plans.front().evaluation.iteration, answer->target->best));
    }

    // Nothing is left out for a trainer that has the precision; where nothing else is left, or what must be
    // used would be, the precision is the reason.
    void aPrecisionIsRefusedWhereNothingElseIsLeft() {
        const Model model = test::sampleModel("llama3-8b");
        const auto mixed = test::problemOf(test::sampleCluster("mixed-16"), model, 128, 2048);
        const auto alike = test::problemOf(test::drawnCluster({{"V100-SXM2-32GB", 8}}), model, 128, 2048);
        QCOMPARE(questionFor(mixed, *exporterRow("megatron")).problem, mixed);
        QCOMPARE(questionFor(alike, *exporterRow("torchtitan")).problem, alike);
        Counter observer;
        Question question = smallBudget();
        question.target = exporterRow("torchtitan");
        const auto none = ask(alike, question, observer, {});
        question.required = {"n2"}; // has V100
        const auto required = ask(mixed, question, observer, {});
        for (const Result<Answer>* answer : {&none, &required}) {
            QVERIFY(!*answer && answer->error().code == "search.target");
            QVERIFY(std::ranges::find(answer->error().reasons, "E_PRECISION", &Error::code) !=
                    answer->error().reasons.end());
        }
    }

    void allPlannersKeepToTheTarget() {
        const auto problem = test::smallQuestion();
        Counter observer;
        Question question = smallBudget();
        question.options.work = 5'000;
        question.entrants = allPlanners();
        question.target = exporterRow("megatron");
        const auto answer = ask(problem, question, observer, {});
        QVERIFY(answer && answer->tournament);
        for (const TournamentRow& row : answer->tournament->rows) {
            QCOMPARE(row.outcome.plans.empty(), row.refusal.has_value());
            for (const FoundPlan& found : row.outcome.plans)
                QVERIFY(exportRefusals(*question.target, *answer->problem, found.plan).empty());
        }
        QCOMPARE(tablesOf(*answer).front().rows.size(), answer->tournament->rows.size());
    }

    // Plans that are known are not searched again.
    void askedAroundPlansThatWereFound() {
        const auto problem = test::smallQuestion();
        Counter first, second;
        Question question = smallBudget();
        question.around = true;
        const auto searched = ask(problem, question, first, {});
        QVERIFY(searched && searched->around);
        question.found = searched->found();
        const auto known = ask(problem, question, second, {});
        QVERIFY(known && known->around);
        QCOMPARE(second.ended, first.ended - 1);
        QVERIFY(toJson(*known->around, known->found()) == toJson(*searched->around, searched->found()));
        QVERIFY(documentOf(*known).contains("answers"));
    }

    void aDeadlineThatIsNotMetSaysSo() {
        Counter observer;
        Question question = smallBudget();
        question.deadline = Seconds(1e-6);
        question.around = true;
        const auto answer = ask(test::smallQuestion(), question, observer, {});
        QVERIFY(answer && answer->deadline && answer->refused);
        QCOMPARE(answer->refused->code, std::string("deadline.not_met"));
        QVERIFY(!answer->around); // nothing to ask around
        QVERIFY(!tablesOf(*answer).empty());
    }

    // A deadline and an objective: the best by that of the plans that meet it, and no set of fewest GPUs.
    void theBestWithinADeadline() {
        const auto problem = test::smallQuestion();
        Counter observer;
        Question question = smallBudget();
        question.objective = Objective::Energy;
        const auto whole = ask(problem, question, observer, {});
        QVERIFY(whole && whole->front && whole->found().plans.size() >= 2);
        question.deadline = whole->found().plans[1].evaluation.iteration;
        const auto answer = ask(problem, question, observer, {});
        QVERIFY(answer && answer->front && !answer->deadline && !answer->refused);
        for (const FoundPlan& found : answer->found().plans)
            QVERIFY(found.evaluation.iteration <= question.deadline);
        QVERIFY(answer->front->values.front() <= whole->front->values[1]);
        const std::string said = tablesOf(*answer).front().text;
        QVERIFY2(said.starts_with("a deadline of ") && said.find(": met by ") != std::string::npos &&
                     said.find("\nplan 1 is the one of least energy of these") != std::string::npos,
                 said.c_str());
        QVERIFY2(tablesOf(*answer, {"7"}).front().text.find("\nplan 7 is ") != std::string::npos,
                 said.c_str());
        const Json document = documentOf(*answer);
        QVERIFY(!document.contains("deadline"));
        QCOMPARE(document["pareto"]["deadline_s"].get<double>(), question.deadline.value);

        question.deadline = Seconds(1e-6);
        const auto missed = ask(problem, question, observer, {});
        QVERIFY(missed && missed->refused);
        QCOMPARE(missed->refused->code, std::string("deadline.not_met"));
        const std::vector<AnswerTable> tables = tablesOf(*missed);
        QVERIFY(tables.front().text.find(": not met by any of ") != std::string::npos);
        QCOMPARE(tables.front().rows.size(), std::size_t{1});
        for (const AnswerTable& table : tables)
            QVERIFY2(table.text.find("--") == std::string::npos, table.text.c_str());
    }

    // The plan that meets a deadline stands in a row, and what is below says what it lists.
    void aDeadlineThatIsMetShowsItsPlanAndWhatMissesIt() {
        Counter observer;
        Question question = smallBudget();
        const auto fastest = ask(test::smallQuestion(), question, observer, {});
        QVERIFY(fastest);
        question.deadline = fastest->found().plans.front().evaluation.iteration * 1.2;
        const auto answer = ask(test::smallQuestion(), question, observer, {});
        QVERIFY(answer && answer->deadline && answer->deadline->met);
        const std::vector<AnswerTable> tables = tablesOf(*answer, {"9"});
        QVERIFY(tables.size() >= 3);
        QCOMPARE(tables[1].headings.front(), std::string(kPlanHeading));
        QCOMPARE(tables[1].rows.size(), std::size_t{1});
        QCOMPARE(tables[1].rows[0][0], std::string("9"));
        QVERIFY(!answer->deadline->smaller.empty() && !tables[2].rows.empty());
        QVERIFY2(tables[2].text.ends_with(
                     "the largest sets with fewer GPUs that were searched, none with a plan that meets it:"),
                 tables[2].text.c_str());
    }

    void aPlanIsHeldAgainstAQuickSearch() {
        const auto problem = test::smallQuestion();
        Counter observer;
        Question question;
        question.options = quickSearch();
        SearchObserver nobody;
        auto found = search(problem, question.options, nobody, {});
        QVERIFY(found && found->plans.size() > 1);
        question.judged = found->plans.front();
        const auto best = ask(problem, question, observer, {});
        QVERIFY(best && best->verdict && best->verdict->best);
        QVERIFY(best->verdict->isAsGood());
        QCOMPARE(best->verdict->slower(), 0.0);
        QVERIFY2(best->verdict->text.message.find(
                     "as good as the best that a quick search finds for any trainer") != std::string::npos,
                 best->verdict->text.message.c_str());

        question.judged->evaluation.iteration = found->plans.front().evaluation.iteration * 1.004;
        QVERIFY(ask(problem, question, observer, {})->verdict->isAsGood());
        question.judged->evaluation.iteration = found->plans.front().evaluation.iteration * 1.25;
        const auto slower = ask(problem, question, observer, {});
        QVERIFY(!slower->verdict->isAsGood());
        QVERIFY2(slower->verdict->text.message.find("25.0 % slower") != std::string::npos,
                 slower->verdict->text.message.c_str());
        const Json json = documentOf(*slower)["verdict"];
        QCOMPARE(json["text"].get<std::string>(), slower->verdict->text.message);
        QCOMPARE(json["best_found_s"].get<double>(), found->plans.front().evaluation.iteration.value);

        question.judged->evaluation.feasible = false;
        question.judged->evaluation.reasons = {"n1.g0 needs 90 GiB"};
        const auto unfit = ask(problem, question, observer, {});
        QVERIFY(!unfit->verdict->isAsGood());
        QVERIFY2(unfit->verdict->text.message.find("cannot run (n1.g0 needs 90 GiB); the best") !=
                     std::string::npos,
                 unfit->verdict->text.message.c_str());
    }

    void whatNothingCanRunIsSaidWithReasons() {
        Model m = test::sampleModel("gpt3-175b");
        const auto problem = test::problemOf(test::drawnCluster({{"T4", 1, 1.0}}), m, 64, 2048);
        Counter observer;
        const auto answer = ask(problem, smallBudget(), observer, {});
        QVERIFY(answer && answer->refused);
        QCOMPARE(answer->refused->code, std::string("search.infeasible"));
        QVERIFY(!answer->refused->reasons.empty());
        QVERIFY(tablesOf(*answer).back().text.find("no plan of this space can run\n") == 0);

        Question judged;
        judged.options = quickSearch();
        judged.judged.emplace();
        judged.judged->evaluation.feasible = false;
        const auto verdict = ask(problem, judged, observer, {});
        QVERIFY(verdict && verdict->verdict && !verdict->verdict->best && verdict->refused);
        QCOMPARE(verdict->verdict->text.message,
                 std::string("This plan: cannot run (it does not fit); a quick search found no other for any "
                             "trainer."));
    }

    // Where the best plan is hardly likely to fit, the fastest that is likely to is asked for, as the problem
    // itself judges it; no plan gets lost by it, and what surety costs is never more than without.
    void whatIsSurerIsSearchedFor() {
        int asked = 0;
        for (const std::int64_t gbs : {64, 128}) {
            const auto problem = test::problemOf(
                test::drawnCluster({{"A100-SXM4-40GB", 4, 100.0}, {"V100-SXM2-32GB", 4, 25.0}}),
                test::sampleModel("llama2-7b"), gbs, 4096);
            Question question;
            question.options.work = 200'000;
            QuestionObserver nobody;
            const Result<Answer> plain = ask(problem, question, nobody, {});
            question.surer = true;
            const Result<Answer> surer = ask(problem, question, nobody, {});
            QVERIFY(plain && surer && !plain->outcome.plans.empty());
            const SearchOutcome &before = plain->outcome, &after = surer->outcome;
            const auto dearest = [&](const SearchOutcome& outcome) {
                double least = 1e300;
                for (const auto* plans : {&outcome.plans, &outcome.differing})
                    for (const FoundPlan& found : *plans)
                        if (chanceToFit(*problem, found.evaluation) >= kLikelyToFit)
                            least = std::min(least, found.evaluation.iteration.value);
                return least;
            };
            QVERIFY(dearest(after) <= dearest(before));
            QVERIFY(after.plans.front().evaluation.iteration <= before.plans.front().evaluation.iteration);
            QVERIFY(after.bound.value <= after.plans.front().evaluation.iteration);
            for (const FoundPlan& found : after.differing) {
                const auto judged = evaluate(*problem, found.plan);
                QVERIFY(judged && judged->feasible);
                QCOMPARE(judged->iteration.value, found.evaluation.iteration.value);
                QCOMPARE(judged->memory.front().capacity.value,
                         found.evaluation.memory.front().capacity.value);
            }
            asked += after.work > before.work;
            QCOMPARE(after.work > before.work, wantsSurer(*problem, before));
        }
        QVERIFY(asked > 0);
    }
};

QTEST_GUILESS_MAIN(AskTest)
#include "ask_test.moc"
