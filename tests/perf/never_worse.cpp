// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/answers/ask.h"
#include "core/answers/target_question.h"
#include "core/answers/target_search.h"
#include "core/search/planners.h"
#include "tests/search/drawn_clusters.h"
#include "tests/search/sample_problems.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

// "Never worse than any other planner, nor with one axis more": the default planner against every other one
// and against itself with further axes, on drawn problems of 4 to 512 GPUs, for any trainer or for one of
// three.
//
//   never_worse [--count N] [--seed S] [--only I] [--target FORMAT|any] [--threads N]
//               [--slow SECONDS]
//
// A seed of 0, the default, draws one, which is printed. For each problem the trainer is drawn, too, unless
// it is given; with one the model is a published one of about the drawn size, since trainers refuse most
// others before anything is searched. Ends with 1 where the default lost or none has a plan.

namespace {

using namespace pw;

constexpr std::size_t kFewestGpus = 4, kMostGpus = 512;
constexpr const char* kTargets[] = {"any", "megatron", "torchtitan", "hexiscale"};

struct Arguments {
    int count = 200, only = -1, threads = 0;
    std::uint64_t seed = 0;
    double slow = 0.0;  // searches that take more seconds are named; 0: none
    std::string target; // "": drawn
};

struct Asked {
    std::string words;
    SearchOptions options;
    bool isAxis = false; // compared with what has none, else with the other planner
};

std::vector<Asked> everythingElse() {
    std::vector<Asked> asked;
    for (const PlannerRow& planner : plannerTable())
        if (const std::string name = planner.name; name != "pipewright" && name != "exhaustive") {
            asked.push_back({"--planner " + name, {}, false});
            asked.back().options.planner = name;
        }
    const auto axis = [&](const char* words, auto set) {
        asked.push_back({words, {}, true});
        set(asked.back().options);
    };
    axis("--all-schedules", [](SearchOptions& o) { o.wider.schedules = true; });
    axis("--mixed-stages", [](SearchOptions& o) { o.wider.mixedStages = true; });
    axis("--pipelines 3", [](SearchOptions& o) { o.wider.pipelines = 3; });
    axis("--all-schedules --mixed-stages --pipelines 3", [](SearchOptions& o) {
        o.wider.schedules = o.wider.mixedStages = true;
        o.wider.pipelines = 3;
    });
    axis("--fine-cuts", [](SearchOptions& o) { o.fineCuts = true; });
    axis("--partitions", [](SearchOptions& o) { o.partitions = true; });
    return asked;
}

struct Best {
    double time = kNever; // s; kNever: no plan, or refused
    std::string refused;  // why nothing was searched; empty: it was
};

Best bestOf(const std::shared_ptr<const Problem>& problem, SearchOptions options, const ExporterRow* target,
            int threads) {
    Question question;
    question.options = std::move(options);
    question.options.threads = threads;
    question.options.top = 1;
    question.target = target;
    QuestionObserver nobody;
    const Result<Answer> answer = ask(problem, question, nobody, {});
    if (!answer)
        return {kNever, answer.error().text()};
    const std::vector<FoundPlan>& plans = answer->found().plans;
    return {plans.empty() ? kNever : plans.front().evaluation.iteration.value, {}};
}

// The largest published model that the trainer runs and that is no larger than the drawn one, or the
// smallest.
void takeKnownModel(test::DrawnProblem& drawn, const ExporterRow& target) {
    const std::shared_ptr<const Problem> as = drawn.problem;
    std::string named;
    for (const char* name : {"llama2-7b", "llama3-8b", "llama3-70b", "llama3-405b"}) {
        Model model = test::sampleModel(name);
        const bool larger = parameterCount(model) > parameterCount(as->model());
        auto problem = test::problemOf(drawn.cluster, model, as->recipe().gbs, as->recipe().seq);
        if ((larger && !named.empty()) || neverRuns(*questionFor(problem, target).problem, target))
            continue;
        drawn.problem = std::move(problem);
        named = name;
    }
    drawn.text += named.empty() ? "" : ", with " + named;
}

Arguments read(int argc, char** argv) {
    Arguments a;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        if (word == "--count")
            a.count = std::atoi(value);
        else if (word == "--seed")
            a.seed = std::strtoull(value, nullptr, 10);
        else if (word == "--only")
            a.only = std::atoi(value);
        else if (word == "--slow")
            a.slow = std::atof(value);
        else if (word == "--threads")
            a.threads = std::atoi(value);
        else if (word == "--target" && (exporterRow(value) || std::string(value) == "any"))
            a.target = value;
        else {
            std::fprintf(stderr, "never_worse: %s %s is no argument\n", word.c_str(), value);
            std::exit(2);
        }
        ++i;
    }
    if (a.seed == 0)
        a.seed = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    return a;
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const Arguments arguments = read(argc, argv);
    std::printf("seed %llu\n", static_cast<unsigned long long>(arguments.seed));
    const std::vector<Asked> others = everythingElse();
    int compared = 0, lost = 0, without = 0;
    for (int i = 0; i < arguments.count; ++i) {
        if (arguments.only >= 0 && i != arguments.only)
            continue;
        Random random(arguments.seed + 1000003ULL * static_cast<std::uint64_t>(i));
        test::DrawnProblem drawn = test::drawProblem(random);
        const auto size = [&] { return drawn.problem ? drawn.problem->topology().devices().size() : 0; };
        while (size() < kFewestGpus || size() > kMostGpus)
            drawn = test::drawProblem(random);
        const std::string name = arguments.target.empty() ? kTargets[random.below(4)] : arguments.target;
        const ExporterRow* const target = name == "any" ? nullptr : exporterRow(name);
        if (target)
            takeKnownModel(drawn, *target);
        auto begun = std::chrono::steady_clock::now();
        const auto seconds = [&] {
            const auto before = std::exchange(begun, std::chrono::steady_clock::now());
            return std::chrono::duration<double>(begun - before).count();
        };
        const Best first = bestOf(drawn.problem, {}, target, arguments.threads);
        const double own = first.time;
        std::printf("%3d %s for %s: %.4f s, found in %.1f s\n", i, drawn.text.c_str(), name.c_str(), own,
                    seconds());
        if (!first.refused.empty())
            std::printf("    refused: %s\n", first.refused.c_str());
        without += own == kNever ? 1 : 0;
        for (const Asked& asked : others) {
            const double time = bestOf(drawn.problem, asked.options, target, arguments.threads).time;
            if (const double took = seconds(); arguments.slow > 0.0 && took > arguments.slow)
                std::printf("    %s took %.0f s\n", asked.words.c_str(), took);
            ++compared;
            const double least = asked.isAxis ? time : own, most = asked.isAxis ? own : time;
            if (least <= most * (1.0 + 1e-9))
                continue;
            ++lost;
            std::printf("    ! %s: %.4f s, %s %.4f s\n", asked.words.c_str(), time,
                        asked.isAxis ? "worse than without:" : "the default:", own);
        }
    }
    std::printf("%d comparisons, %d lost, %d problems without a plan\n", compared, lost, without);
    return lost > 0 || (compared > 0 && without * static_cast<int>(others.size()) == compared) ? 1 : 0;
}
