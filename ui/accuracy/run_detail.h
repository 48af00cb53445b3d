// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/run_case.h"
#include "core/evaluate/evaluation.h"
#include "core/project/project.h"
#include "core/timeline/timeline.h"
#include "ui/base/background_job.h"

#include <QObject>
#include <QString>

#include <array>
#include <functional>
#include <memory>

namespace pw {

// One run judged again with its operations: where the predicted time of its busiest stage goes, what each
// part of it rests on, and what was assumed to predict it at all.
struct RunDetail {
    QString problem; // why there is no prediction; empty where there is one
    double iteration = 0.0, measuredShare = 0.0;
    std::array<double, kBarKinds> busy{}; // seconds by BarKind
    double idle = 0.0;                    // with `busy` it adds up to the iteration
    double exposedTransfer = 0.0;         // part of `idle`
    int stage = 0, stages = 1;            // whose time this is, of how many
    StageFigures figures;                 // of that stage
    std::vector<std::string> assumptions;
};

// `stop` is asked now and then and gives the judgement up.
RunDetail makeRunDetail(const RunRow& row, const std::vector<LayerTime>& layers,
                        const std::function<bool()>& stop);

// The run's question as a project of its own, with its machine laid out for the drawing.
Project projectOfRun(const RunCase& run, const std::string& name);

// Makes the detail of the latest run asked for, on a thread of its own: large runs have some 100,000
// operations.
class RunDetailMaker : public QObject {
    Q_OBJECT

public:
    explicit RunDetailMaker(QObject* parent = nullptr);
    ~RunDetailMaker() override;
    void make(const RunRow& row,
              const std::vector<LayerTime>& layers); // what was asked for before is dropped
    void drop();
    const std::shared_ptr<const RunDetail>& detail() const { return m_detail; } // null while it is made

Q_SIGNALS:
    void changed();

private:
    std::shared_ptr<const RunDetail> m_detail;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
