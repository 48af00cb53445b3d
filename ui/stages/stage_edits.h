// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/whatif/whatif.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace pw {

class WhatIf;

// What the stage map does to the plan in view: mouse, keys, tools and menus all end here, so that they make
// the same plan. A drag is begin(), any number of drag...() and drop() or abort(), each judged from the plan
// that the drag began with; everything else is one edit. Keys that repeat count as one gesture.
class StageEdits : public QObject {
    Q_OBJECT

public:
    explicit StageEdits(WhatIf& whatIf, QObject* parent = nullptr, const Clock& clock = systemClock());

    WhatIf& whatIf() const { return m_whatIf; }
    const Plan* plan() const;
    const Pipeline* pipeline() const;      // null unless a plan with one pipeline is in view
    const Stage* stageAt(int stage) const; // null if there is none

    void begin();
    void dragBoundary(int boundary, int layer); // kept where neither neighbour is empty
    void dragDevices(const std::vector<DeviceIndex>& devices, int stage);
    void dragStage(int from, int to);
    void drop();
    void abort();
    bool isDragging() const { return m_start.has_value(); }

    // What can be done in place of the edit that was just refused, as buttons say it, what keeps to the
    // devices that were asked for first. Empty: nothing is known, or it was not refused.
    QStringList waysOut() const;
    void takeWayOut(int way);
    void forgetWaysOut() { m_waysOut.clear(); }

    // By so many fine layers; a whole number of blocks ends between blocks.
    void stepBoundary(int boundary, int layers);
    void pushBoundary(int boundary, int by); // as far as memory allows
    void moveDevices(const std::vector<DeviceIndex>& devices, int stage);
    void setTp(int stage, int tp);
    void stepTp(int stage, int by); // to the next size that works
    void setDp(int stage, int dp);
    void setRecompute(int stage, Recompute mode, int layers = 0);
    void cycleRecompute(int stage); // none, selective, full
    void setMicrobatch(std::int64_t size);
    void setSchedule(ScheduleKind kind, LaunchRule rule);
    void split(int stage);
    void merge(int stage);
    void reorder(int from, int to);
    void dropNode(const QString& node);

Q_SIGNALS:
    void dropRefused(const Error& error); // a drag has ended where it was refused

private:
    struct DevicesTo {
        std::vector<DeviceIndex> devices;
        int stage = -1;
    };
    struct WayOut {
        QString text; // of the button
        Plan plan;
    };

    const Problem* problem() const;
    void drag(const Result<Plan>& edited, const QString& text);
    bool edit(const Result<Plan>& edited, const QString& text, const QString& gesture = QString(),
              std::vector<WayOut> ifRefused = {});
    std::vector<WayOut> waysTo(const Plan& start, const DevicesTo& asked) const;

    WhatIf& m_whatIf;
    std::optional<Plan> m_start;      // of a drag
    QString m_text;                   // of its undo step
    std::optional<Error> m_refused;   // the last of its previews
    std::optional<DevicesTo> m_asked; // by it, if it moves devices
    std::vector<WayOut> m_waysOut;    // of the last refusal
    const Clock& m_clock;
    double m_last = 0.0; // when the last step by key was done, s of the clock
    QString m_lastWhat;  // empty: there was none
    int m_gesture = 0;
};

} // namespace pw
