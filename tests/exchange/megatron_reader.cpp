// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/exchange/megatron_reader.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

namespace pw {

namespace {

// Deletes commas and expands every "( ... )*N", then every "X*N".
std::string expandRepeats(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ','), text.end());
    const auto repeated = [&](std::size_t open, std::size_t length, std::size_t star) {
        std::size_t end = star + 1;
        while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0)
            ++end;
        const int times = std::atoi(text.substr(star + 1, end - star - 1).c_str());
        const std::string unit = text.substr(open, length);
        std::string all;
        for (int i = 0; i < times; ++i)
            all += unit;
        return std::pair{all, end};
    };
    for (std::size_t open = text.find('('); open != std::string::npos; open = text.find('(')) {
        const std::size_t close = text.find(')', open);
        if (close == std::string::npos || close + 1 >= text.size() || text[close + 1] != '*')
            return text;
        const auto [all, end] = repeated(open + 1, close - open - 1, close + 1);
        text = text.substr(0, open) + all + text.substr(end);
    }
    for (std::size_t star = text.find('*'); star != std::string::npos && star > 0; star = text.find('*')) {
        const auto [all, end] = repeated(star - 1, 1, star);
        text = text.substr(0, star - 1) + all + text.substr(end);
    }
    return text;
}

class Checker {
public:
    Checker(const MegatronArguments& arguments, int world) : m_arguments(arguments), m_world(world) {}

    MegatronJob check() {
        m_job.tp = number("--tensor-model-parallel-size", 1);
        m_job.pp = number("--pipeline-model-parallel-size", 1);
        m_job.cp = number("--context-parallel-size", 1);
        m_layers = number("--num-layers", 0);
        const int model = m_job.tp * m_job.pp * m_job.cp;
        need(m_world % model == 0, "world is no multiple of TP * PP * CP");
        m_job.dp = m_world / model;
        if (has("--pipeline-model-parallel-layout"))
            layout(m_arguments.at("--pipeline-model-parallel-layout"));
        else
            split();
        batch();
        widths();
        recompute();
        ranks();
        return std::move(m_job);
    }

private:
    bool has(const char* flag) const { return m_arguments.contains(flag); }
    int number(const char* flag, int fallback) const {
        return has(flag) ? std::atoi(m_arguments.at(flag).c_str()) : fallback;
    }
    void need(bool holds, const char* rule) {
        if (!holds)
            m_job.faults.emplace_back(rule);
    }

    void layout(const std::string& text) {
        const std::vector<std::string> segments = expandLayout(text, m_job.faults);
        need(static_cast<int>(segments.size()) % m_job.pp == 0, "segments are no multiple of PP");
        m_job.vpp = static_cast<int>(segments.size()) / m_job.pp;
        std::string flat;
        for (const std::string& s : segments) {
            flat += s;
            m_job.layers.push_back(static_cast<int>(std::count(s.begin(), s.end(), 't')));
            need(!s.empty(), "an empty segment");
        }
        need(!flat.empty() && flat.front() == 'E' && flat.back() == 'L', "does not run from E to L");
        need(std::count(flat.begin(), flat.end(), 'E') == 1, "not one E");
        need(std::count(flat.begin(), flat.end(), 'L') == 1, "not one L");
        need(std::count(flat.begin(), flat.end(), 't') == m_layers, "layers do not match --num-layers");
        const auto predictions = std::count(flat.begin(), flat.end(), 'm');
        need(predictions == number("--mtp-num-layers", 0), "m does not match --mtp-num-layers");
        for (const char* other :
             {"--decoder-first-pipeline-num-layers", "--decoder-last-pipeline-num-layers",
              "--account-for-embedding-in-pipeline-split", "--account-for-loss-in-pipeline-split",
              "--num-layers-per-virtual-pipeline-stage", "--num-virtual-stages-per-pipeline-rank",
              "--hybrid-layer-pattern"})
            need(!has(other), "a layout beside other layout arguments");
    }

    // Rule 10: first and last stage apart, the rest evenly.
    void split() {
        const int first = number("--decoder-first-pipeline-num-layers", -1);
        const int last = number("--decoder-last-pipeline-num-layers", -1);
        m_job.vpp = number("--num-virtual-stages-per-pipeline-rank", 1);
        need(first != 0 && last != 0, "a first or last stage without layers");
        const int stages = m_job.pp - (first > 0 ? 1 : 0) - (last > 0 ? 1 : 0);
        const int rest = m_layers - std::max(first, 0) - std::max(last, 0);
        need((rest == 0) == (stages == 0) && (stages == 0 || rest % stages == 0),
             "the remaining layers do not divide over the remaining stages");
        std::vector<int> byStage(static_cast<std::size_t>(m_job.pp), stages > 0 ? rest / stages : 0);
        if (first > 0)
            byStage.front() = first;
        if (last > 0)
            byStage.back() = last;
        for (int v = 0; v < m_job.vpp; ++v)
            for (const int layers : byStage) {
                need(layers % m_job.vpp == 0, "layers do not divide over virtual stages");
                m_job.layers.push_back(layers / m_job.vpp);
            }
    }

    void batch() {
        const int gbs = number("--global-batch-size", 0), mbs = number("--micro-batch-size", 0);
        need(mbs > 0 && gbs % (mbs * m_job.dp) == 0, "the global batch does not divide by mbs * DP");
        if (mbs > 0)
            m_job.microbatches = gbs / (mbs * m_job.dp);
        if (m_job.vpp > 1) {
            need(m_job.pp > 1, "interleaving without a pipeline");
            const long group = m_job.pp, over = m_job.microbatches % group;
            need(group <= m_job.microbatches && (over == 0 || over >= m_job.pp),
                 "micro-batches do not suit the groups of interleaving");
        }
    }

    void widths() {
        const int heads = number("--num-attention-heads", 0), tp = m_job.tp;
        need(heads % tp == 0, "heads do not divide by TP");
        const int groups = has("--group-query-attention") ? number("--num-query-groups", 1) : heads;
        need(groups % tp == 0 || tp % groups == 0, "query groups and TP");
        need(number("--ffn-hidden-size", 0) % tp == 0, "ffn does not divide by TP");
        need(m_job.cp == 1 || number("--seq-length", 0) % (2 * m_job.cp) == 0, "sequence and CP");
        need(!has("--sequence-parallel") || tp > 1, "sequence parallelism that is silently turned off");
        const int ep = number("--expert-model-parallel-size", 1);
        need(ep == 1 || (m_job.dp % ep == 0 && number("--num-experts", 0) % ep == 0), "experts and EP");
    }

    void recompute() {
        m_job.recomputed.assign(m_job.layers.size(), 0);
        const std::string mode =
            has("--recompute-granularity") ? m_arguments.at("--recompute-granularity") : "";
        const bool method = has("--recompute-method"), count = has("--recompute-num-layers");
        need(mode == "full" ? method && count : !method && !count, "recompute arguments do not go together");
        if (mode != "full" || !method)
            return;
        const bool block = m_arguments.at("--recompute-method") == "block";
        for (std::size_t v = 0; v < m_job.layers.size(); ++v)
            m_job.recomputed[v] =
                block ? std::min(m_job.layers[v], number("--recompute-num-layers", 0)) : m_job.layers[v];
    }

    // tp-cp-ep-dp-pp, tp fastest; or tp-cp-ep-pp-dp.
    void ranks() {
        const int inner = m_job.tp * m_job.cp;
        const bool mapped = has("--use-tp-pp-dp-mapping");
        for (int r = 0; r < m_world; ++r) {
            const int outer = r / inner;
            m_job.stageOfRank.push_back(mapped ? outer % m_job.pp : outer / m_job.dp);
            m_job.replicaOfRank.push_back(mapped ? outer / m_job.pp : outer % m_job.dp);
        }
    }

    const MegatronArguments& m_arguments;
    int m_world, m_layers = 0;
    MegatronJob m_job;
};

} // namespace

MegatronArguments megatronArguments(const std::vector<std::string>& words) {
    MegatronArguments arguments;
    std::string flag;
    for (const std::string& word : words) {
        if (word.starts_with("--"))
            arguments[flag = word] = "";
        else if (!flag.empty())
            arguments[std::exchange(flag, {})] = word;
    }
    return arguments;
}

std::vector<std::string> expandLayout(const std::string& layout, std::vector<std::string>& faults) {
    std::vector<std::string> segments(1);
    for (const char c : expandRepeats(layout)) {
        if (c == '|')
            segments.emplace_back();
        else if (c == 'E' || c == 't' || c == 'm' || c == 'L')
            segments.back() += c;
        else
            faults.push_back(std::string("Invalid layer character ") + c);
    }
    return segments;
}

MegatronJob checkMegatronJob(const MegatronArguments& arguments, int world) {
    return Checker(arguments, world).check();
}

} // namespace pw
