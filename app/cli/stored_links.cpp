// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stored_links.h"

#include "app/cli/inputs.h"
#include "app/cli/parse.h"
#include "app/cli/stored_plans.h"
#include "app/cli/table.h"
#include "core/plan/plan.h"

#include "core/base/file.h"
#include "core/base/units.h"
#include "core/links/link_apply.h"
#include "core/links/link_fit.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw::cli {

namespace {

struct StoredLinksFlags {
    std::string source, collective, cluster, to, out;
    int ranks = 0;
};

Result<std::vector<LinkMeasurement>> chosenLinks(const Session& session, const StoredLinksFlags& flags) {
    const Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    Result<std::vector<LinkMeasurement>> links = store->links(flags.source);
    if (!links)
        return links;
    std::erase_if(*links, [&](const LinkMeasurement& m) {
        return (!flags.collective.empty() && m.collective != flags.collective) ||
               (flags.ranks > 0 && m.ranks != flags.ranks);
    });
    if (links->empty())
        return badInput("profiles.none", session.profiles, "holds no such timed collectives");
    return links;
}

Answer listed(const std::vector<LinkMeasurement>& links) {
    const std::vector<LinkMeasurement> counting = preferredLinks(links);
    Json list = Json::array();
    Table table({"collective", ">ranks", ">hosts", "device", ">samples", ">latency", ">bus bandwidth",
                 ">within", "counts", "date", "software", "source"});
    for (const LinkMeasurement& m : links) {
        const LinkFit* fit = fitOf(m);
        const bool counts = std::find(counting.begin(), counting.end(), m) != counting.end();
        Json entry = toJson(m);
        entry["counts"] = counts;
        list.push_back(std::move(entry));
        table.add({m.collective, fmt::format("{}", m.ranks), fmt::format("{}", hostCount(m)), deviceName(m),
                   fmt::format("{}", m.outOfPlace.size() + m.inPlace.size()),
                   fit != nullptr ? formatDuration(fit->latency) : "",
                   fit != nullptr ? formatByteRate(fit->bus) : "no fit",
                   fit != nullptr ? fmt::format("{:.1f} %", 100 * fit->worst) : "", counts ? "yes" : "no",
                   m.date, m.software, m.source});
    }
    return {Json{{"measurements", std::move(list)}},
            table.text() + "of one collective between as many ranks on as many hosts of a device the latest "
                           "date counts, then the last source\n",
            {}};
}

// An item takes one bandwidth and one latency: of what.
Status checkTargets(const Cluster& cluster, const std::vector<LinkMeasurement>& links,
                    const std::vector<std::string>& to) {
    std::map<std::string, const LinkMeasurement*> taken;
    for (const LinkMeasurement& m : links)
        for (const std::string& item : to.empty() ? linkTargets(cluster, m) : to)
            if (const auto [at, fresh] = taken.emplace(item, &m); !fresh)
                return badInput("links.several", item,
                                {"would take the times of {first} over {first_ranks} ranks and of {second} "
                                 "over {second_ranks}; "
                                 "choose with --collective, --ranks, --source or --to",
                                 {{"first", at->second->collective},
                                  {"first_ranks", at->second->ranks},
                                  {"second", m.collective},
                                  {"second_ranks", m.ranks}}});
    return Ok{};
}

Result<Cluster> onCluster(const Session& session, const StoredLinksFlags& flags,
                          const std::vector<LinkMeasurement>& links, Diagnostics& notes) {
    const Result<Cluster> cluster = readCluster(session, flags.cluster);
    if (!cluster)
        return cluster;
    const Result<std::vector<std::string>> to =
        flags.to.empty() ? std::vector<std::string>() : parseList("--to", flags.to);
    if (!to)
        return to.error();
    const std::vector<LinkMeasurement> counting = preferredLinks(links);
    if (Status apart = checkTargets(*cluster, counting, *to); !apart)
        return apart.error();
    return applyMeasurements(*cluster, counting, *to, notes);
}

Result<Answer> links(const Session& session, const StoredLinksFlags& flags) {
    const Result<std::vector<LinkMeasurement>> links = chosenLinks(session, flags);
    if (!links)
        return links.error();
    const bool apply = !flags.cluster.empty() || !session.project.empty();
    if (!apply && !flags.to.empty())
        return badInput("usage", "--to", "names items of --cluster, which is missing");
    Answer answer = listed(*links);
    std::string text = printLinks(*links);
    if (apply) {
        Diagnostics notes;
        const Result<Cluster> cluster = onCluster(session, flags, *links, notes);
        if (!cluster)
            return cluster.error();
        session.note(notes);
        const Json json = toJson(*cluster);
        answer.document["cluster"] = json;
        text = printJson(json);
    }
    if (!flags.out.empty()) {
        if (Status written = writeFileAtomically(flags.out, text); !written)
            return written.error();
        answer.document["out"] = flags.out;
        answer.text += fmt::format("{} written to {}\n", apply ? "the cluster is" : "they are", flags.out);
    }
    return answer;
}

} // namespace

Command addStoredLinks(CLI::App& parent) {
    auto flags = std::make_shared<StoredLinksFlags>();
    CLI::App* sub =
        parent.add_subcommand("links", "the timed collectives; with --cluster put onto its nodes and links");
    sub->fallthrough();
    sub->add_option("--source", flags->source, "only this source's")->type_name("SOURCE");
    sub->add_option("--collective", flags->collective, "only this one, as in all_reduce")->type_name("NAME");
    sub->add_option("--ranks", flags->ranks, "only those over so many ranks")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000'000).description(""));
    sub->add_option("--cluster", flags->cluster, "machines that get the bandwidths and latencies")
        ->type_name("C");
    sub->add_option("--to", flags->to, "its nodes, or links, that were timed (else those that fit)")
        ->type_name("ID,...");
    sub->add_option("--out", flags->out, "write them, or the cluster, to a file")->type_name("FILE");
    return {sub, [flags](const Session& session) { return links(session, *flags); }};
}

} // namespace pw::cli
