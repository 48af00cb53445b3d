// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/glossary.h"

#include "ui/base/convert.h"
#include "ui/help/manual_pages.h"

#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QToolTip>

namespace pw {

namespace {

QString translated(const char* word) {
    return QCoreApplication::translate("Glossary", word);
}

// So much that something is said: a first sentence may be "Two things."
std::string firstSentence(const GlossaryTerm& term) {
    const ManualPage* page = shippedManual().page(kGlossaryPage);
    for (const ManualSection& section : page ? page->sections : std::vector<ManualSection>())
        if (section.anchor == term.anchor) {
            const std::size_t end = section.words.find(". ", 20);
            return end == std::string::npos ? section.words : section.words.substr(0, end + 1);
        }
    return {};
}

const QHeaderView* headerOf(const QObject* viewport) {
    const auto* header = qobject_cast<const QHeaderView*>(viewport->parent());
    return header && header->viewport() == viewport && header->orientation() == Qt::Horizontal ? header
                                                                                               : nullptr;
}

QString sectionData(const QHeaderView& header, const QPoint& at, int role) {
    const int section = header.logicalIndexAt(at);
    return header.model() && section >= 0
               ? header.model()->headerData(section, Qt::Horizontal, role).toString()
               : QString();
}

// Dots under the words, in the colour that they have.
void underline(QLabel& label) {
    const QFontMetrics metrics = label.fontMetrics();
    const QRect room = label.contentsRect();
    const QString shown = metrics.elidedText(label.text(), Qt::ElideRight, room.width());
    const QRect words = QStyle::alignedRect(
        label.layoutDirection(), label.alignment(),
        {std::min(metrics.horizontalAdvance(shown), room.width()), metrics.height()}, room);
    QPainter painter(&label);
    painter.setPen(QPen(label.palette().color(label.foregroundRole()), 1, Qt::DotLine));
    const int y = std::min(words.top() + metrics.ascent() + 2, label.height() - 1);
    painter.drawLine(words.left(), y, words.right(), y);
}

} // namespace

const std::vector<GlossaryTerm>& glossaryTable() {
    static const std::vector<GlossaryTerm> rows = {
        {"Block", "block"},
        {"Blocks", "block"},
        {"Bubble", "bubble"},
        {"Candidates", "candidate"},
        {"Closed form", "closed-form"},
        {"Expected", "band"},
        {"Gap", "gap"},
        {"Global batch", "global-batch"},
        {"Idle", "bubble"},
        {"Launch", "launch-count"},
        {"Lower bound", "bound"},
        {"Measured", "provenance"},
        {"Micro-batches", "micro-batch"},
        {"Nearest", "distance"},
        {"Planner", "planner"},
        {"Recompute", "recompute"},
        {"Rests on", "rests-on"},
        {"Schedule", "schedule"},
        {"Seed", "seed"},
        {"Sharding", "zero"},
        {"Standing", "standing"},
        {"Ties", "tie"},
        {"Tokens/s", "throughput"},
        {"Work limit", "work"},
        {"cp", "context-parallelism"},
        {"dp", "data-parallelism"},
        {"ep", "expert-parallelism"},
        {"micro-batch", "micro-batch"},
        {"tp", "tensor-parallelism"},
    };
    return rows;
}

GlossaryMarks::GlossaryMarks(QObject* parent) : QObject(parent) {
    for (const GlossaryTerm& row : glossaryTable())
        m_terms.insert(translated(row.word), &row);
    qApp->installEventFilter(this);
}

const GlossaryTerm* GlossaryMarks::term(const QString& shown) const {
    if (shown.size() > 60)
        return nullptr;
    QString word = shown;
    word.remove(QLatin1Char('&')); // of a buddy
    return m_terms.value(word);
}

QString GlossaryMarks::toolTip(const GlossaryTerm& term, const QString& own) {
    QString text = own.isEmpty() ? q(firstSentence(term)) : own + QLatin1Char('\n') + q(firstSentence(term));
    return text + QLatin1Char('\n') + tr("F1 opens the glossary.");
}

std::optional<QString> GlossaryMarks::targetAt(const QPoint& global) const {
    const QWidget* there = QApplication::widgetAt(global);
    const GlossaryTerm* found = nullptr;
    if (const auto* label = qobject_cast<const QLabel*>(there))
        found = term(label->text());
    else if (const QHeaderView* header = there ? headerOf(there) : nullptr)
        found = term(sectionData(*header, there->mapFromGlobal(global), Qt::DisplayRole));
    if (!found)
        return std::nullopt;
    return QLatin1String(kGlossaryPage) + QLatin1Char('#') + QLatin1String(found->anchor);
}

bool GlossaryMarks::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Paint) {
        auto* label = qobject_cast<QLabel*>(watched);
        if (label && term(label->text())) {
            watched->event(event); // the line comes over the words
            underline(*label);
            return true;
        }
    } else if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (auto* label = qobject_cast<QLabel*>(watched)) {
            if (const GlossaryTerm* found = term(label->text())) {
                QToolTip::showText(help->globalPos(), toolTip(*found, label->toolTip()), label);
                return true;
            }
        } else if (const QHeaderView* header = headerOf(watched)) {
            if (const GlossaryTerm* found = term(sectionData(*header, help->pos(), Qt::DisplayRole))) {
                QToolTip::showText(help->globalPos(),
                                   toolTip(*found, sectionData(*header, help->pos(), Qt::ToolTipRole)),
                                   header->viewport());
                return true;
            }
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace pw
