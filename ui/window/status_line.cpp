// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_line.h"

#include "core/base/version.h"
#include "ui/accuracy/accuracy_study.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_text.h"
#include "ui/session/selection.h"
#include "ui/topology/drawing.h"
#include "ui/window/spoken_changes.h"

#include <QLabel>

namespace pw {

StatusLine::StatusLine(AccuracyContext& context, QWidget* parent)
    : QStatusBar(parent), m_context(context), m_selection(new QLabel), m_model(new QLabel),
      m_gpus(new QLabel), m_measured(new QLabel), m_saved(new QLabel), m_spoken(new SpokenChanges(context)) {
    setSizeGripEnabled(false);
    m_selection->setObjectName(QStringLiteral("status.selection"));
    m_model->setObjectName(QStringLiteral("status.model"));
    m_gpus->setObjectName(QStringLiteral("status.gpus"));
    m_measured->setObjectName(QStringLiteral("status.measured"));
    m_saved->setObjectName(QStringLiteral("status.saved"));
    addWidget(m_selection, 1);
    for (QLabel* label : {m_model, m_gpus, m_measured, m_saved})
        addPermanentWidget(label);
    addPermanentWidget(m_spoken);
    connect(&m_context.document, &Document::changed, this, &StatusLine::refresh);
    connect(&m_context.document, &Document::modifiedChanged, this, &StatusLine::refresh);
    connect(&m_context.document, &Document::pathChanged, this, &StatusLine::refresh);
    connect(&m_context.document, &Document::unkeptChanged, this, &StatusLine::refresh);
    connect(&m_context.candidates, &Candidates::changed, this, &StatusLine::refresh);
    connect(&m_context.selection, &Selection::planChanged, this, &StatusLine::refresh);
    connect(&m_context.selection, &Selection::stageChanged, this, &StatusLine::refresh);
    connect(&m_context.selection, &Selection::itemsChanged, this, &StatusLine::refresh);
    connect(&m_context.selection, &Selection::deviceChanged, this, &StatusLine::refresh);
    connect(&m_context.accuracy, &AccuracyStudy::changed, this, &StatusLine::refresh);
    connect(&m_context.accuracy, &AccuracyStudy::chosenChanged, this, &StatusLine::refresh);
    connect(&m_context.accuracy, &AccuracyStudy::runChanged, this, &StatusLine::refresh);
    refresh();
}

void StatusLine::setProjectOpen(bool open) {
    m_open = open;
    refresh();
}

void StatusLine::setInAccuracy(bool on) {
    m_inAccuracy = on;
    refresh();
}

void StatusLine::say(const QString& sentence) {
    m_spoken->say(sentence);
}

void StatusLine::tell(const QString& sentence) {
    constexpr int kWhile = 8000; // ms
    showMessage(sentence, kWhile);
    say(sentence);
}

QString StatusLine::accuracyText() const {
    const AccuracyStudy& study = m_context.accuracy;
    QStringList parts;
    if (const StudySource* source = study.source(study.chosen()))
        parts.append(source->title);
    if (const RunRow* row = study.row(study.run()))
        parts.append(q(row->rowId));
    return parts.isEmpty() ? tr("Nothing selected") : tr("%1 selected").arg(parts.join(QStringLiteral(", ")));
}

QString StatusLine::selectionText() const {
    const Selection& selection = m_context.selection;
    QStringList parts;
    if (const Candidate* plan = m_context.candidates.find(selection.plan()))
        parts.append(planTitle(*plan));
    if (selection.stage() >= 0)
        parts.append(tr("stage %1").arg(selection.stage()));
    if (!selection.device().isEmpty())
        parts.append(selection.device());
    if (selection.items().size() == 1)
        parts.append(selection.items().begin()->startsWith(kNotePrefix) ? tr("note")
                                                                        : *selection.items().begin());
    else if (selection.items().size() > 1)
        parts.append(tr("%1 items").arg(selection.items().size()));
    return parts.isEmpty() ? tr("Nothing selected") : tr("%1 selected").arg(parts.join(QStringLiteral(", ")));
}

QString StatusLine::savedText() const {
    const Document& document = m_context.document;
    return document.isModified()       ? tr("Modified")
           : document.path().isEmpty() ? tr("Not saved")
           : document.hasNewPlans()    ? tr("Found plans or answers not saved")
           : document.hasNewDemand()   ? tr("Search fields not saved")
                                       : tr("Saved");
}

void StatusLine::refresh() {
    for (QLabel* label : {m_model, m_gpus, m_measured})
        label->setVisible(m_open && !m_inAccuracy);
    if (m_inAccuracy) {
        m_selection->setText(accuracyText());
        m_saved->setText(tr("Errors are predicted / measured \u2212 1"));
        return;
    }
    if (!m_open) {
        m_selection->setText(tr("No project open"));
        m_saved->setText(tr("Version %1").arg(q(fullVersion())));
        return;
    }
    const Project& project = *m_context.document.project();
    m_selection->setText(selectionText());
    m_model->setText(project.model ? tr("%1, %2 blocks, %3 layers")
                                         .arg(q(project.model->name))
                                         .arg(project.model->blocks)
                                         .arg(fineLayerCount(*project.model))
                                   : tr("No model"));
    const int gpus = project.cluster.gpuCount();
    m_gpus->setText(gpus == 1 ? tr("1 GPU") : tr("%1 GPUs").arg(countText(gpus)));
    const Candidate* plan = m_context.candidates.find(m_context.selection.plan());
    m_measured->setVisible(plan != nullptr);
    if (plan)
        m_measured->setText(plan->evaluation.measuredShare > 0.0
                                ? tr("%1 measured").arg(shareText(plan->evaluation.measuredShare))
                                : tr("\u2234 all estimated"));
    m_saved->setText(savedText());
}

} // namespace pw
