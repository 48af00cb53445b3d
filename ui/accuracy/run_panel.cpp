// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/run_panel.h"

#include "ui/accuracy/accuracy_study.h"
#include "ui/accuracy/run_table_model.h"
#include "ui/accuracy/time_bars.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/details/property_list.h"
#include "ui/timeline/bar_text.h"
#include "ui/widgets/empty_state.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

QString text(const std::optional<std::int64_t>& value) {
    return value ? countText(*value) : RunPanel::tr("not stated");
}

QString stated(const std::string& words) {
    return words.empty() ? RunPanel::tr("not stated") : q(words);
}

QString parallelText(const RunRow& row) {
    QStringList parts;
    const std::pair<const char*, std::optional<std::int64_t>> sizes[] = {
        {"tp", row.tp}, {"pp", row.pp}, {"dp", row.dp}, {"cp", row.cp}, {"ep", row.ep}};
    for (const auto& [name, size] : sizes)
        if (size && (*size > 1 || std::string_view(name)[1] == 'p') &&
            (*size > 1 || (name[0] != 'c' && name[0] != 'e')))
            parts << QStringLiteral("%1 %2").arg(QLatin1String(name)).arg(*size);
    return parts.isEmpty() ? RunPanel::tr("not stated") : parts.join(QStringLiteral(", "));
}

QString basisText(Provenance provenance) {
    switch (provenance) {
    case Provenance::Measured:
        return RunPanel::tr("measured");
    case Provenance::Interpolated:
        return RunPanel::tr("interpolated");
    case Provenance::Fitted:
        return RunPanel::tr("\u2234 fitted");
    case Provenance::Estimated:
        return RunPanel::tr("\u2234 estimated");
    }
    return {};
}

// The citation with its address as a link.
QString sourceHtml(const QString& source) {
    const auto start = source.indexOf(QLatin1String("http"));
    if (start < 0)
        return source.toHtmlEscaped();
    auto end = source.indexOf(QLatin1Char(' '), start);
    if (end < 0)
        end = source.size();
    const QString url = source.mid(start, end - start).toHtmlEscaped();
    return QStringLiteral("%1<a href=\"%2\" style=\"color:%3\">%2</a>%4")
        .arg(source.left(start).toHtmlEscaped(), url, theme().accent.name(), source.mid(end).toHtmlEscaped());
}

} // namespace

RunPanel::RunPanel(AccuracyContext& context, QWidget* parent)
    : View(parent), m_context(context), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("info"))) {
    setObjectName(QStringLiteral("accuracyRunPanel"));
    setAccessibleName(tr("Run"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setMinimumSize(276, 160);
    build();
    m_empty->setText(tr("No run selected"), tr("Click a point, or a row of Runs."));
    connect(&m_maker, &RunDetailMaker::changed, this, &RunPanel::refresh);
    connect(&context.accuracy, &AccuracyStudy::runChanged, this, &RunPanel::runChanged);
    connect(&context.accuracy, &AccuracyStudy::changed, this, &RunPanel::refresh);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &RunPanel::refresh);
    runChanged();
}

RunPanel::Section RunPanel::addSection(QVBoxLayout* column, const QString& title) {
    auto* label = new QLabel(title);
    label->setFont(bodyFont(QFont::Medium));
    label->setFixedHeight(24);
    auto* rows = new PropertyList("accuracy run");
    column->addWidget(label);
    column->addWidget(rows);
    return {label, rows};
}

QLabel* RunPanel::addText(QVBoxLayout* column, const QString& name) {
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setFont(smallFont());
    label->setWordWrap(true);
    label->setContentsMargins(10, 2, 10, 6);
    label->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(label);
    return label;
}

void RunPanel::build() {
    auto* sheet = new QWidget;
    auto* column = new QVBoxLayout(sheet);
    column->setContentsMargins(0, 0, 0, 10);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 8, 10, 2);
    m_name = new QLabel;
    m_name->setObjectName(QStringLiteral("accuracy.run.name"));
    m_name->setFont(headingFont());
    m_quality = new QLabel;
    m_quality->setFont(smallFont());
    m_quality->setForegroundRole(QPalette::PlaceholderText);
    head->addWidget(m_name, 1);
    head->addWidget(m_quality);
    column->addLayout(head);
    m_row = new PropertyList("accuracy run");
    column->addWidget(m_row);
    setFocusProxy(m_row);
    m_refusal = addText(column, QStringLiteral("accuracy.run.refusal"));
    m_time = addSection(column, tr("Iteration time"));
    m_time.rows->setObjectName(QStringLiteral("accuracy.run.time"));
    m_bars = new TimeBars;
    column->addWidget(m_bars);
    m_barsNote = addText(column, QStringLiteral("accuracy.run.barsNote"));
    m_memory = addSection(column, tr("Peak memory"));
    m_basis = addSection(column, tr("What the prediction rests on"));
    m_assumptionsTitle = addText(column, QStringLiteral("accuracy.run.assumptionsTitle"));
    m_assumptionsTitle->setText(tr("Assumed, since the row does not say:"));
    m_assumptions = addText(column, QStringLiteral("accuracy.run.assumptions"));
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(10, 8, 10, 10);
    buttons->setSpacing(8);
    m_open = new QPushButton(icon(QStringLiteral("next")), tr("Open as a plan"));
    m_open->setObjectName(QStringLiteral("accuracy.run.open"));
    m_open->setAccessibleName(tr("Open as a plan"));
    m_leaveOut = new QPushButton;
    m_leaveOut->setObjectName(QStringLiteral("accuracy.run.leaveOut"));
    connect(m_open, &QPushButton::clicked, m_context.commands.action("accuracy.open"), &QAction::trigger);
    connect(m_leaveOut, &QPushButton::clicked, m_context.commands.action("accuracy.leaveOut"),
            &QAction::trigger);
    m_open->setToolTip(m_context.commands.action("accuracy.open")->toolTip());
    m_leaveOut->setToolTip(m_context.commands.action("accuracy.leaveOut")->toolTip());
    buttons->addWidget(m_open, 1);
    buttons->addWidget(m_leaveOut, 1);
    m_source = addText(column, QStringLiteral("accuracy.run.source"));
    m_source->setTextFormat(Qt::RichText);
    m_source->setOpenExternalLinks(true);
    m_source->setTextInteractionFlags(Qt::TextBrowserInteraction);
    column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(sheet);
    sheet->setAutoFillBackground(true);
    sheet->setBackgroundRole(QPalette::Base);
    m_pages->addWidget(m_empty);
    auto* page = new QWidget; // the ways on stay in sight whatever the row has to say
    auto* whole = new QVBoxLayout(page);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addWidget(scroll, 1);
    whole->addLayout(buttons);
    m_pages->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
}

void RunPanel::runChanged() {
    const RunRef run = m_context.accuracy.run();
    if (const RunRow* row = m_context.accuracy.row(run))
        m_maker.make(*row, m_context.accuracy.source(run.source)->layers);
    else
        m_maker.drop();
    refresh();
}

void RunPanel::refresh() {
    const RunRow* row = m_context.accuracy.row(m_context.accuracy.run());
    m_pages->setCurrentIndex(row ? 1 : 0);
    if (!row)
        return;
    for (QLabel* title : {m_time.title, m_memory.title, m_basis.title})
        title->setStyleSheet(QStringLiteral("background:%1; color:%2; padding:0 10px;")
                                 .arg(theme().head.name(), theme().text.name()));
    refreshRow(*row);
    refreshFigures();
    refreshBasis();
    refreshButtons();
}

void RunPanel::refreshRow(const RunRow& row) {
    m_name->setText(q(row.rowId));
    m_quality->setText(row.quality.empty() ? QString() : tr("quality %1").arg(q(row.quality)));
    QString schedule = stated(row.schedule);
    if (!row.vpp.empty() && row.vpp != "1")
        schedule += tr(", %1 chunks").arg(q(row.vpp));
    m_row->setProperties({
        {tr("Model"), stated(row.model), {}, {}, {}, false},
        {tr("Devices"), deviceText(row), {}, {}, {}, false},
        {tr("Network"), stated(row.network), {}, {}, {}, false},
        {tr("Framework"), stated(row.framework), {}, {}, {}, false},
        {tr("Parallel"), parallelText(row), {}, {}, {}, false},
        {tr("Schedule"), schedule, {}, {}, {}, false},
        {tr("Batch"),
         tr("%1 of %2, seq %3").arg(text(row.gbs), text(row.mbs), text(row.seqLen)),
         {},
         {},
         {},
         false},
        {tr("Precision"), stated(row.precision), {}, {}, {}, false},
        {tr("Sharding"), stated(row.sharding), {}, {}, {}, false},
        {tr("Recompute"), stated(row.recompute), {}, {}, {}, false},
    });
    m_source->setText(sourceHtml(q(row.source)));
    m_source->setVisible(!row.source.empty());
}

void RunPanel::refreshFigures() {
    const AccuracyStudy& study = m_context.accuracy;
    const RunRef run = study.run();
    const RunRow& row = *study.row(run);
    const RunPrediction& prediction = *study.prediction(run);
    const bool predicted = prediction.status == PredictionStatus::Ok;
    const auto figures = [&](RunQuantity quantity) {
        const auto measured = study.measured(run, quantity);
        const auto error = study.error(run, quantity);
        constexpr double kLarge = 0.25;
        std::vector<Property> list;
        list.push_back({tr("Measured"),
                        measured                                        ? runFigure(*measured, quantity)
                        : row.failed() && quantity == RunQuantity::Time ? stated(row.iterTimeBasis)
                                                                        : tr("not stated"),
                        {},
                        {},
                        {},
                        false});
        if (predicted)
            list.push_back(
                {tr("Predicted"), runFigure(*study.predicted(run, quantity), quantity), {}, {}, {}, false});
        if (error)
            list.push_back({tr("Error"), errorText(*error), {}, {}, {}, std::abs(*error) > kLarge});
        return list;
    };
    m_refusal->setText(refusalText(prediction));
    m_refusal->setVisible(!predicted);
    m_time.rows->setProperties(figures(RunQuantity::Time));
    std::vector<Property> memory = figures(RunQuantity::Memory);
    if (predicted)
        memory.push_back({tr("Fits"),
                          prediction.fits ? tr("predicted to fit") : tr("predicted not to fit"),
                          row.failed()                ? tr("it failed")
                          : row.iterTimeS.has_value() ? tr("it ran")
                                                      : QString(),
                          {},
                          {},
                          row.failed() == prediction.fits});
    if (!row.memDef.empty())
        memory.push_back({tr("Defined as"), q(row.memDef), {}, {}, {}, false});
    m_memory.rows->setProperties(std::move(memory));
    m_bars->show(predicted ? m_maker.detail() : nullptr,
                 study.measured(run, RunQuantity::Time).value_or(0.0));
    m_barsNote->setVisible(!m_bars->isHidden());
    if (const auto& detail = m_maker.detail()) {
        const QString predictedText = detail->stages > 1
                                          ? tr("predicted by kind on stage %1").arg(detail->stage)
                                          : tr("predicted by kind");
        m_barsNote->setText(study.measured(run, RunQuantity::Time)
                                ? tr("%1, above; measured, below").arg(predictedText)
                                : predictedText);
    }
}

void RunPanel::refreshBasis() {
    const auto& detail = m_maker.detail();
    const bool known = detail && detail->problem.isEmpty();
    m_basis.title->setVisible(known);
    m_basis.rows->setVisible(known);
    m_assumptionsTitle->setVisible(known && !detail->assumptions.empty());
    m_assumptions->setVisible(known && !detail->assumptions.empty());
    if (!known)
        return;
    const StageFigures& f = detail->figures;
    const auto share = [&](double seconds) { return shareText(seconds / detail->iteration); };
    const auto busy = [&](BarKind kind) { return detail->busy[static_cast<std::size_t>(kind)]; };
    const double compute = busy(BarKind::Forward) + busy(BarKind::Backward) + busy(BarKind::WeightGrad) +
                           busy(BarKind::Recompute);
    std::vector<Property> rows = {
        {tr("Compute"), basisText(f.forwardProvenance), share(compute), {}, {}, false},
        {tr("Transfers"), basisText(f.sendProvenance), share(detail->exposedTransfer), {}, {}, false},
        {tr("Gradient sync"), basisText(f.syncProvenance), share(busy(BarKind::AllReduce)), {}, {}, false},
        {tr("Optimiser"), basisText(f.optimizerProvenance), share(busy(BarKind::Optimizer)), {}, {}, false},
    };
    std::erase_if(rows, [](const Property& row) { return row.note == shareText(0.0); });
    rows.push_back(
        {tr("Measured"), shareText(detail->measuredShare), tr("of the computing time"), {}, {}, false});
    m_basis.rows->setProperties(std::move(rows));
    QStringList said;
    for (const std::string& assumption : detail->assumptions)
        said << QStringLiteral("\u2022 ") + sentence(assumption);
    m_assumptions->setText(said.join(QLatin1Char('\n')));
}

void RunPanel::refreshButtons() {
    const AccuracyStudy& study = m_context.accuracy;
    const bool out = study.isLeftOut(study.run());
    m_open->setEnabled(study.prediction(study.run())->status == PredictionStatus::Ok);
    m_leaveOut->setText(out ? tr("Take back in") : tr("Leave out"));
    m_leaveOut->setAccessibleName(m_leaveOut->text());
    m_leaveOut->setIcon(icon(out ? QStringLiteral("plus") : QStringLiteral("minus")));
}

} // namespace pw
