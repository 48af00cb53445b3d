// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/key_figures.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/session/document.h"
#include "ui/session/plan_order.h"
#include "ui/session/plan_text.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/widgets/eliding_combo.h"
#include "ui/widgets/fitting_labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr std::size_t kPlansOffered = 40;
constexpr int kNarrowestChooser = 120; // where others need the room
constexpr int kLeastChooser = 300, kMostChooser = 420;
constexpr int kLeastReason = 60, kMostReason = 640;
constexpr int kChooserFrame = 44; // padding and arrow
constexpr int kMark = 24;         // the symbol of a plan that cannot run, with its distance

QString figure(const QString& value, const QString& name, bool stale, bool large = false) {
    return QStringLiteral("<span style='font-weight:600; color:%1;%2'>%3</span>&nbsp; "
                          "<span style='color:%4'>%5</span>")
        .arg((stale ? theme().text2 : theme().text).name(),
             large ? QStringLiteral(" font-size:15px") : QString(), value, theme().text2.name(), name);
}

QString estimateMark(bool estimated) {
    return estimated ? QStringLiteral("\u2234 ") : QString();
}

QString infeasibleText(const ShownPlan& plan) {
    return plan.reason.isEmpty() ? QString()
                                 : QStringLiteral("&nbsp; <span style='font-weight:600; color:%1'>%2</span>")
                                       .arg(theme().err.name(), KeyFigures::tr("infeasible"));
}

// " −3.1 %" in the colour of better or worse.
QString changeText(double percent) {
    if (std::abs(percent) < 0.005)
        return {};
    return QStringLiteral("&nbsp; <span style='color:%1'>%2&nbsp;%</span>")
        .arg((percent < 0.0 ? theme().ok : theme().err).name(), signedText(percent, 2));
}

} // namespace

KeyFigures::KeyFigures(AppContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_shown(new CurrentPlan(context, this)), m_plans(new ElidingCombo),
      m_blocked(new QWidget), m_blockedSymbol(new QLabel), m_blockedText(new QLabel),
      m_blockedLink(new QPushButton) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setMinimumHeight(32);
    m_plans->setObjectName(QStringLiteral("planChooser"));
    m_plans->setAccessibleName(tr("Current plan"));
    m_plans->setToolTip(tr("The plan that all views show"));
    m_plans->setFixedSize(kLeastChooser, 26);
    m_plans->setMaxVisibleItems(16);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 0, 0);
    row->setSpacing(16);
    row->addWidget(m_plans);
    const char* names[] = {"figure.iteration", "figure.expected", "figure.tokens", "figure.bubble",
                           "figure.gap"};
    for (int i = 0; i < kFigures; ++i) {
        m_figures[i] = new QLabel;
        m_figures[i]->setObjectName(QLatin1String(names[i]));
        m_figures[i]->setTextFormat(Qt::RichText);
        row->addWidget(m_figures[i]);
    }
    auto* blocked = new QHBoxLayout(m_blocked);
    blocked->setContentsMargins(0, 0, 0, 0);
    blocked->setSpacing(6);
    blocked->addWidget(m_blockedSymbol);
    blocked->addWidget(m_blockedText);
    m_blockedLink->setProperty("link", true);
    m_blockedLink->setObjectName(QStringLiteral("blockedReason"));
    m_blockedLink->setCursor(Qt::PointingHandCursor);
    blocked->addWidget(m_blockedLink);
    row->addWidget(m_blocked);
    row->addStretch();

    connect(m_plans, &QComboBox::activated, this,
            [this] { m_context.selection.setPlan(m_plans->currentData().toInt()); });
    connect(m_blockedLink, &QPushButton::clicked, this, [this] {
        if (m_searched || !m_context.runner.waitsFor().isEmpty())
            return Q_EMIT searchClicked();
        for (const Diagnostic& d : m_context.document.diagnostics())
            if (d.severity == Severity::Error)
                return Q_EMIT problemClicked(q(d.where));
    });
    connect(&m_context.candidates, &Candidates::changed, this, &KeyFigures::refresh);
    connect(&m_context.selection, &Selection::planChanged, this, &KeyFigures::refresh);
    connect(m_shown, &CurrentPlan::changed, this, &KeyFigures::refreshFigures);
    for (const auto changed : {&SearchRunner::started, &SearchRunner::finished, &SearchRunner::replaced,
                               &SearchRunner::demandChanged, &SearchRunner::waitsForChanged})
        connect(&m_context.runner, changed, this, &KeyFigures::refresh);
    connect(&m_context.document, &Document::changed, this, &KeyFigures::refresh);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, [this] {
        m_offered.clear(); // symbols have the theme's colours
        refresh();
    });
    offer({});
    refresh();
}

void KeyFigures::refresh() {
    refreshPlans();
    refreshFigures();
    refreshProblems();
}

void KeyFigures::refreshPlans() {
    const auto problem = m_context.document.problem();
    const std::vector<const Candidate*> all = currentFirst(m_context.candidates, problem);
    const int current = m_context.selection.plan();
    std::vector<Offered> offered;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Candidate& plan = *all[i];
        if (i < kPlansOffered || plan.id == current)
            offered.push_back(
                {plan.id, plan.evaluation.feasible,
                 withStale(QStringLiteral("%1   %2").arg(planTitle(plan), planSummary(plan.plan)), plan,
                           problem)});
    }
    const QSignalBlocker quiet(m_plans);
    if (offered != m_offered)
        offer(std::move(offered));
    m_plans->setCurrentIndex(m_plans->findData(current));
    m_plans->setPlaceholderText(tr("No plan selected"));
    m_plans->setVisible(!all.empty());
}

// Measuring texts and filling the list is most of a refresh, and nearly all refreshes offer the same.
void KeyFigures::offer(std::vector<Offered> offered) {
    m_offered = std::move(offered);
    m_plans->clear();
    const QFontMetrics metrics = m_plans->fontMetrics();
    int widest = 0;
    for (const Offered& plan : m_offered) {
        m_plans->addItem(metrics.elidedText(plan.text, Qt::ElideRight, kMostChooser - kChooserFrame),
                         plan.id);
        m_plans->setItemData(m_plans->count() - 1, plan.text, Qt::ToolTipRole);
        if (!plan.fits)
            m_plans->setItemIcon(m_plans->count() - 1, icon(QStringLiteral("error"), IconTone::Err));
        widest = std::max(widest, metrics.horizontalAdvance(plan.text) + (plan.fits ? 0 : kMark));
    }
    m_wanted = std::clamp(widest + kChooserFrame, kLeastChooser, kMostChooser);
}

void KeyFigures::refreshFigures() {
    const Candidate* plan = m_context.candidates.find(m_context.selection.plan());
    for (QLabel* label : m_figures)
        label->setText(QString());
    if (const auto& shown = m_shown->plan(); plan && shown) { // a plan that is being dragged, too
        const auto change = [&](double now, double before) {
            return shown->base ? changeText(100.0 * (now / before - 1.0)) : QString();
        };
        const ShownPlan& base = shown->base ? *shown->base : *shown;
        m_figures[0]->setText(figure(estimateMark(shown->estimated) + iterationText(shown->iteration),
                                     shown->isEarlier() ? tr("an iteration, stale") : tr("an iteration"),
                                     shown->stale, true) +
                              infeasibleText(*shown) + change(shown->iteration.value, base.iteration.value));
        m_figures[0]->setToolTip(shown->reason);
        m_figures[1]->setText(
            figure(expectedText(shown->band, shown->iteration), tr("expected"), shown->stale));
        m_figures[1]->setToolTip(
            tr("80 % of runs like it: %1; nearest %2").arg(basisText(shown->band), nearestText(shown->band)));
        m_figures[2]->setText(figure(tokensText(shown->tokensPerSecond), tr("tokens/s"), shown->stale));
        m_figures[3]->setText(figure(shareText(shown->bubble), tr("bubble"), shown->stale));
        m_figures[3]->setToolTip(bubbleHelp(shown->bubble));
        const Seconds bound = m_context.runner.boundFor(*plan);
        if (bound.value > 0.0)
            m_figures[4]->setText(
                figure(shareText(shown->iteration / bound - 1.0), tr("above bound"), shown->stale));
    }
    dropFromTheRight();
}

void KeyFigures::refreshProblems() {
    // As the search's panel counts and orders them: its own fields first.
    QStringList problems = m_context.runner.waitsFor();
    for (const Diagnostic& d : m_context.document.diagnostics())
        if (d.severity == Severity::Error)
            problems << (d.where.empty() ? messageText(d) : errorText(d));
    // Figures of a plan that answers the question are worth more than why a search has found none.
    const auto problem = m_context.document.problem();
    const Candidate* plan = m_context.candidates.find(m_context.selection.plan());
    const QString none =
        plan && !Candidates::isStale(*plan, problem) ? QString() : m_context.runner.noPlanText(problem);
    m_searched = problems.isEmpty() && !none.isEmpty();
    m_blocked->setVisible(!problems.isEmpty() || m_searched);
    if (problems.isEmpty() && !m_searched)
        return dropFromTheRight();
    m_blockedSymbol->setPixmap(icon(QStringLiteral("error"), IconTone::Err).pixmap(16));
    if (m_searched) {
        m_blockedText->setText(tr("No plan:"));
        m_blockedLink->setToolTip(none);
        m_blockedLink->setAccessibleName(tr("No plan: %1").arg(none));
        return dropFromTheRight();
    }
    m_blockedText->setText(problems.size() == 1 ? tr("Run waits for 1 problem:")
                                                : tr("Run waits for %1 problems:").arg(problems.size()));
    m_blockedLink->setToolTip(problems.front());
    m_blockedLink->setAccessibleName(problems.front());
    dropFromTheRight();
}

// The reason why nothing can run is worth more than the figures of a plan that no longer answers; the time of
// an iteration is worth more than the end of the plan's name.
void KeyFigures::dropFromTheRight() {
    constexpr int kBetween = 16, kBeside = 22; // of the row
    const bool blocks = m_blocked->isVisibleTo(this);
    const int words = m_blockedSymbol->sizeHint().width() + m_blockedText->sizeHint().width() + 44;
    const int needed = blocks ? words + kLeastReason : m_figures[0]->sizeHint().width();
    m_plans->setFixedWidth(
        std::max(kNarrowestChooser, std::min(m_wanted, width() - kBeside - kBetween - needed)));
    int room = width() - (m_plans->isVisibleTo(this) ? m_plans->width() + kBeside : 0);
    if (blocks) {
        const QString reason = m_blockedLink->toolTip();
        const QFontMetrics metrics = m_blockedLink->fontMetrics();
        m_blockedLink->setText(
            metrics.elidedText(reason, Qt::ElideRight, std::clamp(room - words, kLeastReason, kMostReason)));
        room -= m_blocked->sizeHint().width() + kBetween;
    }
    showWhatFits(m_figures, room, kBetween);
}

void KeyFigures::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    dropFromTheRight();
}

} // namespace pw
