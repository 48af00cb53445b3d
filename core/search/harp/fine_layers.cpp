// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/harp/fine_layers.h"

#include "core/base/quantity.h"
#include "core/cost/cost.h"
#include "core/model/operators.h"

#include <algorithm>
#include <map>

namespace pw {
namespace {

constexpr double kAlike = 1.0 + 1e-4;

RankShape wholeSequence(const Problem& problem) {
    RankShape shape;
    shape.seq = static_cast<double>(problem.recipe().seq);
    shape.elementBytes = elementBytes(problem.precision());
    return shape;
}

double productFlops(const Operator& op) {
    return 2.0 * op.groups * op.m * op.n * op.k;
}

void appendHalf(const LayerOperators& half, double elementBytes, std::vector<BlockOperator>& list) {
    double made = 0.0; // by the operator before, beside the residual stream
    for (std::size_t i = 0; i < half.list.size(); ++i) {
        const Operator& op = half.list[i];
        BlockOperator entry;
        entry.name = op.name;
        entry.heavy = op.kind != OperatorKind::Memory;
        entry.flops = op.kind == OperatorKind::Product ? productFlops(op) : op.flops;
        double read = made;
        if (op.kind == OperatorKind::Product && i > 0 && half.list[i - 1].kind != OperatorKind::Product)
            read = op.groups * op.m * op.k * elementBytes;
        entry.inputBytes = half.boundary + (i == 0 ? 0.0 : read);
        if (op.kind == OperatorKind::Product)
            made = op.groups * op.m * op.n * elementBytes;
        else if (i == 0)
            made = half.boundary;
        list.push_back(std::move(entry));
    }
}

// What a layer's cost depends on, its place aside.
struct LayerContent {
    LayerKind kind = LayerKind::Embedding;
    std::vector<double> operators;
    std::vector<ProfileRow> measured;
    bool operator==(const LayerContent&) const = default;
};

LayerContent contentOf(const Problem& problem, const FineLayer& layer) {
    LayerContent content;
    content.kind = layer.kind;
    for (const bool fused : {true, false}) { // whichever of them a kind of device runs
        RankShape shape = wholeSequence(problem);
        shape.fusedAttention = fused;
        const LayerOperators made = layerOperators(problem.model(), layer.kind, layer.block, shape);
        content.operators.insert(content.operators.end(),
                                 {made.kept, made.keptCore, made.keptInput, made.transient});
        for (const Operator& op : made.list)
            content.operators.insert(content.operators.end(),
                                     {static_cast<double>(op.kind), op.groups, op.m, op.n, op.k, op.flops,
                                      op.forwardBytes, op.backwardBytes});
    }
    const auto blocks = static_cast<int>(problem.model().blocks);
    const int row = layer.kind == LayerKind::Embedding ? 0
                    : layer.kind == LayerKind::Head    ? blocks + 1
                                                       : layer.block + 1;
    for (const ProfileRow& measured : problem.profiles().rows())
        if (measured.layer == row) {
            content.measured.push_back(measured);
            content.measured.back().layer = 0;
        }
    return content;
}

} // namespace

std::vector<BlockOperator> blockOperators(const Problem& problem, int block) {
    const RankShape shape = wholeSequence(problem);
    std::vector<BlockOperator> list;
    for (const LayerKind kind : {LayerKind::Attention, LayerKind::Mlp})
        appendHalf(layerOperators(problem.model(), kind, block, shape), shape.elementBytes, list);
    return list;
}

std::optional<std::vector<int>> clusterOperators(const std::vector<BlockOperator>& operators, int clusters,
                                                 double slack) {
    const auto count = operators.size();
    const auto n = static_cast<std::size_t>(std::max(1, clusters));
    std::vector<double> flops(count + 1, 0.0);
    std::vector<int> heavy(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i) {
        flops[i + 1] = flops[i] + operators[i].flops;
        heavy[i + 1] = heavy[i] + (operators[i].heavy ? 1 : 0);
    }
    const double most = (1.0 + slack) * flops[count] / static_cast<double>(n) * (1.0 + 1e-12);
    const auto allowed = [&](std::size_t first, std::size_t end) {
        return flops[end] - flops[first] <= most && heavy[end] > heavy[first];
    };
    const auto input = [&](std::size_t first) { return first == 0 ? 0.0 : operators[first].inputBytes; };

    std::vector<std::vector<double>> largest(n + 1, std::vector<double>(count + 1, kNever));
    largest[0][0] = 0.0;
    for (std::size_t c = 1; c <= n; ++c)
        for (std::size_t end = 1; end <= count; ++end)
            for (std::size_t first = 0; first < end; ++first)
                if (allowed(first, end))
                    largest[c][end] =
                        std::min(largest[c][end], std::max(largest[c - 1][first], input(first)));
    if (largest[n][count] == kNever)
        return std::nullopt;
    const double limit = largest[n][count] * kAlike;

    // With the number of clusters fixed the variance falls with the sum of squares.
    struct Entry {
        double sum = 0.0, squares = 0.0;
        std::vector<int> ends;
    };
    std::vector<std::vector<std::vector<Entry>>> sets(n + 1, std::vector<std::vector<Entry>>(count + 1));
    sets[0][0].push_back({});
    for (std::size_t c = 1; c <= n; ++c)
        for (std::size_t end = 1; end <= count; ++end)
            for (std::size_t first = 0; first < end; ++first) {
                if (!allowed(first, end) || input(first) > limit)
                    continue;
                for (const Entry& before : sets[c - 1][first]) {
                    const auto size = static_cast<double>(end - first);
                    Entry entry{before.sum + input(first), before.squares + size * size, before.ends};
                    entry.ends.push_back(static_cast<int>(end));
                    auto& set = sets[c][end];
                    if (std::any_of(set.begin(), set.end(), [&](const Entry& e) {
                            return e.sum <= entry.sum && e.squares <= entry.squares;
                        }))
                        continue;
                    std::erase_if(set, [&](const Entry& e) {
                        return entry.sum <= e.sum && entry.squares <= e.squares;
                    });
                    set.push_back(std::move(entry));
                }
            }
    const std::vector<Entry>& last = sets[n][count];
    double least = kNever;
    for (const Entry& e : last)
        least = std::min(least, e.sum);
    const Entry* best = nullptr;
    for (const Entry& e : last)
        if (e.sum <= least * kAlike && (best == nullptr || e.squares < best->squares))
            best = &e;
    return best->ends;
}

StageRuns::StageRuns(const Problem& problem, Layers layers) {
    const int fine = fineLayerCount(problem.model());
    m_fineLayers = fine;
    std::vector<LayerContent> kinds;
    std::vector<int> kindOf;
    for (const FineLayer& layer : problem.layers()) {
        LayerContent content = contentOf(problem, layer);
        const auto at = std::find(kinds.begin(), kinds.end(), content);
        kindOf.push_back(static_cast<int>(at - kinds.begin()));
        if (at == kinds.end())
            kinds.push_back(std::move(content));
    }
    m_distinct = static_cast<int>(kinds.size());

    if (layers == Layers::Fine)
        for (int i = 0; i < fine; ++i)
            m_range.emplace_back(i, i);
    else
        for (int b = 0; 2 * b + 2 < fine; ++b)
            m_range.emplace_back(b == 0 ? 0 : 2 * b + 1, 2 * b + 2 == fine - 2 ? fine - 1 : 2 * b + 2);

    const int count = this->layers();
    m_run.assign(static_cast<std::size_t>(count * (count + 1)), -1);
    std::map<std::vector<int>, int> known;
    for (int first = 0; first < count; ++first) {
        std::vector<int> held(kinds.size() + 2, 0);
        held[kinds.size()] = kindOf[static_cast<std::size_t>(firstFine(first))];
        for (int end = first + 1; end <= count; ++end) {
            const auto [from, to] = m_range[static_cast<std::size_t>(end - 1)];
            for (int i = from; i <= to; ++i)
                ++held[static_cast<std::size_t>(kindOf[static_cast<std::size_t>(i)])];
            held.back() = kindOf[static_cast<std::size_t>(to)];
            const auto [at, isNew] = known.emplace(held, static_cast<int>(m_example.size()));
            if (isNew)
                m_example.emplace_back(first, end);
            m_run[static_cast<std::size_t>(first * (count + 1) + end)] = at->second;
        }
    }
}

} // namespace pw
