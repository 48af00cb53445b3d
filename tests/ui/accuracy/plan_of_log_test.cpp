// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/disk.h"
#include "core/base/file.h"
#include "tests/ui/ui_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/accuracy/plan_of_log.h"
#include "ui/base/convert.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pw;

// Which plan a training log was printed by.
class PlanOfLogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLogFindsThePlanWithItsArguments() {
        UiFixture ui;
        Project project = smallProject();
        project.model->blocks = 8;
        ui.document.adopt(project, QString());
        const auto problem = ui.document.problem();
        const int blocks = 8;
        const auto planOf = [&](int first) {
            Plan plan = test::editPlan(*problem);
            Pipeline& pipeline = plan.pipelines.front();
            pipeline.schedule = {};
            pipeline.schedule.launch = {2, 1};
            pipeline.stages = {test::stageOn(*problem, layersOfBlocks(0, first, blocks),
                                             {"n1.g0", "n1.g1", "n1.g2", "n1.g3"}, 2),
                               test::stageOn(*problem, layersOfBlocks(first, blocks, blocks),
                                             {"n2.g0", "n2.g1", "n2.g2", "n2.g3"}, 2)};
            return plan;
        };
        int even = -1, uneven = -1;
        for (const int first : {4, 3}) {
            const Plan plan = planOf(first);
            const auto judged = evaluate(*problem, plan);
            QVERIFY(judged);
            (first == 4 ? even : uneven) =
                ui.candidates.add(problem, {{plan, *judged}}, QStringLiteral("searched"));
        }
        QTemporaryDir folder;
        const auto found = [&](const std::vector<std::pair<std::string, std::string>>& further) {
            std::string text = "------------------------ arguments ------------------------\n";
            std::vector<std::pair<std::string, std::string>> arguments{
                {"tensor_model_parallel_size", "2"},
                {"pipeline_model_parallel_size", "2"},
                {"data_parallel_size", "2"},
                {"num_layers", "8"},
                {"seq_length", std::to_string(problem->recipe().seq)},
                {"global_batch_size", std::to_string(problem->recipe().gbs)}};
            arguments.insert(arguments.end(), further.begin(), further.end());
            for (const auto& [name, value] : arguments)
                text.append("  ")
                    .append(name)
                    .append(" ................................ ")
                    .append(value)
                    .append("\n");
            text += "-------------------- end of arguments ---------------------\n";
            const QString file = folder.filePath(QStringLiteral("train.log"));
            if (!writeFileAtomically(s(file), text))
                qFatal("the log cannot be written");
            const Candidate* plan = planOfLog(systemDisk(), ui.candidates, problem, {file});
            return plan ? plan->id : -1;
        };
        QCOMPARE(found({}), even);
        QCOMPARE(found({{"pipeline_model_parallel_layout", "Et*3|t*5L"}}), uneven);
        QCOMPARE(found({{"pipeline_model_parallel_layout", "Et*2|t*6L"}}), -1);
        QCOMPARE(found({{"decoder_first_pipeline_num_layers", "3"}}), uneven);
        // What is not there, lists nothing, or is a run of something else has none.
        QVERIFY(!planOfLog(systemDisk(), ui.candidates, problem, {folder.filePath(QStringLiteral("none"))}));
        Project other = project;
        other.recipe.gbs *= 2;
        QVERIFY(ui.document.apply(other, QStringLiteral("batch")));
        QVERIFY(!planOfLog(systemDisk(), ui.candidates, ui.document.problem(),
                           {folder.filePath(QStringLiteral("train.log"))}));
    }
};

QTEST_MAIN(PlanOfLogTest)
#include "plan_of_log_test.moc"
