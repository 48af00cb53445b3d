// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/glossary.h"

#include "ui/base/convert.h"
#include "ui/base/theme.h"
#include "ui/help/manual_pages.h"
#include "ui/timeline/legend.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/eliding_header.h"

#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyleOptionHeader>
#include <QToolTip>

#include <algorithm>

namespace pw {

namespace {

constexpr qsizetype kLongest = 60;      // letters of a name; more is prose
constexpr qsizetype kRemembered = 4000; // texts

QString translated(const char* word) {
    return QCoreApplication::translate("Glossary", word);
}

QString firstSmall(const QString& word) {
    return word.left(1).toLower() + word.mid(1);
}

bool isProse(const QString& text) {
    return text.size() > kLongest || text.contains(QLatin1Char('\n')) || text.endsWith(QLatin1Char('.')) ||
           text.contains(QStringLiteral(". ")) || Qt::mightBeRichText(text);
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

QString sectionData(const QHeaderView& header, int section, int role) {
    return header.model() ? header.model()->headerData(section, Qt::Horizontal, role).toString() : QString();
}

// Where the style puts the words of a section.
QRect lettersOf(const QHeaderView& header, int section, const QRect& whole) {
    const QVariant own = header.model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole);
    QStyleOptionHeader option;
    option.initFrom(&header);
    option.rect = whole;
    option.section = section;
    option.state |= QStyle::State_Horizontal;
    option.textAlignment = own.isValid() ? Qt::Alignment(own.toInt()) : header.defaultAlignment();
    if (header.isSortIndicatorShown() && header.sortIndicatorSection() == section)
        option.sortIndicator = QStyleOptionHeader::SortDown;
    option.text = sectionData(header, section, Qt::DisplayRole);
    const QRect room = header.style()->subElementRect(QStyle::SE_HeaderLabel, &option, &header);
    const QSize size(std::min(header.fontMetrics().horizontalAdvance(option.text), room.width()),
                     header.fontMetrics().height());
    return QStyle::alignedRect(header.layoutDirection(), option.textAlignment, size, room);
}

// The only line of a label; empty: it has several.
QRect lettersOf(const QLabel& label) {
    const QFontMetrics metrics = label.fontMetrics();
    const QRect room = label.contentsRect();
    QString shown = label.text();
    shown.remove(QLatin1Char('&'));
    const int wide = metrics.horizontalAdvance(shown);
    if (label.wordWrap() && wide > room.width())
        return {};
    return QStyle::alignedRect(label.layoutDirection(), label.alignment(),
                               {std::min(wide, room.width()), metrics.height()}, room);
}

// What a tool tip says without the glossary: all words of those that are cut, else the widget's own.
QString ownOf(const QLabel& label) {
    const auto* elided = qobject_cast<const ElidedLabel*>(&label);
    return elided ? elided->wholeToolTip() : label.toolTip();
}

QString ownOf(const QHeaderView& header, int section) {
    const QString own = sectionData(header, section, Qt::ToolTipRole);
    const QString whole = sectionData(header, section, Qt::DisplayRole);
    const auto* eliding = qobject_cast<const ElidingHeader*>(&header);
    return own.isEmpty() && eliding && eliding->shownText(section) != whole ? whole : own;
}

} // namespace

const std::vector<GlossaryTerm>& glossaryTable() {
    static const std::vector<GlossaryTerm> rows = {
        {"1F1B", "1f1b"},
        {"Above bound", "gap"},
        {"Activation", "activation"},
        {"Activations", "activation"},
        {"All-reduce", "all-reduce"},
        {"Block", "block"},
        {"Blocks", "block"},
        {"Bound", "bound"},
        {"Boundaries", "boundary"},
        {"Boundary", "boundary"},
        {"Bubble", "bubble"},
        {"Bubbles", "bubble"},
        {"Candidate", "candidate"},
        {"Candidates", "candidate"},
        {"Certificate", "certificate"},
        {"Chunk", "chunk"},
        {"Chunks", "chunk"},
        {"Closed form", "closed-form"},
        {"Context parallel", "context-parallelism"},
        {"Context-parallel", "context-parallelism"},
        {"Data parallel", "data-parallelism"},
        {"Data-parallel", "data-parallelism"},
        {"Distance", "distance", true},
        {"Eager 1F1B", "eager-1f1b"},
        {"Edited", "edited-plan"},
        {"Estimated", "provenance"},
        {"Estimates", "provenance"},
        {"Expected", "band", true},
        {"Expert parallel", "expert-parallelism"},
        {"Expert-parallel", "expert-parallelism"},
        {"FSDP", "fsdp"},
        {"Fine cuts", "fine-cut"},
        {"Fine layer", "fine-layer"},
        {"Fine layers", "fine-layer"},
        {"Fitted", "provenance"},
        {"GPipe", "gpipe"},
        {"Gap", "gap"},
        {"Global batch", "global-batch"},
        {"Gradient accumulation", "gradient-accumulation"},
        {"H-1F1B", "h-1f1b"},
        {"Idle", "bubble"},
        {"In flight", "in-flight"},
        {"Incumbent", "incumbent"},
        {"Interleaved", "interleaved-schedule"},
        {"Interpolated", "provenance"},
        {"Kept", "kept-plan", true},
        {"Kept plans", "kept-plan"},
        {"Launch", "launch-count", true},
        {"Launch count", "launch-count"},
        {"Launch counts", "launch-count"},
        {"Launch rule", "launch-rule"},
        {"Lower bound", "bound"},
        {"Measured", "provenance"},
        {"Micro-batch", "micro-batch"},
        {"Micro-batches", "micro-batch"},
        {"NVLink", "nvlink"},
        {"Nearest", "distance", true},
        {"PCIe", "pcie"},
        {"Pipeline parallel", "pipeline-parallelism"},
        {"Pipeline-parallel", "pipeline-parallelism"},
        {"Planner", "planner"},
        {"Planners", "planner"},
        {"Rank", "rank", true},
        {"Recompute", "recompute"},
        {"Replica", "replica"},
        {"Replicas", "replica"},
        {"Rests on", "rests-on"},
        {"Roofline", "roofline"},
        {"Schedule", "schedule"},
        {"Schedules", "schedule"},
        {"Seed", "seed", true},
        {"Seq. parallel", "sequence-parallelism"},
        {"Sequence parallel", "sequence-parallelism"},
        {"Sequence-parallel", "sequence-parallelism"},
        {"Sharding", "zero"},
        {"Space", "space", true},
        {"Stage candidate", "stage-candidate"},
        {"Stage candidates", "stage-candidate"},
        {"Stale", "stale"},
        {"Standing", "standing", true},
        {"Tensor parallel", "tensor-parallelism"},
        {"Tensor-parallel", "tensor-parallelism"},
        {"Throughput", "throughput"},
        {"Tie", "tie", true},
        {"Ties", "tie", true},
        {"Tokens/s", "throughput"},
        {"Virtual stage", "virtual-stage"},
        {"Virtual stages", "virtual-stage"},
        {"Weight gradient", "weight-gradient"},
        {"Weight gradients", "weight-gradient"},
        {"Work limit", "work"},
        {"ZB-1p", "zb-1p-zb-2p"},
        {"ZB-2p", "zb-1p-zb-2p"},
        {"ZB-H1", "zb-h1"},
        {"ZB-V", "zb-v"},
        {"ZeRO", "zero"},
        {"Zero bubble", "zero-bubble"},
        {"Zero-bubble", "zero-bubble"},
        {"cp", "context-parallelism"},
        {"dp", "data-parallelism"},
        {"ep", "expert-parallelism"},
        {"pp", "pipeline-parallelism"},
        {"tp", "tensor-parallelism"},
    };
    return rows;
}

GlossaryMarks::GlossaryMarks(QObject* parent) : QObject(parent) {
    QStringList words;
    for (const GlossaryTerm& row : glossaryTable()) {
        const QString word = firstSmall(translated(row.word));
        m_terms.insert(word, &row);
        words << word;
    }
    std::ranges::stable_sort(words, [](const QString& a, const QString& b) { return a.size() > b.size(); });
    for (QString& word : words)
        word = QStringLiteral("[%1%2]%3")
                   .arg(word.left(1).toUpper(), word.left(1), QRegularExpression::escape(word.mid(1)));
    m_words.setPattern(QStringLiteral("(?<![\\w-])(?:%1)(?![\\w-])").arg(words.join(QLatin1Char('|'))));
    m_words.setPatternOptions(QRegularExpression::UseUnicodePropertiesOption);
    qApp->installEventFilter(this);
}

const std::vector<GlossaryMarks::Word>& GlossaryMarks::wordsIn(const QString& shown) const {
    static const std::vector<Word> none;
    if (shown.isEmpty() || isProse(shown))
        return none;
    if (const auto known = m_known.constFind(shown); known != m_known.constEnd())
        return *known;
    if (m_known.size() >= kRemembered)
        m_known.clear();
    QString text = shown;
    text.remove(QLatin1Char('&')); // of a buddy
    std::vector<Word> words;
    for (auto found = m_words.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const GlossaryTerm* term = m_terms.value(firstSmall(match.captured()));
        if (term && (!term->alone || match.capturedLength() == text.trimmed().size()))
            words.push_back({match.capturedStart(), match.capturedLength(), term});
    }
    return *m_known.insert(shown, words);
}

const GlossaryTerm* GlossaryMarks::term(const QString& shown) const {
    const std::vector<Word>& words = wordsIn(shown);
    return words.empty() ? nullptr : words.front().term;
}

QString GlossaryMarks::toolTip(const GlossaryTerm& term, const QString& own, bool explained) {
    QStringList lines;
    if (!own.isEmpty())
        lines << own;
    if (!explained)
        lines << q(firstSentence(term));
    lines << tr("F1 opens the glossary.");
    return lines.join(QLatin1Char('\n'));
}

void GlossaryMarks::addSpots(std::vector<Spot>& spots, const QString& text, const QRect& letters,
                             const QRect& whole, const QFont& font, const QString& own,
                             bool explained) const {
    const QFontMetrics metrics(font);
    QString shown = text;
    shown.remove(QLatin1Char('&'));
    for (const Word& word : wordsIn(text)) {
        const int left = letters.left() + metrics.horizontalAdvance(shown.left(word.at));
        const QRect line(left, letters.top(), metrics.horizontalAdvance(shown.mid(word.at, word.size)),
                         metrics.ascent() + 3); // the dots stand two px below the letters
        spots.push_back({letters.isEmpty() ? QRect() : line & letters, whole, own, word.term, explained});
    }
}

std::vector<GlossaryMarks::Spot> GlossaryMarks::spotsOn(const QWidget& part) const {
    std::vector<Spot> spots;
    if (const auto* label = qobject_cast<const QLabel*>(&part)) {
        if (!wordsIn(label->text()).empty())
            addSpots(spots, label->text(), lettersOf(*label), label->rect(), label->font(), ownOf(*label));
    } else if (const auto* legend = qobject_cast<const Legend*>(&part)) {
        for (const Legend::Shown& entry : legend->shown())
            addSpots(spots, entry.text, entry.words, entry.words, bodyFont(),
                     entry.whole == entry.text ? QString() : entry.whole);
    } else if (const QHeaderView* header = headerOf(&part)) {
        for (int section = 0; header->model() && section < header->count(); ++section) {
            const QString text = sectionData(*header, section, Qt::DisplayRole);
            const QRect whole(header->sectionViewportPosition(section), 0, header->sectionSize(section),
                              part.height());
            if (!header->isSectionHidden(section) && whole.intersects(part.rect()) && !wordsIn(text).empty())
                addSpots(spots, text, lettersOf(*header, section, whole), whole, header->font(),
                         ownOf(*header, section), !sectionData(*header, section, Qt::ToolTipRole).isEmpty());
        }
    }
    return spots;
}

// The word under the point, else the first of what is there.
const GlossaryMarks::Spot* GlossaryMarks::spotAt(const std::vector<Spot>& spots, const QPoint& at) {
    const Spot* there = nullptr;
    for (const Spot& spot : spots)
        if (spot.line.left() <= at.x() && at.x() <= spot.line.right() && spot.whole.contains(at))
            return &spot;
        else if (!there && spot.whole.contains(at))
            there = &spot;
    return there;
}

std::optional<QString> GlossaryMarks::targetAt(const QPoint& global) const {
    const QWidget* there = QApplication::widgetAt(global);
    const std::vector<Spot> spots = there ? spotsOn(*there) : std::vector<Spot>();
    const Spot* found = there ? spotAt(spots, there->mapFromGlobal(global)) : nullptr;
    if (!found)
        return std::nullopt;
    return QLatin1String(kGlossaryPage) + QLatin1Char('#') + QLatin1String(found->term->anchor);
}

// The widget as it is, and dots under its words, in the colour that they have.
void GlossaryMarks::paintOver(QWidget& part, QEvent& event) {
    const std::vector<Spot> spots = spotsOn(part);
    const QScopedValueRollback<const QObject*> once(m_painting, &part);
    QCoreApplication::sendEvent(&part, &event); // what the filters of the widget paint, too
    QPainter painter(&part);
    painter.setPen(QPen(part.palette().color(part.foregroundRole()), 1, Qt::DotLine));
    for (const Spot& spot : spots) {
        if (spot.line.isEmpty())
            continue;
        const int y = std::min(spot.line.bottom(), part.height() - 1);
        painter.drawLine(spot.line.left(), y, spot.line.right(), y);
    }
}

bool GlossaryMarks::eventFilter(QObject* watched, QEvent* event) {
    const bool paints = event->type() == QEvent::Paint && watched != m_painting;
    if ((!paints && event->type() != QEvent::ToolTip) || !watched->isWidgetType())
        return false;
    auto& part = static_cast<QWidget&>(*watched);
    const std::vector<Spot> spots = spotsOn(part);
    if (spots.empty())
        return false;
    if (paints) {
        paintOver(part, *event);
        return true;
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const Spot* found = spotAt(spots, help->pos());
    if (found)
        QToolTip::showText(help->globalPos(), toolTip(*found->term, found->own, found->explained), &part);
    return found != nullptr;
}

} // namespace pw
