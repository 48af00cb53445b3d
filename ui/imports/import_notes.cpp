// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/import_notes.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"

#include <QFileInfo>
#include <QHeaderView>

#include <algorithm>

namespace pw {

namespace {

constexpr std::size_t kShown = 500;
constexpr int kPlaceWidth = 260;

// The file's name without its folders, and the place in it.
QString shortPlace(const Diagnostic& note) {
    const QString where = q(note.where);
    const qsizetype pointer = where.indexOf(QLatin1Char('#'));
    const QString file = pointer < 0 ? where : where.left(pointer);
    return QFileInfo(file).fileName() + (pointer < 0 ? QString() : where.mid(pointer));
}

} // namespace

bool isQuestion(const Diagnostic& note) {
    return note.where.starts_with("--");
}

ImportNotes::ImportNotes(QWidget* parent) : QTableWidget(0, ColumnCount, parent) {
    setObjectName(QStringLiteral("import.notes"));
    setAccessibleName(tr("Messages"));
    setHorizontalHeaderLabels({tr("Place"), tr("Message"), QString()});
    verticalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(Place, QHeaderView::Interactive);
    horizontalHeader()->setSectionResizeMode(Message, QHeaderView::Stretch);
    horizontalHeader()->setMinimumSectionSize(32);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setHighlightSections(false);
    verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents); // messages wrap
    setColumnWidth(Place, kPlaceWidth);
    setColumnWidth(Explain, 32);
    linkMessages(this, Explain);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setShowGrid(false);
    setWordWrap(true);
    setTabKeyNavigation(false);
    setTextElideMode(Qt::ElideLeft);
    const auto go = [this](int row) {
        if (row >= 0 && row < static_cast<int>(m_notes.size()))
            Q_EMIT placeRequested(q(m_notes[static_cast<std::size_t>(row)].where));
    };
    connect(this, &QTableWidget::cellClicked, this, [go](int row, int column) {
        if (column != Explain)
            go(row);
    });
    connect(this, &QTableWidget::cellActivated, this, [go](int row, int) { go(row); });
}

void ImportNotes::setNotes(const Diagnostics& notes) {
    m_notes = notes;
    std::stable_sort(m_notes.begin(), m_notes.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return static_cast<int>(a.severity) > static_cast<int>(b.severity);
    });
    if (m_notes.size() > kShown)
        m_notes.erase(m_notes.begin() + kShown, m_notes.end());
    setRowCount(static_cast<int>(m_notes.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const Diagnostic& note = m_notes[static_cast<std::size_t>(row)];
        const bool asked = isQuestion(note);
        const bool error = note.severity == Severity::Error && !asked;
        auto* place = new QTableWidgetItem(asked ? tr("asked") : shortPlace(note));
        place->setIcon(error                                ? icon(QStringLiteral("error"), IconTone::Err)
                       : asked                              ? icon(QStringLiteral("help"), IconTone::Accent)
                       : note.severity == Severity::Warning ? icon(QStringLiteral("warning"), IconTone::Warn)
                                                            : icon(QStringLiteral("info"), IconTone::Text2));
        place->setToolTip(asked ? place->text() : q(note.where));
        place->setData(Qt::AccessibleTextRole, tr("%1, %2").arg(q(name(note.severity)), place->text()));
        auto* message = new QTableWidgetItem(sentence(note));
        message->setToolTip(message->text());
        auto* explain = new QTableWidgetItem(icon(QStringLiteral("help"), IconTone::Text2), QString());
        explain->setToolTip(explainText(note.code));
        explain->setData(Qt::AccessibleTextRole, explain->toolTip());
        for (QTableWidgetItem* item : {place, message, explain})
            item->setData(kMessageCodeRole, q(note.code));
        setItem(row, Place, place);
        setItem(row, Message, message);
        setItem(row, Explain, explain);
    }
}

} // namespace pw
