// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/trainers/megatron_arguments.h"

#include <algorithm>

namespace pw {

namespace {

constexpr std::size_t kMostItems = 100'000; // of an expanded layout

// Commas go, (...)*N and X*N are written out; nothing if that is more than is read or a bracket is open.
std::optional<std::string> expanded(std::string_view layout) {
    std::string plain, grouped;
    for (const char c : layout)
        if (c != ',')
            plain += c;
    const auto times = [&](const std::string& text, std::size_t& at) -> std::optional<std::int64_t> {
        if (at >= text.size() || text[at] != '*')
            return 1;
        const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
        const std::optional<std::int64_t> n =
            integerNumber(std::string_view(text).substr(at + 1, end - at - 1));
        at = end;
        return n && *n <= static_cast<std::int64_t>(kMostItems) ? n : std::nullopt;
    };
    const auto repeat = [](std::string& out, std::string_view what, std::int64_t n) {
        for (std::int64_t k = 0; k < n && out.size() <= kMostItems; ++k)
            out += what;
        return out.size() <= kMostItems;
    };
    for (std::size_t at = 0; at < plain.size();) {
        const std::size_t close = plain[at] == '(' ? plain.find(')', at) : at;
        if (close == std::string::npos)
            return std::nullopt;
        const std::string inner =
            plain[at] == '(' ? plain.substr(at + 1, close - at - 1) : plain.substr(at, 1);
        const bool isGroup = plain[at] == '(';
        at = close + 1;
        // Numbers behind a single character belong to it when groups are gone.
        const std::optional<std::int64_t> n = isGroup ? times(plain, at) : 1;
        if (!n || !repeat(grouped, inner, *n))
            return std::nullopt;
    }
    std::string flat;
    for (std::size_t at = 0; at < grouped.size();) {
        const char c = grouped[at++];
        const std::optional<std::int64_t> n = times(grouped, at);
        if (!n || !repeat(flat, std::string_view(&c, 1), *n))
            return std::nullopt;
    }
    return flat;
}

int wholeInt(std::int64_t n) {
    return static_cast<int>(std::min<std::int64_t>(n, 1'000'000));
}

// Blocks of the stages without a layout: even but for what the first and the last are given.
std::vector<int> evenSplit(MegatronArguments& a, std::int64_t blocks, int pp) {
    const auto fault = [&](const char* flag, Wording wording) {
        a.faults().add("megatron.split", a.where(flag), std::move(wording));
        return std::vector<int>{};
    };
    std::vector<int> stages(static_cast<std::size_t>(pp), 0);
    const bool embedding = a.has("account-for-embedding-in-pipeline-split"),
               loss = a.has("account-for-loss-in-pipeline-split");
    const std::int64_t first = a.count("decoder-first-pipeline-num-layers", 1, blocks, 0),
                       last = a.count("decoder-last-pipeline-num-layers", 1, blocks, 0);
    if (first > 0 || last > 0) {
        if (embedding || loss)
            return fault(embedding ? "account-for-embedding-in-pipeline-split"
                                   : "account-for-loss-in-pipeline-split",
                         "goes with no --decoder-first or --decoder-last-pipeline-num-layers");
        const int named = (first > 0 ? 1 : 0) + (last > 0 ? 1 : 0);
        const std::int64_t rest = blocks - first - last, others = pp - named;
        if (pp < named || rest < 0 || (rest == 0) != (others == 0) || (others > 0 && rest % others != 0))
            return fault(first > 0 ? "decoder-first-pipeline-num-layers" : "decoder-last-pipeline-num-layers",
                         {"leaves {rest} layers for {others} stages, which they must share evenly",
                          {{"rest", rest}, {"others", others}}});
        for (int s = 0; s < pp; ++s)
            stages[static_cast<std::size_t>(s)] = wholeInt(s == 0 && first > 0       ? first
                                                           : s == pp - 1 && last > 0 ? last
                                                           : others > 0              ? rest / others
                                                                                     : 0);
        return stages;
    }
    const std::int64_t counted = blocks + (embedding ? 1 : 0) + (loss ? 1 : 0);
    if (counted % pp != 0)
        return fault("pipeline-model-parallel-size",
                     {"{counted} layers do not divide by {pp} stages", {{"counted", counted}, {"pp", pp}}});
    for (int& n : stages)
        n = wholeInt(counted / pp);
    stages.front() -= embedding ? 1 : 0;
    stages.back() -= loss ? 1 : 0;
    return stages;
}

int virtualStages(MegatronArguments& a, const std::vector<int>& stages) {
    const int each = stages.empty() ? 1 : *std::max_element(stages.begin(), stages.end());
    int chunks = wholeInt(a.count("num-virtual-stages-per-pipeline-rank", 1, 10'000, 1));
    if (a.has("num-layers-per-virtual-pipeline-stage")) {
        const int layers = wholeInt(a.count("num-layers-per-virtual-pipeline-stage", 1, 10'000, 1));
        if (each % layers != 0)
            a.faults().add("megatron.split", a.where("num-layers-per-virtual-pipeline-stage"),
                           {"{layers} layers a virtual stage do not divide the {each} of a stage",
                            {{"layers", layers}, {"each", each}}});
        else
            chunks = each / layers;
    }
    for (const int n : stages)
        if (n % chunks != 0) {
            a.faults().add("megatron.split", a.where("num-virtual-stages-per-pipeline-rank"),
                           {"{chunks} virtual stages do not divide the {number} layers of a stage",
                            {{"chunks", chunks}, {"number", n}}});
            return 1;
        }
    return chunks;
}

// The segments of all virtual stages, those of the first chunk first.
std::vector<LayerRange> segmentsOf(MegatronArguments& a, const Model& model, int pp) {
    if (a.has("pipeline-model-parallel-layout")) {
        for (const char* other :
             {"decoder-first-pipeline-num-layers", "decoder-last-pipeline-num-layers",
              "account-for-embedding-in-pipeline-split", "account-for-loss-in-pipeline-split",
              "num-layers-per-virtual-pipeline-stage", "num-virtual-stages-per-pipeline-rank"})
            if (a.has(other))
                a.faults().add(
                    "megatron.layout", a.where(other),
                    {"--{other} goes with no --pipeline-model-parallel-layout", {{"other", other}}});
        return layoutSegments(a.word("pipeline-model-parallel-layout", ""), model.blocks,
                              a.where("pipeline-model-parallel-layout"), a.faults());
    }
    const std::vector<int> stages = evenSplit(a, model.blocks, pp);
    const int chunks = virtualStages(a, stages);
    std::vector<LayerRange> segments;
    int first = 0;
    for (int c = 0; c < chunks; ++c)
        for (const int n : stages) {
            segments.push_back(layersOfBlocks(first, first + n / chunks, wholeInt(model.blocks)));
            first += n / chunks;
        }
    return segments;
}

int blocksIn(const LayerRange& range, int fineLayers) {
    return (std::min(range.last, fineLayers - 2) - std::max(range.first, 1) + 1) / 2;
}

void readRecompute(MegatronArguments& a, const Model& model, TrainerPipeline& pipeline) {
    const std::string granularity = a.word("recompute-granularity", "");
    if (granularity.empty())
        return;
    const std::optional<Recompute> mode = recomputeFromName(granularity);
    const std::string method = a.word("recompute-method", "");
    if (!mode || *mode == Recompute::None) {
        a.faults().add("megatron.recompute", a.where("recompute-granularity"),
                       {"is \"{granularity}\"; expected full or selective", {{"granularity", granularity}}});
        return;
    }
    if (*mode == Recompute::Full &&
        ((method != "block" && method != "uniform") || !a.has("recompute-num-layers")))
        a.faults().add("megatron.recompute", a.where("recompute-granularity"),
                       "full needs --recompute-method block or uniform, and --recompute-num-layers");
    if (*mode == Recompute::Selective && (a.has("recompute-method") || a.has("recompute-num-layers")))
        a.faults().add("megatron.recompute", a.where("recompute-granularity"),
                       "selective takes neither --recompute-method nor --recompute-num-layers");
    const int layers = wholeInt(a.count("recompute-num-layers", 1, ModelLimits::blocks, 1));
    for (TrainerStage& stage : pipeline.stages) {
        stage.recompute = *mode;
        if (method != "block")
            continue;
        int most = 0;
        for (const LayerRange& chunk : stage.chunks)
            most = std::max(most, blocksIn(chunk, fineLayerCount(model)));
        if (layers >= most)
            continue;
        if (stage.chunks.size() > 1) {
            a.faults().add("megatron.recompute", a.where("recompute-method"),
                           "block with fewer layers than a virtual stage has is not read");
            return;
        }
        stage.recomputeLayers = layers;
    }
}

} // namespace

std::vector<LayerRange> layoutSegments(std::string_view layout, std::int64_t blocks, const std::string& where,
                                       TextFaults& faults) {
    const auto fault = [&](Wording wording) {
        faults.add("megatron.layout", where, std::move(wording));
        return std::vector<LayerRange>{};
    };
    const std::optional<std::string> flat = expanded(layout);
    if (!flat)
        return fault("the layout has an open bracket, or comes to more than is read");
    std::vector<LayerRange> segments;
    int layer = 0; // the next fine one
    std::int64_t decoder = 0, predicting = 0;
    for (const std::string_view part : partsOf(*flat, '|')) {
        const int first = layer;
        for (const char c : part) {
            const bool last = c == 'L';
            if (c == 'm') {
                ++predicting;
                continue;
            }
            if (c != 'E' && c != 't' && c != 'L')
                return fault(
                    {"'{character}' is no layer; E, t, m and L are", {{"character", std::string(1, c)}}});
            if ((c == 'E') != (layer == 0) || (last && decoder != blocks))
                return fault({"one E comes first and one L last, behind {blocks} t; {decoder} t were counted",
                              {{"blocks", blocks}, {"decoder", decoder}}});
            if (layer > 2 * blocks + 1 || (c == 't' && ++decoder > blocks))
                return fault({"has more than the {blocks} layers of --num-layers", {{"blocks", blocks}}});
            layer += c == 't' ? 2 : 1;
        }
        if (layer == first)
            return fault("has an empty stage");
        segments.push_back({first, layer - 1});
    }
    if (layer != 2 * blocks + 2)
        return fault(
            {"{decoder} decoder layers must be the {blocks} of --num-layers, between one E and one L",
             {{"decoder", decoder}, {"blocks", blocks}}});
    if (predicting > 0 && !flat->ends_with(std::string(static_cast<std::size_t>(predicting), 'm') + "L"))
        return fault("the m stand together in the last stage, in front of L");
    return segments;
}

void megatronRecipe(MegatronArguments& a, TrainerPlan& plan) {
    if (a.has("global-batch-size"))
        plan.gbs = a.count("global-batch-size", 1, RecipeLimits::batch, 1);
    if (a.has("seq-length"))
        plan.seq = a.count("seq-length", 1, RecipeLimits::sequence, 1);
    plan.precision = a.has("fp8-format") ? Precision::Fp8
                     : a.has("bf16")     ? Precision::Bf16
                     : a.has("fp16")     ? Precision::Fp16
                                         : Precision::Fp32;
    if (a.word("optimizer", "adam") == "sgd")
        plan.optimizer = Optimizer::Sgd;
    plan.sequenceParallel = a.has("sequence-parallel");
    plan.zero = a.has("use-distributed-optimizer") ? 1 : 0;
}

void megatronPlan(MegatronArguments& a, const Model& model, TrainerPlan& plan) {
    plan.trainer = "megatron";
    megatronRecipe(a, plan);
    const int tp = wholeInt(a.count("tensor-model-parallel-size", 1, 1024, 1));
    const int pp = wholeInt(a.count("pipeline-model-parallel-size", 1, 10'000, 1));
    const int cp = wholeInt(a.count("context-parallel-size", 1, 1024, 1));
    const int ep = wholeInt(a.count("expert-model-parallel-size", 1, 1024, 1));
    plan.replicasOutside = a.has("use-tp-pp-dp-mapping");
    const std::int64_t divisor = megatronVocabularyMultiple(a);
    plan.paddedVocab = (model.vocab + divisor - 1) / divisor * divisor;
    if (!a.faults().empty())
        return;
    const std::vector<LayerRange> segments = segmentsOf(a, model, pp);
    if (!a.faults().empty())
        return;
    if (segments.size() % static_cast<std::size_t>(pp) != 0) {
        a.faults().add("megatron.layout", a.where("pipeline-model-parallel-layout"),
                       {"{segments} segments must be divisible by {pp} stages",
                        {{"segments", segments.size()}, {"pp", pp}}});
        return;
    }
    TrainerPipeline pipeline;
    pipeline.microbatchSize = a.count("micro-batch-size", 1, RecipeLimits::batch, 1);
    pipeline.chunks = static_cast<int>(segments.size()) / pp;
    pipeline.schedule = pipeline.chunks > 1 ? ScheduleKind::Interleaved : ScheduleKind::OneFOneB;
    for (int s = 0; s < pp; ++s) {
        TrainerStage stage;
        stage.tp = tp;
        stage.cp = cp;
        stage.ep = ep;
        for (std::size_t i = static_cast<std::size_t>(s); i < segments.size();
             i += static_cast<std::size_t>(pp))
            stage.chunks.push_back(segments[i]);
        pipeline.stages.push_back(std::move(stage));
    }
    readRecompute(a, model, pipeline);
    plan.pipelines.push_back(std::move(pipeline));
}

} // namespace pw
