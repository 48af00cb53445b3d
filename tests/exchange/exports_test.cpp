// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/target_search.h"
#include "core/document/plan_file.h"
#include "core/exchange/exports/export_set.h"
#include "core/exchange/imports/import_table.h"
#include "core/partition/divided_block.h"
#include "core/search/space/wider_space.h"
#include "tests/base/failing_disk.h"
#include "tests/exchange/script_run.h"
#include "tests/exchange/target_plans.h"
#include "tests/schedule/every_kind.h"
#include "tests/skip.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <set>

using namespace pw;

// What all exporters share: the table of capabilities, what follows from it, and the writing of files.
class ExportsTest : public QObject {
    Q_OBJECT

private:
    // Three plans that are searched for the target.
    static Result<SearchOutcome> searched(const std::string& target,
                                          const std::shared_ptr<const Problem>& problem,
                                          std::optional<Error>& refused) {
        SearchOptions options;
        options.work = 50'000;
        options.top = 3;
        SearchObserver quiet;
        return searchForTarget(problem, options, *exporterRow(target), quiet, {}, refused);
    }

private slots:
    void initTestCase() {
        m_problem = sampleProblem();
        m_plan = samplePlan();
        auto evaluation = evaluate(*m_problem, m_plan, {.keepOps = true});
        QVERIFY2(evaluation, evaluation ? "" : evaluation.error().text().c_str());
        m_evaluation = *std::move(evaluation);
    }

    void rowsAreSound() {
        std::set<std::string> formats;
        for (const ExporterRow& row : exporterTable()) {
            QVERIFY2(formats.insert(row.format).second, row.format);
            QVERIFY2(!row.releases.empty(), row.format);
            QCOMPARE(exporterRow(row.format), &row);
            QVERIFY(findRelease(row, {}) == &row.releases.front());
            QVERIFY(findRelease(row, row.releases.back().name) == &row.releases.back());
            QVERIFY(findRelease(row, "none such") == nullptr);
            QVERIFY2(row.write != nullptr || row.checkQuestion != nullptr, row.format);
            for (const CapabilityRow& feature : capabilityTable())
                QVERIFY2(!feature.allowed(row.capability).empty(), feature.key);
        }
        QCOMPARE(exporterRow("papyrus"), nullptr);
    }

    // The default of a capability refuses nothing.
    void theDefaultTakesEverything() {
        Plan plan = sampleChunkedPlan(ScheduleKind::ZbV);
        plan.pipelines[0].stages[1].recompute = Recompute::Full;
        plan.pipelines[0].stages[2].zero = 3;
        for (const CapabilityRow& feature : capabilityTable())
            QVERIFY2(refusalsOf(feature, {}, *m_problem, plan).empty(), feature.key);
    }

    // No trainer runs a tensor partition: refused by code, stage and feature; the next plan is offered.
    void partitionsGoToNoTrainer() {
        Plan plan = m_plan;
        Stage& stage = plan.pipelines[0].stages[2];
        const auto ways = partition::steadyWays(*m_problem, stage.replicas[0].devices, 2, 32, true);
        QVERIFY(!ways.empty());
        stage.partition = ways.front();
        const auto evaluation = evaluate(*m_problem, plan, {.keepOps = true});
        QVERIFY2(evaluation, evaluation ? "" : evaluation.error().text().c_str());
        int trainers = 0;
        for (const ExporterRow& row : exporterTable()) {
            const std::vector<Refusal> refusals = exportRefusals(row, *m_problem, plan);
            const auto found = std::find_if(refusals.begin(), refusals.end(),
                                            [](const Refusal& r) { return r.code == "E_PARTITION"; });
            QCOMPARE(found != refusals.end(), !row.capability.partitions);
            if (!row.trainer)
                continue;
            ++trainers;
            QCOMPARE(found->where, std::string("stage 2"));
            QVERIFY(found->message.find("PrimePar partition") != std::string::npos);
            QVERIFY(found->targets.empty());
        }
        QVERIFY(trainers > 1);

        const ExporterRow& flagscale = *exporterRow("flagscale");
        std::vector<FoundPlan> list = {{plan, *evaluation}, {m_plan, m_evaluation}};
        const auto offer = bestRunnable(flagscale, {}, *m_problem, list, evaluation->iteration);
        QVERIFY(offer && offer->index == 1);
        QVERIFY2(text(*offer).starts_with("plan 2, "), text(*offer).c_str());
        list.pop_back();
        QVERIFY(!bestRunnable(flagscale, {}, *m_problem, list, evaluation->iteration));
    }

    // A refusal names the trainers that could take what it is about.
    void refusalsNameOtherTrainers() {
        const std::vector<Refusal> refusals = exportRefusals(*exporterRow("megatron"), *m_problem, m_plan);
        const auto tp = std::find_if(refusals.begin(), refusals.end(),
                                     [](const Refusal& r) { return r.code == "E_TP_PER_STAGE"; });
        QVERIFY(tp != refusals.end());
        QCOMPARE(tp->where, std::string("stage 2"));
        QVERIFY(std::count(tp->targets.begin(), tp->targets.end(), "flagscale") == 1);
        QVERIFY(std::count(tp->targets.begin(), tp->targets.end(), "nemo2") == 0);
        const Error reason = reasonOf(*tp);
        QVERIFY(reason.text().find(tp->message + ". Can be expressed by ") != std::string::npos);
        QVERIFY(reason.param("targets").find("flagscale") != std::string::npos);
        QCOMPARE(filled(reason.pattern, reason.params), reason.message); // so that it can be translated
        for (const Param& param : tp->params)
            QCOMPARE(reason.param(param.name), param.value);
    }

    // A search for a target looks at nothing that its table rules out.
    void theSpaceFollowsTheTable() {
        for (const ExporterRow& row : exporterTable()) {
            Space space;
            space.partitions = space.fineCuts = true;
            restrictTo(row.capability, space);
            QCOMPARE(space.partitions, row.capability.partitions);
            QCOMPARE(space.fineCuts, row.capability.subLayers);
            for (const ScheduleChoice& choice : space.schedules)
                QVERIFY2(row.capability.takes(choice.kind, choice.loneStage ? 1 : 2), row.format);
            QCOMPARE(space.interleaved, row.capability.takes(ScheduleKind::Interleaved));
        }
    }

    // With the axes on, a search for a target tries every schedule that its export takes, and no other.
    void searchesTryTheSchedulesThatAreTaken() {
        const auto isTaken = [&](const ExporterRow& row, const Plan& plan) {
            const std::vector<Refusal> refusals = exportRefusals(row, *m_problem, plan);
            return std::none_of(refusals.begin(), refusals.end(),
                                [](const Refusal& r) { return r.code == "E_SCHEDULE" || r.code == "E_VPP"; });
        };
        for (const ExporterRow& row : exporterTable()) {
            if (row.write == nullptr)
                continue;
            SearchOptions options;
            options.wider = {true, true, 2};
            restrictTo(row.capability, options);
            Space space;
            restrictTo(row.capability, space);
            space.wider = options.wider;
            const std::vector<ScheduleTrial> trials = scheduleTrials(*m_problem->withSpace(space));
            QVERIFY2(!trials.empty(), row.format);
            for (const ScheduleTrial& trial : trials)
                if (const auto plan = underSchedule(*m_problem, m_plan, trial))
                    QVERIFY2(isTaken(row, *plan), (std::string(row.format) + name(trial.kind)).c_str());
            for (const ScheduleKind kind : test::everyKind()) {
                if (usesLaunchCounts(kind) || std::ranges::any_of(trials, [&](const ScheduleTrial& trial) {
                        return trial.kind == kind;
                    }))
                    continue;
                const auto plan =
                    underSchedule(*m_problem, m_plan, {kind, LaunchRule::Artifact, leastChunks(kind)});
                QVERIFY2(plan && !isTaken(row, *plan), (std::string(row.format) + name(kind)).c_str());
            }
        }
    }

    // Every trainer that runs such a model gets a plan that it takes, found for it.
    void searchesFindWhatTargetsRun_data() {
        QTest::addColumn<QString>("format");
        for (const char* format : {"megatron", "megatron-bridge", "nemo2", "flagscale", "torchtitan",
                                   "hexiscale", "hetu", "aceso", "galvatron", "runner"})
            QTest::newRow(format) << QString::fromLatin1(format);
    }
    void searchesFindWhatTargetsRun() {
        QFETCH(QString, format);
        const std::string name = format.toStdString();
        TargetPlan target = planFor(name);
        if (name == "hexiscale") // several stages run GPipe, which keeps all micro-batches
            target.recipe.gbs = 32;
        const auto problem = target.problem();
        std::optional<Error> refused;
        const auto found = searched(name, problem, refused);
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        QVERIFY2(!refused, refused ? refused->message.c_str() : "");
        QVERIFY(!found->plans.empty() && found->plans.size() <= 3);
        for (std::size_t i = 0; i < found->plans.size(); ++i) {
            const FoundPlan& plan = found->plans[i];
            QVERIFY(exportRefusals(*exporterRow(name), *problem, plan.plan).empty());
            if (name == "hexiscale") // 1F1B of several stages ends with an error there
                for (const Pipeline& p : plan.plan.pipelines)
                    QVERIFY(p.schedule.kind == ScheduleKind::GPipe || p.stages.size() == 1);
            const auto again = evaluate(*problem, plan.plan); // under the question as it was asked
            QVERIFY2(again, again ? "" : again.error().text().c_str());
            QCOMPARE(again->iteration.value, plan.evaluation.iteration.value);
            QVERIFY(i == 0 || found->plans[i - 1].evaluation.iteration <= plan.evaluation.iteration);
        }
    }

    void refusedExportsWriteNothingAndOthersEverything() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.filePath(QStringLiteral("out")).toStdString();
        const ExporterRow& flagscale = *exporterRow("flagscale");
        Plan eager = m_plan;
        eager.pipelines[0].schedule = {ScheduleKind::Eager, LaunchRule::Artifact, 1, {8, 6, 4, 2}};
        for (const Plan& plan : {eager, sampleChunkedPlan(ScheduleKind::Zb1p)}) {
            const Status refused =
                writeExport(flagscale, makeExport(flagscale, {*m_problem, {}, plan, m_evaluation}), folder,
                            Replace::Unchanged);
            QVERIFY(!refused);
            QCOMPARE(refused.error().kind, ErrorKind::Infeasible);
            QCOMPARE(refused.error().code, std::string("E_SCHEDULE"));
        }
        QCOMPARE(QDir(dir.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(),
                 0);

        for (const char* format : {"flagscale", "chrome-trace", "plan"}) {
            const ExporterRow& row = *exporterRow(format);
            QVERIFY2(writeExport(row, makeExport(row, input()), folder, Replace::Unchanged), format);
        }
        for (const char* file :
             {"experiment.yaml", "train/pipewright.yaml", "hostfile", "launch.sh", "trace.json", "plan.json"})
            QVERIFY2(std::filesystem::exists(folder / file), file);
        QVERIFY(QFileInfo(QString::fromStdString((folder / "launch.sh").string())).isExecutable());
        QCOMPARE(QDir(dir.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{QStringLiteral("out")});
        const auto text = readFile(folder / "plan.json");
        const auto file = readPlanFile(*text, "plan.json");
        QVERIFY2(file, file ? "" : file.error().text().c_str());
        QVERIFY(file->plans == std::vector<Plan>{m_plan});
    }

    // Nothing is needed of the folder around: it may be another disk's, or somebody else's.
    void aFolderOnAnotherDiskIsWrittenTo() {
        QTemporaryDir dir, other(QStringLiteral("/dev/shm/pipewright-XXXXXX"));
        struct stat here {
        }, there{};
        if (!other.isValid() || ::stat(dir.path().toUtf8(), &here) != 0 ||
            ::stat(other.path().toUtf8(), &there) != 0 || here.st_dev == there.st_dev)
            PW_SKIP("second-disk", "there is no second file system");
        const QString mounted = dir.filePath(QStringLiteral("mounted"));
        QVERIFY(QFile::link(other.path(), mounted));
        const ExporterRow& row = *exporterRow("flagscale");
        const Status written =
            writeExport(row, makeExport(row, input()), mounted.toStdString(), Replace::Unchanged);
        QVERIFY2(written, written ? "" : written.error().text().c_str());
        QCOMPARE(QDir(dir.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{QStringLiteral("mounted")});
        QVERIFY(QFile::exists(other.filePath(QStringLiteral("launch.sh"))));
    }

    // Nor is it by name, and nobody may write beside it: `--out .` in a folder that somebody gave.
    void aFolderAmongWhatIsOthersIsWrittenTo() {
        QTemporaryDir dir;
        const std::filesystem::path parent = dir.filePath(QStringLiteral("others")).toStdString(),
                                    mine = parent / "mine";
        std::filesystem::create_directories(mine);
        const bool root = ::geteuid() == 0; // may write anywhere: somebody else exports
        constexpr uid_t kNobody = 65534;
        if (root) {
            QCOMPARE(::chown(mine.c_str(), kNobody, kNobody), 0);
            QCOMPARE(::chmod(dir.path().toUtf8(), 0755), 0);
        }
        QCOMPARE(::chmod(parent.c_str(), 0555), 0);
        const ExporterRow& row = *exporterRow("flagscale");
        const ExportResult made = makeExport(row, input());
        for (const char* out : {".", "../mine", "./"}) {
            enum Ends { Written, Refused, BesideIsWritable, NotThere };
            const pid_t child = ::fork();
            if (child == 0) {
                if (root && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0))
                    ::_exit(NotThere);
                if (::chdir(mine.c_str()) != 0)
                    ::_exit(NotThere);
                if (::mkdir("../beside", 0755) == 0)
                    ::_exit(BesideIsWritable);
                ::_exit(writeExport(row, made, out, Replace::Unchanged) ? Written : Refused);
            }
            QVERIFY(child > 0);
            int status = -1;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QVERIFY(WIFEXITED(status));
            QCOMPARE(WEXITSTATUS(status), static_cast<int>(Written));
            for (const ExportFile& file : made.files)
                QVERIFY2(std::filesystem::remove(mine / file.name), file.name.c_str());
            QVERIFY(std::filesystem::remove(mine / kExportManifest));
        }
        QCOMPARE(::chmod(parent.c_str(), 0755), 0); // so that it can be removed
    }

    // Wherever an export over another plan's ends early, no script of the folder runs a mixed set, and the
    // next export puts it right.
    void aSetThatIsNotWholeDoesNotRun_data() {
        QTest::addColumn<bool>("full");
        QTest::addColumn<int>("least");
        // Staging folder, two files, manifest, two renames, manifest, and the syncs between.
        QTest::newRow("a step fails") << false << 25;
        QTest::newRow("the disk is full from there on") << true << 13;
    }
    void aSetThatIsNotWholeDoesNotRun() {
        QFETCH(bool, full);
        QFETCH(int, least);
        const ExporterRow& row = *exporterRow("launch");
        const auto setOf = [&](int first) {
            TargetPlan target = planFor("megatron");
            std::rotate(target.plan.pipelines[0].stages.begin(),
                        target.plan.pipelines[0].stages.begin() + first,
                        target.plan.pipelines[0].stages.end());
            const auto problem = target.problem();
            ExportResult made;
            made.files = row.write({*problem, {}, target.plan, {}, {}});
            made.plan = exportedPlan(*problem, target.plan);
            bindTogether(made.files, made.plan);
            return made;
        };
        const ExportResult before = setOf(0), after = setOf(1);
        QVERIFY(before.plan != after.plan);
        const auto runs = [](const std::filesystem::path& folder) {
            QProcess script; // its first command is not there: 127 is "it would run"
            script.setWorkingDirectory(QString::fromStdString(folder.string()));
            script.start(
                QStringLiteral("bash"),
                {QStringLiteral("-c"),
                 QStringLiteral(
                     "NODE_RANK=0; export NODE_RANK; torchrun() { :; }; exec() { builtin exit 42; }; "
                     "export -f exec; bash ./launch.sh x")});
            return script.waitForFinished() && script.exitCode() == 42;
        };
        int failures = 0;
        for (int at = 0;; ++at) {
            QTemporaryDir dir;
            const std::filesystem::path folder = dir.filePath(QStringLiteral("out")).toStdString();
            QVERIFY(writeSet(before.files, before.plan, folder, Replace::Unchanged));
            QVERIFY(runs(folder));
            const test::FailsAt disk(at, full);
            const Status written = writeSet(after.files, after.plan, folder, Replace::Unchanged, disk);
            // What cannot be said of a script's permissions or of a dead folder stops nothing.
            QVERIFY(written || !disk.failed().empty());
            const auto textOf = [&](const char* name) { return *readFile(folder / name); };
            const bool whole = textOf("launch.sh") == before.files[0].text
                                   ? textOf("slurm.sbatch") == before.files[1].text
                                   : textOf("slurm.sbatch") == after.files[1].text;
            QVERIFY2(whole || !runs(folder), qPrintable(QString::number(at)));
            const auto staging = [&] {
                return QDir(dir.filePath(QStringLiteral("out")))
                    .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                    .filter(QStringLiteral(".pipewright-export."));
            };
            QVERIFY(disk.failed() == "removeAll" || staging().isEmpty());
            if (disk.failed().empty()) {
                QVERIFY(written && runs(folder));
                break;
            }
            ++failures;
            QVERIFY(writeSet(after.files, after.plan, folder, Replace::Unchanged)); // which knows both texts
            QVERIFY(runs(folder));
        }
        QVERIFY2(failures >= least, qPrintable(QString::number(failures)));
    }

    // A script says what is missing; files of another plan in its folder are none of its set.
    void scriptsAskForTheirSet() {
        const ExporterRow& megatron = *exporterRow("megatron");
        const TargetPlan target = planFor("megatron");
        const auto problem = target.problem();
        const ExportResult made = makeExport(megatron, {*problem, {}, target.plan, {}});
        for (const ExportFile& file : made.files) {
            const bool script = file.text.starts_with("#!");
            QCOMPARE(file.text.find(made.plan) != std::string::npos, script);
        }
        ScriptRun scripts(made);
        scripts.fake(QStringLiteral("torchrun"));
        const std::vector<std::pair<QString, QString>> where = {
            {QStringLiteral("NODE_RANK"), QStringLiteral("0")}};
        const QStringList command = {QStringLiteral("bash"), QStringLiteral("./launch.sh"),
                                     QStringLiteral("x")};
        QCOMPARE(scripts.run(command, where).code, 0);
        QVERIFY(QFile::remove(scripts.path(QLatin1String(kExportManifest))));
        const auto refused = scripts.run(command, where);
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.errors.find("export the plan again") != std::string::npos, refused.errors.c_str());
    }

    // So do programs of Python that trainers are started with, before they import any trainer.
    void programsAskForTheirSet_data() {
        QTest::addColumn<QString>("format");
        for (const char* format : {"nemo2", "megatron-bridge", "torchtitan"})
            QTest::newRow(format) << QString::fromLatin1(format);
    }
    void programsAskForTheirSet() {
        QFETCH(QString, format);
        const std::string name = format.toStdString();
        const auto problem = planFor(name).problem();
        std::optional<Error> refused;
        const auto found = searched(name, problem, refused);
        QVERIFY(found && !found->plans.empty());
        const Plan& plan = found->plans.front().plan;
        const auto evaluation = evaluate(*problem, plan, {.keepOps = true});
        QVERIFY(evaluation);
        const ExportResult made = makeExport(*exporterRow(name), {*problem, {}, plan, *evaluation});
        QVERIFY(made.refusals.empty());
        ScriptRun scripts(made);
        const auto refuses = [&] {
            const auto out = scripts.run({QStringLiteral("python3"), QStringLiteral("plan.py")});
            return out.code == 1 && out.errors.find("launch.sh is of the same plan as this program: export "
                                                    "the plan again") != std::string::npos;
        };
        QVERIFY(!refuses());
        QFile manifest(scripts.path(QLatin1String(kExportManifest)));
        QVERIFY(manifest.open(QIODevice::ReadOnly));
        QByteArray text = manifest.readAll();
        manifest.close();
        const qsizetype launch = text.lastIndexOf("\"launch.sh\": \"");
        QVERIFY(launch > 0);
        text.insert(launch + qsizetype(qstrlen("\"launch.sh\": \"")), 'x'); // another plan's
        QVERIFY(manifest.open(QIODevice::WriteOnly) && manifest.write(text) == text.size());
        manifest.close();
        QVERIFY(refuses());
    }

    // Staging of an export that was killed goes with the next one; two at a time take turns.
    void deadStagingGoesAndOthersAreNotDisturbed() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        QVERIFY(QDir(dir.path()).mkpath(QStringLiteral(".pipewright-export.abcdef/train")));
        const ExporterRow& row = *exporterRow("flagscale");
        QVERIFY(writeExport(row, makeExport(row, input()), folder, Replace::Unchanged));
        QVERIFY(!std::filesystem::exists(folder / ".pipewright-export.abcdef"));
        const int other = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
        QCOMPARE(::flock(other, LOCK_EX), 0);
        const Status busy = writeExport(row, makeExport(row, input()), folder, Replace::Unchanged);
        ::close(other);
        QVERIFY(!busy);
        QCOMPARE(busy.error().code, std::string("export.busy"));
    }

    void aFolderInTheWayIsNamedBeforeAnythingIsWritten() {
        QTemporaryDir dir;
        QVERIFY(QDir(dir.path()).mkpath(QStringLiteral("launch.sh")));
        const ExporterRow& row = *exporterRow("flagscale");
        const Status refused =
            writeExport(row, makeExport(row, input()), dir.path().toStdString(), Replace::All);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("export.folder"));
        QCOMPARE(QDir(dir.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{QStringLiteral("launch.sh")});
    }

    // Only files that are as an export left them are replaced unasked.
    void filesChangedByHandStay() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.filePath(QStringLiteral("out")).toStdString();
        const ExporterRow& row = *exporterRow("megatron");
        const TargetPlan target = planFor("megatron");
        const auto problem = target.problem();
        const auto made = [&](const char* release) {
            return makeExport(row, {*problem, {}, target.plan, {}, release});
        };
        const auto write = [&](const char* release, Replace replace) {
            return writeExport(row, made(release), folder, replace);
        };
        const auto script = [&] { return *readFile(folder / "pretrain.sh"); };
        QVERIFY(write("0.19", Replace::Unchanged));
        const std::string newest = script();
        QVERIFY(write("0.17", Replace::Unchanged)); // another text over its own
        QVERIFY(script() != newest);
        QVERIFY(writeFileAtomically(folder / "pretrain.sh", script() + "# lr of mine\n"));
        const std::string own = script();
        const Status refused = write("0.19", Replace::Unchanged);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("export.changed"));
        QCOMPARE(refused.error().reasons.size(), std::size_t{1});
        QCOMPARE(refused.error().reasons[0].where, (folder / "pretrain.sh").string());
        QVERIFY(script() == own);
        QVERIFY(write("0.19", Replace::All));
        QVERIFY(script() == newest);
        // A file that was there before any export is nobody's to replace, unless it says the same.
        QVERIFY(QDir(dir.path()).mkpath(QStringLiteral("other")));
        QVERIFY(writeFileAtomically(dir.filePath(QStringLiteral("other/launch.sh")).toStdString(), "mine\n"));
        const Status foreign = writeExport(
            row, made("0.19"), dir.filePath(QStringLiteral("other")).toStdString(), Replace::Unchanged);
        QVERIFY(!foreign);
        QCOMPARE(foreign.error().code, std::string("export.changed"));
        QVERIFY(!std::filesystem::exists(dir.filePath(QStringLiteral("other/pretrain.sh")).toStdString()));
    }

    // V100s that the plan leaves idle keep everybody at fp16: it is said.
    void idleKindsAreNamedWhereTheyCostPrecision() {
        TargetPlan target = planFor("megatron");
        const auto codesOf = [](const TargetPlan& asked) {
            const auto problem = asked.problem();
            const ExportResult made = makeExport(*exporterRow("megatron"), {*problem, {}, asked.plan, {}});
            QStringList codes;
            for (const Diagnostic& note : made.notes)
                codes.append(QString::fromStdString(note.code));
            return codes;
        };
        const QStringList used = codesOf(target);
        target.plan.pipelines[0].stages = {blockStage(0, 15, 32, 0, 2, 2), blockStage(16, 31, 32, 4, 2, 2)};
        target.plan.pipelines[0].schedule.launch = {2, 1};
        const QStringList idle = codesOf(target);
        QVERIFY(idle.contains(QStringLiteral("export.precision")));
        QVERIFY(!idle.contains(QStringLiteral("export.transformer_engine")));
        QVERIFY(!used.contains(QStringLiteral("export.precision")));
        QVERIFY(used.contains(QStringLiteral("export.transformer_engine")));
    }

private:
    ExportInput input() const { return {*m_problem, m_outcome, m_plan, m_evaluation}; }

    std::shared_ptr<const Problem> m_problem;
    Plan m_plan;
    SearchOutcome m_outcome;
    Evaluation m_evaluation;
};

QTEST_APPLESS_MAIN(ExportsTest)
#include "exports_test.moc"
