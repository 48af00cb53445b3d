// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/slurm_job.h"

#include "tests/base/failing_disk.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;

class SlurmJobTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // MaxArraySize caps the index, so that chunk 5 of arrays of 5 is element 0 of the second.
    void arraysStayWithinTheirSize() {
        const auto arrays = slurmArrays({0, 1, 2, 4, 5, 6, 9, 30}, 5);
        QCOMPARE(arrays.size(), std::size_t{3});
        std::vector<std::size_t> all;
        for (const SlurmArray& array : arrays) {
            QCOMPARE(array.chunks.front(), array.offset);
            for (const std::size_t chunk : array.chunks) {
                QVERIFY(chunk - array.offset < 5);
                all.push_back(chunk);
            }
        }
        QCOMPARE(all, (std::vector<std::size_t>{0, 1, 2, 4, 5, 6, 9, 30}));
        QCOMPARE(arrayText(arrays[0], 0), std::string("0-2,4"));
        QCOMPARE(arrayText(arrays[1], 2), std::string("0-1,4%2"));
        QCOMPARE(arrayText(arrays[2], 0), std::string("0"));
        QVERIFY(slurmArrays({}, 5).empty());
    }

    void optionsBecomeWords() {
        SlurmOptions options;
        options.partition = "gpu";
        options.time = "1:00:00";
        options.more = {"--mem=2G", "--nice", "--job-name=mine"};
        const auto words = sbatchWords(options, "/scratch/my sweep", {7, {7, 8}});
        const auto has = [&words](const char* word) {
            return std::find(words.begin(), words.end(), word) != words.end();
        };
        for (const char* word : {"--parsable", "--array=0-1", "--partition=gpu", "--time=1:00:00", "--mem=2G",
                                 "--nice", "--chdir=/scratch/my sweep", "/scratch/my sweep/job.sbatch"})
            QVERIFY2(has(word), word);
        // By its name the jobs of all who submit are found again, so that the last one has to be this.
        const auto named = std::find(words.rbegin(), words.rend(), "--job-name=pipewright-sweep");
        QVERIFY(named != words.rend() && named < std::find(words.rbegin(), words.rend(), "--job-name=mine"));
        QVERIFY(std::ranges::count(squeueWords(), "--name=pipewright-sweep") == 1);
        QCOMPARE(words.front(), std::string("sbatch"));
        QCOMPARE(words.back(), std::string("7"));
        QVERIFY(std::none_of(words.begin(), words.end(),
                             [](const std::string& word) { return word.starts_with("--account"); }));
    }

    void theWorkerTakesTheShellsPlace() {
        SlurmOptions options;
        options.program = "/opt/it's/pipewright-cli";
        options.threads = 4;
        options.retryFailed = true;
        const std::string script = slurmScript(options, "/scratch/a b");
        for (const char* part : {"#!/bin/bash\n", "#SBATCH --requeue\n", "#SBATCH --open-mode=append\n",
                                 "#SBATCH --signal=B:TERM@30\n", "#SBATCH --cpus-per-task=4\n",
                                 "\nexec '/opt/it'\\''s/pipewright-cli' sweep work '/scratch/a b' --chunk "
                                 "\"$(($1 + SLURM_ARRAY_TASK_ID))\" --threads 4 --retry-failed\n"})
            QVERIFY2(script.find(part) != std::string::npos, part);
    }

    void answersOfSlurmAreRead() {
        QCOMPARE(maxArraySizeOf("MailProg = /bin/mail\nMaxArraySize            = 1001\nMaxJobCount = 5\n"),
                 std::optional<std::size_t>(1001));
        QVERIFY(!maxArraySizeOf("slurm_load_ctl_conf error: Unable to contact slurm controller"));
        QCOMPARE(jobIdOf("17\n"), std::string("17"));
        QCOMPARE(jobIdOf("17;alpha\n"), std::string("17"));
        QCOMPARE(jobIdOf(""), std::string());
        QCOMPARE(jobIdOf("Submitted batch job 17\n"), std::string());
        // N/A: a job of somebody's that is no array.
        QCOMPARE(queuedElements("17 0 None\n17 3 launch failed requeued held\n20 N/A JobHeldUser\n18 1 "
                                "JobHeldUser\n19 2 Resources\n19 4\n"),
                 (QueuedElements{{{"17", 0}, ""},
                                 {{"17", 3}, "launch failed requeued held"},
                                 {{"18", 1}, "JobHeldUser"},
                                 {{"19", 2}, ""},
                                 {{"19", 4}, ""}}));
    }

    void chunksThatWaitAreKnown() {
        const std::vector<SubmittedJob> jobs = {{"slurm", "17", "", "", 0, {0, 1, 2}},
                                                {"slurm", "18", "", "", 5, {5, 6}},
                                                {"other", "17", "", "", 0, {9}}};
        const QueuedChunks chunks =
            queuedChunks(jobs, {{{"17", 1}, ""}, {{"18", 1}, "JobHeldUser"}, {{"99", 0}, ""}});
        QCOMPARE(chunks.size(), std::size_t(2));
        QCOMPARE(chunks.at(1).held, std::string());
        QCOMPARE(chunks.at(6).element, std::string("18_1"));
        QCOMPARE(chunks.at(6).held, std::string("JobHeldUser"));
    }

    void submissionsAreKeptAndATornOneDoesNotCount() {
        const QTemporaryDir dir;
        SweepFolder folder;
        folder.path = dir.path().toStdString();
        QVERIFY(readJobs(folder)->empty());
        QVERIFY(addJob(folder, {"slurm", "17", "2026-11-23T08:00:00Z", "sbatch x", 0, {0, 1}}));
        QVERIFY(addJob(folder, {"slurm", "18", "2026-11-23T08:00:01Z", "sbatch y", 5, {5}}));
        QFile file(dir.filePath(QStringLiteral("jobs.jsonl")));
        QVERIFY(file.open(QIODevice::Append) && file.write("{\"engine\": \"sl") > 0);
        file.close();
        const auto jobs = readJobs(folder);
        QVERIFY2(jobs, jobs ? "" : jobs.error().text().c_str());
        QCOMPARE(jobs->size(), std::size_t{2});
        QCOMPARE((*jobs)[1].id, std::string("18"));
        QCOMPARE((*jobs)[1].offset, std::size_t{5});
        QCOMPARE((*jobs)[0].chunks, (std::vector<std::size_t>{0, 1}));
        QVERIFY(file.open(QIODevice::Append) && file.write("\n") > 0);
        file.close();
        const auto broken = readJobs(folder);
        QVERIFY(!broken);
        QVERIFY(QString::fromStdString(broken.error().where).contains(QStringLiteral("jobs.jsonl:3")));
    }

    // A submission that the disk has no room for leaves those before, and the next is none the worse for it.
    void aFailingDiskLeavesTheOtherSubmissions_data() { test::addWaysToFail(); }
    void aFailingDiskLeavesTheOtherSubmissions() {
        QFETCH(bool, full);
        const auto ids = [](const SweepFolder& folder) {
            QStringList found;
            const auto jobs = readJobs(folder);
            if (!jobs)
                return QStringList(QString::fromStdString(jobs.error().text()));
            for (const SubmittedJob& job : *jobs)
                found << QString::fromStdString(job.id);
            return found;
        };
        int failures = 0;
        for (bool over = false; !over; failures += over ? 0 : 1) {
            const QTemporaryDir dir;
            SweepFolder folder;
            folder.path = dir.path().toStdString();
            QVERIFY(addJob(folder, {"slurm", "17", "", "sbatch x", 0, {0, 1}}));
            const test::FailsAt disk(failures, full);
            folder.disk = &disk;
            const Status added = addJob(folder, {"slurm", "18", "", "sbatch y", 0, {2}});
            folder.disk = &systemDisk();
            over = static_cast<bool>(added);
            QCOMPARE(over, disk.failed().empty());
            QVERIFY(ids(folder).startsWith(QStringLiteral("17")) && ids(folder).size() <= 2);
            // Of one that could not be synchronised or closed nobody knows; half of one is gone.
            QVERIFY(addJob(folder, {"slurm", "19", "", "sbatch z", 0, {3}}));
            const bool unknown = over || disk.failed() == "sync" || disk.failed() == "close";
            QCOMPARE(ids(folder),
                     unknown ? QStringList({QStringLiteral("17"), QStringLiteral("18"), QStringLiteral("19")})
                             : QStringList({QStringLiteral("17"), QStringLiteral("19")}));
        }
        QCOMPARE(failures, full ? 3 : 4); // append, write, sync, and close that takes no room
    }
};

QTEST_APPLESS_MAIN(SlurmJobTest)
#include "slurm_job_test.moc"
