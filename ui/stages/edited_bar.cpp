// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stages/edited_bar.h"

#include "core/exchange/exports/export.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/session/candidates.h"
#include "ui/session/search_runner.h"
#include "ui/session/what_if.h"
#include "ui/widgets/elided_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTextDocument>
#include <QTextDocumentFragment>

#include <cmath>

namespace pw {

namespace {

// The device whose peak changes most, of those in both plans.
struct PeakChange {
    QString device;
    Bytes change;
};

PeakChange largestPeakChange(const ShownPlan& plan) {
    PeakChange largest;
    for (const ShownStage& stage : plan.stages)
        for (const ShownDevice& device : stage.memory) {
            const int before = plan.base->stageOfDevice(device.id);
            if (before < 0)
                continue;
            for (const ShownDevice& same : plan.base->stages[static_cast<std::size_t>(before)].memory)
                if (same.id == device.id && std::abs((device.peak.total() - same.peak.total()).value) >
                                                std::abs(largest.change.value))
                    largest = {device.id, device.peak.total() - same.peak.total()};
        }
    return largest;
}

QString coloured(const QString& text, const QColor& colour) {
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), text.toHtmlEscaped());
}

// "iteration −3.1 %", "bubble 12.0 → 9.0 %", "peak of n2.g3 +1.2 GiB"
QStringList changesOf(const ShownPlan& plan) {
    if (!plan.base)
        return {};
    const Theme& t = theme();
    const double change = 100.0 * (plan.iteration / plan.base->iteration - 1.0);
    const auto tone = [&](double by) { return std::abs(by) < 0.005 ? t.text2 : by < 0.0 ? t.ok : t.err; };
    QStringList parts;
    parts << EditedBar::tr("iteration %1")
                 .arg(coloured(EditedBar::tr("%1 %").arg(signedText(change, 2)), tone(change)));
    parts << EditedBar::tr("bubble %1")
                 .arg(coloured(
                     EditedBar::tr("%1 → %2 %")
                         .arg(decimalText(100.0 * plan.base->bubble, 1), decimalText(100.0 * plan.bubble, 1)),
                     tone(100.0 * (plan.bubble - plan.base->bubble))));
    if (const PeakChange peak = largestPeakChange(plan); !peak.device.isEmpty())
        parts << EditedBar::tr("peak of %1 %2")
                     .arg(peak.device.toHtmlEscaped(),
                          coloured(EditedBar::tr("%1 GiB").arg(signedText(toGibibytes(peak.change), 1)),
                                   tone(peak.change.value)));
    if (!plan.reason.isEmpty())
        parts.prepend(coloured(EditedBar::tr("Infeasible: %1").arg(plan.reason), t.err));
    return parts;
}

QString joined(const QStringList& parts) {
    return parts.join(QStringLiteral(", "));
}

QString plainText(const QString& richText) {
    return QTextDocumentFragment::fromHtml(richText).toPlainText();
}

// How wide a label draws it, px.
double widthOf(const QString& richText, const QFont& font) {
    QTextDocument document;
    document.setDocumentMargin(0);
    document.setDefaultFont(font);
    document.setHtml(richText);
    return document.idealWidth();
}

} // namespace

EditedBar::EditedBar(const AppContext& context, CurrentPlan& plan, QWidget* parent)
    : QWidget(parent), m_context(context), m_plan(plan), m_name(new QLabel), m_changes(new QLabel),
      m_keep(new QPushButton(tr("Add to candidates"))), m_improve(new QPushButton(tr("Improve"))),
      m_compare(new QPushButton(tr("Compare"))), m_revert(new QPushButton(tr("Revert"))) {
    setFixedHeight(28);
    setObjectName(QStringLiteral("editedBar"));
    m_name->setFont(bodyFont(600));
    m_name->setObjectName(QStringLiteral("editedBar.name"));
    m_changes->setTextFormat(Qt::RichText);
    m_changes->setObjectName(QStringLiteral("editedBar.changes"));
    m_changes->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_changes->installEventFilter(this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 0, 6, 1);
    row->setSpacing(8);
    row->addWidget(m_name);
    row->addWidget(m_changes, 1);
    const std::pair<QPushButton*, const char*> buttons[] = {{m_keep, "whatif.keep"},
                                                            {m_improve, "search.improve"},
                                                            {m_compare, "plan.compare"},
                                                            {m_revert, "whatif.revert"}};
    for (const auto& [button, id] : buttons) {
        QAction* action = context.commands.action(id);
        button->setProperty("link", true);
        button->setCursor(Qt::PointingHandCursor);
        button->setObjectName(QStringLiteral("editedBar.") + QLatin1String(id));
        button->setToolTip(action->toolTip());
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        row->addWidget(button);
    }
    connect(&m_plan, &CurrentPlan::changed, this, &EditedBar::refresh);
    connect(&context.whatIf, &WhatIf::followed, this, &EditedBar::refresh);
    connect(&context.candidates, &Candidates::changed, this, &EditedBar::refresh);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &EditedBar::refresh);
    refresh();
}

void EditedBar::refresh() {
    const auto& plan = m_plan.plan();
    const bool edited = plan && plan->base;
    setVisible(edited);
    if (!edited)
        return;
    m_name->setText(tr("Plan %1").arg(plan->name));
    m_parts = changesOf(*plan);
    if (const QString trainer = lostTrainer(); !trainer.isEmpty())
        m_parts.prepend(coloured(tr("%1 cannot run it").arg(trainer), theme().warn));
    m_changes->setToolTip(tr("Against plan %1: %2").arg(plan->base->name, plainText(joined(m_parts))));
    m_keep->setEnabled(m_context.whatIf.canKeep());
    m_revert->setEnabled(m_context.whatIf.canRevert());
    setAccessibleName(m_name->text());
    layout()->activate(); // the name takes its room first
    showWhatFits();
}

// The trainer that is searched for, if it can run the plan before the edits and not with them; else empty.
QString EditedBar::lostTrainer() const {
    const ExporterRow* target = m_context.runner.demand().target;
    const Candidate *base = m_context.whatIf.base(), *edited = m_context.whatIf.subject();
    if (!target || !base || !edited || canRun(*target, *edited->problem, edited->plan) ||
        !canRun(*target, *base->problem, base->plan))
        return {};
    return QString::fromUtf8(target->label);
}

void EditedBar::showWhatFits() {
    QStringList shown = m_parts;
    while (shown.size() > 1 && widthOf(joined(shown), m_changes->font()) > m_changes->width())
        shown.removeLast();
    QString text = joined(shown);
    if (widthOf(text, m_changes->font()) > m_changes->width()) // a long reason
        text = m_changes->fontMetrics()
                   .elidedText(plainText(text), Qt::ElideRight, m_changes->width())
                   .toHtmlEscaped();
    m_changes->setText(text);
}

bool EditedBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_changes && event->type() == QEvent::Resize)
        showWhatFits();
    return QWidget::eventFilter(watched, event);
}

void EditedBar::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.accentGround);
    painter.fillRect(0, height() - 1, width(), 1, t.line);
}

} // namespace pw
