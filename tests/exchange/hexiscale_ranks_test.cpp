// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/export.h"
#include "tests/exchange/exported_file.h"
#include "tests/exchange/script_run.h"
#include "tests/exchange/target_plans.h"

#include <nlohmann/json.hpp>

#include <QRegularExpression>
#include <QTest>

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace pw;

namespace {

// Pipelines of 16 + 16 blocks of tp 2, whose stages are on these devices and the next ones.
Plan pairedStages(const std::vector<std::pair<DeviceIndex, DeviceIndex>>& pipelines) {
    Plan plan;
    for (const auto& [first, last] : pipelines) {
        Pipeline& p = plan.pipelines.emplace_back();
        p.microbatches = 128 / static_cast<std::int64_t>(pipelines.size());
        p.share = 1.0 / static_cast<double>(pipelines.size());
        p.schedule = {ScheduleKind::GPipe, LaunchRule::Artifact, 1, {}};
        p.stages = {blockStage(0, 15, 32, first, 1, 2), blockStage(16, 31, 32, last, 1, 2)};
        for (Stage& s : p.stages)
            s.sequenceParallel = false;
    }
    return plan;
}

// get_distributed_dataloader of llama_train.py:34: of the pipelines whose first rank is not above the
// process's own, the samples of the last.
std::size_t samplesOf(const Json& layouts, int rank) {
    std::size_t place = 0;
    for (std::size_t p = 0; p < layouts.size(); ++p)
        if (layouts[p][0][0].get<int>() <= rank)
            place = p;
    return place;
}

// What the processes of an export are told that torchrun starts on all nodes: "n1.g0" by the rank of the
// trainer.
std::map<int, std::string> startedRanks(const ExportResult& made) {
    ScriptRun run(made);
    run.place(QStringLiteral("torchrun"), R"sh(#!/bin/bash
while [[ $1 == --* ]]; do
    [[ $1 != --nproc_per_node=* ]] || count=${1#*=}
    shift
done
for ((i = 0; i < count; ++i)); do
    RANK=$((FIRST + i)) LOCAL_RANK=$i "$@"
done
)sh");
    run.place(
        QStringLiteral("python3"),
        "#!/bin/bash\n[[ $* == *llama_train.py* ]] && echo \"$RANK $LOCAL_RANK $CUDA_VISIBLE_DEVICES\"\n");
    std::map<int, std::string> devices;
    int node = 0, first = 0;
    static const QRegularExpression line(QStringLiteral("^    \"(\\S+) ([\\d,]+)\"$"),
                                         QRegularExpression::MultilineOption);
    auto nodes = line.globalMatch(QString::fromStdString(fileOf(made, "launch.sh")));
    while (nodes.hasNext()) {
        const QString host = nodes.next().captured(1);
        const auto out = run.run({QStringLiteral("bash"), run.path(QStringLiteral("train.sh"))},
                                 {{QStringLiteral("HEXISCALE_HOME"), run.path(QStringLiteral("bin"))},
                                  {QStringLiteral("NODE_RANK"), QString::number(node++)},
                                  {QStringLiteral("FIRST"), QString::number(first)}});
        if (out.code != 0)
            qWarning("%s", out.errors.c_str());
        for (const std::string& said : out.lines) {
            const QStringList words = QString::fromStdString(said).split(QLatin1Char(' '));
            if (words.size() == 3 && words[1] == QLatin1String("0"))
                devices[words[0].toInt()] = (host + QStringLiteral(".g") + words[2]).toStdString();
        }
        first += static_cast<int>(out.lines.size());
    }
    return devices;
}

} // namespace

// The ranks of HexiScale's files, as its own readers and launcher take them.
class HexiscaleRanksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Every process stands in the pipeline and stage that the trainer makes of its rank, on the plan's GPU,
    // and takes the samples of its own pipeline. n1 has GPUs 0 to 7, n2 and n3 four more each.
    void hexiscaleRanks_data() {
        QTest::addColumn<int>("which");
        QTest::newRow("replicas over stages of two nodes") << 0;
        QTest::newRow("two shapes") << 1;
        QTest::newRow("both stages of both pipelines share nodes") << 2;
        QTest::newRow("the last node first") << 3;
        QTest::newRow("pipelines in turn") << 4;
    }
    void hexiscaleRanks() {
        QFETCH(int, which);
        TargetPlan target = planFor("hexiscale");
        const std::vector<Plan> plans = {target.plan, gpipeShapes(), pairedStages({{0, 8}, {2, 10}}),
                                         pairedStages({{12, 0}, {8, 4}}),
                                         pairedStages({{8, 0}, {6, 14}, {12, 4}, {2, 10}})};
        const Plan& plan = plans[static_cast<std::size_t>(which)];
        const auto problem = target.problem();
        const Status sound = checkPlan(*problem, plan, "plan");
        QVERIFY2(sound, sound ? "" : sound.error().text().c_str());
        const ExportResult made = makeExport(*exporterRow("hexiscale"), {*problem, {}, plan, {}});
        QVERIFY2(made.refusals.empty(),
                 made.refusals.empty() ? "" : reasonOf(made.refusals.front()).text().c_str());
        const Json layouts = jsonOf(made, "all_hetero_configs.json")["pp_layouts"],
                   machines = jsonOf(made, "all_hetero_configs.json")["devices_id"];
        const std::map<int, std::string> devices = startedRanks(made);
        std::size_t pipeline = 0;
        int rank = 0;
        for (const Pipeline& source : plan.pipelines)
            for (std::size_t r = 0; r < source.stages.front().replicas.size(); ++r, ++pipeline)
                for (std::size_t s = 0; s < source.stages.size(); ++s) {
                    const auto ids = idsOf(*problem, source.stages[s].replicas[r].devices);
                    QCOMPARE(layouts.at(pipeline).at(s).size(), ids.size());
                    for (std::size_t t = 0; t < ids.size(); ++t) {
                        const int own = layouts[pipeline][s][t].get<int>();
                        QCOMPARE(samplesOf(layouts, own), pipeline);
                        QCOMPARE(own, rank++); // so that sorted ranks are stages, and sorted sums pipelines
                        QVERIFY(devices.contains(own));
                        QCOMPARE(devices.at(own), ids[t]);
                        const std::string first = devices.at(layouts[0][0][0].get<int>());
                        QCOMPARE(machines[pipeline][s][t] == machines[0][0][0],
                                 ids[t].substr(0, ids[t].find('.')) == first.substr(0, first.find('.')));
                    }
                }
        QCOMPARE(layouts.size(), pipeline);
        QCOMPARE(devices.size(), static_cast<std::size_t>(rank));
    }
};

QTEST_GUILESS_MAIN(HexiscaleRanksTest)
#include "hexiscale_ranks_test.moc"
