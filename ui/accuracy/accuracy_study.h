// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/calibrate/own_runs.h"
#include "ui/accuracy/study_source.h"
#include "ui/base/background_job.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace pw {

// A run by its place in the study; -1 means none.
struct RunRef {
    int source = -1, row = -1;
    explicit operator bool() const { return source >= 0 && row >= 0; }
    bool operator==(const RunRef&) const = default;
};

enum class RunQuantity { Time, Memory };

// Predicted against measured runs: the tables, their predictions and scores, and what is chosen among them.
// The views of the accuracy layout observe it and hold no runs of their own. Sources are never pooled: every
// figure is one source's, as scoreRuns() has it.
//
//   worker:  read all tables -> predict, some rows at a time  -> mailbox -- tick ->  progressed(), changed()
//
// A table appears when all of its rows are predicted. Own runs are read on a thread of their own and
// predicted before the tables that wait:
//
//   loadFiles() --> readOwnRuns --> predicted with the others
//                     |-- failed()
//                     `-- logs, which no GPU is stated for: machineAsked() --> loadFiles(files, machine)
class AccuracyStudy : public QObject {
    Q_OBJECT

public:
    explicit AccuracyStudy(QObject* parent = nullptr);
    ~AccuracyStudy() override;

    bool isStarted() const { return m_started; }
    void start(const std::vector<RunTable>& tables); // predicts them; a second call does nothing
    // Reads own runs, a table or the training logs of one machine, and predicts them as one source. What is
    // wrong with them is reported by failed(), with its place; those whose first file was loaded before are
    // replaced.
    void loadFiles(const QStringList& paths, const LoggedMachine& machine = {});
    // On which logs that were loaded last ran; begins the next question about it.
    const LoggedMachine& lastMachine() const { return m_lastMachine; }
    // Keeps the tables that are done; the others, and own runs that are still read, wait for resume() or the
    // next loadFiles().
    void stop();
    void resume();                 // goes on with what waits
    void removeSource(int source); // an own one
    bool isRunning() const { return m_job.isRunning() || m_reader.isRunning(); }
    int waiting() const { return static_cast<int>(m_waiting.size()); } // tables not predicted yet
    int rowsDone() const { return m_rowsDone; } // of the tables that are being predicted
    int rowsAll() const { return m_rowsAll; }

    const std::vector<StudySource>& sources() const { return m_sources; }
    const StudySource* source(int index) const; // null if there is none
    const RunRow* row(RunRef run) const;
    const RunPrediction* prediction(RunRef run) const;
    // predicted / measured - 1 of the quantity; empty where one of the two is missing.
    std::optional<double> error(RunRef run, RunQuantity quantity) const;
    std::optional<double> measured(RunRef run, RunQuantity quantity) const; // seconds or GiB
    std::optional<double> predicted(RunRef run, RunQuantity quantity) const;
    bool isLeftOut(RunRef run) const;
    void setLeftOut(RunRef run, bool leftOut); // the source's figures follow

    int chosen() const { return m_chosen; } // source; -1 only while there is none
    void setChosen(int source);             // alone: what was compared is grey again
    // Further sources that stand out by shape, the first kShapes of them; never the chosen one.
    const std::vector<int>& compared() const { return m_compared; }
    void setCompared(std::vector<int> sources);
    static constexpr std::size_t kShapes = 2;
    RunRef run() const { return m_run; }
    void setRun(RunRef run); // also chooses its source
    RunQuantity quantity() const { return m_quantity; }
    void setQuantity(RunQuantity quantity);
    void requestOpen(RunRef run); // as a plan; the window does it

Q_SIGNALS:
    void changed(); // tables or scores
    void chosenChanged();
    void runChanged();
    void quantityChanged();
    void progressed();
    void failed(const QString& lead, const Error& error);
    void machineAsked(const QStringList& logs); // that are read, and say all but where they ran
    void openRequested(pw::RunRef run);

private:
    struct News;
    struct OwnFiles {
        QStringList paths;
        LoggedMachine machine;
    };
    void readNext();
    void predictNext(); // what waits, unless it was stopped
    void takeOwn(const OwnFiles& files, const Result<std::vector<RunRow>>& rows);
    void look();
    void finishTable(StudySource source);
    void dropWaiting(const QString& title, const QString& path);
    void fail(const RunTable& table, const Error& error);

    std::deque<OwnFiles> m_unread;
    std::deque<RunTable> m_waiting;
    LoggedMachine m_lastMachine;
    std::vector<StudySource> m_sources;
    bool m_started = false;
    bool m_stopped = false; // by the user
    int m_rowsDone = 0, m_rowsAll = 0;
    int m_chosen = -1;
    std::vector<int> m_compared;
    RunRef m_run;
    RunQuantity m_quantity = RunQuantity::Time;
    std::shared_ptr<Mailbox<News>> m_mailbox;
    BackgroundJob m_job, m_reader; // last: they use the above
};

} // namespace pw
