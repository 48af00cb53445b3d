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
        const std::string name = jobNameOf("/scratch/my sweep");
        const auto named = std::find(words.rbegin(), words.rend(), "--job-name=" + name);
        QVERIFY(named != words.rend() && named < std::find(words.rbegin(), words.rend(), "--job-name=mine"));
        QCOMPARE(words.front(), std::string("sbatch"));
        QCOMPARE(words.back(), std::string("7"));
        QVERIFY(std::none_of(words.begin(), words.end(),
                             [](const std::string& word) { return word.starts_with("--account"); }));
    }

    // Two sweeps have two names; a job that an older program recorded is asked for by the one that all had.
    void aSweepHasANameOfItsOwn() {
        const std::string one = jobNameOf("/scratch/one"), other = jobNameOf("/scratch/other");
        QCOMPARE(one.size(), std::string("pipewright-1a2b3c4d").size());
        QCOMPARE(jobNameOf("/scratch/one"), one);
        QVERIFY(one != other && one.starts_with("pipewright-"));
        const auto asks = [](const std::vector<std::string>& words, const std::string& names) {
            return std::ranges::count(words, "--name=" + names) == 1;
        };
        QVERIFY(asks(squeueWords(one, {}), one));
        const SubmittedJob old{"slurm", "17", "", "", 0, {0}};
        const SubmittedJob moved{"slurm", "18", "", "", 0, {0}, other, "s"};
        QVERIFY(asks(squeueWords(one, {old, old}), one + ",pipewright-sweep"));
        QVERIFY(asks(squeueWords(one, {moved}), one + ',' + other));
    }

    void wordsThatHideTheNumberAreKnown() {
        for (const char* word : {"-Q", "--quiet", "--qui", "-HQ", "-vQ"})
            QVERIFY2(isQuiet(word), word);
        for (const char* word : {"-q", "--qos=Q", "--qos", "-JQ", "-pQ", "-v", "--nice", "Q", "-", ""})
            QVERIFY2(!isQuiet(word), word);
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
        const QueuedElements elements =
            queuedElements("17 0 pw None\n17 3 pw launch failed requeued held\n20 N/A pw JobHeldUser\n"
                           "18 1 other JobHeldUser\n19 2 pw Resources\n19 4 pw\n21 0\n");
        QCOMPARE(elements.size(), std::size_t(5));
        QCOMPARE(elements.at({"17", 0}).held, std::string());
        QCOMPARE(elements.at({"17", 3}).held, std::string("launch failed requeued held"));
        QCOMPARE(elements.at({"18", 1}).held, std::string("JobHeldUser"));
        QCOMPARE(elements.at({"18", 1}).name, std::string("other"));
        QCOMPARE(elements.at({"19", 2}).held, std::string());
        QCOMPARE(elements.at({"19", 4}).name, std::string("pw"));
    }

    void chunksThatWaitAreKnown() {
        const std::vector<SubmittedJob> jobs = {{"slurm", "17", "", "", 0, {0, 1, 2}},
                                                {"slurm", "18", "", "", 5, {5, 6}},
                                                {"other", "17", "", "", 0, {9}}};
        const QueuedChunks chunks = queuedChunks(
            jobs, {{{"17", 1}, {"pw", ""}}, {{"18", 1}, {"pw", "JobHeldUser"}}, {{"99", 0}, {"pw", ""}}});
        QCOMPARE(chunks.size(), std::size_t(2));
        QCOMPARE(chunks.at(1).held, std::string());
        QCOMPARE(chunks.at(6).element, std::string("18_1"));
        QCOMPARE(chunks.at(6).held, std::string("JobHeldUser"));
    }

    // Of a submission whose number nobody could write down a job of its name in the queue is taken for it,
    // and no job of another sweep's name.
    void aJobWithoutItsNumberIsFoundByItsName() {
        const std::vector<SubmittedJob> jobs = {{"slurm", "17", "", "", 0, {0, 1}, "pw", "a"},
                                                {"slurm", "", "", "", 5, {5, 6}, "pw", "b"}};
        const QueuedElements queued = {
            {{"17", 0}, {"pw", ""}}, {{"18", 1}, {"pw", ""}}, {{"30", 0}, {"other", ""}}};
        const QueuedChunks chunks = queuedChunks(jobs, queued);
        QCOMPARE(chunks.size(), std::size_t(2));
        QCOMPARE(chunks.at(0).element, std::string("17_0"));
        QCOMPARE(chunks.at(6).element, std::string("18_1"));
        QCOMPARE(unrecordedJobs(jobs, queued, "pw"), std::set<std::string>{"18"});
        QCOMPARE(unrecordedJobs(jobs, queued, "other"), std::set<std::string>{"30"});
        QVERIFY(unrecordedJobs(jobs, queued, kSharedJobName).empty());
    }

    // As a shell would have it.
    void theFolderOfASubmissionIsKnown() {
        for (const std::string folder : {"/data/sweep", "/data/it's a \"sweep\"", "/a b", "/'"}) {
            SubmittedJob job;
            for (const std::string& word : sbatchWords({}, folder, {0, {0}}))
                job.command += (job.command.empty() ? "" : " ") +
                               (word.find_first_of(" '\"") == std::string::npos ? word : shellQuoted(word));
            QCOMPARE(folderOf(job), folder);
        }
        QCOMPARE(folderOf(SubmittedJob()), std::string());
    }

    // Written down before sbatch is called, and its number after it.
    void aSubmissionGetsItsNumber() {
        const QTemporaryDir dir;
        SweepFolder folder;
        folder.path = dir.path().toStdString();
        QVERIFY(addJob(folder, {"slurm", "", "", "sbatch x", 0, {0, 1}, "pw", "a"}));
        QVERIFY(addJob(folder, {"slurm", "", "", "sbatch y", 5, {5}, "pw", "b"}));
        QVERIFY(addJobId(folder, "a", "17"));
        auto jobs = readJobs(folder);
        QVERIFY2(jobs, jobs ? "" : jobs.error().text().c_str());
        QCOMPARE(jobs->size(), std::size_t{2});
        QCOMPARE((*jobs)[0].id, std::string("17"));
        QCOMPARE((*jobs)[0].name, std::string("pw"));
        QCOMPARE((*jobs)[0].chunks, (std::vector<std::size_t>{0, 1}));
        QCOMPARE((*jobs)[1].id, std::string());
        QVERIFY(addJobId(folder, "gone", "18"));
        jobs = readJobs(folder);
        QVERIFY(!jobs);
        QCOMPARE(jobs.error().code, std::string("sweep.submission"));
    }

    // A line as it was before submissions had a name.
    void anOlderRecordIsRead() {
        const QTemporaryDir dir;
        SweepFolder folder;
        folder.path = dir.path().toStdString();
        QFile file(dir.filePath(QStringLiteral("jobs.jsonl")));
        QVERIFY(file.open(QIODevice::WriteOnly) &&
                file.write("{\"chunks\":[0,1],\"command\":\"sbatch\",\"engine\":\"slurm\",\"id\":\"17\","
                           "\"offset\":0,\"time\":\"\"}\n") > 0);
        file.close();
        const auto jobs = readJobs(folder);
        QVERIFY2(jobs, jobs ? "" : jobs.error().text().c_str());
        QCOMPARE(jobs->front().name, std::string(kSharedJobName));
        QCOMPARE(jobs->front().id, std::string("17"));
    }

    // A folder's name need not be UTF-8.
    void aCommandThatIsNoUtf8IsKept() {
        const QTemporaryDir dir;
        SweepFolder folder;
        folder.path = dir.path().toStdString();
        QVERIFY(addJob(folder, {"slurm", "17", "", "sbatch --chdir=/scratch/\xff", 0, {0}}));
        const auto jobs = readJobs(folder);
        QVERIFY2(jobs, jobs ? "" : jobs.error().text().c_str());
        QCOMPARE(jobs->front().command, std::string("sbatch --chdir=/scratch/\xef\xbf\xbd"));
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

    // Where the disk has no room for a job's number, its submission stays, and the queue tells by its name.
    void aFailingDiskLeavesTheSubmissionWithoutItsNumber_data() { test::addWaysToFail(); }
    void aFailingDiskLeavesTheSubmissionWithoutItsNumber() {
        QFETCH(bool, full);
        int failures = 0;
        for (bool over = false; !over; failures += over ? 0 : 1) {
            const QTemporaryDir dir;
            SweepFolder folder;
            folder.path = dir.path().toStdString();
            QVERIFY(addJob(folder, {"slurm", "", "", "sbatch x", 0, {0, 1}, "pw", "a"}));
            const test::FailsAt disk(failures, full);
            folder.disk = &disk;
            over = static_cast<bool>(addJobId(folder, "a", "17"));
            folder.disk = &systemDisk();
            const auto jobs = readJobs(folder);
            QVERIFY2(jobs, jobs ? "" : jobs.error().text().c_str());
            QCOMPARE(jobs->size(), std::size_t(1));
            QVERIFY(over ? jobs->front().id == "17"
                         : jobs->front().id.empty() || disk.failed() == "sync" || disk.failed() == "close");
            const QueuedChunks chunks = queuedChunks(*jobs, {{{"17", 1}, {"pw", ""}}});
            QCOMPARE(chunks.size(), std::size_t(1));
            QCOMPARE(chunks.at(1).element, std::string("17_1"));
        }
        QCOMPARE(failures, full ? 3 : 4); // append, write, sync, and close that takes no room
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
