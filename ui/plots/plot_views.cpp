// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_views.h"

#include "ui/commands/commands.h"
#include "ui/plots/parallel_plot.h"
#include "ui/plots/pareto_plot.h"
#include "ui/session/candidates.h"
#include "ui/widgets/eliding_combo.h"
#include "ui/widgets/empty_state.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace pw {

namespace {

// Plot and empty state, whichever the candidates ask for.
void buildPages(View& view, AppContext& context, QWidget* plot, QWidget* tools) {
    auto* empty = new EmptyState(QStringLiteral("chart"));
    empty->setText(View::tr("No plans yet"), View::tr("Plans appear here as the search finds them."));
    empty->setButton(View::tr("Run  F5"), QStringLiteral("run"));
    QObject::connect(empty, &EmptyState::clicked, context.commands.action("search.run"), &QAction::trigger);
    auto* pages = new QStackedWidget;
    pages->addWidget(empty);
    pages->addWidget(plot);
    auto* column = new QVBoxLayout(&view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    view.setAutoFillBackground(true);
    view.setBackgroundRole(QPalette::Base);
    if (tools)
        column->addWidget(tools);
    column->addWidget(pages);
    view.setFocusProxy(plot);
    const auto follow = [pages, &context] {
        pages->setCurrentIndex(context.candidates.all().empty() ? 0 : 1);
    };
    QObject::connect(&context.candidates, &Candidates::changed, &view, follow);
    follow();
}

QPushButton* freeButton(AppContext& context, QWidget* parent) {
    auto* button = new QPushButton(View::tr("Clear brush"), parent);
    button->setFixedHeight(24);
    PlanBrush& brush = PlanBrush::of(context.candidates);
    const auto follow = [button, &brush] { button->setVisible(!brush.isEmpty()); };
    QObject::connect(&brush, &PlanBrush::changed, button, follow);
    QObject::connect(button, &QPushButton::clicked, &brush, &PlanBrush::clear);
    follow();
    return button;
}

} // namespace

ParetoView::ParetoView(AppContext& context, QWidget* parent) : View(parent), m_plot(new ParetoPlot(context)) {
    setObjectName(QStringLiteral("paretoView"));
    auto* tools = new QWidget(this);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(10, 5, 10, 1);
    row->setSpacing(6);
    const auto axis = [&](const char* name, const QString& label, PlanAxis chosen) {
        auto* box = new ElidingCombo;
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(label);
        box->setToolTip(label);
        box->setFixedHeight(24);
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // the column keeps its width
        box->setMinimumWidth(64);
        for (int a = 0; a < kPlanAxes; ++a)
            box->addItem(axisName(static_cast<PlanAxis>(a)));
        box->setCurrentIndex(static_cast<int>(chosen));
        row->addWidget(box, 1);
        return box;
    };
    QComboBox* y = axis("pareto.y", tr("Upright axis"), m_plot->yAxis());
    auto* over = new QLabel(tr("over"));
    over->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(over);
    QComboBox* x = axis("pareto.x", tr("Level axis"), m_plot->xAxis());
    const auto choose = [this, x, y] {
        m_plot->setAxes(static_cast<PlanAxis>(x->currentIndex()), static_cast<PlanAxis>(y->currentIndex()));
    };
    connect(x, &QComboBox::currentIndexChanged, this, choose);
    connect(y, &QComboBox::currentIndexChanged, this, choose);
    const auto toggle = [&](const char* name, const QString& text, const QString& label, bool on) {
        auto* button = new QToolButton;
        button->setObjectName(QLatin1String(name));
        button->setText(text);
        button->setCheckable(true);
        button->setChecked(on);
        button->setFixedHeight(24);
        button->setToolTip(label);
        button->setAccessibleName(label);
        row->addWidget(button);
        return button;
    };
    connect(toggle("pareto.log", tr("log"), tr("Logarithmic axes"), false), &QToolButton::toggled, m_plot,
            &ParetoPlot::setLogarithmic);
    connect(toggle("pareto.all", tr("all"), tr("Include dominated plans"), true), &QToolButton::toggled,
            m_plot, &ParetoPlot::setDominatedShown);
    setTitleTools(freeButton(context, this));
    buildPages(*this, context, m_plot, tools);
}

ParallelView::ParallelView(AppContext& context, QWidget* parent)
    : View(parent), m_plot(new ParallelPlot(context)) {
    setObjectName(QStringLiteral("parallelView"));
    setTitleTools(freeButton(context, this));
    setSubtitle(tr("drag along an axis to brush"));
    buildPages(*this, context, m_plot, nullptr);
}

} // namespace pw
