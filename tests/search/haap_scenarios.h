// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/search/sample_problems.h"

#include <vector>

namespace pw::test {

// The fixed list on which the parts of "haap" are compared: one kind of GPU and several, fast links and slow.
struct Scenario {
    const char* name;
    std::shared_ptr<const Problem> problem;
};
inline std::vector<Scenario> scenarios() {
    const auto sample = [](const char* cluster, const char* model, std::int64_t gbs, std::int64_t seq) {
        return problemOf(sampleCluster(cluster), sampleModel(model), gbs, seq);
    };
    const auto drawn = [](const std::vector<DrawnNode>& nodes, const char* model, std::int64_t gbs,
                          std::int64_t seq) {
        return problemOf(drawnCluster(nodes), sampleModel(model), gbs, seq);
    };
    const char* a100 = "A100-SXM4-40GB";
    const char* v100 = "V100-SXM2-16GB";
    const char* h100 = "H100-SXM-80GB";
    return {
        {"mixed-16, GPT-3 1.3B", sample("mixed-16", "gpt3-1.3b", 256, 2048)},
        {"mixed-16, GPT-Neo 2.7B", sample("mixed-16", "gpt-neo-2.7b", 256, 2048)},
        {"mixed-64, Llama 3 70B", sample("mixed-64", "llama3-70b", 512, 4096)},
        {"mixed-64, Llama 3 8B", sample("mixed-64", "llama3-8b", 512, 4096)},
        {"mixed-64, GPT-3 175B", sample("mixed-64", "gpt3-175b", 512, 2048)},
        {"measured-16", sampleProject("measured-16")},
        {"V100 alone, GPT-3 1.3B", sample("v100-32", "gpt3-1.3b", 512, 2048)},
        {"V100 alone, GPT-Neo 2.7B", sample("v100-32", "gpt-neo-2.7b", 512, 2048)},
        {"V100 alone, Llama 3 8B", sample("v100-32", "llama3-8b", 256, 4096)},
        {"A100 alone, GPT-Neo 2.7B", drawn({{a100, 8, 100}, {a100, 8, 100}}, "gpt-neo-2.7b", 128, 2048)},
        {"A100 alone, slow links, Llama 3 8B",
         drawn({{a100, 4, 10}, {a100, 4, 10}, {a100, 4, 10}}, "llama3-8b", 128, 2048)},
        {"three kinds, Llama 3 8B",
         drawn({{h100, 4, 100}, {a100, 4, 100}, {v100, 8, 25}}, "llama3-8b", 256, 2048)},
        {"three kinds, slow links, GPT-3 1.3B",
         drawn({{h100, 2, 10}, {a100, 4, 10}, {v100, 4, 10}}, "gpt3-1.3b", 128, 2048)},
        {"few large and many small, Llama 3 8B",
         drawn({{h100, 2, 100}, {v100, 8, 100}, {v100, 8, 100}}, "llama3-8b", 128, 2048)},
    };
}

} // namespace pw::test
