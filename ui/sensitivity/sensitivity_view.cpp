// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sensitivity/sensitivity_view.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/sensitivity/slice_plot.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_order.h"
#include "ui/session/selection.h"
#include "ui/session/what_if.h"
#include "ui/widgets/eliding_combo.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw {

namespace {

constexpr int kSoon = 120; // ms
enum Column { Value, Time, Change, ColumnCount };
using Kind = whatif::SliceParameter::Kind;

} // namespace

SensitivityView::SensitivityView(AppContext& context, QWidget* parent)
    : View(parent), m_context(context), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("chart"))), m_parameter(new ElidingCombo),
      m_try(new QPushButton(tr("Try it"))), m_plot(new SlicePlot), m_table(new QTableWidget(0, ColumnCount)) {
    setObjectName(QStringLiteral("sensitivity"));
    setAccessibleName(tr("Sensitivity"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(makePage());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    setMinimumSize(240, 140);
    setFocusProxy(m_table);

    Commands& c = context.commands;
    c.attach("sensitivity", this);
    offerRowMenu(m_table, "sensitivity", c);
    c.bind("sensitivity.try", this, [this] { tryIt(); });
    connect(m_try, &QPushButton::clicked, c.action("sensitivity.try"), &QAction::trigger);
    connect(m_parameter, &QComboBox::currentIndexChanged, this, [this] {
        m_fresh = false;
        look();
    });
    connect(m_plot, &SlicePlot::clicked, this, &SensitivityView::choose);
    connect(m_plot, &SlicePlot::doubleClicked, this, [this](int row) {
        choose(row);
        tryIt();
    });
    connect(m_table, &QTableWidget::itemSelectionChanged, this,
            [this] { choose(m_table->selectedItems().isEmpty() ? -1 : m_table->currentRow()); });
    m_later.setSingleShot(true);
    m_later.setInterval(kSoon);
    connect(&m_later, &QTimer::timeout, this, &SensitivityView::follow);
    const auto soon = [this] {
        const Candidate* plan = m_context.whatIf.subject();
        if (!plan || plan->id != m_plan || plan->revision != m_revision)
            m_later.start();
    };
    connect(&context.selection, &Selection::planChanged, this, soon);
    connect(&context.candidates, &Candidates::changed, this, soon);
    connect(&context.document, &Document::changed, this, soon);
    follow();
}

SensitivityView::~SensitivityView() = default;

QWidget* SensitivityView::makePage() {
    m_parameter->setObjectName(QStringLiteral("sensitivity.parameter"));
    m_parameter->setAccessibleName(tr("What changes"));
    m_parameter->setToolTip(tr("What changes while all else stays"));
    m_parameter->setFixedHeight(24);
    m_parameter->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // the column keeps its width
    m_try->setObjectName(QStringLiteral("sensitivity.try"));
    m_try->setToolTip(m_context.commands.action("sensitivity.try")->toolTip());
    m_try->setFixedHeight(24);
    m_table->setObjectName(QStringLiteral("sensitivity.table"));
    m_table->setAccessibleName(tr("Times by value"));
    m_table->setHorizontalHeaderLabels({tr("Value"), tr("Iteration"), tr("Change")});
    quietTable(m_table, 20);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::ResizeToContents); // the change has words, and what is left
    header->setSectionResizeMode(Change, QHeaderView::Stretch);
    for (int column = 0; column < ColumnCount; ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            Qt::AlignVCenter | (column == Value ? Qt::AlignLeft : Qt::AlignRight));
    auto* page = new QWidget;
    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(10, 5, 10, 1);
    tools->setSpacing(6);
    tools->addWidget(m_parameter, 1);
    tools->addWidget(m_try);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(tools);
    column->addWidget(m_plot, 3);
    column->addWidget(m_table, 2);
    return page;
}

void SensitivityView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    look();
}

QString SensitivityView::name(const whatif::SliceParameter& parameter) const {
    switch (parameter.kind) {
    case Kind::AllLinks:
        return tr("Bandwidth of all links");
    case Kind::AllLatencies:
        return tr("Latency of all links");
    case Kind::Latency:
        return tr("Latency of link %1").arg(q(parameter.link));
    case Kind::Link:
        return tr("Bandwidth of link %1").arg(q(parameter.link));
    case Kind::Microbatch:
        return tr("Sequences of a micro-batch");
    case Kind::Boundary:
        return parameter.chunk < 0
                   ? tr("Boundary behind stage %1").arg(parameter.stage)
                   : tr("Boundary behind chunk %1 of stage %2").arg(parameter.chunk).arg(parameter.stage);
    case Kind::Tp:
        return tr("tp of stage %1").arg(parameter.index);
    }
    return {};
}

QString SensitivityView::valueText(const whatif::SlicePoint& point) const {
    switch (m_parameters[static_cast<std::size_t>(m_parameter->currentIndex())].kind) {
    case Kind::AllLinks:
    case Kind::AllLatencies:
    case Kind::Link:
    case Kind::Latency:
        return QStringLiteral("\u00d7 %1").arg(point.at);
    case Kind::Boundary: // odd fine layers begin a block, even ones its second half
        return tr("block %1").arg((point.at - 1.0) / 2.0);
    case Kind::Microbatch:
    case Kind::Tp:
        break;
    }
    return QString::number(point.at);
}

void SensitivityView::follow() {
    const Candidate* plan = m_context.whatIf.subject();
    m_plan = plan ? plan->id : -1;
    m_revision = plan ? plan->revision : -1;
    m_fresh = false;
    const int index = m_parameter->currentIndex();
    const std::optional<whatif::SliceParameter> before =
        index >= 0 && index < static_cast<int>(m_parameters.size())
            ? std::optional(m_parameters[static_cast<std::size_t>(index)])
            : std::nullopt;
    m_parameters =
        plan ? whatif::sliceParameters(*plan->problem, plan->plan) : std::vector<whatif::SliceParameter>();
    {
        const QSignalBlocker blocker(m_parameter);
        m_parameter->clear();
        for (const whatif::SliceParameter& parameter : m_parameters) {
            m_parameter->addItem(name(parameter));
            if (before && parameter == *before)
                m_parameter->setCurrentIndex(m_parameter->count() - 1);
        }
    }
    const Candidate* apart = plan ? nullptr : m_context.candidates.find(m_context.selection.plan());
    const auto problem = m_context.document.problem();
    m_empty->setText(apart ? apartTitle(*apart, problem) : tr("No plan selected"),
                     apart ? apartText(*apart, problem) : tr("Select a plan to see what its time rests on."));
    m_pages->setCurrentIndex(m_parameters.empty() ? 0 : 1);
    look();
}

void SensitivityView::look() {
    const Candidate* plan = m_context.whatIf.subject();
    const int index = m_parameter->currentIndex();
    if (m_fresh || !isVisible() || index < 0 || !plan || plan->id != m_plan || plan->revision != m_revision) {
        if (m_parameters.empty()) {
            m_job.drop();
            present(std::vector<whatif::SlicePoint>());
        }
        return;
    }
    m_fresh = true;
    setSubtitle(tr("evaluating"));
    m_job.start([problem = plan->problem, judged = plan->plan,
                 parameter = m_parameters[static_cast<std::size_t>(index)]](
                    const std::stop_token& stop) { return whatif::slice(*problem, judged, parameter, stop); },
                [this](const Result<std::vector<whatif::SlicePoint>>& points) { present(points); });
}

void SensitivityView::present(const Result<std::vector<whatif::SlicePoint>>& points) {
    const Candidate* plan = m_context.candidates.find(m_plan);
    m_points = points && plan ? *points : std::vector<whatif::SlicePoint>();
    const bool estimated = plan && plan->evaluation.isEstimated();
    const auto now = std::find_if(m_points.begin(), m_points.end(),
                                  [](const whatif::SlicePoint& point) { return point.now; });
    std::vector<SlicePlot::Point> drawn;
    const QSignalBlocker blocker(m_table);
    m_table->clearSelection();
    m_table->setRowCount(static_cast<int>(m_points.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const whatif::SlicePoint& point = m_points[static_cast<std::size_t>(row)];
        const QString time =
            (estimated ? QStringLiteral("\u2234 ") : QString()) + iterationText(point.iteration);
        QString change =
            point.now || now == m_points.end()
                ? tr("now")
                : tr("%1 %").arg(signedText(100.0 * (point.iteration / now->iteration - 1.0), 1));
        if (!point.fits)
            change = tr("%1, does not fit").arg(change);
        const QString texts[ColumnCount] = {valueText(point), time, change};
        for (int column = 0; column < ColumnCount; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setTextAlignment(Qt::AlignVCenter | (column == Value ? Qt::AlignLeft : Qt::AlignRight));
            item->setToolTip(texts[column]);
            if (!point.fits && column == Change)
                item->setForeground(theme().err);
            m_table->setItem(row, column, item);
        }
        drawn.push_back({texts[Value], time, change, point.iteration.value, point.fits, point.now});
    }
    m_plot->setPoints(std::move(drawn));
    choose(-1);
    setProperty(kMessageCodeProperty, points ? QString() : q(points.error().code));
    setSubtitle(!points            ? sentence(points.error())
                : m_points.empty() ? QString()
                : estimated        ? tr("the plan stays as it is, \u2234 predicted")
                                   : tr("the plan stays as it is, predicted"));
    Q_EMIT evaluated();
}

void SensitivityView::choose(int row) {
    m_plot->setChosen(row);
    if (row >= 0 && row != m_table->currentRow())
        m_table->selectRow(row);
    const bool known = row >= 0 && row < static_cast<int>(m_points.size());
    m_try->setEnabled(known && m_points[static_cast<std::size_t>(row)].plan &&
                      !m_points[static_cast<std::size_t>(row)].now);
}

void SensitivityView::tryIt() {
    const int row = m_table->selectedItems().isEmpty() ? -1 : m_table->currentRow();
    if (!m_try->isEnabled() || row < 0)
        return;
    const whatif::SlicePoint point = m_points[static_cast<std::size_t>(row)]; // they change with the edit
    const QString what = m_parameter->currentText();
    m_context.whatIf.edit(*point.plan, tr("%1: %2").arg(what, valueText(point)));
}

} // namespace pw
