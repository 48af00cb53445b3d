// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/run_record.h"

#include "core/base/file.h"
#include "tests/exchange/made_run.h"
#include "tests/exchange/sample_plan.h"

#include <QDirIterator>
#include <QTest>

#include <cmath>
#include <set>

using namespace pw;

namespace {

// Four stages of 8 blocks: the outer ones hold embedding and head, the inner ones nothing but blocks, all on
// replicas of one kind.
Plan recordedPlan(Recompute recompute = Recompute::None) {
    Plan plan = samplePlan();
    Pipeline& p = plan.pipelines.front();
    p.stages = {blockStage(0, 7, 32, 0, 2, 2), blockStage(8, 15, 32, 4, 2, 2),
                blockStage(16, 23, 32, 8, 1, 4), blockStage(24, 31, 32, 12, 1, 4)};
    for (Stage& stage : p.stages)
        stage.recompute = recompute;
    return plan;
}

struct Ran {
    std::shared_ptr<const Problem> problem = sampleProblem();
    Plan plan;
    Evaluation evaluation;
    Json run;
    explicit Ran(Plan of = recordedPlan(), int steps = 2) : plan(std::move(of)) {
        auto judged = evaluate(*problem, plan, {.keepOps = true});
        if (!judged)
            qFatal("%s", judged.error().text().c_str());
        evaluation = *std::move(judged);
        run = madeRun(*problem, plan, evaluation, steps);
    }
    Result<RunRecord> read() const { return readRunRecord(printJson(run), "run.json"); }
};

} // namespace

// run.json: what is read, what is refused and where, whose run it is, and the layer times that follow from
// it.
class RunRecordTest : public QObject {
    Q_OBJECT

private slots:
    void whatTheFileSays() {
        Ran ran;
        ran.run["ops"].erase(std::remove_if(ran.run["ops"].begin(), ran.run["ops"].end(),
                                            [](const Json& op) { return op["step"] == 0; }),
                             ran.run["ops"].end());
        const auto run = ran.read();
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        QVERIFY(run->isMeasured() && run->standing() == "measured");
        QCOMPARE(run->steps.size(), std::size_t{2});
        QVERIFY(!run->steps[0].recorded && run->steps[1].recorded);
        QCOMPARE(run->steps[1].loss, 4.0);
        QCOMPARE(run->steps[1].duration.value, ran.evaluation.iteration.value);
        QCOMPARE(run->ops.size(), ran.run["ops"].size());
        QCOMPARE(run->ranks.size(), std::size_t{16});
        QCOMPARE(run->ranks[9].device, std::string("n2.g1"));
        QCOMPARE(run->software, std::string("torch 1.13.1"));
        QVERIFY(run->plan == ran.plan);
        QVERIFY(checkRun(*run, *ran.problem, ran.plan));
        QVERIFY(run->notes.empty());
    }

    void howTheOptimizerStepped() {
        Ran ran;
        for (const bool fused : {false, true}) {
            ran.run["fused_update"] = fused;
            const auto run = ran.read();
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            QVERIFY(run->fusedUpdate == fused && run->notes.empty());
        }
    }

    // Keys of another version are told of, wherever they stand.
    void unknownKeysAreToldOf() {
        Ran ran;
        ran.run["fused_updates"] = true;
        ran.run["steps"][1]["seconds_of_all"] = 1.0;
        const auto run = ran.read();
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        std::set<std::string> told;
        for (const Diagnostic& note : run->notes)
            told.insert(note.where);
        QVERIFY(told ==
                (std::set<std::string>{"run.json#/fused_updates", "run.json#/steps/1/seconds_of_all"}));
    }

    // What the runner wrote on real GPUs is read whole.
    void samplesHaveNoUnknownKeys() {
        int files = 0, fused = 0;
        for (QDirIterator all(QStringLiteral(PW_SOURCE_DIR "/samples/runs"), {QStringLiteral("*.json")},
                              QDir::Files, QDirIterator::Subdirectories);
             all.hasNext(); ++files) {
            const std::string file = all.next().toStdString();
            const auto text = readFile(file);
            QVERIFY2(text, file.c_str());
            const auto run = readRunRecord(*text, file);
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            QVERIFY2(run->notes.empty(), run->notes.empty() ? "" : run->notes.front().where.c_str());
            QCOMPARE(run->fusedUpdate.value_or(false), file.find("fused-update") != std::string::npos);
            fused += run->fusedUpdate.value_or(false);
        }
        QVERIFY(files >= 19 && fused >= 2);
    }

    // Of a step that overflowed in fp16 and was skipped the runner writes null.
    void whatOverflowedHasNoFigure() {
        Ran ran;
        ran.run["steps"][1]["loss"] = nullptr;
        ran.run["steps"][1]["gradient_norm"] = nullptr;
        const auto run = ran.read();
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        QVERIFY(std::isnan(run->steps[1].loss) && !std::isnan(run->steps[0].loss));
        QVERIFY(run->notes.empty());
    }

    // A model is not another one for its name, nor for what trainers alone read.
    void aRenamedModelIsTheSame() {
        Ran ran;
        Json& model = ran.run["plan_document"]["problem"]["model"];
        model["name"] = "ours";
        model["rotary_base"] = 123456.0;
        model["rope_scaling"] = {{"kind", "llama3"}, {"factor", 8}};
        const auto run = ran.read();
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        QVERIFY(checkRun(*run, *ran.problem, ran.plan));
    }

    // How well an emulation kept its slots.
    void whatAnEmulationKept() {
        Ran ran;
        QVERIFY(!ran.read()->pace);
        ran.run["emulation"] = {
            {"real_share", 0.4}, {"late_passes", 3}, {"passes", 128}, {"disturbed", true}};
        QVERIFY(!ran.read()->pace); // of a run that was none
        ran.run["emulated"] = true;
        auto run = ran.read();
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        const RunPace pace = run->pace.value_or(RunPace{});
        QVERIFY(pace.late == 3 && pace.passes == 128 && pace.realShare == 0.4 && pace.disturbed);
        QVERIFY(run->notes.empty());
        ran.run["emulation"].erase("disturbed");
        QVERIFY(!ran.read()->pace.value_or(RunPace{0.0, 0, 0, true}).disturbed);
        ran.run["emulation"]["late_passes"] = 129; // of 128
        run = ran.read();
        QVERIFY(!run && run.error().text().find("#/emulation/late_passes") != std::string::npos);
    }

    // The keys that have to be there and no others, as another program may write them.
    void theLeastThatAFileHolds() {
        Ran ran;
        for (const char* key :
             {"device_type", "plan", "tiny", "fused_update", "ranks", "versions", "plan_document"})
            ran.run.erase(key);
        for (Json& step : ran.run["steps"])
            step = {{"loss", step["loss"]}, {"seconds", step["seconds"]}};
        const auto run = ran.read();
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        QVERIFY(!run->plan && run->ranks.empty() && !run->fusedUpdate && run->isMeasured());
        QCOMPARE(run->steps[1].step, 1);
        QVERIFY(checkRun(*run, *ran.problem, ran.plan));
    }

    void refused_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("where");
        using Edit = std::function<void(Json&)>;
        m_edits.clear();
        const auto add = [&](const char* name, const char* code, const char* where, Edit edit) {
            QTest::newRow(name) << QString::fromLatin1(code) << QString::fromLatin1(where);
            m_edits[name] = std::move(edit);
        };
        add("schema", "run.schema", "run.json#/schema", [](Json& r) { r["schema"] = "pipewright-run-2"; });
        add("emulated or not", "run.emulated", "run.json#/emulated", [](Json& r) { r.erase("emulated"); });
        add("emulated as text", "json.type", "run.json#/emulated", [](Json& r) { r["emulated"] = "no"; });
        add("fused as text", "json.type", "run.json#/fused_update",
            [](Json& r) { r["fused_update"] = "on"; });
        add("device", "run.device", "run.json#/device_type", [](Json& r) { r["device_type"] = "tpu"; });
        add("no steps", "run.step", "run.json#/steps", [](Json& r) {
            r["steps"] = Json::array();
            r["ops"] = Json::array();
        });
        add("a step twice", "run.step", "run.json#/steps/1", [](Json& r) { r["steps"][1]["step"] = 0; });
        add("loss", "json.missing", "run.json#/steps/0/loss", [](Json& r) { r["steps"][0].erase("loss"); });
        add("kind", "run.kind", "run.json#/ops/3/kind", [](Json& r) { r["ops"][3]["kind"] = "X"; });
        add("time", "run.time", "run.json#/ops/3/end_s", [](Json& r) { r["ops"][3]["end_s"] = 0.0; });
        add("no time", "run.time", "run.json#/steps/1/seconds",
            [](Json& r) { r["steps"][1]["seconds"] = 0.0; });
        add("far from its step", "run.time", "run.json#/ops", [](Json& r) {
            Json& op = r["ops"][3];
            for (const char* key : {"start_s", "end_s"})
                op[key] = op[key].get<double>() + 1e6;
        });
        add("precision", "run.precision", "run.json#/precision", [](Json& r) { r["precision"] = "int4"; });
        add("negative time", "json.range", "run.json#/ops/3/start_s",
            [](Json& r) { r["ops"][3]["start_s"] = -1.0; });
        add("an unknown step", "run.step", "run.json#/ops/5/step", [](Json& r) { r["ops"][5]["step"] = 7; });
        add("an unknown rank", "run.rank", "run.json#/ops/5/rank", [](Json& r) { r["ops"][5]["rank"] = 16; });
        add("ranks out of order", "run.rank", "run.json#/ranks/0/rank",
            [](Json& r) { std::swap(r["ranks"][0], r["ranks"][1]); });
        add("a rank too few", "run.rank", "run.json#/ranks", [](Json& r) { r["ranks"].erase(15); });
        add("a peak", "run.peak", "run.json#/peak_bytes/2", [](Json& r) { r["peak_bytes"][2] = "much"; });
        add("two plans", "run.plan", "run.json#/plan_document/plans",
            [](Json& r) { r["plan_document"]["plans"].push_back(r["plan_document"]["plans"][0]); });
    }
    void refused() {
        QFETCH(QString, code);
        QFETCH(QString, where);
        Ran ran;
        m_edits.at(QTest::currentDataTag())(ran.run);
        const auto run = ran.read();
        QVERIFY(!run);
        QCOMPARE(QString::fromStdString(run.error().where), where);
        if (!code.startsWith(QStringLiteral("json.")))
            QCOMPARE(QString::fromStdString(run.error().code), code);
    }

    void anotherPlansRun_data() {
        QTest::addColumn<QString>("says");
        m_edits.clear();
        const auto add = [&](const char* name, const char* says, std::function<void(Json&)> edit) {
            QTest::newRow(name) << QString::fromLatin1(says);
            m_edits[name] = std::move(edit);
        };
        add("device", "was n1.g5; the plan has n1.g4",
            [](Json& r) { std::swap(r["ranks"][4]["device"], r["ranks"][5]["device"]); });
        add("stage", "which the plan has not", [](Json& r) { r["ops"][0]["stage"] = 4; });
        add("a rank of another stage", "is of stage 0.1, replica 0, which rank 0 was not",
            [](Json& r) { r["ops"][0]["stage"] = 1; });
        add("micro-batch", "which the plan has not", [](Json& r) { r["ops"][0]["microbatch"] = 32; });
        add("a pass is missing", "rank 0 has 31 passes F in step 0; the plan has 32",
            [](Json& r) { r["ops"].erase(0); });
        add("divided backward", "1 passes W", [](Json& r) {
            Json op = r["ops"][0];
            op["kind"] = "W";
            r["ops"].push_back(op);
        });
        add("another model", "is \"b\", which is built otherwise than the plan's", [](Json& r) {
            Json& model = r["plan_document"]["problem"]["model"];
            model["name"] = "b";
            model["ffn"] = model["ffn"].get<std::int64_t>() * 2;
        });
        add("a pass twice", "is pass F of micro-batch", [](Json& r) {
            Json& ops = r["ops"];
            const auto next = std::find_if(ops.begin() + 1, ops.end(), [&](const Json& op) {
                return op["rank"] == ops[0]["rank"] && op["kind"] == ops[0]["kind"] &&
                       op["step"] == ops[0]["step"];
            });
            (*next)["microbatch"] = ops[0]["microbatch"];
        });
        add("another precision", "is bf16; the plan is in fp16", [](Json& r) { r["precision"] = "bf16"; });
        add("another kind", "n1.g0 was of kind H100-SXM-80GB; the plan has a A100-SXM4-40GB there",
            [](Json& r) { r["plan_document"]["problem"]["cluster"]["nodes"][0]["kind"] = "H100-SXM-80GB"; });
        add("another sequence", "is 512; the plan has",
            [](Json& r) { r["plan_document"]["problem"]["recipe"]["seq"] = 512; });
        add("fewer GPUs", "15 ranks; the plan uses 16 GPUs", [](Json& r) {
            r.erase("ranks");
            r["peak_bytes"].erase(15);
            Json kept = Json::array();
            for (const Json& op : r["ops"])
                if (op["rank"] != 15)
                    kept.push_back(op);
            r["ops"] = kept;
        });
    }
    void anotherPlansRun() {
        QFETCH(QString, says);
        Ran ran;
        m_edits.at(QTest::currentDataTag())(ran.run);
        const auto run = ran.read();
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        const Status same = checkRun(*run, *ran.problem, ran.plan);
        QVERIFY(!same);
        QCOMPARE(same.error().code, std::string("run.plan"));
        QVERIFY2(same.error().text().find(says.toStdString()) != std::string::npos,
                 same.error().text().c_str());
    }

    // On the same ranks, as many passes of as many micro-batches: what a plan that was found since is not.
    void anotherPlanOnTheSameDevices() {
        const Ran ran;
        const auto run = ran.read();
        QVERIFY(run && checkRun(*run, *ran.problem, ran.plan));
        const auto refused = [&](const char* field, auto&& edit) {
            Plan other = ran.plan;
            edit(other.pipelines[0]);
            const Status same = checkRun(*run, *ran.problem, other);
            return !same && same.error().code == "run.plan" &&
                   same.error().text().find(std::string(field) + ": is not the plan's") != std::string::npos;
        };
        QVERIFY(refused("stages/0/chunks", [](Pipeline& p) {
            p.stages[0].chunks[0].last -= 2;
            p.stages[1].chunks[0].first -= 2;
        }));
        QVERIFY(refused("stages/1/recompute", [](Pipeline& p) { p.stages[1].recompute = Recompute::Full; }));
        QVERIFY(refused("stages/2/zero", [](Pipeline& p) { p.stages[2].zero = 3 - p.stages[2].zero; }));
        QVERIFY(refused("stages/0/sequence_parallel",
                        [](Pipeline& p) { p.stages[0].sequenceParallel = !p.stages[0].sequenceParallel; }));
        QVERIFY(refused("schedule", [](Pipeline& p) {
            p.schedule.launch.assign(p.stages.size(), static_cast<int>(p.microbatches));
        }));
    }

    // Layer times are those that the stages' passes came from: the inner stages hold 8 blocks each.
    void layerTimes_data() {
        QTest::addColumn<int>("recompute");
        QTest::newRow("kept") << static_cast<int>(Recompute::None);
        QTest::newRow("recomputed") << static_cast<int>(Recompute::Full);
    }
    void layerTimes() {
        QFETCH(int, recompute);
        const Ran ran(recordedPlan(static_cast<Recompute>(recompute)));
        const auto imported = importRun(printJson(ran.run), "run.json", {});
        QVERIFY2(imported, imported ? "" : imported.error().text().c_str());
        const auto& rows = std::get<std::vector<ProfileRow>>(imported->what);
        const auto find = [&](const char* kind, int layer) {
            const auto at = std::find_if(rows.begin(), rows.end(), [&](const ProfileRow& r) {
                return r.kind == kind && r.layer == layer;
            });
            return at == rows.end() ? nullptr : &*at;
        };
        const auto& stages = ran.evaluation.pipelines[0].stages;
        for (const auto& [kind, inner, tp, mbs] :
             {std::tuple("A100-SXM4-40GB", 1, 2, 1), {"V100-SXM2-16GB", 2, 4, 2}}) {
            const StageFigures& f = stages[static_cast<std::size_t>(inner)];
            for (const int layer : {1, 16, 32}) {
                const ProfileRow* row = find(kind, layer);
                QVERIFY2(row != nullptr, kind);
                QVERIFY(std::abs(row->forward.value - f.forward.value / 8) < 1e-6 * f.forward.value);
                QVERIFY(std::abs(row->backward.value - (f.backward - f.recompute).value / 8) <
                        1e-3 * f.backward.value);
                QCOMPARE(row->tp, tp);
                QCOMPARE(row->mbs, mbs);
                QCOMPARE(row->model, std::string("llama3-8b"));
                QCOMPARE(row->seq, std::int64_t{2048});
                QCOMPARE(row->source, std::string("runner, measured"));
            }
        }
        const ProfileRow* head = find("V100-SXM2-16GB", 33);
        QVERIFY(head != nullptr);
        QVERIFY(std::abs(head->forward.value - (stages[3].forward - stages[2].forward).value) <
                1e-6 * stages[3].forward.value);
        QVERIFY(find("A100-SXM4-40GB", 33) == nullptr); // which it did not run
    }

    // In which precision the run computed, whatever the plan's.
    void layerTimesHaveTheRunsPrecision() {
        Ran ran;
        const auto precisionOf = [&] {
            const auto imported = importRun(printJson(ran.run), "run.json", {});
            return imported ? std::get<std::vector<ProfileRow>>(imported->what).front().precision
                            : imported.error().text();
        };
        QCOMPARE(precisionOf(), std::string("fp16"));
        ran.run["device_type"] = "cpu"; // which have no fp16
        ran.run["precision"] = "fp32";
        QCOMPARE(precisionOf(), std::string("fp32"));
        QVERIFY(checkRun(*ran.read(), *ran.problem, ran.plan));
    }

    // Nothing real is priced by what was acted out, nor by small widths.
    void emulatedRowsKeepApart() {
        Ran ran;
        ran.run["emulated"] = true;
        const auto emulated = importRun(printJson(ran.run), "run.json", {});
        QVERIFY2(emulated, emulated ? "" : emulated.error().text().c_str());
        const auto& rows = std::get<std::vector<ProfileRow>>(emulated->what);
        for (const ProfileRow& row : rows) {
            QVERIFY2(row.kind.ends_with(" (emulated)"), row.kind.c_str());
            QCOMPARE(row.source, std::string("runner, emulated"));
        }
        QVERIFY(std::any_of(emulated->notes.begin(), emulated->notes.end(),
                            [](const Diagnostic& d) { return d.code == "run.emulated_rows"; }));
        const Problem& plain = *ran.problem;
        const auto beside = Problem::make(plain.topology().cluster(), plain.model(), plain.recipe(), rows);
        QVERIFY(beside);
        QCOMPARE(evaluate(**beside, ran.plan)->iteration.value, ran.evaluation.iteration.value);
        std::vector<ProfileRow> real = rows; // the same rows as measured ones would price it
        for (ProfileRow& row : real) {
            row.kind.resize(row.kind.size() - std::string(" (emulated)").size());
            row.forward = row.forward * 2.0;
        }
        const auto priced = Problem::make(plain.topology().cluster(), plain.model(), plain.recipe(), real);
        QVERIFY(evaluate(**priced, ran.plan)->iteration.value > 1.1 * ran.evaluation.iteration.value);

        ran.run["emulated"] = false;
        ran.run["device_type"] = "cpu"; // CPUs stood for the GPUs
        const auto cpus = importRun(printJson(ran.run), "run.json", {});
        QVERIFY(cpus);
        QVERIFY(std::get<std::vector<ProfileRow>>(cpus->what).front().kind.ends_with(" (CPU)"));
        QCOMPARE(std::get<std::vector<ProfileRow>>(cpus->what).front().source,
                 std::string("runner, measured on CPUs"));

        ran.run["device_type"] = "cuda";
        ran.run["tiny"] = true;
        const auto tiny = importRun(printJson(ran.run), "run.json", {});
        QVERIFY(tiny);
        QCOMPARE(std::get<std::vector<ProfileRow>>(tiny->what).front().model,
                 std::string("llama3-8b (tiny)"));
    }

    void whatGivesNoLayerTimes() {
        Ran ran;
        ran.run.erase("plan_document");
        QCOMPARE(importRun(printJson(ran.run), "run.json", {}).error().code, std::string("run.document"));
        Plan one = samplePlan();
        one.pipelines[0].stages = {blockStage(0, 31, 32, 0, 4, 4)};
        one.pipelines[0].stages[0].replicas = replicas(0, 2, 4);
        for (const Replica& r : replicas(8, 2, 4))
            one.pipelines[0].stages[0].replicas.push_back(r);
        for (Replica& r : one.pipelines[0].stages[0].replicas)
            r.share = 0.25;
        one.pipelines[0].microbatchSize = 4;
        one.pipelines[0].microbatches = 16;
        one.pipelines[0].schedule.launch = {1};
        QCOMPARE(importRun(printJson(Ran(one).run), "run.json", {}).error().code, std::string("run.layers"));
    }

private:
    std::map<std::string, std::function<void(Json&)>> m_edits;
};

QTEST_GUILESS_MAIN(RunRecordTest)
#include "run_record_test.moc"
