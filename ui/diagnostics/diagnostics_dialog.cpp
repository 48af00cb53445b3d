// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/diagnostics_dialog.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/diagnostics/log_model.h"
#include "ui/diagnostics/private_names.h"
#include "ui/diagnostics/window_log.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/message_bar.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

namespace pw {

namespace {
constexpr int kLookMs = 500;
constexpr int kMargin = 12;
constexpr int kChosenHeight = 84; // four lines
} // namespace

DiagnosticsDialog::DiagnosticsDialog(const WindowLog& log, Facts settings, QWidget* parent)
    : QDialog(parent), m_log(log), m_settings(std::move(settings)),
      m_tail(log.file(), WindowLog::kLimits.kept), m_model(new LogModel(this)), m_filter(new LogFilter(this)),
      m_crashes(crashReports(s(log.crashFolder()))), m_failure(new MessageBar), m_tabs(new QTabBar),
      m_tabPages(new QStackedWidget), m_state(new QLabel) {
    setObjectName(QStringLiteral("diagnostics"));
    setWindowTitle(tr("Diagnostics"));
    resize(960, 600);
    m_filter->setSourceModel(m_model);
    m_tabs->setObjectName(QStringLiteral("diagnostics.tabs"));
    m_tabs->setAccessibleName(tr("Log or crash reports"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab(tr("Log"));
    m_tabs->addTab(m_crashes.empty() ? tr("Crash reports") : tr("Crash reports %1").arg(m_crashes.size()));
    m_tabPages->addWidget(makeLogPage());
    m_tabPages->addWidget(makeCrashPage());
    connect(m_tabs, &QTabBar::currentChanged, m_tabPages, &QStackedWidget::setCurrentIndex);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_failure);
    column->addWidget(m_tabs);
    column->addWidget(m_tabPages, 1);
    column->addWidget(makeButtons());
    connect(&m_timer, &QTimer::timeout, this, &DiagnosticsDialog::look);
    m_timer.start(kLookMs);
    look();
    refresh(); // where there is nothing to look at, that is said
}

QWidget* DiagnosticsDialog::makeLogPage() {
    m_level = new QComboBox;
    m_level->setObjectName(QStringLiteral("diagnostics.level"));
    m_level->setAccessibleName(tr("Which events"));
    m_level->addItem(tr("Errors"), static_cast<int>(LogLevel::Error));
    m_level->addItem(tr("Errors and warnings"), static_cast<int>(LogLevel::Warning));
    m_level->addItem(tr("What happened"), static_cast<int>(LogLevel::Info));
    m_level->addItem(tr("Everything"), static_cast<int>(LogLevel::Debug));
    m_level->setCurrentIndex(static_cast<int>(LogLevel::Info));
    m_filter->setMost(LogLevel::Info);
    m_find = new QLineEdit;
    m_find->setObjectName(QStringLiteral("diagnostics.find"));
    m_find->setAccessibleName(tr("Find in the log"));
    m_find->setPlaceholderText(tr("Find in place and event"));
    m_find->setClearButtonEnabled(true);
    m_follow = new QCheckBox(tr("Follow"));
    m_follow->setObjectName(QStringLiteral("diagnostics.follow"));
    m_follow->setToolTip(tr("Keeps the latest event in view."));
    m_follow->setChecked(true);

    m_table = new QTableView;
    m_table->setObjectName(QStringLiteral("diagnostics.table"));
    m_table->setAccessibleName(tr("Log"));
    m_table->setModel(m_filter);
    quietTable(m_table, 22);
    m_table->setIconSize({14, 14});
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed); // ten thousand rows of one height
    QHeaderView* header = m_table->horizontalHeader();
    header->resizeSection(LogModel::Time, 168);
    header->resizeSection(LogModel::Level, 84);
    header->resizeSection(LogModel::Place, 220);
    header->setSectionResizeMode(LogModel::Event, QHeaderView::Stretch);
    offerRowMenu(m_table, "log");
    m_empty = new EmptyState(QStringLiteral("note"));
    m_empty->setObjectName(QStringLiteral("diagnostics.empty"));
    m_chosen = new QPlainTextEdit;
    m_chosen->setObjectName(QStringLiteral("diagnostics.event"));
    m_chosen->setAccessibleName(tr("The chosen event"));
    m_chosen->setReadOnly(true);
    m_chosen->setFrameShape(QFrame::NoFrame);
    m_chosen->setFixedHeight(kChosenHeight);
    m_chosen->hide();
    auto* events = new QWidget;
    auto* below = new QVBoxLayout(events);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(0);
    below->addWidget(m_table, 1);
    below->addWidget(m_chosen);
    m_logPages = new QStackedWidget;
    m_logPages->addWidget(m_empty);
    m_logPages->addWidget(events);

    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(kMargin, 8, kMargin, 8);
    tools->setSpacing(8);
    tools->addWidget(m_level);
    tools->addWidget(m_find, 1);
    tools->addWidget(m_follow);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(tools);
    column->addWidget(m_logPages, 1);

    connect(m_level, &QComboBox::currentIndexChanged, this, [this] {
        m_filter->setMost(static_cast<LogLevel>(m_level->currentData().toInt()));
        refresh();
    });
    connect(m_find, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setText(text);
        refresh();
    });
    connect(m_follow, &QCheckBox::toggled, this, &DiagnosticsDialog::refresh);
    // Who scrolls back wants to read what is there.
    connect(m_table->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        const QScrollBar* bar = m_table->verticalScrollBar();
        m_follow->setChecked(bar->sliderPosition() == bar->maximum());
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                showChosen(now);
                if (now.isValid() && now.row() + 1 < m_filter->rowCount())
                    m_follow->setChecked(false);
            });
    connect(&ThemeControl::instance(), &ThemeControl::changed, m_table->viewport(),
            qOverload<>(&QWidget::update));
    return page;
}

QWidget* DiagnosticsDialog::makeCrashPage() {
    m_crashList = new QListWidget;
    m_crashList->setObjectName(QStringLiteral("diagnostics.crashes"));
    m_crashList->setAccessibleName(tr("Crash reports"));
    m_crashList->setFrameShape(QFrame::NoFrame);
    m_crashList->setIconSize({14, 14});
    offerRowMenu(m_crashList, "crash reports");
    m_crashText = new QPlainTextEdit;
    m_crashText->setObjectName(QStringLiteral("diagnostics.crash"));
    m_crashText->setAccessibleName(tr("The chosen crash report"));
    m_crashText->setReadOnly(true);
    m_crashText->setFont(codeFont());
    m_crashText->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_crashText->setFrameShape(QFrame::NoFrame);
    for (const CrashReport& crash : m_crashes)
        m_crashList->addItem(new QListWidgetItem(icon(QStringLiteral("error"), IconTone::Err), q(crash.end)));
    auto* both = new QSplitter(Qt::Vertical);
    both->setChildrenCollapsible(false);
    both->addWidget(m_crashList);
    both->addWidget(m_crashText);
    both->setSizes({140, 400});
    auto* none = new EmptyState(QStringLiteral("ok"));
    none->setObjectName(QStringLiteral("diagnostics.noCrashes"));
    none->setText(tr("No crash reports"), tr("What the program leaves when it breaks down is listed here."));
    m_crashPages = new QStackedWidget;
    m_crashPages->addWidget(none);
    m_crashPages->addWidget(both);
    m_crashPages->setCurrentIndex(m_crashes.empty() ? 0 : 1);
    connect(m_crashList, &QListWidget::currentRowChanged, this, &DiagnosticsDialog::showCrash);
    m_crashList->setCurrentRow(m_crashes.empty() ? -1 : 0);
    return m_crashPages;
}

QWidget* DiagnosticsDialog::makeButtons() {
    m_state->setObjectName(QStringLiteral("diagnostics.state"));
    m_state->setForegroundRole(QPalette::PlaceholderText);
    m_state->setTextFormat(Qt::PlainText); // folders are called as people like
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* copy = buttons->addButton(tr("&Copy for a bug report"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("diagnostics.copy"));
    copy->setIcon(icon(QStringLiteral("copy")));
    copy->setToolTip(tr("Puts versions, settings, crash reports and the end of the log on the clipboard, "
                        "without your name, your machine's and the path of your home folder."));
    connect(copy, &QPushButton::clicked, this, [this] {
        const QString text = report();
        QGuiApplication::clipboard()->setText(text);
        m_state->setText(tr("Copied, %1 lines.").arg(countText(text.count(QLatin1Char('\n')))));
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* foot = new QWidget;
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(kMargin, 8, kMargin, 8);
    row->addWidget(m_state, 1);
    row->addWidget(buttons);
    return foot;
}

void DiagnosticsDialog::look() {
    LogTail::News news = m_tail.read();
    if (news.fromBeginning) {
        m_model->setEvents(std::move(news.events));
        showChosen({}); // of a reset the table says nothing
    } else if (!news.events.empty())
        m_model->append(std::move(news.events));
    else
        return;
    refresh();
}

void DiagnosticsDialog::refresh() {
    if (const std::optional<Error> failure = m_log.failure())
        m_failure->setError(tr("The log is not written."), *failure);
    if (m_model->rowCount() == 0)
        m_empty->setText(tr("The log is empty"), tr("What the program does and what goes wrong is written "
                                                    "here."));
    else
        m_empty->setText(tr("No such event"), tr("Choose more levels, or find another text."));
    m_logPages->setCurrentIndex(m_filter->rowCount() == 0 ? 0 : 1);
    m_state->setText(tr("%1 of %2 events, %3")
                         .arg(countText(m_filter->rowCount()), countText(m_model->rowCount()),
                              PrivateNames::ofThisUser().shortened(m_log.file())));
    if (m_follow->isChecked())
        m_table->scrollToBottom();
}

// Whole: in its row a long one is cut short.
void DiagnosticsDialog::showChosen(const QModelIndex& event) {
    const auto text = [&](int column) { return event.siblingAtColumn(column).data().toString(); };
    m_chosen->setVisible(event.isValid());
    m_chosen->setPlainText(event.isValid() ? text(LogModel::Place) + QLatin1Char('\n') + text(LogModel::Event)
                                           : QString());
}

void DiagnosticsDialog::showCrashes() {
    m_tabs->setCurrentIndex(1);
    m_crashList->setCurrentRow(m_crashes.empty() ? -1 : 0);
    m_crashList->setFocus(Qt::OtherFocusReason);
}

void DiagnosticsDialog::showCrash(int row) {
    m_crashText->setPlainText(row < 0 ? QString() : q(m_crashes[static_cast<std::size_t>(row)].text));
}

QString DiagnosticsDialog::report() {
    look();
    return bugReport(m_settings, m_model->events(), m_crashes, PrivateNames::ofThisUser());
}

} // namespace pw
