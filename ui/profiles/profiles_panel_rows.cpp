// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/imports/measurements/profile_file.h"
#include "core/store/store.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/commands/app_context.h"
#include "ui/profiles/coverage.h"
#include "ui/profiles/fit_plot.h"
#include "ui/profiles/measurement_table.h"
#include "ui/profiles/profile_sources.h"
#include "ui/profiles/profiles_panel.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/message_bar.h"

#include <QFileInfo>
#include <QLabel>
#include <QTabWidget>

namespace pw {

// The measured rows one by one: what is listed, what their line is, and their way out to a file.

namespace {

constexpr std::size_t kRowsShown = 50'000; // of a source that is in the store

} // namespace

QWidget* ProfilesPanel::makeTabs() {
    m_rows = new MeasurementTable;
    m_fit = new FitPlot;
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(QStringLiteral("profiles.tabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(makeCoverage(), tr("Coverage"));
    m_tabs->addTab(m_rows, tr("Measurements"));
    m_tabs->addTab(m_fit, tr("Fit"));
    m_fit->setCurve({}, tr("Choose a cell of the coverage, or a measured row."));
    connect(m_rows, &MeasurementTable::chosen, this,
            [this](const ProfileRow& row) { showFit(row.model, row.kind, row.layer, row.tp); });
    return m_tabs;
}

// Which rows the fit rests on: those that are listed, else the project's.
void ProfilesPanel::showFit(const std::string& model, const std::string& kind, int layer, int tp) {
    const Project& project = *m_app.document.project();
    QString layerName = tr("layer %1").arg(layer);
    for (const Coverage::Row& row : m_coverage->coverage().rows)
        if (row.layer == layer)
            layerName = row.layerName;
    std::optional<FitCurve> curve = fitCurve(project.profiles, model, kind, layer, tp, layerName);
    if (!curve)
        curve = fitCurve(m_rows->rows(), model, kind, layer, tp, layerName);
    m_fit->setCurve(std::move(curve),
                    tr("The %1 on %2 is not measured at tp %3: its times are estimates \u2234.")
                        .arg(layerName, q(kind))
                        .arg(tp));
}

void ProfilesPanel::refreshRows() {
    const QString source = chosen();
    std::vector<ProfileRow> rows;
    for (const ProfileRow& row : m_app.document.project()->profiles)
        if (source.isEmpty() || q(row.source) == source)
            rows.push_back(row);
    std::int64_t more = 0;
    const auto& all = m_sources->sources();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const ProfileSource& row) { return row.source == source; });
    // The store may have more of the source: single operators, and what the project does not use.
    if (found != all.end() && found->inStore > static_cast<std::int64_t>(rows.size())) {
        rows.clear();
        const auto store =
            ProfileStore::open(std::filesystem::path(s(m_storePath)), ProfileStore::Mode::ReadOnly);
        if (store) {
            const Status read = store->eachRow({}, s(source), [&](const ProfileRow& row) -> Status {
                if (rows.size() >= kRowsShown)
                    return stopped("stopped", "enough");
                rows.push_back(row);
                return Ok{};
            });
            if (!read && read.error().kind != ErrorKind::Stopped)
                showError(tr("Store not read."), read.error());
        } else {
            showError(tr("Store not read."), store.error());
        }
        more = found->inStore - static_cast<std::int64_t>(rows.size());
    }
    m_rows->setRows(std::move(rows), more,
                    source.isEmpty()
                        ? tr("The project rests on no measurement. Choose a source to see its rows.")
                        : tr("No row of this source is left."));
}

void ProfilesPanel::refreshShare() {
    const Candidate* plan = m_app.candidates.find(m_app.selection.plan());
    m_share->setVisible(plan != nullptr);
    if (plan)
        m_share->setText(
            tr("%1 of plan %2's computing time rests on measured numbers, the rest on estimates \u2234.")
                .arg(shareText(plan->evaluation.measuredShare), plan->name));
}

void ProfilesPanel::askExport() {
    const QString source = QFileInfo(chosen()).completeBaseName();
    const QString name = safeFileName(source, tr("Measurements")) + QStringLiteral(".json");
    const QString path = askWhereToSave(this, QStringLiteral("measurements"), tr("Export measurements"), name,
                                        tr("Measurements (*.json);;Tables (*.csv)"));
    if (!path.isEmpty())
        exportChosen(path);
}

bool ProfilesPanel::exportChosen(const QString& path) {
    const ProfileFormat format = path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)
                                     ? ProfileFormat::Table
                                     : ProfileFormat::Document;
    const std::string source = s(chosen());
    Status read = Ok{};
    const Status written = streamFileAtomically(s(path), [&](const TextSink& sink) {
        bool first = true;
        const auto put = [&](const ProfileRow& row) -> Status {
            if (!first)
                sink(profileFileSeparator(format));
            sink(printProfile(row, format));
            first = false;
            return Ok{};
        };
        sink(profileFileHead(format));
        const auto store =
            ProfileStore::open(std::filesystem::path(s(m_storePath)), ProfileStore::Mode::ReadOnly);
        if (store)
            read = store->eachRow({}, source, put);
        if (first) // the store does not have it
            for (const ProfileRow& row : m_app.document.project()->profiles)
                if (row.source == source)
                    (void)put(row);
        sink(profileFileEnd(format));
    });
    if (!written || !read) {
        showError(tr("Not exported."), (written ? read : written).error());
        return false;
    }
    m_bar->setMessage(MessageBar::Tone::Info, tr("Exported."), path);
    return true;
}

} // namespace pw
