// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/block_graph.h"

#include "core/cost/cost.h"
#include "core/cost/roofline.h"

#include <algorithm>

namespace pw::partition {
namespace {

using enum Axis;

// The largest power of two that divides n: finer cuts would be uneven.
std::int64_t powerOfTwo(std::int64_t n) {
    return n & -n;
}

class Builder {
public:
    Builder(const Problem& problem, const DeviceKind& kind, std::int64_t sequences)
        : m_model(problem.model()), m_sequences(sequences), m_seq(problem.recipe().seq) {
        RankShape shape = wholeShape(problem, kind);
        shape.sequences = static_cast<double>(sequences);
        m_dropout = shape.dropout;
        m_e = shape.elementBytes;
        m_attention = layerOperators(m_model, LayerKind::Attention, 0, shape);
        m_mlp = layerOperators(m_model, LayerKind::Mlp, 0, shape);
        m_graph.elementBytes = m_e;
        m_graph.gradientBytes = stateBytes(problem).gradient;
        m_tokens = static_cast<double>(sequences * m_seq);
        m_rowBytes = m_tokens * static_cast<double>(m_model.hidden) * m_e;
    }

    BlockGraph build() {
        // The residual that ends a block is done by the MLP's operators; the first node is the block
        // before's.
        const Operator& residual = m_mlp.list.back();
        addResidual(residual);
        attention();
        mlp();
        return std::move(m_graph);
    }

private:
    BlockNode& add(const char* name, std::vector<Axis> axes, std::int64_t columns) {
        BlockNode& node = m_graph.nodes.emplace_back();
        node.name = name;
        node.axes = std::move(axes);
        const auto most = [&](Axis axis) -> std::int64_t& {
            return node.most[static_cast<std::size_t>(axis)];
        };
        most(Batch) = powerOfTwo(m_sequences);
        most(Rows) = most(Keys) = powerOfTwo(m_seq);
        most(Heads) = powerOfTwo(m_model.kvHeads);
        most(Columns) = powerOfTwo(columns);
        most(Inner) = powerOfTwo(m_model.hidden);
        return node;
    }
    std::size_t last() const { return m_graph.nodes.size() - 1; }
    void connect(std::size_t from, std::size_t to, std::vector<EdgeTensor> tensors) {
        m_graph.edges.push_back({from, to, std::move(tensors)});
    }

    static BlockNode::Work pass(const Operator& op, std::vector<Axis> axes) {
        return {op, std::move(axes), {}, {}, {}};
    }

    void addResidual(const Operator& op) {
        BlockNode& node = add("add", {Batch, Rows, Columns}, m_model.hidden);
        node.work.push_back(pass(op, node.axes));
        node.copies = true;
        if (m_dropout)
            node.kept.push_back({m_rowBytes / m_e, node.axes});
        m_graph.cuts.push_back(last());
    }
    void addNorm(const Operator& op) {
        BlockNode& node = add("norm", {Batch, Rows, Columns}, m_model.hidden);
        node.work.push_back(pass(op, node.axes));
        node.copies = true;
        node.kept.push_back({m_rowBytes, node.axes});
        // Mean and square of every row, in fp32, there and back; gradients of scale and bias.
        const Tensor statistics{m_tokens * 8.0, {Batch, Rows}};
        const double vectors = m_model.rmsNorm ? 1.0 : 2.0;
        node.reductions = {
            {Phase::Forward, {Columns}, statistics},
            {Phase::Backward, {Columns}, statistics},
            {Phase::Gradient,
             {Batch, Rows},
             {vectors * static_cast<double>(m_model.hidden) * m_graph.gradientBytes, {Columns}}}};
        connect(last() - 1, last(), {{m_rowBytes, {Batch, Rows, Columns}, {Batch, Rows, Columns}}});
    }
    BlockNode& addLinear(const Operator& op, std::int64_t columns, std::int64_t inner) {
        BlockNode& node = add(op.name, {Batch, Rows, Inner, Columns}, columns);
        node.most[static_cast<std::size_t>(Inner)] = powerOfTwo(inner);
        node.linear = true;
        node.work.push_back({op, {}, {Batch, Rows}, {Columns}, {Inner}});
        node.weights = op.n * op.k;
        const Tensor input{op.m * op.k * m_e, {Batch, Rows, Inner}};
        node.kept.push_back(input);
        node.reductions = {
            {Phase::Forward, {Inner}, {op.m * op.n * m_e, {Batch, Rows, Columns}}},
            {Phase::Backward, {Columns}, input},
            {Phase::Gradient, {Batch, Rows}, {node.weights * m_graph.gradientBytes, {Inner, Columns}}}};
        return node;
    }
    // A pass over the output of the node before it, done where that output is.
    void join(const Operator& op, std::vector<Axis> axes) {
        m_graph.nodes.back().work.push_back(pass(op, std::move(axes)));
    }

    void attention() {
        auto op = m_attention.list.cbegin();
        const std::size_t begin = last();
        addNorm(*op++);
        const double q = m_tokens * static_cast<double>(m_model.heads * m_model.headDim) * m_e;
        const double kv = m_tokens * static_cast<double>(m_model.kvHeads * m_model.headDim) * m_e;
        addLinear(*op++, m_model.kvHeads, m_model.hidden); // cut between heads
        const std::size_t qkv = last();
        connect(qkv - 1, qkv, {{m_rowBytes, {Batch, Rows, Columns}, {Batch, Rows, Inner}}});
        for (; op->kind == OperatorKind::Memory; ++op)
            join(*op, {Batch, Rows, Columns});
        const EdgeTensor queries{q, {Batch, Rows, Columns}, {Batch, Rows, Heads}};
        const EdgeTensor keys{kv, {Batch, Rows, Columns}, {Batch, Keys, Heads}};
        if (op->kind == OperatorKind::Attention)
            fused(*op++, queries, keys);
        else
            scores(op, queries, keys);
        const std::size_t core = last();
        addLinear(*op++, m_model.hidden, m_model.kvHeads);
        connect(core, last(), {{q, {Batch, Rows, Heads}, {Batch, Rows, Inner}}});
        addResidual(*op);
        residualEdges(begin);
    }

    void fused(const Operator& op, const EdgeTensor& queries, const EdgeTensor& keys) {
        BlockNode& node = add("attention", {Batch, Heads, Rows}, m_model.hidden);
        node.work.push_back(pass(op, node.axes));
        node.reductions = {{Phase::Backward, {Rows}, {2.0 * keys.bytes, {Batch, Heads}}}};
        node.kept = {{queries.bytes, {Batch, Rows, Heads}},
                     {2.0 * keys.bytes, {Batch, Heads}},
                     {m_attention.keptCore, {Batch, Rows, Heads}}};
        // Nothing is cut along Keys here: every device has all that its rows look at.
        connect(last() - 1, last(), {queries, {2.0 * keys.bytes, keys.from, keys.to}});
    }

    void scores(std::vector<Operator>::const_iterator& op, const EdgeTensor& queries,
                const EdgeTensor& keys) {
        const std::size_t qkv = last();
        const Tensor byRows{queries.bytes, {Batch, Heads, Rows}}, byKeys{keys.bytes, {Batch, Heads, Keys}};
        const std::vector<Axis> square = {Batch, Heads, Rows, Keys};
        const double bytes = op->groups * op->m * op->n * m_e;

        BlockNode& first = add(op->name, square, m_model.hidden);
        first.work.push_back({*op++, {Batch, Heads}, {Rows}, {Keys}, {}});
        first.reductions = {{Phase::Backward, {Keys}, byRows}, {Phase::Backward, {Rows}, byKeys}};
        first.kept = {byRows, byKeys};
        connect(qkv, last(), {queries, keys});

        BlockNode& softmax = add(op->name, {Batch, Heads, Rows}, m_model.hidden);
        for (; op->kind == OperatorKind::Memory; ++op)
            softmax.work.push_back(pass(*op, softmax.axes));
        softmax.kept = {{m_attention.keptCore, softmax.axes}};
        connect(last() - 1, last(), {{bytes, square, square}});

        BlockNode& values = add(op->name, square, m_model.hidden);
        values.work.push_back({*op++, {Batch, Heads}, {Rows}, {}, {Keys}});
        values.reductions = {{Phase::Forward, {Keys}, byRows}, {Phase::Backward, {Rows}, byKeys}};
        values.kept = {byKeys};
        connect(last() - 1, last(), {{bytes, square, square}});
        connect(qkv, last(), {keys});
        m_graph.cuts.insert(m_graph.cuts.end(), {qkv, last()});
        for (; op->kind == OperatorKind::Memory; ++op)
            join(*op, {Batch, Heads, Rows});
    }

    void mlp() {
        const std::size_t begin = last();
        auto op = m_mlp.list.begin();
        addNorm(*op++);
        const Operator& up = *op++;
        addLinear(up, m_model.ffn, m_model.hidden);
        connect(last() - 1, last(), {{m_rowBytes, {Batch, Rows, Columns}, {Batch, Rows, Inner}}});
        BlockNode& activation = add(op->name, {Batch, Rows, Columns}, m_model.ffn);
        activation.work.push_back(pass(*op++, activation.axes));
        const double wide = up.m * up.n * m_e;
        activation.kept.push_back({wide, activation.axes});
        connect(last() - 1, last(), {{wide, activation.axes, activation.axes}});
        const Operator& down = *op++;
        addLinear(down, m_model.hidden, m_model.ffn);
        connect(last() - 1, last(), {{down.m * down.k * m_e, {Batch, Rows, Columns}, {Batch, Rows, Inner}}});
        addResidual(*op);
        residualEdges(begin);
    }

    // Into the residual that was added last: the projection's output, and what came past it.
    void residualEdges(std::size_t begin) {
        const EdgeTensor row{m_rowBytes, {Batch, Rows, Columns}, {Batch, Rows, Columns}};
        connect(last() - 1, last(), {row});
        connect(begin, last(), {row});
    }

    const Model& m_model;
    const std::int64_t m_sequences, m_seq;
    double m_e = 2.0, m_tokens = 0.0, m_rowBytes = 0.0;
    bool m_dropout = false;
    LayerOperators m_attention, m_mlp;
    BlockGraph m_graph;
};

Error unfit(Wording why) {
    return infeasible("partition.model", "model", std::move(why));
}

bool fits(const BlockNode& node, const Sequence& sequence) {
    return std::ranges::all_of(node.axes, [&](Axis axis) {
        return slicesAlong(sequence, axis) <= node.most[static_cast<std::size_t>(axis)];
    });
}

double slicesAlong(const Sequence& sequence, const std::vector<Axis>& axes) {
    double slices = 1.0;
    for (const Axis axis : axes)
        slices *= partition::slicesAlong(sequence, axis);
    return slices;
}

} // namespace

Result<BlockGraph> blockGraph(const Problem& problem, const DeviceKind& kind, std::int64_t sequences) {
    const Model& model = problem.model();
    if (hasExperts(model))
        return unfit("blocks cannot be partitioned: the model has experts");
    if (hasLatentAttention(model))
        return unfit("blocks cannot be partitioned: the model has latent attention");
    if (!isPlain(model))
        return unfit("blocks cannot be partitioned: the model has parts of attention or norms that their "
                     "operators leave out");
    for (const std::int64_t window : model.window)
        if (window > 0 && window < problem.recipe().seq)
            return unfit("blocks cannot be partitioned: attention windows are shorter than the sequence");
    return Builder(problem, kind, sequences).build();
}

std::vector<Sequence> waysOf(const BlockNode& node, int bits, int grids) {
    std::vector<Sequence> ways = sequences(bits, node.axes, node.linear ? grids : 0);
    if (node.copies)
        for (unsigned copied = 1; copied < 1U << bits; ++copied) {
            Sequence way;
            for (int j = bits - 1; j >= 0; --j)
                way.push_back((copied >> j & 1U) != 0 ? copy() : split(Batch));
            ways.push_back(std::move(way));
        }
    std::erase_if(ways, [&](const Sequence& way) { return !fits(node, way); });
    return ways;
}

double bytesOn(const Tensor& tensor, const Sequence& sequence) {
    return tensor.bytes / slicesAlong(sequence, tensor.axes);
}

std::vector<AllReduce> allReducesOf(const BlockNode& node, const Sequence& sequence) {
    std::vector<AllReduce> list;
    for (const Reduction& reduction : node.reductions)
        if (const Indicator bits = splitBits(sequence, reduction.over); bits != 0)
            list.push_back({reduction.phase, bits, bytesOn(reduction.tensor, sequence)});
    return list;
}

} // namespace pw::partition
