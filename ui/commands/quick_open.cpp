// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/quick_open.h"

#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/command_table.h"
#include "ui/commands/commands.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

constexpr int kRow = 26, kWidth = 560, kRows = 12, kMostHits = 100;
constexpr int kBehindNames = 1'000'000; // more than letters that are far apart cost a name
constexpr int kDetail = Qt::UserRole, kKey = Qt::UserRole + 1, kEntry = Qt::UserRole + 2;

class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, kRow}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& t = theme();
        const bool chosen = option.state & QStyle::State_Selected;
        painter->fillRect(option.rect, chosen ? t.accentGround : t.panel);
        if (chosen)
            painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())), t.accent);
        const QRect room = option.rect.adjusted(12, 0, -12, 0);
        const QString key = index.data(kKey).toString(), name = index.data().toString();
        painter->setFont(bodyFont());
        const int keyWidth = key.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(key) + 16;
        painter->setPen(t.text2);
        painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, key);
        const QRect left = room.adjusted(0, 0, -keyWidth, 0);
        painter->setPen(t.text);
        const QString shown = painter->fontMetrics().elidedText(name, Qt::ElideRight, left.width());
        painter->drawText(left, Qt::AlignVCenter, shown);
        const int behind = painter->fontMetrics().horizontalAdvance(shown) + 10;
        painter->setPen(t.text2);
        painter->drawText(left.adjusted(behind, 0, 0, 0), Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(index.data(kDetail).toString(), Qt::ElideRight,
                                                            std::max(0, left.width() - behind)));
    }
};

// A sentence has the letters of nearly any word somewhere in their order: only whole pieces count.
bool holdsWords(const QString& detail, const QString& typed) {
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(),
                       [&detail](const QString& word) { return detail.contains(word, Qt::CaseInsensitive); });
}

// As good as letters that begin the name, less one: whoever types the whole of another word means that, not
// a name that has its letters far apart.
std::optional<int> otherWordsScore(const QString& typed, const QString& words) {
    const QString wanted = typed.simplified();
    if (wanted.isEmpty())
        return std::nullopt;
    for (qsizetype at = words.indexOf(wanted, 0, Qt::CaseInsensitive); at >= 0;
         at = words.indexOf(wanted, at + 1, Qt::CaseInsensitive))
        if (at == 0 || !words.at(at - 1).isLetterOrNumber())
            return 4 * static_cast<int>(wanted.size() - wanted.count(QLatin1Char(' '))) - 1;
    return std::nullopt;
}

} // namespace

std::optional<int> fuzzyScore(const QString& typed, const QString& name) {
    int score = 0;
    qsizetype at = -1;
    for (const QChar letter : typed.toLower()) {
        if (letter.isSpace())
            continue;
        const qsizetype next = name.indexOf(letter, at + 1, Qt::CaseInsensitive);
        if (next < 0)
            return std::nullopt;
        const bool begins = next == 0 || !name.at(next - 1).isLetterOrNumber();
        score += next == at + 1 ? 4 : begins ? 3 : 0;
        score -= static_cast<int>(std::min<qsizetype>(next - at - 1, 3));
        at = next;
    }
    return score;
}

QuickOpen::QuickOpen(const QString& title, const QString& hint, std::vector<Entry> entries, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint), m_entries(std::move(entries)),
      m_line(new QLineEdit), m_list(new QListWidget) {
    setObjectName(QStringLiteral("quickOpen"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(title);
    m_line->setObjectName(QStringLiteral("quickOpen.line"));
    m_line->setAccessibleName(title);
    m_line->setPlaceholderText(hint);
    m_line->addAction(icon(QStringLiteral("find"), IconTone::Text2), QLineEdit::LeadingPosition);
    m_line->setFixedHeight(32);
    m_line->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("quickOpen.list"));
    m_list->setAccessibleName(tr("Hits"));
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    column->addWidget(m_line);
    column->addWidget(m_list);
    resize(kWidth, 54 + kRow * kRows);
    if (parent) {
        const QRect over(parent->window()->mapToGlobal(QPoint()), parent->window()->size());
        move(over.center().x() - kWidth / 2, over.top() + 72);
    }
    connect(m_line, &QLineEdit::textChanged, this, &QuickOpen::search);
    connect(m_list, &QListWidget::itemClicked, this, &QuickOpen::take);
    search();
}

QuickOpen::Hits QuickOpen::hitsOf(const QString& typed) const {
    Hits hits;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const auto named = fuzzyScore(typed, m_entries[i].name);
        const auto otherwise = otherWordsScore(typed, m_entries[i].otherWords);
        if (const auto score = std::max(named, otherwise)) // nothing is less than any score
            hits.emplace_back(-*score, i);
        else if (holdsWords(m_entries[i].detail, typed))
            hits.emplace_back(kBehindNames, i);
    }
    std::sort(hits.begin(), hits.end());
    return hits;
}

void QuickOpen::search() {
    const QString typed = m_line->text();
    Hits hits = hitsOf(typed);
    if (hits.empty() && typed.endsWith(QLatin1Char('s'), Qt::CaseInsensitive)) // "sweeps" finds "New sweep"
        hits = hitsOf(typed.chopped(1));
    m_list->clear();
    for (std::size_t i = 0; i < hits.size() && i < kMostHits; ++i) {
        const Entry& entry = m_entries[hits[i].second];
        auto* item = new QListWidgetItem(entry.name, m_list);
        item->setData(kDetail, entry.detail);
        item->setData(kKey, entry.key);
        item->setData(kEntry, static_cast<int>(hits[i].second));
        item->setData(Qt::AccessibleTextRole, entry.detail.isEmpty()
                                                  ? entry.name
                                                  : QStringLiteral("%1, %2").arg(entry.name, entry.detail));
    }
    if (hits.empty()) {
        auto* none = new QListWidgetItem(tr("Nothing is called that"), m_list);
        none->setFlags(Qt::NoItemFlags);
    }
    m_list->setCurrentRow(hits.empty() ? -1 : 0);
}

void QuickOpen::take() {
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !item->data(kEntry).isValid())
        return;
    const auto run = m_entries[static_cast<std::size_t>(item->data(kEntry).toInt())].run;
    accept(); // the view has its focus again when the command runs
    QTimer::singleShot(0, parent(), run);
}

bool QuickOpen::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<const QKeyEvent&>(*event).key();
    const int page = key == Qt::Key_PageUp || key == Qt::Key_PageDown ? kRows : 1;
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_PageUp:
        m_list->setCurrentRow(std::max(0, m_list->currentRow() - page));
        return true;
    case Qt::Key_Down:
    case Qt::Key_PageDown:
        m_list->setCurrentRow(std::min(m_list->count() - 1, m_list->currentRow() + page));
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        take();
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

std::vector<QuickOpen::Entry> commandEntries(const Commands& commands) {
    std::vector<QuickOpen::Entry> entries;
    for (const CommandRow& row : commandTable()) {
        QAction* action = commands.action(row.id);
        if (!action->isEnabled() || qstrcmp(row.id, "help.palette") == 0)
            continue;
        const QString context = qstrcmp(row.context, "window") == 0
                                    ? QString()
                                    : QLatin1String(row.context) + QStringLiteral(": ");
        entries.push_back(
            {action->text().remove(QLatin1Char('&')), context + action->statusTip(),
             action->shortcut().toString(QKeySequence::NativeText), [action] { action->trigger(); },
             *row.otherWords ? QCoreApplication::translate("Commands", row.otherWords) : QString()});
    }
    return entries;
}

} // namespace pw
