// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "tests/cli/cli_run.h"
#include "tests/ui/answers/answers_fixture.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/session/search_demand.h"

#include <QJsonArray> // keep: what the document lists
#include <QTableWidget>
#include <QTemporaryDir>

#include <set>

using namespace pw;

namespace {

using Part = QuestionPart;

// A question as flags of the command line, and as a user of the window sets it.
QStringList flagsOf(const std::set<Part>& parts) {
    QStringList flags;
    if (parts.contains(Part::AllPlanners))
        flags += words("--planner all");
    if (parts.contains(Part::Target))
        flags += words("--target flagscale");
    if (parts.contains(Part::EveryTrainer))
        flags += words("--target all");
    if (parts.contains(Part::Required))
        flags += words("--require n3");
    if (parts.contains(Part::Deadline))
        flags += words("--deadline 1000");
    if (parts.contains(Part::Objective))
        flags += words("--objective memory");
    if (parts.contains(Part::Around))
        flags += words("--answers");
    return flags;
}

bool set(AnswersFixture& f, const std::set<Part>& parts) {
    if (parts.contains(Part::AllPlanners))
        f.tick("answers.allPlanners");
    if (parts.contains(Part::Required))
        f.type("answers.required", QStringLiteral("n3"));
    if (parts.contains(Part::Deadline))
        f.type("answers.deadline", QStringLiteral("1000"));
    if (parts.contains(Part::Around))
        f.tick("answers.also");
    if (parts.contains(Part::EveryTrainer))
        return f.choose("answers.target", QStringLiteral("all"));
    return !parts.contains(Part::Target) || f.choose("answers.target", QStringLiteral("flagscale"));
}

const char* buttonOf(const std::set<Part>& parts) {
    return parts.contains(Part::Judged)                                        ? "answers.judge"
           : parts.contains(Part::Deadline) && parts.contains(Part::Objective) ? "answers.inTime"
           : parts.contains(Part::Deadline)                                    ? "answers.fewest"
           : parts.contains(Part::Objective)                                   ? "answers.tradeOff"
                                                                               : "answers.fastest";
}

QString nameOf(const std::set<Part>& parts) {
    QStringList names;
    for (const Part part : parts)
        names += QLatin1String(rowOf(part).flag);
    return names.isEmpty() ? QStringLiteral("nothing else") : names.join(QStringLiteral(" with "));
}

// Seconds that a search took differ from run to run.
QString withoutWall(QString text) {
    return text.replace(QRegularExpression(QStringLiteral(" after [0-9.]+ (?:us|ms|s|min)")),
                        QStringLiteral(" after"));
}

} // namespace

// Whatever the command line can ask, the window can: with the same answer, and refused in the same cases for
// the same reason.
class QuestionPathsTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_project;

    QStringList planFlags(const std::set<Part>& parts) const {
        return words("plan --work 5000 --project") + QStringList{m_project} + flagsOf(parts);
    }

    // What stands in the view stands in the text, word by word.
    static void verifySaid(const AnswersFixture& f, const QString& said) {
        const auto* page = f.control<QWidget>("answers.sections");
        int seen = 0;
        for (const QLabel* label : page->findChildren<QLabel*>())
            for (const QString& line : label->text().split(u'\n', Qt::SkipEmptyParts)) {
                QVERIFY2(said.contains(withoutWall(line).trimmed(), Qt::CaseInsensitive),
                         qPrintable(line + QStringLiteral("\n\n") + said));
                ++seen;
            }
        const QStringList lines = said.split(u'\n');
        for (const QTableWidget* table : page->findChildren<QTableWidget*>())
            for (int row = 0; row < table->rowCount(); ++row, ++seen) {
                QStringList cells;
                // What is in no list of the command line's has a name in the window alone.
                const QString named = table->horizontalHeaderItem(0)->text() == QLatin1String("trainer")
                                          ? QStringLiteral("plan")
                                          : QString();
                for (int column = 0; column < table->columnCount(); ++column)
                    if (const QString heading = table->horizontalHeaderItem(column)->text();
                        heading != QLatin1String("search") && (named.isEmpty() || heading != named))
                        cells += table->item(row, column)->text();
                cells.removeAll(QString());
                const bool there = std::any_of(lines.begin(), lines.end(), [&](const QString& line) {
                    return std::all_of(cells.begin(), cells.end(),
                                       [&](const QString& cell) { return line.contains(cell); });
                });
                QVERIFY2(there, qPrintable(cells.join(u'|') + QStringLiteral("\n\n") + said));
            }
        QVERIFY(seen > 0);
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        m_project = m_folder.filePath(QStringLiteral("small.pwx"));
        QVERIFY(writeFileAtomically(s(m_project), printProject(smallProject())));
    }

    void theSameQuestionHasTheSameAnswer_data() {
        QTest::addColumn<int>("bits");
        const std::vector<std::set<Part>> questions = {{},
                                                       {Part::Target},
                                                       {Part::Required},
                                                       {Part::Target, Part::Required},
                                                       {Part::AllPlanners},
                                                       {Part::AllPlanners, Part::Target},
                                                       {Part::Deadline},
                                                       {Part::Deadline, Part::Target},
                                                       {Part::Deadline, Part::Around},
                                                       {Part::Objective},
                                                       {Part::Objective, Part::Target},
                                                       {Part::Objective, Part::Around},
                                                       {Part::Deadline, Part::Objective},
                                                       {Part::Around},
                                                       {Part::Around, Part::Target},
                                                       {Part::EveryTrainer}};
        for (const std::set<Part>& parts : questions) {
            int bits = 0;
            for (const Part part : parts)
                bits |= 1 << static_cast<int>(part);
            QTest::addRow("%s", qPrintable(nameOf(parts))) << bits;
        }
    }

    void theSameQuestionHasTheSameAnswer() {
        QFETCH(int, bits);
        std::set<Part> parts;
        for (const QuestionPartRow& row : questionPartTable())
            if ((bits >> static_cast<int>(row.part) & 1) != 0)
                parts.insert(row.part);
        const CliRun text = runCli(planFlags(parts));
        QVERIFY2(text.code == 0, text.err + text.out);
        AnswersFixture f;
        f.openSmallProject();
        QVERIFY(set(f, parts));
        QVERIFY(f.press(buttonOf(parts)));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
        verifySaid(f, withoutWall(QString::fromUtf8(text.out)));
        if (parts.contains(Part::Deadline) && !parts.contains(Part::Objective))
            return; // its plans are of fewer nodes
        const CliRun run = runCli(planFlags(parts) + words("--json"));
        std::vector<double> asked, shown;
        for (const char* list : {"plans", "differing"})
            for (const QJsonValue& plan : run.json()[QLatin1String(list)].toArray())
                asked.push_back(plan[QStringLiteral("iteration_s")].toDouble());
        for (const QJsonValue& entry : run.json()[QLatin1String("best_by_target")].toArray())
            if (const double own = entry[QStringLiteral("iteration_s")].toDouble();
                own > 0.0 && !entry.toObject().contains(QLatin1String("left_out")) && // of another question
                std::find(asked.begin(), asked.end(), own) == asked.end())
                asked.push_back(own); // in no list
        for (const Candidate& plan : f.candidates.all())
            shown.push_back(plan.evaluation.iteration.value);
        std::sort(asked.begin(), asked.end());
        std::sort(shown.begin(), shown.end());
        asked.erase(std::unique(asked.begin(), asked.end()), asked.end()); // one plan of two planners
        shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
        QCOMPARE(shown, asked);
    }

    void everyPairIsRefusedByBothOrNone_data() {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        for (const QuestionPartRow& a : questionPartTable())
            for (const QuestionPartRow& b : questionPartTable())
                if (a.part < b.part && !(a.part == Part::Target && b.part == Part::EveryTrainer))
                    QTest::addRow("%s with %s", a.flag, b.flag)
                        << static_cast<int>(a.part) << static_cast<int>(b.part);
    }

    void everyPairIsRefusedByBothOrNone() {
        QFETCH(int, first);
        QFETCH(int, second);
        const std::set<Part> parts = {static_cast<Part>(first), static_cast<Part>(second)};
        const auto clash = std::find_if(clashTable().begin(), clashTable().end(), [&](const Clash& c) {
            return parts.contains(c.part) && parts.contains(c.with);
        });
        const bool refused = clash != clashTable().end();
        const bool judged = parts.contains(Part::Judged);
        if (!judged) {
            const CliRun run = runCli(planFlags(parts) + words("--json"));
            QCOMPARE(run.code, refused ? 2 : 0);
            if (refused) {
                QCOMPARE(run.error()[QStringLiteral("where")].toString(),
                         QLatin1String(rowOf(clash->part).flag));
                QVERIFY(run.error()[QStringLiteral("message")].toString().endsWith(
                    QStringLiteral("is not combined with %1: %2")
                        .arg(QLatin1String(rowOf(clash->with).flag), QLatin1String(clash->why))));
            }
        } else if (refused) { // evaluate has no such flag
            const CliRun run = runCli(words("evaluate --json --verdict --plan x.json") + flagsOf(parts));
            QCOMPARE(run.code, 2);
            QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("usage"));
        }
        AnswersFixture f;
        f.openSmallProject();
        if (judged)
            QVERIFY(f.search(5'000));
        if (judged)
            f.selection.setPlan(f.candidates.all().front().id);
        QVERIFY(set(f, parts));
        // Deadline, objective and a plan to judge are asked with buttons, so that they cannot clash.
        if (refused && !(judged && (parts.contains(Part::Deadline) || parts.contains(Part::Objective)))) {
            QTest::mouseClick(f.button(buttonOf(parts)), Qt::LeftButton);
            QVERIFY(!f.view.isRunning());
            QCOMPARE(f.message(), q(clashError(*clash).message));
        } else if (!refused) {
            QVERIFY(f.press(buttonOf(parts)));
            QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
        }
    }

    void aPlanIsJudgedAlike_data() {
        QTest::addColumn<QString>("target");
        QTest::newRow("for any trainer") << QString();
        QTest::newRow("for one") << QStringLiteral("flagscale");
    }

    void aPlanIsJudgedAlike() {
        QFETCH(QString, target);
        const QString file = m_folder.filePath(QStringLiteral("plans.json"));
        const CliRun found = runCli(words("plan --work 5000 --project") +
                                    QStringList{m_project, QStringLiteral("--out"), file});
        QVERIFY2(found.code == 0, found.err);
        AnswersFixture f;
        f.openSmallProject();
        QVERIFY(f.search(5'000));
        // The last one of the file; the table has what was best on the way besides.
        const std::vector<FoundPlan>& plans = f.runner.outcome()->plans;
        const std::size_t last = plans.size();
        const auto shown = std::ranges::find_if(
            f.candidates.all(), [&](const Candidate& c) { return c.plan == plans.back().plan; });
        QVERIFY(shown != f.candidates.all().end());
        f.selection.setPlan(shown->id);
        QStringList flags = words("evaluate --json --verdict --plan") +
                            QStringList{QStringLiteral("%1:%2").arg(file).arg(last)};
        if (!target.isEmpty())
            flags += QStringList{QStringLiteral("--target"), target};
        const CliRun run = runCli(flags);
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        const QString verdict = run.json()[QStringLiteral("verdict")][QStringLiteral("text")].toString();
        QVERIFY(verdict.startsWith(QStringLiteral("This plan: ")));
        QVERIFY(f.choose("answers.target", target));
        QVERIFY(f.press("answers.judge"));
        QVERIFY2(f.texts().contains(verdict), qPrintable(verdict + QLatin1Char('\n') + f.texts()));
    }

    void aDeadlineOutOfReachIsRefusedByBoth() {
        const CliRun run =
            runCli(words("plan --json --work 5000 --deadline 1us --project") + QStringList{m_project});
        QCOMPARE(run.code, 3);
        AnswersFixture f;
        f.openSmallProject();
        f.type("answers.deadline", QStringLiteral("1us"));
        QVERIFY(f.press("answers.fewest"));
        QCOMPARE(f.message(), sentence(s(run.error()[QStringLiteral("message")].toString())));
    }
};

QTEST_MAIN(QuestionPathsTest)
#include "question_paths_test.moc"
