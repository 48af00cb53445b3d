// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/document/plan_document.h"
#include "core/document/plan_file.h"
#include "core/evaluate/evaluation.h"
#include "core/search/search.h"
#include "core/whatif/slice.h"
#include "core/whatif/whatif.h"
#include "tests/cli/cli_files.h"
#include "tests/cli/cli_run.h"

#include <nlohmann/json.hpp>

#include <QJsonArray>
#include <QTest>

using namespace pw;

namespace {

using SliceKind = whatif::SliceParameter::Kind;

// What the command line calls a parameter.
QJsonObject named(const whatif::SliceParameter& parameter) {
    switch (parameter.kind) {
    case SliceKind::AllLinks:
        return {{QStringLiteral("parameter"), QStringLiteral("all_links")}};
    case SliceKind::AllLatencies:
        return {{QStringLiteral("parameter"), QStringLiteral("all_latencies")}};
    case SliceKind::Latency:
        return {{QStringLiteral("parameter"), QStringLiteral("latency")},
                {QStringLiteral("link"), QString::fromStdString(parameter.link)}};
    case SliceKind::Link:
        return {{QStringLiteral("parameter"), QStringLiteral("link")},
                {QStringLiteral("link"), QString::fromStdString(parameter.link)}};
    case SliceKind::Microbatch:
        return {{QStringLiteral("parameter"), QStringLiteral("microbatch")}};
    case SliceKind::Boundary:
        return {{QStringLiteral("parameter"), QStringLiteral("boundary")},
                {QStringLiteral("boundary"), parameter.index}};
    case SliceKind::Tp:
        return {{QStringLiteral("parameter"), QStringLiteral("tp")},
                {QStringLiteral("stage"), parameter.index}};
    }
    return {};
}

QJsonObject firstPlan(const CliRun& run) {
    return run.json()[QStringLiteral("plans")][0].toObject();
}

} // namespace

// What the window asks about one plan, asked of `evaluate`: curves of sensitivity, lost nodes.
class CliEvaluateTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(m_files.isValid());
        const QString file = sample("plans/measured-16-uniform.json");
        m_uniform = words("evaluate --plan") + QStringList{file};
        const auto read = readPlanFile(contents(file).toStdString(), "uniform");
        QVERIFY(read);
        m_problem = read->problem;
        m_plan = read->plans.front();
        m_judged = runCli(m_uniform + words("--json")).json();
        QVERIFY(!m_judged.isEmpty() && !m_judged.contains(QStringLiteral("sensitivity")) &&
                !m_judged.contains(QStringLiteral("fails")));
    }

    // Every parameter that the window offers, point by point what it draws.
    void curvesAreThoseOfTheWindow() {
        const CliRun run = runCli(m_uniform + words("--sensitivity --json"));
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        QJsonArray expected;
        QSet<int> kinds;
        for (const auto& parameter : whatif::sliceParameters(*m_problem, m_plan)) {
            const auto points = whatif::slice(*m_problem, m_plan, parameter, {});
            QVERIFY(points);
            QJsonArray list;
            for (const whatif::SlicePoint& point : *points)
                list.append(QJsonObject{{QStringLiteral("at"), point.at},
                                        {QStringLiteral("iteration_s"), point.iteration.value},
                                        {QStringLiteral("fits"), point.fits},
                                        {QStringLiteral("now"), point.now}});
            QJsonObject curve = named(parameter);
            curve[QStringLiteral("points")] = list;
            expected.append(curve);
            kinds.insert(static_cast<int>(parameter.kind));
        }
        QCOMPARE(kinds.size(), 5);
        const QJsonArray curves = run.json()[QStringLiteral("sensitivity")].toArray();
        QCOMPARE(curves.size(), expected.size());
        for (const QJsonValue curve : expected)
            QVERIFY2(curves.contains(curve), QJsonDocument(curve.toObject()).toJson());
        QCOMPARE(run.json()[QStringLiteral("sensitivity_links_left_out")].toInt(-1), 0);
        QCOMPARE(firstPlan(run), m_judged[QStringLiteral("plans")][0].toObject());
    }

    // A document with all that evaluate can add is a plan document as before.
    void whatIsAddedIsReadPast() {
        const CliRun run = runCli(
            m_uniform + words("--sensitivity --fails n3,n2 --findings --verdict --reproducible --json"));
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        for (const char* key : {"sensitivity", "fails", "findings", "verdict"})
            QVERIFY2(run.json().contains(QLatin1String(key)), key);
        const QString file = m_files.path("added.json");
        QVERIFY(writeFileAtomically(file.toStdString(), run.out.toStdString()));
        const CliRun again = runCli(words("evaluate --json --plan") + QStringList{file});
        QVERIFY2(again.code == 0, again.err);
        QVERIFY2(!again.err.contains("not a key"), again.err);
        QCOMPARE(firstPlan(again), m_judged[QStringLiteral("plans")][0].toObject());
    }

    void aRunIsNoPlan() {
        const CliRun run = runCli(words("evaluate --plan") +
                                  QStringList{sample("runs/h100/gpt3-1.3b-24-2048-2-none-bf16.json")});
        QCOMPARE(run.code, 2);
        QVERIFY2(run.err.contains("goes to --plan, this file to --measured"), run.err);
    }

    void curvesAreTables() {
        const QByteArray text = runCli(m_uniform + words("--sensitivity")).out;
        for (const char* row : {"bandwidth of all links      × 0.25", "sequences of a micro-batch  4 ",
                                "boundary behind stage 0     block 4 ", "tp of stage 1               2 ",
                                "bandwidth of link n3-s1     × 0.25"})
            QVERIFY2(text.contains(row), text);
        QCOMPARE(text.count(" now\n"), 8); // one a curve
        QVERIFY(text.contains("does not fit") && !text.contains("left out"));
    }

    void ofManyLinksTheNarrowestBetweenStagesComeFirst() {
        const QString file = m_files.path("large.json");
        const QStringList ask = words("plan --gbs 2048 --seq 2048 --work 20000 --top 1") +
                                QStringList{QStringLiteral("--cluster"), sample("clusters/mixed-1024.json"),
                                            QStringLiteral("--model"),   sample("models/gpt3-175b.json"),
                                            QStringLiteral("--out"),     file};
        QCOMPARE(runCli(ask).code, 0);
        const CliRun run = runCli(words("evaluate --json --sensitivity --plan") + QStringList{file});
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        QStringList links;
        for (const QJsonValue curve : run.json()[QStringLiteral("sensitivity")].toArray())
            if (curve[QStringLiteral("parameter")].toString() == QLatin1String("link"))
                links.append(curve[QStringLiteral("link")].toString());
        QCOMPARE(links.size(), 16);
        QCOMPARE(run.json()[QStringLiteral("sensitivity_links_left_out")].toInt(), 130 - 16);
        QSet<QString> between; // the last stage sends to nobody
        const auto read = readPlanFile(contents(file).toStdString(), "large");
        QVERIFY(read);
        for (const QJsonValue stage :
             firstPlan(run)[QStringLiteral("pipelines")][0][QStringLiteral("stages")].toArray())
            for (const Link& link : read->problem->topology().cluster().links)
                if (QString::fromStdString(link.id) == stage[QStringLiteral("link")].toString())
                    between.insert(QString::fromStdString(link.id));
        QVERIFY(!between.isEmpty() && between.size() < 16);
        const QStringList first = links.mid(0, between.size());
        QCOMPARE(QSet<QString>(first.begin(), first.end()), between);
        QVERIFY(runCli(words("evaluate --sensitivity --plan") + QStringList{file})
                    .out.contains("16 of 130 links: "));
    }

    // The plan is what the window's edits make of it, node after node, beside the plan as it is.
    void lostNodesAreTheWindowsEdits() {
        const Result<Plan> one = whatif::dropNode(*m_problem, m_plan, 1);
        QVERIFY(one);
        const Result<Plan> both = whatif::dropNode(*m_problem, *one, 2);
        QVERIFY(both);
        const auto left = evaluate(*m_problem, *both);
        QVERIFY(left && left->feasible);
        const CliRun run = runCli(m_uniform + words("--fails n2,n3,n2 --json"));
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        const QJsonObject fails = run.json()[QStringLiteral("fails")].toObject();
        QCOMPARE(fails[QStringLiteral("nodes")].toArray(),
                 (QJsonArray{QStringLiteral("n2"), QStringLiteral("n3")}));
        QVERIFY(fails[QStringLiteral("unused")].toArray().isEmpty());
        QCOMPARE(
            fails[QStringLiteral("plan")].toObject(),
            QJsonDocument::fromJson(QByteArray::fromStdString(planEntry(*m_problem, *both, *left).dump()))
                .object());
        QCOMPARE(firstPlan(run), m_judged[QStringLiteral("plans")][0].toObject());
        QCOMPARE(fails[QStringLiteral("from_s")], firstPlan(run)[QStringLiteral("iteration_s")]);
        const QJsonArray changed = fails[QStringLiteral("changed")].toArray();
        QVERIFY(changed.contains(QJsonObject{{QStringLiteral("name"), QStringLiteral("stages")},
                                             {QStringLiteral("from"), QStringLiteral("2")},
                                             {QStringLiteral("to"), QStringLiteral("1")}}));
        const QByteArray text = runCli(m_uniform + words("--fails n2,n3")).out;
        QVERIFY2(text.contains("the plan without n2, n3 takes ") && text.contains("25.7 GiB of 39.6 GiB"),
                 text);
    }

    void whatNoLongerFitsIsRefusedWithItsFigures() {
        const CliRun run = runCli(m_uniform + words("--fails n2 --json"));
        QCOMPARE(run.code, 3);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("plan.infeasible"));
        QCOMPARE(run.error()[QStringLiteral("reasons")].toArray().size(), 1);
        const QJsonValue left = run.json()[QStringLiteral("fails")][QStringLiteral("plan")];
        QVERIFY(!left[QStringLiteral("feasible")].toBool(true) &&
                left[QStringLiteral("iteration_s")].toDouble() >
                    firstPlan(run)[QStringLiteral("iteration_s")].toDouble());
        QVERIFY(firstPlan(run)[QStringLiteral("feasible")].toBool());
    }

    void unknownNodesAreBadInput() {
        for (const char* nodes : {"n9", "n2,n9", "n1.g0", "n2,,n3"}) {
            const CliRun run =
                runCli(m_uniform + words("--json --fails") + QStringList{QLatin1String(nodes)});
            QCOMPARE(run.code, 2);
            QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("usage"));
            QCOMPARE(run.error()[QStringLiteral("where")].toString(), QStringLiteral("--fails"));
        }
    }

    void aNodeOutsideThePlanChangesNothing() {
        const QStringList plan = words("evaluate --json --plan") + QStringList{planWithout("n3")};
        const CliRun run = runCli(plan + words("--fails n3"));
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        QJsonObject document = run.json();
        QCOMPARE(document.take(QStringLiteral("fails")).toObject(),
                 (QJsonObject{{QStringLiteral("nodes"), QJsonArray()},
                              {QStringLiteral("unused"), QJsonArray{QStringLiteral("n3")}}}));
        QCOMPARE(document, runCli(plan).json());
    }

    void ofAPlanOnOneNodeNothingIsLeft() {
        const QString file = planWithout("n2,n3");
        const CliRun run = runCli(words("evaluate --json --fails n3,n1 --plan") + QStringList{file});
        QCOMPARE(run.code, 3);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("whatif.refused"));
        QCOMPARE(run.error()[QStringLiteral("where")].toString(), QStringLiteral("--fails"));
        QVERIFY2(
            run.error()[QStringLiteral("message")].toString().contains(QLatin1String("no device is left")),
            run.out.left(500));
        QVERIFY(!run.json()[QStringLiteral("fails")].toObject().contains(QStringLiteral("plan")));
        QVERIFY(firstPlan(run)[QStringLiteral("feasible")].toBool());
    }

    // Half of a stage whose replica is both nodes cannot stay; all of it can go.
    void nodesThatAreOneReplicaGoTogether() {
        Plan plan = m_plan;
        Stage& stage = plan.pipelines.front().stages.back();
        Replica all{{}, 1.0};
        for (const Replica& replica : stage.replicas)
            all.devices.insert(all.devices.end(), replica.devices.begin(), replica.devices.end());
        QCOMPARE(all.devices.size(), std::size_t(8));
        stage.replicas = {all};
        stage.tp = 1;
        stage.cp = 8;
        const auto judged = evaluate(*m_problem, plan);
        QVERIFY2(judged, judged ? "" : judged.error().text().c_str());
        QVERIFY(!whatif::dropNode(*m_problem, plan, 1) && !whatif::dropNode(*m_problem, plan, 2));
        SearchOutcome outcome;
        outcome.plans = {FoundPlan{plan, *judged}};
        const QString file =
            m_files.write("joined.json", QByteArray::fromStdString(planDocument(*m_problem, outcome).dump()));
        const CliRun half = runCli(words("evaluate --json --fails n2 --plan") + QStringList{file});
        QCOMPARE(half.code, 3);
        QVERIFY(!half.json()[QStringLiteral("fails")].toObject().contains(QStringLiteral("plan")));
        QVERIFY2(half.out.contains("without n2: stage 1: "), half.out.left(2000));
        const CliRun whole = runCli(words("evaluate --json --fails n2,n3 --plan") + QStringList{file});
        QVERIFY2(whole.json()[QStringLiteral("fails")].toObject().contains(QStringLiteral("plan")),
                 whole.err + whole.out.left(2000));
    }

private:
    // A plan on what is left of the small cluster.
    QString planWithout(const char* nodes) {
        QString file = m_files.path("few.json");
        const CliRun run = runCli(words("plan --work 20000 --top 1 --forbid") +
                                  QStringList{QLatin1String(nodes), QStringLiteral("--out"), file} +
                                  problemFlags("models/gpt3-1.3b.json"));
        if (run.code != 0)
            qFatal("%s", run.err.constData());
        return file;
    }

    CliFiles m_files;
    QStringList m_uniform;
    QJsonObject m_judged;
    std::shared_ptr<const Problem> m_problem;
    Plan m_plan;
};

QTEST_GUILESS_MAIN(CliEvaluateTest)
#include "cli_evaluate_test.moc"
