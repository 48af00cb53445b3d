// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stored_plans.h"

#include "app/cli/table.h"

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/units.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace pw::cli {

namespace {

constexpr std::size_t kShownHash = 12;

struct StoredPlansFlags {
    std::string hash, out;
    bool forget = false;
};

Result<Answer> listProblems(const Session& session) {
    const Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    const auto problems = store->problems();
    if (!problems)
        return problems.error();
    Json list = Json::array();
    Table table({"problem", "cluster", "model", ">plans", ">fastest", "found by", "on"});
    for (const ProfileStore::ProblemRow& row : *problems) {
        list.push_back({{"problem_hash", row.hash},
                        {"cluster", row.cluster},
                        {"model", row.model},
                        {"plans", row.plans},
                        {"iteration_s", row.best.value},
                        {"planner", row.planner},
                        {"date", row.date}});
        table.add({row.hash.substr(0, kShownHash), row.cluster, row.model, fmt::format("{}", row.plans),
                   formatDuration(row.best), row.planner, row.date});
    }
    return Answer{Json{{"problems", std::move(list)}}, table.text(), {}};
}

Result<Answer> forget(const Session& session, const std::string& hash) {
    Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadWrite);
    if (!store)
        return store.error();
    const Result<int> removed = store->forgetPlans(hash);
    if (!removed)
        return removed.error();
    return Answer{Json{{"removed", *removed}}, fmt::format("{} plans removed\n", *removed), {}};
}

Result<Answer> foundPlans(const Session& session, const StoredPlansFlags& flags) {
    // Read-only first: a mistyped path must not leave an empty database behind.
    const Result<ProfileStore> store = openStore(session, ProfileStore::Mode::ReadOnly);
    if (!store)
        return store.error();
    if (flags.hash.empty())
        return flags.out.empty() && !flags.forget ? listProblems(session)
                                                  : Result<Answer>(usage("of which problem? give its hash"));
    if (flags.forget)
        return forget(session, flags.hash);
    Result<Json> document = store->foundPlans(flags.hash);
    if (!document)
        return document.error();
    Table table({">plan", ">predicted iteration", "found by"});
    int number = 0;
    for (const Json& entry : (*document)["plans"])
        table.add({fmt::format("{}", ++number), formatDuration(Seconds(entry["iteration_s"].get<double>())),
                   entry["planner"].get<std::string>()});
    std::string text = table.text();
    if (!flags.out.empty()) {
        if (Status written = writeFileAtomically(flags.out, printJson(*document)); !written)
            return written.error();
        text += fmt::format("written to {}\n", flags.out);
    }
    return Answer{*std::move(document), std::move(text), {}};
}

} // namespace

Result<ProfileStore> openStore(const Session& session, ProfileStore::Mode mode) {
    if (session.profiles.empty())
        return usage("--profiles DB is required: the database is never chosen for you");
    return openStoreAt(session, session.profiles, mode);
}

Result<ProfileStore> openStoreAt(const Session& session, const std::string& path, ProfileStore::Mode mode) {
    // Who writes has read files for it, and others may be importing for a minute.
    Result<ProfileStore> store = ProfileStore::open(
        path, mode,
        mode == ProfileStore::Mode::ReadWrite ? ProfileStore::kLongPatience : ProfileStore::kShortPatience);
    if (!store)
        return store;
    if (const auto& journal = store->journalNote())
        session.note(Diagnostics{*journal});
    return store;
}

void keepPlans(const Session& session, const std::string& path, Json& document, Answer& answer) {
    Result<ProfileStore> store = openStoreAt(session, path, ProfileStore::Mode::ReadWrite);
    if (!store) {
        answer.refused = store.error();
        return;
    }
    const std::string date =
        fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(systemClock().wall() / 1000)));
    const Result<int> now = store->keepPlans(document, date);
    if (!now) {
        answer.refused = now.error();
        return;
    }
    document["kept"] = answer.document["kept"] = {{"database", path}, {"plans", *now}};
    answer.text += fmt::format("\n{} keeps {} plans of this problem\n", path, *now);
}

Command addFoundPlans(CLI::App& parent) {
    auto flags = std::make_shared<StoredPlansFlags>();
    CLI::App* sub = parent.add_subcommand("plans", "the plans that `plan --keep` has kept, by problem");
    sub->fallthrough();
    sub->add_option("HASH", flags->hash, "a problem's plans; the beginning of its hash is enough");
    sub->add_option("--out", flags->out, "write them as a plan document")->type_name("FILE");
    sub->add_flag("--forget", flags->forget, "remove them");
    return {sub, [flags](const Session& session) { return foundPlans(session, *flags); }};
}

} // namespace pw::cli
