// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reproduce/reproduce.h"
#include "ui/base/background_job.h"

#include <QObject>

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace pw {

using PublishedPaperPtr = std::shared_ptr<const PublishedPaper>;

// Which rows of a paper: those of one case, or all.
struct PublishedChoice {
    PublishedPaperPtr paper;
    std::optional<std::size_t> only; // index of the case

    std::vector<const PublishedCase*> cases() const; // none without a paper
    std::size_t rowCount() const;
    bool operator==(const PublishedChoice&) const = default;
};

// What this program predicts for rows of papers: worked out in the background, row by row, and kept. A paper
// that rows were predicted of stays alive with them.
class PublishedPredictions : public QObject {
    Q_OBJECT

public:
    explicit PublishedPredictions(QObject* parent = nullptr);

    void compute(const PublishedChoice& choice); // what runs is given up
    void cancel();                               // asks; finished() follows, and what was made stays
    bool isRunning() const { return m_job.isRunning(); }
    const PublishedChoice& latest() const { return m_latest; }        // what was asked for last
    bool wasCancelled() const { return m_cancelled; }                 // the last one
    const std::optional<Error>& failure() const { return m_failure; } // why the last one ended early
    std::size_t done() const { return m_done; }                       // rows of the running or last one
    std::size_t total() const { return m_total; }

    const ReproducedRow* of(const PublishedRow& row) const; // null: not predicted yet
    std::size_t countOf(const PublishedChoice& choice) const;

Q_SIGNALS:
    void started();
    void progressed();
    void finished();

private:
    void take();

    std::vector<PublishedPaperPtr> m_papers; // that the rows are of
    std::unordered_map<const PublishedRow*, ReproducedRow> m_rows;
    PublishedChoice m_latest;
    std::size_t m_done = 0, m_total = 0;
    bool m_cancelled = false;
    std::optional<Error> m_failure;
    std::shared_ptr<Mailbox<std::vector<ReproducedRow>>> m_made; // of the latest work, not yet taken
    BackgroundJob m_job;                                         // last: it uses the above
};

} // namespace pw
