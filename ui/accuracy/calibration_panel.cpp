// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/calibration_panel.h"

#include "core/base/file.h"
#include "ui/accuracy/accuracy_study.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/session/document.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/file_dialogs.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace pw {

namespace {

constexpr int kTitle = 24, kRow = 20;

// "A100-SXM4-80GB: arithmetic 0.91, memory 1.02", a line a kind and medium.
QString factorsText(const Calibration& calibration) {
    QStringList lines;
    for (const auto& [kind, f] : calibration.kinds)
        lines << CalibrationPanel::tr("%1: arithmetic %2, memory %3, links within a node %4")
                     .arg(q(kind), decimalText(f.compute, 3), decimalText(f.memory, 3),
                          decimalText(f.fabric, 3));
    for (const auto& [medium, factor] : calibration.links)
        lines << CalibrationPanel::tr("%1: links between nodes %2").arg(q(medium), decimalText(factor, 3));
    return lines.join(QLatin1Char('\n'));
}

// A project has the figures of its devices and links and no others: the rest is the command line's.
QString remainderText(const Calibration& calibration) {
    QStringList names;
    for (const auto& [group, factor] : calibration.software)
        names << CalibrationPanel::tr("%1 %2").arg(q(group), decimalText(factor, 3));
    if (calibration.memoryOffset != 0.0)
        names << CalibrationPanel::tr("memory %1 GiB").arg(decimalText(calibration.memoryOffset, 2));
    return names.isEmpty()
               ? QString()
               : QLatin1Char('\n') + CalibrationPanel::tr("Not of the cluster, and not taken over: %1.")
                                         .arg(names.join(QStringLiteral(", ")));
}

Result<Calibration> readFactors(const std::string& path) {
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    Result<Calibration> read = readCalibration(*text, path);
    if (read && read->emulated)
        return badInput("calibration.emulated", path,
                        "was fitted to an emulated run, which says nothing of real GPUs");
    return read;
}

} // namespace

CalibrationPanel::CalibrationPanel(AccuracyContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_note(new ElidedLabel), m_message(new QLabel),
      m_busy(new QProgressBar), m_run(new QPushButton), m_apply(new QPushButton),
      m_open(new QPushButton(tr("Open factors..."))) {
    setObjectName(QStringLiteral("accuracy.calibration"));
    setAccessibleName(tr("Calibration"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 8);
    column->setSpacing(0);
    auto* title = new QHBoxLayout;
    title->setContentsMargins(10, 0, 10, 0);
    auto* name = new QLabel(tr("Calibration"));
    name->setFont(bodyFont(QFont::Medium));
    name->setFixedHeight(kTitle);
    m_note->setFont(smallFont());
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    title->addWidget(name);
    title->addWidget(m_note, 1);
    column->addLayout(title);
    m_busy->setRange(0, 0);
    m_busy->setTextVisible(false);
    m_busy->setAccessibleName(tr("Calibration runs"));
    column->addWidget(m_busy);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(10, 6, 10, 2);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(0);
    grid->setColumnMinimumWidth(0, 60);
    grid->setColumnStretch(2, 1);
    const QString names[] = {tr("Before"), tr("After"), tr("Held out")};
    const QString texts[] = {tr("figures of the catalogue"), tr("fitted to all of these runs"),
                             tr("runs that the fit has not seen")};
    const char* ids[] = {"before", "after", "heldOut"};
    for (int i = 0; i < 3; ++i) {
        m_names[i] = new QLabel(names[i]);
        m_values[i] = new QLabel;
        m_texts[i] = new ElidedLabel(texts[i]);
        m_values[i]->setObjectName(QStringLiteral("accuracy.calibration.") + QLatin1String(ids[i]));
        m_values[i]->setFont(bodyFont(QFont::DemiBold));
        for (QLabel* quiet : {m_names[i], m_texts[i]})
            quiet->setForegroundRole(QPalette::PlaceholderText);
        for (QLabel* label : {m_names[i], m_values[i], m_texts[i]})
            label->setFixedHeight(kRow);
        grid->addWidget(m_names[i], i, 0);
        grid->addWidget(m_values[i], i, 1);
        grid->addWidget(m_texts[i], i, 2);
    }
    column->addLayout(grid);
    m_message->setObjectName(QStringLiteral("accuracy.calibration.message"));
    m_message->setWordWrap(true);
    openLinks(m_message);
    m_message->setFont(smallFont());
    m_message->setContentsMargins(10, 2, 10, 4);
    m_message->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(m_message);
    auto* buttons = new QGridLayout;
    buttons->setContentsMargins(10, 4, 10, 0);
    buttons->setSpacing(8);
    buttons->setColumnStretch(2, 1);
    m_run->setObjectName(QStringLiteral("accuracy.calibrate"));
    m_apply->setObjectName(QStringLiteral("accuracy.calibration.apply"));
    m_apply->setText(tr("Apply to the cluster"));
    m_apply->setToolTip(tr("Changes the figures of the project's device kinds and links; can be undone"));
    m_open->setObjectName(QStringLiteral("accuracy.calibration.open"));
    m_open->setToolTip(tr("Reads factors that the command line's calibrate has written"));
    buttons->addWidget(m_run, 0, 0);
    buttons->addWidget(m_open, 0, 1);
    buttons->addWidget(m_apply, 1, 0, 1, 2, Qt::AlignLeft); // three in a row are wider than the dock
    column->addLayout(buttons);
    connect(m_run, &QPushButton::clicked, this, &CalibrationPanel::startOrStop);
    connect(m_apply, &QPushButton::clicked, this, &CalibrationPanel::apply);
    connect(m_open, &QPushButton::clicked, this, &CalibrationPanel::choose);
    connect(&m_calibrator, &Calibrator::changed, this, &CalibrationPanel::refresh);
    connect(&context.accuracy, &AccuracyStudy::chosenChanged, this, &CalibrationPanel::refresh);
    connect(&context.accuracy, &AccuracyStudy::changed, this, &CalibrationPanel::refresh);
    connect(&context.document, &Document::changed, this, [this] {
        m_applied.clear();
        refresh();
    });
    refresh();
}

const Calibration* CalibrationPanel::found() const {
    if (m_file)
        return *m_file ? &**m_file : nullptr;
    const std::optional<FitReport>& report = m_calibrator.report();
    return report ? &report->calibration : nullptr;
}

QString CalibrationPanel::messageText() const {
    if (m_calibrator.isRunning())
        return tr("Fits a factor of arithmetic, memory and links for each kind of device. Large tables take "
                  "minutes.");
    std::optional<Error> failure = m_file ? std::nullopt : m_calibrator.failure();
    if (m_file && !*m_file)
        failure = m_file->error();
    if (failure)
        return errorText(*failure).toHtmlEscaped() + explainLink(failure->code);
    if (const Calibration* factors = found())
        return (m_applied.isEmpty() ? factorsText(*factors) + remainderText(*factors) : m_applied)
            .toHtmlEscaped()
            .replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    return tr("Fits device and link figures to these runs, and holds runs out to see what the fit is worth.");
}

void CalibrationPanel::refresh() {
    const StudySource* source = m_context.accuracy.source(m_context.accuracy.chosen());
    const std::optional<FitReport> report = m_file ? std::nullopt : m_calibrator.report();
    const bool running = m_calibrator.isRunning();
    m_busy->setVisible(running);
    for (int i = 0; i < 3; ++i)
        for (QLabel* label : {m_names[i], m_values[i], m_texts[i]})
            label->setVisible(report && (i < 2 || report->folds > 0));
    if (report) {
        const ErrorFigures* figures[] = {&report->before, &report->after, &report->crossValidated};
        for (int i = 0; i < 3; ++i) {
            m_values[i]->setText(shareText(figures[i]->median));
            m_values[i]->setToolTip(tr("median; 90 % within %1").arg(shareText(figures[i]->p90)));
        }
        m_note->setText(report->folds > 0 ? tr("%1 runs of %2, %3-fold, median error")
                                                .arg(countText(report->runs))
                                                .arg(m_calibrator.title())
                                                .arg(report->folds)
                                          : tr("%1 runs of %2, too few to hold any out")
                                                .arg(countText(report->runs))
                                                .arg(m_calibrator.title()));
    } else {
        m_note->setText(running ? tr("fitting to %1").arg(m_calibrator.title()) : m_fileName);
    }
    m_message->setText(messageText());
    m_run->setText(running ? tr("Cancel") : tr("Calibrate"));
    m_run->setIcon(icon(running ? QStringLiteral("stop") : QStringLiteral("sliders")));
    m_run->setAccessibleName(running ? tr("Cancel the calibration")
                                     : tr("Calibrate to %1").arg(source ? source->title : QString()));
    m_run->setToolTip(running ? QString() : m_run->accessibleName());
    m_run->setEnabled(running || source);
    m_open->setEnabled(!running);
    m_apply->setVisible(found() != nullptr);
    const Cluster& cluster = m_context.document.project()->cluster;
    m_apply->setEnabled(found() && !cluster.nodes.empty() && cluster != m_after);
}

void CalibrationPanel::startOrStop() {
    if (m_calibrator.isRunning())
        return m_calibrator.stop();
    const StudySource* source = m_context.accuracy.source(m_context.accuracy.chosen());
    if (!source)
        return;
    std::vector<RunRow> rows;
    for (std::size_t i = 0; i < source->rows.size(); ++i)
        if (!source->leftOut[i])
            rows.push_back(source->rows[i]);
    m_applied.clear();
    m_after = {};
    m_file.reset();
    m_fileName.clear();
    m_calibrator.start(source->title, std::move(rows));
}

void CalibrationPanel::choose() {
    const QString path = askForFile(this, QStringLiteral("factors"), tr("Open fitted factors"),
                                    tr("Factors (*.json);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void CalibrationPanel::open(const QString& path) {
    m_applied.clear();
    m_after = {};
    m_fileName = QFileInfo(path).fileName();
    m_file.emplace(readFactors(s(path)));
    refresh();
}

void CalibrationPanel::apply() {
    const Calibration* factors = found();
    if (!factors)
        return;
    Project edited = *m_context.document.project();
    edited.cluster = calibrated(edited.cluster, *factors);
    edited.recipe = calibrated(edited.recipe, *factors);
    const bool changes = edited != *m_context.document.project();
    if (changes && !m_context.document.apply(edited, tr("Calibrate the cluster")))
        return;
    m_applied = changes
                    ? tr("Applied to the cluster of %1; undo takes it back.").arg(m_context.document.title())
                    : tr("The cluster of %1 has none of these device kinds and links: nothing changed.")
                          .arg(m_context.document.title());
    m_after = m_context.document.project()->cluster;
    refresh();
}

void CalibrationPanel::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    painter.fillRect(0, 0, width(), kTitle, t.head);
    painter.fillRect(0, 0, width(), 1, t.faint);
    painter.fillRect(0, kTitle - 1, width(), 1, t.faint);
}

} // namespace pw
