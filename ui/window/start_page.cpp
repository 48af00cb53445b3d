// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start_page.h"

#include "core/base/file.h"
#include "ui/base/convert.h"
#include "ui/base/icons.h"
#include "ui/base/own_colour.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/cluster_form.h"
#include "ui/widgets/column_scroll.h"
#include "ui/window/settings.h"
#include "ui/window/start_cards.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace pw {

namespace {

constexpr int kCardsPerRow = 5; // at most
constexpr int kRail = 360;      // pixels, as all of these
constexpr int kCardWidth = 200, kSheetMargins = 96;
constexpr int kTemplateGpus = 64; // from which a template is a cluster
constexpr const char* kTemplateKind = "H100-SXM-80GB";

QLabel* quiet(const QString& text, const QFont& font = smallFont()) {
    auto* label = new QLabel(text);
    label->setFont(font);
    label->setProperty("quiet", true);
    return label;
}

QLabel* titled(const QString& text, const QFont& font) {
    auto* label = new QLabel(text);
    label->setFont(font);
    return label;
}

void clear(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater(); // a choice in its menu, which is its child, may be what clears the layout
        }
        delete item;
    }
}

// "Drop a file here": a dashed frame; the window takes the drop wherever it falls.
class DropField : public QWidget {
public:
    DropField() { setFixedHeight(60); }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = theme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(t.text3, 1, Qt::DashLine));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        icon(QStringLiteral("drop"), IconTone::Text2).paint(&painter, QRect(18, 20, 20, 20));
        painter.setPen(t.text);
        painter.setFont(bodyFont(QFont::Medium));
        painter.drawText(QRect(56, 12, width() - 60, 18), Qt::AlignVCenter,
                         StartPage::tr("Drop a file here"));
        painter.setPen(t.text2);
        painter.setFont(smallFont());
        painter.drawText(QRect(56, 30, width() - 60, 18), Qt::AlignVCenter,
                         StartPage::tr("a project, model, cluster, measurements, a plan"));
    }
};

class StepLine : public QWidget {
public:
    StepLine() { setFixedHeight(72); }

protected:
    void paintEvent(QPaintEvent*) override {
        const std::pair<QString, QString> steps[] = {
            {StartPage::tr("Draw"), StartPage::tr("nodes, GPUs and links")},
            {StartPage::tr("Model"), StartPage::tr("layers and training settings")},
            {StartPage::tr("Profiles"), StartPage::tr("measured times, or estimates")},
            {StartPage::tr("Search"), StartPage::tr("F5, plans appear as found")},
            {StartPage::tr("Inspect"), StartPage::tr("schedule, memory, idle times")},
            {StartPage::tr("Export"), StartPage::tr("arguments for your trainer")},
        };
        const Theme& t = theme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const int step = width() / 6;
        for (int i = 0; i < 6; ++i) {
            const QRectF circle(i * step + 0.5, 0.5, 23, 23);
            painter.setPen(t.text2);
            painter.setBrush(t.panel);
            painter.drawEllipse(circle);
            painter.setFont(bodyFont());
            painter.setPen(t.text);
            painter.drawText(circle, Qt::AlignCenter, QString::number(i + 1));
            if (i < 5)
                painter.fillRect(i * step + 36, 12, step - 48, 1, t.line);
            const auto& [title, text] = steps[static_cast<std::size_t>(i)];
            painter.setFont(bodyFont(QFont::Medium));
            painter.drawText(QRect(i * step, 32, step - 8, 18), Qt::AlignVCenter, title);
            painter.setFont(smallFont());
            painter.setPen(t.text2);
            painter.drawText(QRect(i * step, 50, step - 8, 18), Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(text, Qt::ElideRight, step - 10));
        }
    }
};

class BrandMark : public QWidget {
public:
    BrandMark() { setFixedSize(52, 48); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        icon(QStringLiteral("app")).paint(&painter, rect());
    }
};

} // namespace

StartPage::StartPage(Commands& commands, Selection& selection, const Settings& settings, QWidget* parent)
    : QWidget(parent), m_settings(settings),
      m_recent(new QVBoxLayout), m_samples{new QGridLayout, {}}, m_templates{new QGridLayout, {}} {
    setObjectName(QStringLiteral("startPage"));
    setAccessibleName(tr("Start page"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* rail = new ColumnScroll(makeRail(commands)); // low screens, large fonts
    rail->setFixedWidth(kRail + rail->verticalScrollBar()->sizeHint().width());
    rail->viewport()->setAutoFillBackground(false);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    left->addWidget(rail, 1);
    left->addLayout(makeLinks(commands)); // below what is scrolled: never cut
    row->addLayout(left);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // its cards have it
    scroll->setWidget(makeSheet(selection));
    row->addWidget(scroll, 1);
    const auto recolour = [this, scroll] {
        setOwnColour(*scroll->viewport(), QPalette::Window, theme().panel);
        scroll->viewport()->setAutoFillBackground(true);
        scroll->widget()->setAutoFillBackground(false);
    };
    recolour();
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, recolour);
    refresh();
    addSamples();
    addTemplates();
    arrangeCards(kCardsPerRow);
    QWidget* last = findChild<QWidget*>(QStringLiteral("start.help.keys"));
    for (const Cards* some : {&m_samples, &m_templates})
        for (QWidget* card : some->cards)
            setTabOrder(std::exchange(last, card), card);
}

QWidget* StartPage::makeRail(Commands& commands) {
    auto* rail = new QWidget;
    rail->setFixedWidth(kRail);
    rail->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(rail);
    column->setContentsMargins(24, 36, 24, 8);
    column->setSpacing(8);
    auto* brand = new QHBoxLayout;
    brand->setSpacing(16);
    brand->addSpacing(6);
    brand->addWidget(new BrandMark);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    QFont name = pageFont();
    name.setPixelSize(26);
    words->addWidget(titled(tr("Pipewright"), name));
    words->addWidget(quiet(tr("Plans for training on mixed GPUs"), bodyFont()));
    brand->addLayout(words, 1);
    column->addLayout(brand);
    column->addSpacing(32);

    const auto card = [&](const char* id, const QString& iconName, const QString& title,
                          const QString& text) {
        QAction* action = commands.action(id);
        auto* made =
            new ActionCard(iconName, title, text, action->shortcut().toString(QKeySequence::NativeText));
        made->setObjectName(QStringLiteral("start.") + action->objectName());
        connect(made, &QAbstractButton::clicked, action, &QAction::trigger);
        made->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // scrolled, not squeezed
        column->addWidget(made);
    };
    card("file.new", QStringLiteral("new"), tr("New project"), tr("An empty drawing"));
    card("file.open", QStringLiteral("open"), tr("Open..."), tr("A .pwx project, or a file to import"));
    card("file.import", QStringLiteral("import"), tr("Import..."),
         tr("Machines, models, measurements, plans"));
    card("view.accuracy", QStringLiteral("chart"), tr("Accuracy"), tr("Predicted against measured runs"));
    card("file.published", QStringLiteral("table"), tr("Published cases"),
         tr("What papers state, predicted"));

    column->addSpacing(16);
    auto* heading = new QHBoxLayout;
    heading->addWidget(titled(tr("Recent"), headingFont()), 1);
    auto* clearList = new QPushButton(tr("Clear"));
    clearList->setProperty("link", true);
    clearList->setObjectName(QStringLiteral("start.clearRecent"));
    clearList->setAccessibleName(tr("Clear the list of recent projects"));
    clearList->setCursor(Qt::PointingHandCursor);
    connect(clearList, &QPushButton::clicked, this, &StartPage::clearRecentRequested);
    heading->addWidget(clearList);
    column->addLayout(heading);
    m_recent->setSpacing(4);
    column->addLayout(m_recent);
    column->addSpacing(16);
    column->addWidget(new DropField);
    column->addStretch();
    return rail;
}

QLayout* StartPage::makeLinks(Commands& commands) {
    auto* links = new QHBoxLayout;
    links->setContentsMargins(24, 8, 24, 16);
    for (const char* id : {"help.tour", "help.firstSteps", "help.keys"}) {
        QAction* action = commands.action(id);
        auto* link =
            new QPushButton(QStringLiteral("%1  %2")
                                .arg(action->text().remove(QLatin1Char('&')), action->shortcut().toString())
                                .trimmed());
        link->setProperty("link", true);
        link->setObjectName(QStringLiteral("start.") + action->objectName());
        link->setCursor(Qt::PointingHandCursor);
        connect(link, &QPushButton::clicked, action, &QAction::trigger);
        links->addWidget(link);
    }
    links->addStretch();
    return links;
}

QWidget* StartPage::makeSheet(Selection& selection) {
    auto* sheet = new QWidget;
    auto* column = new QVBoxLayout(sheet);
    column->setContentsMargins(40, 36, 40, 24);
    column->setSpacing(8);
    column->addWidget(titled(tr("Start from a sample"), pageFont()));
    column->addWidget(quiet(tr("Each opens complete: press F5 for a first plan."), bodyFont()));
    column->addSpacing(8);
    m_samples.grid->setSpacing(16);
    column->addLayout(m_samples.grid);
    column->addSpacing(24);
    column->addWidget(titled(tr("Start from a drawing"), pageFont()));
    column->addWidget(quiet(tr("Each opens as a new project: choose a model, then press F5."), bodyFont()));
    column->addSpacing(8);
    m_templates.grid->setSpacing(16);
    column->addLayout(m_templates.grid);
    column->addSpacing(8);
    column->addWidget(quiet(tr("Or by its sizes:"), bodyFont()));
    auto* sizes = new ClusterForm(QStringLiteral("start.sizes"), selection);
    connect(sizes, &ClusterForm::drawRequested, this, &StartPage::draw);
    column->addWidget(sizes);
    column->addSpacing(24);
    column->addWidget(titled(tr("From a cluster to a plan"), pageFont()));
    column->addSpacing(12);
    column->addWidget(new StepLine);
    column->addStretch();
    return sheet;
}

void StartPage::refresh() {
    clear(m_recent);
    QWidget* last = findChild<QWidget*>(QStringLiteral("start.clearRecent"));
    for (const QString& path : m_settings.recent) {
        auto* card = new RecentCard(path);
        connect(card, &QAbstractButton::clicked, this, [this, path] { Q_EMIT openRequested(path); });
        card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        const auto add = [card](const QString& text, auto run) {
            auto* action = new QAction(text, card);
            connect(action, &QAction::triggered, card, run);
            card->addAction(action);
        };
        add(tr("&Open"), [card] { card->click(); });
        add(tr("Open &folder"),
            [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath())); });
        add(tr("&Remove from the list"), [this, path] { Q_EMIT forgetRecentRequested(path); });
        // One that does not wait, as Qt's own of actions does: what is chosen takes the card away.
        card->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(card, &QWidget::customContextMenuRequested, card, [card](const QPoint& at) {
            QMenu* menu = newContextMenu("recent", card);
            menu->addActions(card->actions());
            menu->popup(card->mapToGlobal(at));
        });
        m_recent->addWidget(card);
        setTabOrder(std::exchange(last, card), card); // as it is read, not as it was made
    }
    findChild<QWidget*>(QStringLiteral("start.clearRecent"))->setVisible(!m_settings.recent.isEmpty());
    if (m_settings.recent.isEmpty())
        m_recent->addWidget(quiet(tr("Projects that you open appear here."), bodyFont()));
}

void StartPage::addSamples() {
    struct Sample {
        QFileInfo file;
        Project project;
    };
    std::vector<Sample> samples;
    const QDir folder(samplesFolder() + QStringLiteral("/projects"));
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.pwx")}, QDir::Files, QDir::Name)) {
        const std::string path = s(file.absoluteFilePath());
        if (const Result<std::string> text = readFile(path))
            if (Result<Project> project = readProject(*text, path))
                samples.push_back({file, *std::move(project)});
    }
    std::ranges::stable_sort(samples, {}, [](const Sample& each) { return each.project.cluster.gpuCount(); });
    for (const auto& [file, project] : samples) {
        const QString path = file.absoluteFilePath();
        auto* card = new SampleCard(file.completeBaseName(), path, project);
        card->setObjectName(QStringLiteral("sample.") + file.completeBaseName());
        connect(card, &QAbstractButton::clicked, this, [this, path] { Q_EMIT openRequested(path); });
        m_samples.cards.push_back(card);
    }
    if (m_samples.cards.empty())
        m_samples.grid->addWidget(quiet(tr("No samples are installed beside the program."), bodyFont()), 0,
                                  0);
}

// The whole clusters among the palette's templates.
void StartPage::addTemplates() {
    for (const ClusterTemplate& row : clusterTemplates()) {
        if (row.gpus < kTemplateGpus)
            continue;
        const Result<Project> made = row.make(Project{}, kTemplateKind, {});
        if (!made)
            continue;
        auto* card = new SampleCard(QCoreApplication::translate("pw::TopologyCanvas", row.label),
                                    QCoreApplication::translate("pw::TopologyCanvas", row.help), *made);
        card->setObjectName(QStringLiteral("template.") + QLatin1String(row.key));
        connect(card, &QAbstractButton::clicked, this,
                [this, project = *made] { Q_EMIT templateRequested(project); });
        m_templates.cards.push_back(card);
    }
}

void StartPage::draw(const ClusterSize& size) {
    if (const Result<Project> made = addCluster(Project{}, size, {}))
        Q_EMIT templateRequested(*made);
    else
        Q_EMIT refused(made.error());
}

void StartPage::arrangeCards(int perRow) {
    if (perRow == m_perRow)
        return;
    m_perRow = perRow;
    for (const Cards* some : {&m_samples, &m_templates}) {
        for (QWidget* card : some->cards)
            some->grid->removeWidget(card);
        for (int i = 0; i < static_cast<int>(some->cards.size()); ++i)
            some->grid->addWidget(some->cards[static_cast<std::size_t>(i)], i / perRow, i % perRow);
        for (int i = 0; i < kCardsPerRow; ++i)
            some->grid->setColumnStretch(i, i < perRow ? 1 : 0);
    }
}

// A card that is narrower than its words says nothing.
void StartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrangeCards(std::clamp((width() - kRail - kSheetMargins) / kCardWidth, 1, kCardsPerRow));
}

} // namespace pw
