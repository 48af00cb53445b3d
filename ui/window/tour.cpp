// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tour.h"

#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/window/dock_area.h"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace pw {

namespace {

struct Step {
    const char* view; // a dock's name
    const char* title;
    const char* text;
    const char* command; // that the step is about; "": none
    bool ofPlan;         // the view is empty without one
};

constexpr const char *kSearch = "search.run", *kExport = "plan.export";

constexpr std::array kSteps = {
    Step{"topology", QT_TRANSLATE_NOOP("pw::Tour", "The machines"),
         QT_TRANSLATE_NOOP(
             "pw::Tour", "Nodes with their GPUs, switches and links: what plans are made for. N adds nodes, "
                         "L draws links; the next search goes by what is drawn."),
         "", false},
    Step{"search", QT_TRANSLATE_NOOP("pw::Tour", "The search"),
         QT_TRANSLATE_NOOP("pw::Tour",
                           "Looks for the fastest plan in the background and says how far from the best it "
                           "can be at most. The following steps show what it finds."),
         kSearch, false},
    Step{"stageMap", QT_TRANSLATE_NOOP("pw::Tour", "Who holds what"),
         QT_TRANSLATE_NOOP("pw::Tour",
                           "A row for each stage of the pipeline: its devices, its blocks, the time of its "
                           "passes and its memory. Drag a boundary, and every view follows."),
         "", true},
    Step{"timeline", QT_TRANSLATE_NOOP("pw::Tour", "Where it waits"),
         QT_TRANSLATE_NOOP(
             "pw::Tour", "Every pass of every device over an iteration. Under the mouse, a gap says what it "
                         "waits for."),
         "", true},
    Step{"plans", QT_TRANSLATE_NOOP("pw::Tour", "Taking it along"),
         QT_TRANSLATE_NOOP("pw::Tour",
                           "What was found, best first, and the trainers that run it. Export writes their "
                           "files; the runner's folder runs any plan."),
         kExport, true},
};

constexpr int kWidth = 300, kGap = 10; // px

class Outline : public QWidget {
public:
    explicit Outline(QWidget* parent) : QWidget(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(QPen(theme().accent, 2.0));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
};

// Beside the view where there is room, else in its lower right corner; within the page.
QRect besideOf(const QRect& view, const QSize& card, const QRect& page) {
    QRect at(QPoint(view.right() + kGap, view.top() + kGap), card);
    if (at.right() > page.right())
        at.moveLeft(view.left() - kGap - card.width());
    if (at.left() < page.left())
        at.moveTopLeft(view.bottomRight() - QPoint(card.width() + kGap, card.height() + kGap));
    at.moveLeft(std::clamp(at.left(), page.left(), std::max(page.left(), page.right() - card.width())));
    at.moveTop(std::clamp(at.top(), page.top(), std::max(page.top(), page.bottom() - card.height())));
    return at;
}

} // namespace

Tour::Tour(Commands& commands, QWidget* window)
    : QFrame(window), m_commands(commands), m_window(window), m_frame(new Outline(window)),
      m_placing(new QTimer(this)), m_title(new QLabel), m_text(new QLabel), m_count(new QLabel),
      m_do(new QPushButton), m_leave(new QPushButton(tr("&Leave"))), m_back(new QPushButton(tr("&Back"))),
      m_next(new QPushButton) {
    setObjectName(QStringLiteral("tour"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setFixedWidth(kWidth);
    hide();
    m_title->setFont(headingFont());
    m_title->setTextFormat(Qt::PlainText);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_count->setFont(smallFont());
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_do->setObjectName(QStringLiteral("tour.do"));
    m_leave->setObjectName(QStringLiteral("tour.leave"));
    m_back->setObjectName(QStringLiteral("tour.back"));
    m_next->setObjectName(QStringLiteral("tour.next"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_count);
    column->addLayout(head);
    column->addWidget(m_text);
    column->addWidget(m_do, 0, Qt::AlignLeft);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_leave);
    row->addStretch(1);
    row->addWidget(m_back);
    row->addWidget(m_next);
    column->addLayout(row);
    m_placing->setSingleShot(true);
    m_placing->setInterval(0);
    connect(m_placing, &QTimer::timeout, this, &Tour::place);
    connect(m_leave, &QPushButton::clicked, this, &Tour::end);
    connect(m_back, &QPushButton::clicked, this, [this] { showStep(m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] {
        if (m_step + 1 < static_cast<int>(kSteps.size()))
            showStep(m_step + 1);
        else
            end();
    });
    connect(m_do, &QPushButton::clicked, this, [this] {
        if (m_action)
            m_action->trigger();
    });
    for (const char* id : {kSearch, kExport}) // there is a plan, or none any more
        connect(m_commands.action(id), &QAction::changed, this, &Tour::follow);
}

void Tour::begin(DockArea& docks) {
    m_docks = &docks;
    m_window->installEventFilter(this);
    showStep(0);
}

void Tour::end() {
    if (!isOn())
        return;
    m_step = -1;
    if (m_view)
        m_view->removeEventFilter(this);
    m_window->removeEventFilter(this);
    m_view = nullptr;
    m_frame->hide();
    hide();
    Q_EMIT ended();
}

void Tour::showStep(int step) {
    const Step& now = kSteps[static_cast<std::size_t>(step)];
    m_step = step;
    if (m_view)
        m_view->removeEventFilter(this);
    m_view = m_docks->dock(QLatin1String(now.view));
    m_view->installEventFilter(this);
    m_docks->reveal(m_view);
    m_title->setText(tr(now.title));
    m_count->setText(tr("%1 of %2").arg(step + 1).arg(kSteps.size()));
    m_back->setEnabled(step > 0);
    m_next->setText(step + 1 < static_cast<int>(kSteps.size()) ? tr("&Next") : tr("&Done"));
    follow();
    show();
    place();
    m_next->setFocus(Qt::OtherFocusReason);
}

void Tour::follow() {
    if (!isOn())
        return;
    const Step& now = kSteps[static_cast<std::size_t>(m_step)];
    const bool empty = now.ofPlan && !m_commands.action(kExport)->isEnabled();
    const char* const command = empty ? kSearch : now.command;
    const QString text =
        empty ? tr("%1 It is empty until a plan is found: the search finds one.").arg(tr(now.text))
              : tr(now.text);
    if (text != m_text->text()) {
        m_text->setText(text);
        setAccessibleName(tr("Tour, %1: %2. %3").arg(m_count->text(), m_title->text(), text));
        m_placing->start(); // it has other lines
    }
    m_action = *command != '\0' ? m_commands.action(command) : nullptr;
    m_do->setVisible(m_action != nullptr);
    if (!m_action)
        return;
    m_do->setText(m_action->text());
    m_do->setEnabled(m_action->isEnabled());
}

void Tour::place() {
    if (!isOn())
        return;
    const QRect view(m_view->mapTo(m_window, QPoint(0, 0)), m_view->size());
    const bool seen = m_view->isVisible() && !m_view->isFloating();
    m_frame->setVisible(seen);
    m_frame->setGeometry(view);
    m_frame->raise();
    layout()->activate(); // the text has other lines than the one before
    resize(kWidth, layout()->totalHeightForWidth(kWidth));
    setGeometry(besideOf(seen ? view : m_window->rect(), size(),
                         m_window->rect().adjusted(kGap, kGap, -kGap, -kGap)));
    raise();
}

void Tour::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        end();
    else
        QFrame::keyPressEvent(event);
}

bool Tour::eventFilter(QObject*, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
        m_placing->start(); // when the others have moved, too
        return false;
    default:
        return false;
    }
}

} // namespace pw
