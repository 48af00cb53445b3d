// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stored_plans.h"

#include "app/cli/table.h"

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/units.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <utility>

namespace pw::cli {

namespace {

constexpr std::size_t kShownHash = 12;

// The machine's, by which a store waits for other programs. From the second on that is said, once.
class TellingClock : public Clock {
public:
    explicit TellingClock(Session session) : m_session(std::move(session)) {}
    double steady() const override { return systemClock().steady(); }
    std::int64_t wall() const override { return systemClock().wall(); }
    void pause(double seconds) const override {
        constexpr double kSaidAfter = 1.0; // s
        systemClock().pause(seconds);
        const double before = m_waited.fetch_add(seconds);
        if (before < kSaidAfter && before + seconds >= kSaidAfter)
            m_session.note(LogLevel::Warning, "store",
                           fmt::format("another program is using the database; waiting for it, {} minutes at "
                                       "most",
                                       kMost.count()));
    }

private:
    static constexpr auto kMost =
        std::chrono::duration_cast<std::chrono::minutes>(ProfileStore::kLongPatience);

    const Session m_session;
    mutable std::atomic<double> m_waited{0.0}; // s, of all waits
};

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
    Result<ProfileStore> store =
        mode == ProfileStore::Mode::ReadWrite ? openPatiently(session, path) : ProfileStore::open(path, mode);
    if (!store)
        return store;
    if (const auto& journal = store->journalNote())
        session.note(Diagnostics{*journal});
    return store;
}

Result<ProfileStore> openPatiently(const Session& session, const std::string& path) {
    static const TellingClock clock(session); // outlives every store; a process answers one command
    return ProfileStore::open(path, ProfileStore::Mode::ReadWrite, ProfileStore::kLongPatience, clock);
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
