// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_file.h"
#include "core/exchange/exports/export.h"
#include "core/exchange/imports/import.h"
#include "tests/exchange/target_plans.h"

#include "tests/exchange/script_run.h"

#include <QTest>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>

using namespace pw;

namespace {

std::map<std::string, std::string> filesOf(const ExportResult& made) {
    std::map<std::string, std::string> files;
    for (const ExportFile& file : made.files)
        files[file.name] = file.text;
    return files;
}

} // namespace

// What an export for the runner holds; that the runner takes it shows in tests/runner.
class RunnerExportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_target = planFor("runner");
        m_problem = m_target.problem();
        m_made = exported(m_target.plan);
    }

    // The runner is the one of samples/runner, all of it and to the byte but for the question about its set.
    void theRunnerIsACopy() {
        const std::filesystem::path folder = PW_SOURCE_DIR "/samples/runner";
        std::map<std::string, std::string> expected;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.is_regular_file())
                expected["runner/" + entry.path().filename().string()] = *readFile(entry.path());
        std::map<std::string, std::string> copied;
        for (const auto& [name, text] : filesOf(m_made))
            if (name.starts_with("runner/"))
                copied[name] = text;
        std::string& started = copied["runner/run.py"];
        const std::size_t from = started.find("\n\n# All files of this export"),
                          to = started.find("\n_ask_for_the_whole_set()\n\n", from);
        QVERIFY(from != std::string::npos && to != std::string::npos);
        started.erase(from, to + std::strlen("\n_ask_for_the_whole_set()\n\n") - from);
        QVERIFY(expected.size() > 20 && copied == expected);
    }

    void thePlanIsAPlanDocument() {
        const auto file = readPlanFile(filesOf(m_made).at("plan.json"), "plan.json");
        QVERIFY2(file, file ? "" : file.error().text().c_str());
        QVERIFY(file->plans == std::vector<Plan>{m_target.plan});
        QVERIFY(file->notes.empty());
        QVERIFY(!filesOf(m_made).contains("order-0.csv")); // 1F1B says its order
    }

    // Where a search chose the order of passes, it lies beside the document, which names it and reads as
    // before.
    void ordersThatNoDocumentHolds() {
        const Plan plan = sampleChunkedPlan(ScheduleKind::ZbV);
        TargetPlan target = m_target;
        target.recipe.gbs = 64;
        const auto problem = target.problem();
        const auto evaluation = evaluate(*problem, plan, {.keepOps = true});
        QVERIFY(evaluation);
        const auto files = filesOf(makeExport(*exporterRow("runner"), {*problem, {}, plan, *evaluation}));
        const std::string& order = files.at("order-0.csv");
        QCOMPARE(std::count(order.begin(), order.end(), '\n'), 4);
        QVERIFY(files.at("plan.json").find("\"order\": \"order-0.csv\"") != std::string::npos);
        const auto file = readPlanFile(files.at("plan.json"), "plan.json");
        QVERIFY(file && file->notes.empty() && file->plans.front() == plan);
    }

    // Every node starts its own GPUs, in the cluster's order, with the runner and the plan of this folder.
    void everyNodeStartsItsRanks() {
        ScriptRun scripts(m_made);
        scripts.fake(QStringLiteral("torchrun"), QStringLiteral("CUDA_VISIBLE_DEVICES"));
        for (const auto& [node, gpus] : {std::pair(0, 8), {1, 4}, {2, 4}}) {
            const auto out = scripts.run({QStringLiteral("bash"), QStringLiteral("./run.sh"),
                                          QStringLiteral("--dry-run"), QStringLiteral("3")},
                                         {{QStringLiteral("NODE_RANK"), QString::number(node)}});
            QVERIFY2(out.code == 0, out.errors.c_str());
            const std::string folder = scripts.path({}).toStdString();
            const auto has = [&](const std::string& line) {
                return std::find(out.lines.begin(), out.lines.end(), line) != out.lines.end();
            };
            QVERIFY(has("--nproc_per_node=" + std::to_string(gpus)) &&
                    has("--node_rank=" + std::to_string(node)));
            QVERIFY(has("--master_addr=n1") && has("--nnodes=3"));
            QVERIFY(std::any_of(out.lines.begin(), out.lines.end(),
                                [](const std::string& l) { return l.ends_with("/runner/run.py"); }));
            QVERIFY(std::any_of(out.lines.begin(), out.lines.end(),
                                [](const std::string& l) { return l.ends_with("/plan.json"); }));
            QCOMPARE(out.lines.back(), std::string("3"));
        }
        // A set that somebody mixed does not run.
        QVERIFY(QFile::remove(scripts.path(QStringLiteral("pipewright-export.json"))));
        QVERIFY(scripts.run({QStringLiteral("bash"), QStringLiteral("./run.sh")}).code == 1);
    }

    // What people start by hand asks as the scripts do, before it looks for PyTorch.
    void theRunnerItselfAsks() {
        QVERIFY(filesOf(m_made).at("run.sh").find("pipewright-export.json does not say") !=
                std::string::npos);
        ScriptRun scripts(m_made);
        const QStringList command = {QStringLiteral("python3"), QStringLiteral("runner/run.py"),
                                     QStringLiteral("--help")};
        const auto refuses = [&] {
            const auto out = scripts.run(command);
            const bool said = out.errors.find("export the plan again") != std::string::npos;
            return said && out.code == 1 && out.lines.empty();
        };
        QVERIFY(!refuses());
        QFile manifest(scripts.path(QStringLiteral("pipewright-export.json")));
        QVERIFY(manifest.open(QIODevice::ReadOnly));
        QByteArray text = manifest.readAll();
        QVERIFY(manifest.remove());
        QVERIFY(refuses());
        const qsizetype weights = text.lastIndexOf("\"runner/weights.py\"");
        text.replace(weights, text.indexOf('\n', weights) - weights, "\"runner/weights.py\": \"another\"");
        QVERIFY(manifest.open(QIODevice::WriteOnly) && manifest.write(text) == text.size());
        manifest.close();
        QVERIFY(refuses());
    }

    void aPodANode() {
        const std::vector<YAML::Node> documents = YAML::LoadAll(filesOf(m_made).at("kubernetes.yaml"));
        QCOMPARE(documents.size(), std::size_t{4});
        QCOMPARE(documents[0]["kind"].as<std::string>(), std::string("Service"));
        const std::vector<std::pair<std::string, int>> nodes = {{"n1", 8}, {"n2", 4}, {"n3", 4}};
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const YAML::Node& pod = documents[i + 1];
            const YAML::Node spec = pod["spec"], container = spec["containers"][0];
            QCOMPARE(pod["metadata"]["name"].as<std::string>(), "pipewright-" + std::to_string(i));
            QCOMPARE(spec["nodeSelector"]["kubernetes.io/hostname"].as<std::string>(), nodes[i].first);
            QCOMPARE(container["resources"]["limits"]["nvidia.com/gpu"].as<int>(), nodes[i].second);
            QCOMPARE(container["env"][0]["value"].as<std::string>(), std::to_string(i));
            QCOMPARE(container["env"][1]["value"].as<std::string>(),
                     documents[1]["spec"]["hostname"].as<std::string>() + "." +
                         documents[0]["metadata"]["name"].as<std::string>());
            QCOMPARE(pod["metadata"]["labels"]["app"].as<std::string>(),
                     documents[0]["spec"]["selector"]["app"].as<std::string>());
        }
    }

    // What people read of an export, on a terminal or as Markdown, is text whatever the model is called.
    void namesAreNoCodes() {
        TargetPlan target = m_target;
        target.model.name =
            "a\x1b]0;b\x07<img src=/dev/zero>[c](d)\xE2\x80\xAE _e_ http://f www.g\n\n~~~\n# h";
        const auto problem = target.problem();
        const auto evaluation = evaluate(*problem, target.plan, {.keepOps = true});
        QVERIFY(evaluation);
        int looked = 0;
        for (const char* format : {"runner", "csv"})
            for (const auto& [name, text] :
                 filesOf(makeExport(*exporterRow(format), {*problem, {}, target.plan, *evaluation}))) {
                if (!name.ends_with(".csv") && !name.ends_with(".md"))
                    continue;
                ++looked;
                QVERIFY2(text.find('\x1b') == text.npos && text.find("\xE2\x80\xAE") == text.npos,
                         name.c_str());
                if (name == "README.md")
                    for (const char* part : {"\\<img", "\\[c\\](d)", "\\_e\\_", "http\\://f",
                                             "www\\.g  \\~\\~\\~ \\# h on 16 GPUs"})
                        QVERIFY2(text.find(part) != text.npos, text.c_str());
            }
        QVERIFY(looked >= 7); // README.md, the runner's, five tables
    }

    // The pattern of stages is read as it is, also where the text is not rendered.
    void theReadMeShowsStagesAsTheyAre() {
        const std::string text = filesOf(m_made).at("README.md");
        const std::string pattern = stagePattern(*m_problem, m_target.plan);
        QVERIFY(pattern.find(" | ") != pattern.npos);
        QVERIFY2(text.find("(`" + pattern + "`)") != text.npos, text.c_str());
        QVERIFY2(text.find('\\') == text.npos, text.c_str());
    }

    void aRotaryBaseThatNobodyStatesIsToldOf() {
        TargetPlan target = m_target;
        for (const double base : {500'000.0, 0.0}) {
            target.model.rotaryBase = base;
            const auto problem = target.problem();
            const auto evaluation = evaluate(*problem, target.plan, {.keepOps = true});
            QVERIFY(evaluation);
            const ExportResult made =
                makeExport(*exporterRow("runner"), {*problem, {}, target.plan, *evaluation});
            QCOMPARE(std::ranges::count(made.notes, "export.rotary_base", &Diagnostic::code),
                     base > 0.0 ? 0 : 1);
        }
    }

    // Half blocks and a part of the blocks over virtual stages, which no trainer here takes, run.
    void takesWhatTrainersDoNot() {
        Plan halves = m_target.plan;
        --halves.pipelines[0].stages[0].chunks[0].last;
        --halves.pipelines[0].stages[1].chunks[0].first;
        QVERIFY(exportRefusals(*exporterRow("runner"), *m_problem, halves).empty());
        TargetPlan target = m_target;
        target.recipe.gbs = 64;
        Plan chunks = sampleChunkedPlan(ScheduleKind::Interleaved);
        for (Stage& stage : chunks.pipelines[0].stages) {
            stage.recompute = Recompute::Full;
            stage.recomputeLayers = 3;
        }
        QVERIFY(exportRefusals(*exporterRow("runner"), *target.problem(), chunks).empty());
        QVERIFY(!exportRefusals(*exporterRow("megatron"), *target.problem(), chunks).empty());
    }

    // The search for the runner is the open one, but for what it never runs.
    void searchesAsTheOpenSearchDoes() {
        Space open, space;
        restrictTo(exporterRow("runner")->capability, space);
        open.maxCp = 1;
        open.foldExperts = false; // which says nothing of models without experts
        open.sharded = {2};       // another search is not made for it where nothing else was found
        QVERIFY(space == open);
    }

private:
    ExportResult exported(const Plan& plan) const {
        const auto evaluation = evaluate(*m_problem, plan, {.keepOps = true});
        if (!evaluation)
            qFatal("%s", evaluation.error().text().c_str());
        ExportResult made = makeExport(*exporterRow("runner"), {*m_problem, {}, plan, *evaluation});
        if (!made.refusals.empty())
            qFatal("%s", reasonOf(made.refusals.front()).text().c_str());
        return made;
    }

    TargetPlan m_target;
    std::shared_ptr<const Problem> m_problem;
    ExportResult m_made;
};

QTEST_GUILESS_MAIN(RunnerExportTest)
#include "runner_export_test.moc"
