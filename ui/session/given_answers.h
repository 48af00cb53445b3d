// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/answer_tables.h"
#include "core/base/json.h"

#include <QObject>
#include <QString>

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pw {

class Document;

enum class Asked { Fastest, Fewest, TradeOff, InTime, Around, Judged }; // a button each

// An answer as it is shown, with what it is about.
struct GivenAnswer {
    Asked asked = Asked::Fastest;
    QString question;                       // questionText()
    std::shared_ptr<const Problem> problem; // never null
    std::vector<AnswerTable> tables;
    std::optional<Error> refused; // why there is no plan
    bool priced = false;          // it is about money, at the prices of its problem
};

// Whether it is about another state than `now`; a null problem makes all stale.
bool isStale(const GivenAnswer& answer, const std::shared_ptr<const Problem>& now);

// The answers to the questions about the project, newest first. The oldest go where there are too many.
class GivenAnswers : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t kMost = 50;

    explicit GivenAnswers(Document& document, QObject* parent = nullptr);

    const std::deque<GivenAnswer>& all() const { return m_answers; }
    int asked() const { return m_asked; } // answers so far, which number them
    void add(GivenAnswer answer);
    void clear();

    // For the project's file, the last of them: a JSON array, oldest first, those that it has about earlier
    // states among them; empty without any.
    std::string kept() const;
    // The other way, where none was asked about the project as it is: as its file keeps them, those about
    // `earlier` states with them. What another program has made of them is left out.
    void restore(const std::vector<std::shared_ptr<const Problem>>& earlier = {});

Q_SIGNALS:
    void added();    // all().front()
    void replaced(); // by others, or none

private:
    Json otherAnswers() const;
    // The same question under other names.
    void follow(const std::shared_ptr<const Problem>& before, const std::shared_ptr<const Problem>& now);

    Document& m_document;
    std::set<std::string> m_known; // hashes of the questions that any of them was about
    std::deque<GivenAnswer> m_answers;
    int m_asked = 0;
};

} // namespace pw
