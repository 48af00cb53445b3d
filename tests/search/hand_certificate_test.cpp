// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/evaluate/evaluation.h"
#include "core/project/project.h"
#include "core/search/planners.h"
#include "core/search/proof/certificate.h"

#include <QRegularExpression>
#include <QTest>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pw;

namespace {

std::string textOf(const std::string& path) {
    const Result<std::string> text = readFile(std::string(PW_SOURCE_DIR) + "/" + path);
    return text ? *text : std::string();
}

// The same but for the last digits of numbers, which may differ from one compiler to another.
bool alike(const Json& a, const Json& b) {
    if (a.is_number() && b.is_number())
        return std::abs(a.get<double>() - b.get<double>()) <= 1e-9 * std::max(1.0, std::abs(b.get<double>()));
    if (a.is_structured() && b.is_structured() && a.size() == b.size() && a.is_array() == b.is_array())
        return std::equal(a.begin(), a.end(), b.begin(), alike) &&
               (a.is_array() || std::equal(a.items().begin(), a.items().end(), b.items().begin(),
                                           [](const auto& x, const auto& y) { return x.key() == y.key(); }));
    return a == b;
}

// Seconds of one kind of stage as "A certificate by hand" has them: all blocks are alike, so that the stages
// of a few plans tell all others.
struct StageKind {
    int gpus = 1;           // of the class
    std::size_t cls = 0;    // in the certificate's order
    std::int64_t size = 1;  // of a micro-batch
    double block = 0.0;     // forward + backward
    double embedding = 0.0; // beside
    double head = 0.0;      // beside
    double blockTail = 0.0; // gradient sum and optimiser step
    double embeddingTail = 0.0, headTail = 0.0;

    double time(int blocks, bool first, bool last) const {
        return blocks * block + (first ? embedding : 0.0) + (last ? head : 0.0);
    }
    double tail(int blocks, bool first, bool last) const {
        return blocks * blockTail + (first ? embeddingTail : 0.0) + (last ? headTail : 0.0);
    }
    // Blocks that such a stage ends by the deadline; 0: none.
    int most(double deadline, std::int64_t microbatches, bool first, bool last, int blocks) const {
        int k = 0;
        while (k < blocks &&
               static_cast<double>(microbatches) * time(k + 1, first, last) + tail(k + 1, first, last) <=
                   deadline)
            ++k;
        return k;
    }
};

} // namespace

// The worked example of resources/manual/proofs.md: what the page says of the program is what it does, and
// the arithmetic that it walks through comes out.
class HandCertificateTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const Problem> m_problem;
    SearchOutcome m_outcome;
    std::string m_page;

    // A stage of `blocks` at the front or at the end of two, on these GPUs; the other GPU takes the rest.
    StageFigures figuresOf(std::vector<DeviceIndex> gpus, DeviceIndex other, int blocks, bool first) const {
        Pipeline pipeline;
        const auto replicas = static_cast<std::int64_t>(gpus.size());
        pipeline.microbatchSize = replicas;
        pipeline.microbatches = m_problem->recipe().gbs / replicas;
        Stage own, rest;
        for (const DeviceIndex d : gpus)
            own.replicas.push_back({{d}, 1.0 / static_cast<double>(replicas)});
        own.zero = replicas > 1 ? 1 : 0;
        rest.replicas.push_back({{other}, 1.0});
        own.chunks = {first ? layersOfBlocks(0, blocks, 4) : layersOfBlocks(4 - blocks, 4, 4)};
        rest.chunks = {first ? layersOfBlocks(blocks, 4, 4) : layersOfBlocks(0, 4 - blocks, 4)};
        pipeline.stages = first ? std::vector{own, rest} : std::vector{rest, own};
        const Result<Evaluation> judged = evaluate(*m_problem, Plan{{pipeline}});
        if (!judged)
            qFatal("%s", judged.error().text().c_str());
        return judged->pipelines.front().stages[first ? 0 : 1];
    }

    StageKind kindOf(std::vector<DeviceIndex> gpus, std::size_t cls, DeviceIndex other) const {
        const StageFigures one = figuresOf(gpus, other, 1, true), two = figuresOf(gpus, other, 2, true),
                           last = figuresOf(gpus, other, 1, false);
        const auto time = [](const StageFigures& f) { return (f.forward + f.backward).value; };
        const auto tail = [](const StageFigures& f) { return (f.sync + f.optimizer).value; };
        StageKind kind{static_cast<int>(gpus.size()), cls, static_cast<std::int64_t>(gpus.size())};
        kind.block = time(two) - time(one);
        kind.embedding = time(one) - kind.block;
        kind.head = time(last) - kind.block;
        kind.blockTail = tail(two) - tail(one);
        kind.embeddingTail = tail(one) - kind.blockTail;
        kind.headTail = tail(last) - kind.blockTail;
        return kind;
    }

    std::vector<StageKind> kinds() const {
        return {kindOf({0}, 0, 2), kindOf({2}, 1, 0), kindOf({0, 1}, 0, 2)};
    }

    // Step 4: the blocks that the stages hold at most, at the proof's prices.
    static double rightSide(const Json& proof, const Json& classes, const std::vector<StageKind>& kinds,
                            double deadline, std::int64_t gbs) {
        const auto size = proof["microbatch_size"].get<std::int64_t>();
        const int stages = proof["stages"].get<int>();
        double held = 0.0;
        for (std::size_t c = 0; c < classes.size(); ++c)
            held += proof["prices"][c].get<double>() * classes[c]["gpus"].get<double>();
        for (int place = 0; place < stages; ++place) {
            double best = -std::numeric_limits<double>::infinity();
            for (const StageKind& kind : kinds) {
                const int most = kind.size == size
                                     ? kind.most(deadline, gbs / size, place + 1 == stages, place == 0, 4)
                                     : 0;
                if (most > 0)
                    best = std::max(best, most - proof["prices"][kind.cls].get<double>() * kind.gpus);
            }
            held += best;
        }
        return held;
    }

private Q_SLOTS:
    void initTestCase() {
        const Result<Project> project =
            readProject(textOf("samples/proofs/three-stages.pwx"), "three-stages.pwx");
        QVERIFY(project);
        const auto problem = problemOf(*project);
        QVERIFY(problem);
        m_problem = *problem;
        SearchOptions options;
        options.planner = "haap";
        SearchObserver nobody;
        const Result<SearchOutcome> found = search(m_problem, options, nobody, {});
        QVERIFY(found && found->bound.certificate);
        m_outcome = *found;
        m_page = textOf("resources/manual/proofs.md");
        QVERIFY(!m_page.empty());
    }

    void pageHasTheCertificate() {
        static const QRegularExpression block(QStringLiteral("```json\n(.*?)```"),
                                              QRegularExpression::DotMatchesEverythingOption);
        const auto match = block.match(QString::fromStdString(m_page));
        QVERIFY(match.hasMatch());
        const Result<Json> quoted = parseJson(match.captured(1).toStdString(), "proofs.md");
        QVERIFY(quoted);
        const std::string now = m_outcome.bound.certificate->dump(2);
        QVERIFY2(alike(*quoted, *m_outcome.bound.certificate), now.c_str());
        QCOMPARE(m_outcome.status, SearchStatus::Optimal);
        QVERIFY(provesBound(*m_problem, *m_outcome.bound.certificate, m_outcome.bound.value));
    }

    void pageHasTheTimes() {
        const std::vector<StageKind> all = kinds();
        for (const StageKind& kind : all)
            for (const double seconds : {kind.block, kind.embedding, kind.head}) {
                const std::string text = fmt::format("{:.3f}", 1e3 * seconds);
                QVERIFY2(m_page.find(text) != std::string::npos, text.c_str());
            }
        const StageKind& a10 = all.front();
        const std::string least =
            fmt::format("= {:.5f}", 1e3 * (64 * a10.time(1, true, false) + a10.tail(1, true, false)));
        QVERIFY2(m_page.find(least) != std::string::npos, least.c_str());
    }

    void everyProofComesOut() {
        const Json& certificate = *m_outcome.bound.certificate;
        const std::vector<StageKind> all = kinds();
        const double deadline = certificate["deadline_s"].get<double>();
        const std::int64_t gbs = m_problem->recipe().gbs;
        QCOMPARE(certificate["proofs"].size(), std::size_t{6});
        for (const Json& proof : certificate["proofs"]) {
            QCOMPARE(proof["fill"].get<double>(), 0.0);
            const double held = rightSide(proof, certificate["classes"], all, deadline, gbs);
            QVERIFY2(held < 4.0, fmt::format("{}: {}", proof.dump(), held).c_str());
        }
        // A little later an A10 can be the first stage, and three stages hold the model.
        const double later = deadline * (1.0 + 3e-9);
        QVERIFY(rightSide(certificate["proofs"][2], certificate["classes"], all, later, gbs) >= 4.0);
    }

    void changedPriceProvesNothing() {
        Json certificate = *m_outcome.bound.certificate;
        certificate["proofs"][2]["prices"][1] = 0.9;
        QVERIFY(rightSide(certificate["proofs"][2], certificate["classes"], kinds(),
                          certificate["deadline_s"].get<double>(), m_problem->recipe().gbs) > 4.0);
        QVERIFY(!provesBound(*m_problem, certificate, m_outcome.bound.value));
    }
};

QTEST_APPLESS_MAIN(HandCertificateTest)
#include "hand_certificate_test.moc"
