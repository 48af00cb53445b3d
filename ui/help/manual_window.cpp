// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual_window.h"

#include "core/manual/search_words.h"
#include "ui/base/convert.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/help/hit_delegate.h"
#include "ui/help/manual_browser.h"
#include "ui/help/manual_pages.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

constexpr int kTarget = Qt::UserRole; // of a line of the contents
constexpr int kDeepest = 3;           // level of heading that the contents go down to
constexpr std::size_t kMostHits = 200;
enum Side { Contents, Hits };

QToolButton* makeButton(const char* name, const char* symbol, const QString& help) {
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name));
    button->setIcon(icon(QLatin1String(symbol)));
    button->setIconSize({16, 16});
    button->setFixedSize(28, 28);
    button->setToolTip(help);
    button->setAccessibleName(help);
    return button;
}

} // namespace

ManualWindow::ManualWindow(QWidget* parent)
    : QWidget(parent, Qt::Window), m_line(new QLineEdit), m_side(new QStackedWidget),
      m_contents(new QTreeWidget), m_hits(new QListWidget), m_state(new ElidedLabel),
      m_browser(new ManualBrowser) {
    setObjectName(QStringLiteral("manual"));
    setWindowTitle(tr("Manual - Pipewright"));
    setAttribute(Qt::WA_QuitOnClose, false); // the program ends with its window
    setMinimumSize(560, 360);
    resize(1080, 760);
    auto* split = new QSplitter(Qt::Horizontal);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(4);
    split->addWidget(makeSide());
    split->addWidget(m_browser);
    split->setStretchFactor(1, 1);
    split->setSizes({290, 790});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(split, 1);
    fillContents();
    bindKeys();
    connect(m_browser, &QTextBrowser::sourceChanged, this, &ManualWindow::follow);
    connect(m_browser, &QTextBrowser::highlighted, this, [this](const QUrl& link) {
        const bool out = !link.isEmpty() && link.scheme() != QLatin1String(kManualScheme);
        m_state->setText(out ? tr("Opens %1").arg(link.toDisplayString()) : QString());
    });
    open(QLatin1String(Manual::kIndex));
}

QWidget* ManualWindow::makeBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(2);
    auto* back = makeButton("manual.back", "previous", tr("Back (Alt+Left)"));
    auto* forward = makeButton("manual.forward", "next", tr("Forward (Alt+Right)"));
    auto* home = makeButton("manual.home", "home", tr("First page (Alt+Home)"));
    back->setEnabled(false);
    forward->setEnabled(false);
    connect(m_browser, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
    connect(m_browser, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
    connect(back, &QToolButton::clicked, m_browser, &QTextBrowser::backward);
    connect(forward, &QToolButton::clicked, m_browser, &QTextBrowser::forward);
    connect(home, &QToolButton::clicked, m_browser, &QTextBrowser::home);
    m_state->setObjectName(QStringLiteral("manual.state"));
    m_state->setProperty("quiet", true);
    m_state->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(back);
    row->addWidget(forward);
    row->addWidget(home);
    row->addWidget(m_state, 1);
    return bar;
}

QWidget* ManualWindow::makeSide() {
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(8, 0, 0, 8);
    column->setSpacing(6);
    m_line->setObjectName(QStringLiteral("manual.search"));
    m_line->setPlaceholderText(tr("Search all pages"));
    m_line->setAccessibleName(tr("Search all pages"));
    m_line->setClearButtonEnabled(true);
    m_line->installEventFilter(this);
    m_contents->setObjectName(QStringLiteral("manual.contents"));
    m_contents->setAccessibleName(tr("Contents"));
    m_contents->setHeaderHidden(true);
    m_contents->setProperty("roomy", true);
    m_contents->setFrameShape(QFrame::NoFrame);
    m_contents->setIndentation(14);
    m_contents->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_hits->setObjectName(QStringLiteral("manual.hits"));
    m_hits->setAccessibleName(tr("What was found"));
    m_hits->setFrameShape(QFrame::NoFrame);
    m_hits->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_hits->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_hits->setItemDelegate(new HitDelegate(m_hits));
    m_hits->installEventFilter(this);
    m_side->insertWidget(Contents, m_contents);
    m_side->insertWidget(Hits, m_hits);
    column->addWidget(m_line);
    column->addWidget(m_side, 1);
    connect(m_line, &QLineEdit::textChanged, this, &ManualWindow::search);
    connect(m_line, &QLineEdit::returnPressed, this, [this] { openHit(std::max(0, m_hits->currentRow())); });
    connect(m_hits, &QListWidget::currentRowChanged, this, &ManualWindow::openHit);
    connect(m_hits, &QListWidget::itemActivated, this, [this] { m_browser->setFocus(); });
    const auto go = [this](const QTreeWidgetItem* line) {
        if (line)
            m_browser->open(line->data(0, kTarget).toString());
    };
    connect(m_contents, &QTreeWidget::itemClicked, this, go);
    connect(m_contents, &QTreeWidget::itemActivated, this, go);
    return side;
}

void ManualWindow::bindKeys() {
    const auto key = [this](const QKeySequence& keys, auto* owner, auto run) {
        connect(new QShortcut(keys, this), &QShortcut::activated, owner, run);
    };
    const auto toSearch = [this] {
        m_line->setFocus();
        m_line->selectAll();
    };
    key(QKeySequence::Find, this, toSearch);
    key(QKeySequence(Qt::Key_Slash), this, toSearch);
    key(QKeySequence(Qt::Key_Escape), this, &ManualWindow::leaveSearch);
    key(QKeySequence(Qt::Key_F1), this, [this] { m_browser->open(QStringLiteral("window.md#manual")); });
    key(QKeySequence(Qt::Key_F3), m_browser, [this] { m_browser->stepMarked(1); });
    key(QKeySequence(Qt::SHIFT | Qt::Key_F3), m_browser, [this] { m_browser->stepMarked(-1); });
    key(QKeySequence(Qt::ALT | Qt::Key_Left), m_browser, &QTextBrowser::backward);
    key(QKeySequence(Qt::ALT | Qt::Key_Right), m_browser, &QTextBrowser::forward);
    key(QKeySequence(Qt::ALT | Qt::Key_Home), m_browser, &QTextBrowser::home);
    key(QKeySequence(Qt::CTRL | Qt::Key_W), this, &QWidget::close);
}

void ManualWindow::fillContents() {
    for (const ManualPage& page : shippedManual().pages()) {
        // Headings below each other; one that skips a level hangs on the nearest one above it.
        std::vector<QTreeWidgetItem*> open;
        std::vector<int> levels;
        for (const ManualSection& section : page.sections) {
            if (section.level == 0 || section.level > kDeepest)
                continue;
            while (!levels.empty() && levels.back() >= section.level && open.size() > 1) {
                levels.pop_back();
                open.pop_back();
            }
            auto* line = open.empty() ? new QTreeWidgetItem(m_contents) : new QTreeWidgetItem(open.back());
            line->setText(0, q(section.heading));
            line->setToolTip(0, q(section.heading));
            line->setData(0, kTarget,
                          open.empty() ? q(page.name)
                                       : QStringLiteral("%1#%2").arg(q(page.name), q(section.anchor)));
            open.push_back(line);
            levels.push_back(section.level);
        }
    }
}

void ManualWindow::open(const QString& target) {
    m_line->clear(); // the contents show where that is
    m_browser->open(target);
}

// The contents show where the reader is, however it was reached.
void ManualWindow::follow(const QUrl& url) {
    const QString page = m_browser->page();
    for (int i = 0; i < m_contents->topLevelItemCount(); ++i) {
        QTreeWidgetItem* line = m_contents->topLevelItem(i);
        if (line->data(0, kTarget).toString() != page)
            continue;
        line->setExpanded(true);
        QTreeWidgetItem* here = line;
        const QString wanted = QStringLiteral("%1#%2").arg(page, url.fragment());
        for (QTreeWidgetItemIterator it(line); *it && (*it == line || (*it)->parent()); ++it)
            if ((*it)->data(0, kTarget).toString() == wanted)
                here = *it;
        m_contents->setCurrentItem(here);
        m_contents->scrollToItem(here);
        setWindowTitle(tr("%1 - Manual - Pipewright").arg(line->text(0)));
    }
}

void ManualWindow::search() {
    const QString words = m_line->text().simplified();
    m_hits->clear();
    m_found = shippedManual().search(s(words));
    if (m_found.size() > kMostHits)
        m_found.resize(kMostHits);
    QStringList marked;
    for (const std::string& word : searchWords(s(words)))
        marked << q(word);
    m_browser->setMarked(marked);
    m_side->setCurrentIndex(words.isEmpty() ? Contents : Hits);
    const QSignalBlocker quietly(m_hits);
    for (const ManualHit& hit : m_found) {
        const ManualPage& page = shippedManual().pages()[hit.page];
        const ManualSection& section = page.sections[hit.section];
        const QString title = q(page.title()), heading = q(section.heading);
        auto* item = new QListWidgetItem(
            heading.isEmpty() || heading == title ? title : tr("%1, %2").arg(heading, title), m_hits);
        item->setData(HitDelegate::SnippetRole, q(hit.snippet));
        item->setData(HitDelegate::MarksRole, QVariant::fromValue(characterMarks(hit)));
        item->setToolTip(item->text());
        item->setData(Qt::AccessibleDescriptionRole, q(hit.snippet));
    }
    m_hits->setCurrentRow(-1);
    m_state->setText(words.isEmpty()        ? QString()
                     : m_found.empty()      ? tr("Nothing found")
                     : m_found.size() == 1u ? tr("1 section found")
                                            : tr("%1 sections found").arg(m_found.size()));
}

void ManualWindow::openHit(int row) {
    if (row < 0 || row >= static_cast<int>(m_found.size()))
        return;
    const ManualHit& hit = m_found[static_cast<std::size_t>(row)];
    const ManualPage& page = shippedManual().pages()[hit.page];
    const ManualSection& section = page.sections[hit.section];
    m_browser->open(section.level > 0 ? QStringLiteral("%1#%2").arg(q(page.name), q(section.anchor))
                                      : q(page.name));
}

void ManualWindow::leaveSearch() {
    if (m_line->text().isEmpty()) {
        close();
        return;
    }
    m_line->clear();
    m_contents->setFocus();
}

// Down and Up lead from the line into what was found and back.
bool ManualWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int pressed = static_cast<QKeyEvent*>(event)->key();
    if (watched == m_line && pressed == Qt::Key_Down) {
        QWidget* list = m_side->currentWidget();
        list->setFocus();
        if (list == m_hits && m_hits->currentRow() < 0)
            m_hits->setCurrentRow(0);
        return true;
    }
    if (watched == m_hits && pressed == Qt::Key_Up && m_hits->currentRow() == 0) {
        m_line->setFocus();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ManualWindow::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_browser->setFocus();
}

} // namespace pw
