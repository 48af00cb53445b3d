// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/accuracy_study.h"

#include "ui/base/convert.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace pw {

namespace {

// The place of a mistake without the folders of the file, which the bar has no room for.
Error inItsFile(Error error, const QStringList& paths) {
    for (const QString& path : paths)
        if (const std::string file = s(path); error.where.starts_with(file)) {
            error.where.replace(0, file.size(), s(QFileInfo(path).fileName()));
            break;
        }
    return error;
}

// A run of a log is called by its file, without the folders where that tells it from the others.
void nameByFiles(std::vector<RunRow>& rows, const QStringList& paths) {
    QStringList names;
    for (const QString& path : paths)
        names << QFileInfo(path).fileName();
    for (RunRow& row : rows)
        if (const qsizetype at = paths.indexOf(q(row.rowId)); at >= 0 && names.count(names[at]) == 1)
            row.rowId = s(names[at]);
}

} // namespace

// What the worker has done since the last tick.
struct AccuracyStudy::News {
    std::size_t rowsAll = 0, rowsDone = 0; // so far
    std::vector<StudySource> finished;
    std::vector<std::pair<RunTable, Error>> failed;
};

AccuracyStudy::AccuracyStudy(QObject* parent) : QObject(parent), m_job([this] { look(); }) {}

AccuracyStudy::~AccuracyStudy() = default;

void AccuracyStudy::start(const std::vector<RunTable>& tables) {
    if (std::exchange(m_started, true))
        return;
    m_waiting.insert(m_waiting.end(), tables.begin(), tables.end());
    resume();
}

void AccuracyStudy::loadFiles(const QStringList& paths, const LoggedMachine& machine) {
    QStringList files;
    for (const QString& path : paths)
        files << QFileInfo(path).absoluteFilePath();
    if (files.isEmpty())
        return;
    if (!machine.gpu.empty())
        m_lastMachine = machine;
    m_stopped = false;
    m_unread.push_back({files, machine});
    readNext();
}

void AccuracyStudy::readNext() {
    if (m_reader.isRunning() || m_unread.empty())
        return;
    const OwnFiles next = std::move(m_unread.front());
    m_unread.pop_front();
    m_reader.start(
        [next](const std::stop_token&) -> Result<std::vector<RunRow>> {
            std::vector<std::string> files;
            for (const QString& path : next.paths)
                files.push_back(s(path));
            Diagnostics notes; // columns that are not known
            Result<std::vector<RunRow>> rows = readOwnRuns(files, next.machine, notes);
            if (rows && rows->empty())
                return badInput("runs.empty", files.front(), "has no rows");
            return rows;
        },
        [this, next](const Result<std::vector<RunRow>>& rows) {
            takeOwn(next, rows);
            readNext();
            Q_EMIT progressed();
        });
    Q_EMIT progressed();
}

void AccuracyStudy::takeOwn(const OwnFiles& files, const Result<std::vector<RunRow>>& rows) {
    const QFileInfo first(files.paths.front());
    RunTable table{first.completeBaseName(), files.paths.front(), {}, true};
    if (!rows && rows.error().code == "runs.gpu")
        return Q_EMIT machineAsked(files.paths);
    if (!rows)
        return fail(table, inItsFile(rows.error(), files.paths));
    if (files.paths.size() > 1)
        table.title = tr("%1 and %2 more").arg(table.title).arg(files.paths.size() - 1);
    table.note = files.paths.join(QLatin1Char('\n'));
    table.rows = *rows;
    nameByFiles(table.rows, files.paths);
    m_waiting.push_front(std::move(table));
    m_job.stop(); // what it was at goes on behind them
    predictNext();
}

void AccuracyStudy::resume() {
    m_stopped = false;
    predictNext();
}

void AccuracyStudy::predictNext() {
    if (m_stopped || m_job.isRunning() || m_waiting.empty())
        return;
    m_rowsDone = m_rowsAll = 0;
    m_mailbox = std::make_shared<Mailbox<News>>();
    m_job.start(
        [tables = std::vector(m_waiting.begin(), m_waiting.end()),
         mailbox = m_mailbox](const std::stop_token& stop) {
            std::vector<StudySource> sources;
            for (const RunTable& table : tables) {
                Result<StudySource> source = contained([&] { return readTable(table); });
                mailbox->write([&](News& news) {
                    if (source)
                        news.rowsAll += source->rows.size();
                    else
                        news.failed.emplace_back(table, source.error());
                });
                if (source)
                    sources.push_back(*std::move(source));
            }
            for (StudySource& source : sources) {
                const Status predicted = contained([&]() -> Status {
                    source.predictions = predictInChunks(source, stop, [&](std::size_t count) {
                        mailbox->write([&](News& news) { news.rowsDone += count; });
                    });
                    if (!stop.stop_requested())
                        scoreSource(source);
                    return Ok{};
                });
                if (stop.stop_requested())
                    return false;
                mailbox->write([&](News& news) {
                    if (predicted)
                        news.finished.push_back(std::move(source));
                    else
                        news.failed.emplace_back(RunTable{source.title, source.path, {}, source.own},
                                                 predicted.error());
                });
            }
            return true;
        },
        [this](const Result<bool>& whole) {
            if (!whole) {
                m_waiting.clear(); // they would end in the same way
                Q_EMIT failed(tr("The runs were not predicted."), whole.error());
            } else {
                predictNext(); // others may have come meanwhile
            }
            Q_EMIT progressed();
        });
    Q_EMIT progressed();
}

void AccuracyStudy::stop() {
    m_stopped = true;
    m_job.stop();
}

void AccuracyStudy::look() {
    News news;
    m_mailbox->write([&](News& latest) {
        news = std::move(latest);
        latest = {news.rowsAll, news.rowsDone, {}, {}};
    });
    m_rowsAll = static_cast<int>(news.rowsAll);
    m_rowsDone = static_cast<int>(news.rowsDone);
    for (const auto& [table, error] : news.failed)
        fail(table, error);
    for (StudySource& source : news.finished)
        finishTable(std::move(source));
    Q_EMIT progressed();
}

void AccuracyStudy::dropWaiting(const QString& title, const QString& path) {
    const auto table = std::find_if(m_waiting.begin(), m_waiting.end(), [&](const RunTable& waiting) {
        return waiting.title == title && waiting.path == path;
    });
    if (table != m_waiting.end())
        m_waiting.erase(table);
}

void AccuracyStudy::fail(const RunTable& table, const Error& error) {
    dropWaiting(table.title, table.path);
    Q_EMIT failed(tr("%1 was not loaded.").arg(table.own ? QFileInfo(table.path).fileName() : table.title),
                  error);
}

void AccuracyStudy::finishTable(StudySource source) {
    dropWaiting(source.title, source.path);
    const auto before = std::find_if(m_sources.begin(), m_sources.end(), [&](const StudySource& known) {
        return source.own && known.own && known.path == source.path;
    });
    const bool own = source.own, single = source.rows.size() == 1;
    int at = static_cast<int>(m_sources.size());
    if (before != m_sources.end()) {
        at = static_cast<int>(before - m_sources.begin());
        *before = std::move(source);
        if (m_run.source == at)
            m_run = {};
    } else {
        m_sources.push_back(std::move(source));
    }
    Q_EMIT changed();
    if (own || m_chosen < 0)
        setChosen(at);
    if (own && single)
        setRun({at, 0});
}

void AccuracyStudy::removeSource(int index) {
    const StudySource* gone = source(index);
    if (!gone || !gone->own)
        return;
    m_sources.erase(m_sources.begin() + index);
    m_compared.clear();
    if (m_run.source == index)
        m_run = {};
    else if (m_run.source > index)
        --m_run.source;
    m_chosen = std::min(m_chosen > index ? m_chosen - 1 : m_chosen, static_cast<int>(m_sources.size()) - 1);
    Q_EMIT changed();
    Q_EMIT chosenChanged();
    Q_EMIT runChanged();
}

const StudySource* AccuracyStudy::source(int index) const {
    return index >= 0 && index < static_cast<int>(m_sources.size())
               ? &m_sources[static_cast<std::size_t>(index)]
               : nullptr;
}

const RunRow* AccuracyStudy::row(RunRef run) const {
    const StudySource* from = source(run.source);
    return from && run.row >= 0 && run.row < static_cast<int>(from->rows.size())
               ? &from->rows[static_cast<std::size_t>(run.row)]
               : nullptr;
}

const RunPrediction* AccuracyStudy::prediction(RunRef run) const {
    return row(run) ? &source(run.source)->predictions[static_cast<std::size_t>(run.row)] : nullptr;
}

std::optional<double> AccuracyStudy::error(RunRef run, RunQuantity quantity) const {
    const RunRow* of = row(run);
    if (!of)
        return std::nullopt;
    return quantity == RunQuantity::Time ? timeError(*of, *prediction(run))
                                         : memoryError(*of, *prediction(run));
}

std::optional<double> AccuracyStudy::measured(RunRef run, RunQuantity quantity) const {
    const RunRow* of = row(run);
    if (!of)
        return std::nullopt;
    const std::optional<double> value = quantity == RunQuantity::Time ? of->iterTimeS : of->peakMemGib;
    return value.value_or(0.0) > 0.0 ? value : std::nullopt;
}

std::optional<double> AccuracyStudy::predicted(RunRef run, RunQuantity quantity) const {
    const RunPrediction* of = prediction(run);
    if (!of || of->status != PredictionStatus::Ok)
        return std::nullopt;
    return quantity == RunQuantity::Time ? of->iterTimeS : of->peakMemGib;
}

bool AccuracyStudy::isLeftOut(RunRef run) const {
    return row(run) && source(run.source)->leftOut[static_cast<std::size_t>(run.row)];
}

void AccuracyStudy::setLeftOut(RunRef run, bool leftOut) {
    if (!row(run) || isLeftOut(run) == leftOut)
        return;
    StudySource& from = m_sources[static_cast<std::size_t>(run.source)];
    from.leftOut[static_cast<std::size_t>(run.row)] = leftOut;
    scoreSource(from);
    Q_EMIT changed();
}

void AccuracyStudy::setChosen(int index) {
    if (index == m_chosen || !source(index))
        return;
    m_chosen = index;
    m_compared.clear();
    if (m_run.source != index)
        m_run = {};
    Q_EMIT chosenChanged();
    Q_EMIT runChanged();
}

void AccuracyStudy::setCompared(std::vector<int> sources) {
    std::erase_if(sources, [this](int index) { return index == m_chosen || !source(index); });
    if (sources.size() > kShapes)
        sources.resize(kShapes);
    if (sources == m_compared)
        return;
    m_compared = std::move(sources);
    Q_EMIT chosenChanged();
}

void AccuracyStudy::setRun(RunRef run) {
    if (run == m_run || (run && !row(run)))
        return;
    if (run && run.source != m_chosen) {
        m_run = {};
        setChosen(run.source);
    }
    m_run = run;
    Q_EMIT runChanged();
}

void AccuracyStudy::setQuantity(RunQuantity quantity) {
    if (quantity == m_quantity)
        return;
    m_quantity = quantity;
    Q_EMIT quantityChanged();
}

void AccuracyStudy::requestOpen(RunRef run) {
    if (const RunPrediction* of = prediction(run); of && of->status == PredictionStatus::Ok)
        Q_EMIT openRequested(run);
}

} // namespace pw
