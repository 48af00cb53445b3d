// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/document/plan_file.h"
#include "core/sweep/sweep_follower.h"
#include "ui/base/background_job.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <bitset>
#include <memory>

namespace pw {

class Document;

// Whether it looks like one: it has a sweep.json.
bool isSweepFolder(const QString& path);

// The open sweep: its tasks, what is known of them so far, and the one that is chosen. The views of the sweep
// layout observe it. Whoever fills the folder, here or elsewhere, is followed:
//
//   worker:  read the folder and its tasks -> some 20,000 new lines -> rows that changed --> changed()
//                                                  ^                                            |
//                                                  `------- at once where there is more, <------'
//                                                           else every two seconds
class SweepStudy : public QObject {
    Q_OBJECT

public:
    static SweepStudy& of(Document& document); // the one beside the open project
    ~SweepStudy() override;

    void open(const QString& folder); // what is wrong with it comes by failed(), and no sweep is open then
    void close();
    void look(); // for what is new, now
    bool isOpen() const { return m_follower != nullptr; }
    bool isReading() const { return m_reading; } // of an opened one, until all that is there is read
    QString path() const { return m_path; }      // also of one that is being opened

    // Of the open one.
    const SweepFolder& folder() const { return m_follower->folder(); }
    const SweepDocument& sweep() const { return folder().sweep; }
    const std::vector<TaskLine>& tasks() const { return m_follower->tasks(); }
    const std::vector<SweepRow>& rows() const { return m_rows; } // by task
    const SweepStatus& status() const { return m_status; }
    const std::vector<Error>& damage() const { return m_damage; } // of files that are read no further
    bool isGone() const { return m_gone; } // the folder, while it is open; what was read of it stays
    bool has(SweepFigure figure) const { return m_known.test(static_cast<std::size_t>(figure)); }

    int chosen() const { return m_chosen; } // task; -1: none
    void setChosen(int task);
    // The chosen task's plans: planMade(), or failed(). One that was not kept is worked out again.
    void requestPlan();
    void stopPlan();
    bool isMakingPlan() const { return m_planJob.isRunning(); }

Q_SIGNALS:
    void opened();  // another sweep, or none
    void changed(); // rows, status or damage
    void chosenChanged();
    void planProgress(); // isMakingPlan() is another
    void planMade(const pw::PlanFile& plans, const QString& name);
    void failed(const QString& lead, const pw::Error& error);

private:
    explicit SweepStudy(QObject* parent);
    struct Opened;
    void take(SweepNews news);
    void follow();

    QString m_path;
    // Its folder and tasks never change; the rest is the worker's, one work at a time.
    std::shared_ptr<SweepFollower> m_follower;
    std::vector<SweepRow> m_rows;
    std::bitset<kSweepFigures> m_known;
    SweepStatus m_status;
    std::vector<Error> m_damage;
    bool m_reading = false, m_gone = false;
    int m_chosen = -1;
    QTimer m_poll;
    BackgroundJob m_planJob;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
