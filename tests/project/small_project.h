// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/project/project.h"

namespace pw {

// A small project that can be planned on: two A100 nodes and one V100 node at a switch, a model of four
// blocks, one measured row.
inline Project smallProject() {
    Project p;
    p.name = "small";
    p.cluster.name = "three nodes";
    p.cluster.nodes = {{"n1", "A100-SXM4-40GB", 8, {}, Seconds(2e-6), {}, 1.0, {0, 0}},
                       {"n2", "A100-SXM4-40GB", 8, {}, Seconds(2e-6), {}, 1.0, {200, 0}},
                       {"n3", "V100-SXM2-16GB", 4, {}, Seconds(2e-6), {}, 1.0, {400, 0}}};
    p.cluster.switches = {{"s1", "Ethernet", {200, 200}}};
    for (const char* node : {"n1", "n2", "n3"})
        p.cluster.links.push_back(
            {std::string(node) + "-s1", node, "s1", BytesPerSecond(12.5e9), 1, Seconds(20e-6), 0.88});
    Model m;
    m.name = "tiny";
    m.family = "llama";
    m.blocks = 4;
    m.hidden = 1024;
    m.heads = 16;
    m.kvHeads = 8;
    m.headDim = 64;
    m.ffn = 2816;
    m.vocab = 32000;
    m.positions = 4096;
    m.gatedMlp = m.rmsNorm = true;
    p.model = m;
    p.recipe.gbs = 64;
    p.recipe.seq = 1024;
    p.profiles = {{.model = "tiny",
                   .kind = "A100-SXM4-40GB",
                   .layer = 1,
                   .tp = 2,
                   .mbs = 4,
                   .seq = 1024,
                   .precision = "bf16",
                   .forward = Seconds(0.01),
                   .backward = Seconds(0.02),
                   .update = Seconds(0.001),
                   .memory = gibibytes(1),
                   .source = "bench.csv",
                   .licence = "CC0-1.0",
                   .date = "2024-05-01",
                   .op = "",
                   .shape = "",
                   .software = "torch 2.3"}};
    return p;
}

} // namespace pw
