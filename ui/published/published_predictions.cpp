// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/published/published_predictions.h"

#include <algorithm>

namespace pw {

std::vector<const PublishedCase*> PublishedChoice::cases() const {
    std::vector<const PublishedCase*> list;
    for (std::size_t c = 0; paper && c < paper->cases.size(); ++c)
        if (!only || *only == c)
            list.push_back(&paper->cases[c]);
    return list;
}

std::size_t PublishedChoice::rowCount() const {
    std::size_t rows = 0;
    for (const PublishedCase* one : cases())
        rows += one->rows.size();
    return rows;
}

PublishedPredictions::PublishedPredictions(QObject* parent) : QObject(parent), m_job([this] { take(); }) {}

void PublishedPredictions::compute(const PublishedChoice& choice) {
    if (!choice.paper)
        return;
    if (std::find(m_papers.begin(), m_papers.end(), choice.paper) == m_papers.end())
        m_papers.push_back(choice.paper);
    m_latest = choice;
    m_done = 0;
    m_total = choice.rowCount();
    m_cancelled = false;
    m_failure.reset();
    m_made = std::make_shared<Mailbox<std::vector<ReproducedRow>>>();
    m_job.start(
        [choice, made = m_made](const std::stop_token& stop) {
            ReproduceOptions options;
            options.stop = stop;
            options.only = choice.only;
            options.predicted = [&](const ReproducedRow& row) {
                made->write([&](std::vector<ReproducedRow>& rows) { rows.push_back(row); });
            };
            return reproduce(*choice.paper, options);
        },
        [this](const Result<std::vector<ReproducedRow>>& rows) {
            m_cancelled = !rows && rows.error().kind == ErrorKind::Stopped;
            if (!rows && !m_cancelled)
                m_failure = rows.error();
            Q_EMIT finished();
        });
    Q_EMIT started();
}

void PublishedPredictions::cancel() {
    m_job.stop();
}

void PublishedPredictions::take() {
    const std::vector<ReproducedRow> rows = m_made->take();
    for (const ReproducedRow& row : rows)
        m_rows.insert_or_assign(row.row, row);
    m_done += rows.size();
    if (!rows.empty())
        Q_EMIT progressed();
}

const ReproducedRow* PublishedPredictions::of(const PublishedRow& row) const {
    const auto at = m_rows.find(&row);
    return at == m_rows.end() ? nullptr : &at->second;
}

std::size_t PublishedPredictions::countOf(const PublishedChoice& choice) const {
    std::size_t count = 0;
    for (const PublishedCase* one : choice.cases())
        for (const PublishedRow& row : one->rows)
            count += of(row) != nullptr ? 1U : 0U;
    return count;
}

} // namespace pw
