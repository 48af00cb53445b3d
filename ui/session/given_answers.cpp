// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/given_answers.h"

#include "core/answers/node_groups.h"
#include "core/base/json.h"
#include "core/cluster/price.h"
#include "core/problem/problem.h"
#include "ui/base/convert.h"
#include "ui/session/document.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace pw {

namespace {

struct AskedName {
    Asked asked;
    const char* name; // in files
};
constexpr std::array kAsked = {AskedName{Asked::Fastest, "fastest"},    AskedName{Asked::Fewest, "fewest"},
                               AskedName{Asked::TradeOff, "trade-off"}, AskedName{Asked::InTime, "in-time"},
                               AskedName{Asked::Around, "around"},      AskedName{Asked::Judged, "judged"}};

// Prices are no part of the question that is hashed, but of what is answered about money.
std::vector<double> pricesOf(const Problem& problem) {
    std::vector<double> list;
    for (const DeviceKind* kind : allowedKinds(problem))
        list.push_back(kind->pricePerHour);
    return list;
}

// The same question at these prices; null where they do not fit it.
std::shared_ptr<const Problem> withPrices(const Problem& problem, const std::vector<double>& prices) {
    const std::vector<const DeviceKind*> kinds = allowedKinds(problem);
    if (kinds.size() != prices.size() ||
        std::ranges::any_of(prices, [](double price) { return price < 0.0; }))
        return nullptr;
    Cluster cluster = problem.topology().cluster();
    for (std::size_t k = 0; k < kinds.size(); ++k)
        if (!setPrice(cluster, kinds[k]->name, prices[k]))
            return nullptr;
    auto made = Problem::make(std::move(cluster), problem.model(), problem.recipe(),
                              problem.profiles().rows(), problem.space(), problem.constants());
    return made && (*made)->hash() == problem.hash() ? *made : nullptr;
}

Json tableJson(const AnswerTable& table) {
    return {{"text", table.text}, {"headings", table.headings}, {"rows", table.rows}};
}

std::vector<std::string> textsOf(const std::vector<JsonReader>& list) {
    std::vector<std::string> read;
    for (const JsonReader& text : list) {
        if (!text.value().is_string())
            text.fail("json.type", text.where(), "expected a text");
        else
            read.push_back(text.value().get<std::string>());
    }
    return read;
}

AnswerTable tableFrom(const JsonReader& reader) {
    AnswerTable table{reader.text("text", ""), textsOf(reader.array("headings")), {}};
    for (const JsonReader& row : reader.array("rows")) {
        table.rows.push_back(textsOf(row.items()));
        if (table.rows.back().size() != table.headings.size())
            row.fail("json.value", row.where(), "expected a cell for each heading");
    }
    return table;
}

// An answer of which something is not as it should be is none.
std::optional<GivenAnswer> answerFrom(const Json& entry, const std::shared_ptr<const Problem>& problem) {
    const JsonReader reader(entry, "answers");
    GivenAnswer answer;
    const std::string asked = reader.text("asked");
    const auto* const row =
        std::ranges::find_if(kAsked, [&](const AskedName& one) { return asked == one.name; });
    answer.question = q(reader.text("question"));
    answer.problem = problem;
    answer.priced = reader.flag("priced", false);
    for (const JsonReader& table : reader.array("tables"))
        answer.tables.push_back(tableFrom(table));
    if (reader.has("refused")) {
        const JsonReader refused = reader.object("refused");
        answer.refused = infeasible(refused.text("code"), "", Wording::asIs(refused.text("text")));
        for (std::string& reason : textsOf(refused.array("reasons")))
            answer.refused->because(Wording::asIs(std::move(reason)));
    }
    if (reader.has("prices")) {
        std::vector<double> prices;
        for (const JsonReader& price : reader.array("prices"))
            prices.push_back(price.value().is_number() ? price.value().get<double>() : -1.0);
        if (prices != pricesOf(*problem)) { // they may have been another answer's of the same question
            answer.problem = withPrices(*problem, prices);
            if (!answer.problem)
                return std::nullopt;
        }
    }
    if (row == kAsked.end() || reader.text("problem_hash") != problem->hash() || !reader.status())
        return std::nullopt;
    answer.asked = row->asked;
    return answer;
}

} // namespace

bool isStale(const GivenAnswer& answer, const std::shared_ptr<const Problem>& now) {
    return !now || now->hash() != answer.problem->hash() ||
           (answer.priced && pricesOf(*now) != pricesOf(*answer.problem));
}

GivenAnswers::GivenAnswers(Document& document, QObject* parent) : QObject(parent), m_document(document) {
    connect(&document, &Document::replaced, this, &GivenAnswers::clear);
    connect(&document, &Document::renamed, this, &GivenAnswers::follow);
}

void GivenAnswers::add(GivenAnswer answer) {
    m_known.insert(answer.problem->hash());
    m_answers.push_front(std::move(answer));
    if (m_answers.size() > kMost)
        m_answers.pop_back();
    ++m_asked;
    Q_EMIT added();
}

void GivenAnswers::clear() {
    m_known.clear();
    if (m_answers.empty())
        return;
    m_answers.clear();
    m_asked = 0;
    Q_EMIT replaced();
}

void GivenAnswers::follow(const std::shared_ptr<const Problem>& before,
                          const std::shared_ptr<const Problem>& now) {
    if (m_known.contains(before->hash()))
        m_known.insert(now->hash());
    for (GivenAnswer& answer : m_answers)
        if (answer.problem->hash() == before->hash())
            answer.problem = now;
}

// Those of the file about questions that none here was ever about: as they stand there.
Json GivenAnswers::otherAnswers() const {
    Json others = Json::array();
    const std::optional<std::string>& text = m_document.project()->answers;
    const Result<Json> list = text ? parseJson(*text, "answers") : Result<Json>(Json::array());
    if (!list || !list->is_array())
        return others;
    for (const Json& entry : *list) {
        const std::string hash =
            entry.is_object() && entry.contains("problem_hash") && entry["problem_hash"].is_string()
                ? entry["problem_hash"].get<std::string>()
                : std::string();
        if (!hash.empty() && !m_known.contains(hash))
            others.push_back(entry);
    }
    return others;
}

std::string GivenAnswers::kept() const {
    Json list = otherAnswers();
    for (auto answer = m_answers.rbegin(); answer != m_answers.rend(); ++answer) {
        const auto* const row =
            std::ranges::find_if(kAsked, [&](const AskedName& one) { return one.asked == answer->asked; });
        Json entry = {{"asked", row->name},
                      {"question", s(answer->question)},
                      {"problem_hash", answer->problem->hash()},
                      {"priced", answer->priced},
                      {"tables", Json::array()}};
        if (answer->priced) // they are no part of the question
            entry["prices"] = pricesOf(*answer->problem);
        for (const AnswerTable& table : answer->tables)
            entry["tables"].push_back(tableJson(table));
        if (const std::optional<Error>& refused = answer->refused) {
            Json reasons = Json::array();
            for (const Error& reason : refused->reasons)
                reasons.push_back(reason.message);
            entry["refused"] = {
                {"code", refused->code}, {"text", refused->message}, {"reasons", std::move(reasons)}};
        }
        list.push_back(std::move(entry));
    }
    while (list.size() > kMost)
        list.erase(list.begin());
    return list.empty() ? std::string() : list.dump();
}

void GivenAnswers::restore(const std::vector<std::shared_ptr<const Problem>>& earlier) {
    const std::optional<std::string>& text = m_document.project()->answers;
    const auto now = m_document.problem();
    if (!text || !now)
        return;
    const Result<Json> list = parseJson(*text, "answers");
    if (!list || !list->is_array())
        return;
    std::map<std::string, std::shared_ptr<const Problem>> wanted;
    for (const auto& problem : earlier)
        wanted.emplace(problem->hash(), problem);
    wanted.insert_or_assign(now->hash(), now);
    std::erase_if(wanted, [this](const auto& entry) { return m_known.contains(entry.first); });
    const auto hashOf = [](const Json& entry) {
        return entry.is_object() && entry.contains("problem_hash") && entry["problem_hash"].is_string()
                   ? entry["problem_hash"].get<std::string>()
                   : std::string();
    };
    // What is about an earlier state comes as a whole or stays in the file.
    for (const Json& entry : *list)
        if (const auto at = wanted.find(hashOf(entry));
            at != wanted.end() && at->second != now && !answerFrom(entry, at->second))
            wanted.erase(at);
    bool any = false;
    for (const Json& entry : *list) {
        const auto at = wanted.find(hashOf(entry));
        if (at == wanted.end())
            continue;
        if (std::optional<GivenAnswer> answer = answerFrom(entry, at->second)) {
            m_known.insert(at->first);
            m_answers.push_front(*std::move(answer));
            ++m_asked;
            any = true;
        }
    }
    while (m_answers.size() > kMost)
        m_answers.pop_back();
    if (any)
        Q_EMIT replaced();
}

} // namespace pw
