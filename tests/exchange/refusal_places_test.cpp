// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/trainer_samples.h"
#include "core/base/text.h"
#include "core/exchange/exports/export.h"
#include "tests/exchange/refused_plans.h"
#include "tests/test_data.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <set>

using namespace pw;

namespace {

struct PlacedSample {
    TargetPlan target; // its plan is the staged one
    std::shared_ptr<const Problem> problem;
};

// As many stages of the same size as given, on the first devices.
Plan evenPlan(const Problem& problem, int stages, int dp, int tp, int zero, bool sequence) {
    Plan plan;
    Pipeline& p = plan.pipelines.emplace_back();
    p.microbatchSize = 2 * dp;
    p.microbatches = problem.recipe().gbs / p.microbatchSize;
    const int blocks = static_cast<int>(problem.model().blocks);
    for (int i = 0; i < stages; ++i) {
        Stage& s = p.stages.emplace_back(
            blockStage(i * blocks / stages, (i + 1) * blocks / stages - 1, blocks, i * dp * tp, dp, tp));
        s.zero = zero;
        s.sequenceParallel = sequence && tp > 1;
        p.schedule.launch.push_back(stages - i);
    }
    return plan;
}

// What the page "Trainers of the samples" asks, with a plan made by hand in place of one of a search.
PlacedSample sampleOf(const TrainerSample& asked) {
    const auto problem = problemOf(asked, std::filesystem::path(PW_SOURCE_DIR) / "samples");
    if (!problem)
        qFatal("%s: %s", asked.name, problem.error().text().c_str());
    return {{(*problem)->model(), (*problem)->topology().cluster(), (*problem)->recipe(),
             evenPlan(**problem, 4, 2, 2, 0, true)},
            *problem};
}

// Trainers of others, which files are written for.
std::vector<const ExporterRow*> trainers() {
    std::vector<const ExporterRow*> rows;
    for (const ExporterRow& row : exporterTable())
        if (row.trainer && row.write != nullptr && std::string_view(row.format) != "runner")
            rows.push_back(&row);
    return rows;
}

struct Given {
    std::string trainer, code, message;
    auto operator<=>(const Given&) const = default;
};

// A line of refusal-places.txt.
struct Place {
    std::set<std::string> trainers;
    std::string code, part, where;
    bool of(const Given& given) const {
        return trainers.contains(given.trainer) && code == given.code &&
               given.message.find(part) != std::string::npos;
    }
};

std::vector<Place> places() {
    const auto text = readFile(test::testData("trainers/refusal-places.txt"));
    std::vector<Place> list;
    for (const TextLine& line : linesOf(text ? std::string_view(*text) : std::string_view())) {
        if (line.text.empty() || line.text.front() == '#')
            continue;
        const std::vector<std::string_view> parts = partsOf(line.text, '|');
        if (parts.size() != 4)
            qFatal("%s", std::string(line.text).c_str());
        const auto bare = [&](std::size_t i) { return std::string(trimmed(parts[i])); };
        Place place{{}, bare(1), bare(2), bare(3)};
        for (const std::string_view trainer : partsOf(parts[0], ','))
            place.trainers.emplace(trimmed(trainer));
        list.push_back(std::move(place));
    }
    return list;
}

void add(std::set<Given>& all, const ExporterRow& row, const std::vector<Refusal>& refusals) {
    for (const Refusal& refusal : refusals)
        all.insert({row.format, refusal.code, reasonOf(refusal).message});
}

// Refusals of every release.
std::set<Given> refusalsOfPlan(const ExporterRow& row, const Problem& problem, const Plan& plan) {
    std::set<Given> all;
    for (const CapabilityRow& feature : capabilityTable())
        add(all, row, refusalsOf(feature, row.capability, problem, plan));
    for (const ExportRelease& release : row.releases) {
        std::vector<Refusal> own;
        if (row.checkQuestion != nullptr)
            row.checkQuestion(problem, release.name, own);
        if (row.check != nullptr)
            row.check(problem, plan, release.name, own);
        add(all, row, own);
    }
    return all;
}

// All that the trainers say of the samples' plans and of what is made of them by refused_plans.h; of these
// only what the program itself could run.
std::set<Given> everyRefusal() {
    std::set<Given> all;
    for (const TrainerSample& asked : trainerSamples()) {
        const PlacedSample sample = sampleOf(asked);
        const auto visit = [&](Plan plan) {
            if (!checkPlan(*sample.problem, plan, "plan"))
                return;
            for (const ExporterRow* row : trainers())
                all.merge(refusalsOfPlan(*row, *sample.problem, plan));
        };
        for (const int zero : {0, 1, 2, 3})
            for (const bool sequence : {false, true})
                visit(evenPlan(*sample.problem, 4, 2, 2, zero, sequence));
        for (const auto& [name, edit] : edits()) {
            TargetPlan edited = sample.target;
            if (name.starts_with("E_PARTITION")) // no trainer known runs one
                continue;
            edit(edited);
            if (edited.model == sample.target.model && edited.cluster == sample.target.cluster)
                visit(edited.plan);
        }
    }
    return all;
}

} // namespace

// Every reason for which a trainer refuses a sample stands in that trainer's own code.
class RefusalPlacesTest : public QObject {
    Q_OBJECT

private:
    const std::vector<Place> m_places = places();
    const std::set<Given> m_given = everyRefusal();

private Q_SLOTS:
    void everyRefusalHasAPlace() {
        QVERIFY(m_given.size() > 100);
        std::string missing;
        for (const Given& given : m_given)
            if (std::ranges::none_of(m_places, [&](const Place& p) { return p.of(given); }))
                missing += given.trainer + " | " + given.code + " | " + given.message + "\n";
        QVERIFY2(missing.empty(), ("\n" + missing).c_str());
    }

    void everyPlaceIsOfARefusal() {
        for (const Place& place : m_places)
            for (const std::string& trainer : place.trainers)
                QVERIFY2(std::ranges::any_of(
                             m_given,
                             [&](const Given& given) { return given.trainer == trainer && place.of(given); }),
                         (trainer + " " + place.code + " " + place.part).c_str());
    }

    // A file of the trainer's with a line, and the manual's table has it too: maybe behind others of that
    // file.
    void placesAreLines() {
        static const QRegularExpression form(
            QStringLiteral("^(?:(\\d[\\w.]*) )?((?:\\w+/)*\\w+\\.(?:py|cu|cc)):(\\d+)$"));
        const auto manual = readFile(std::string(PW_SOURCE_DIR) + "/resources/manual/formats.md");
        QVERIFY(manual);
        for (const Place& place : m_places) {
            const auto parts = form.match(QString::fromStdString(place.where));
            QVERIFY2(parts.hasMatch(), place.where.c_str());
            const QString release = parts.captured(1);
            const QRegularExpression entry(
                QRegularExpression::escape((release.isEmpty() ? QString() : release + QLatin1Char(' ')) +
                                           QLatin1Char('`') + parts.captured(2)) +
                QStringLiteral(":(\\d+(, | to ))*") + parts.captured(3) + QStringLiteral("(, | to |`)"));
            QVERIFY2(entry.match(QString::fromStdString(*manual)).hasMatch(), place.where.c_str());
        }
    }

    // Nobody is written for in vain: each takes a plan of a sample as it is.
    void everyTrainerTakesASample() {
        for (const ExporterRow* row : trainers()) {
            std::string taken;
            for (const TrainerSample& asked : trainerSamples()) {
                const std::shared_ptr<const Problem> problem =
                    questionFor(sampleOf(asked).problem, *row).problem;
                for (const int stages : {1, 2, 4})
                    for (const int zero : {0, 2}) {
                        Plan plan = evenPlan(*problem, stages, 2, 2, zero,
                                             row->capability.sequenceParallelModes.back());
                        if (!row->capability.takes(ScheduleKind::OneFOneB))
                            plan.pipelines[0].schedule = {ScheduleKind::GPipe, LaunchRule::Artifact, 1, {}};
                        if (checkPlan(*problem, plan, "plan") && exportRefusals(*row, *problem, plan).empty())
                            taken = asked.name;
                    }
            }
            QVERIFY2(!taken.empty(), row->format);
        }
    }
};

QTEST_APPLESS_MAIN(RefusalPlacesTest)
#include "refusal_places_test.moc"
