// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/palette_panel.h"

#include "core/base/units.h"
#include "ui/base/convert.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/user_catalogue.h"

#include <QApplication>
#include <QDrag>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace pw {

namespace {

constexpr int kWhat = Qt::UserRole, kName = Qt::UserRole + 1;

// Starts the drag with our payload; the tree itself would offer its own row format. Esc gives up what a click
// on an entry has begun.
class PaletteList : public QTreeWidget {
public:
    std::function<QMimeData*(const QTreeWidgetItem&)> payload;
    std::function<bool()> giveUp; // false: there was nothing

protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() != Qt::Key_Escape || !giveUp())
            QTreeWidget::keyPressEvent(event);
    }
    void startDrag(Qt::DropActions) override {
        const QTreeWidgetItem* item = currentItem();
        if (!item || item->data(0, kWhat).toString().isEmpty())
            return;
        auto* drag = new QDrag(this);
        drag->setMimeData(payload(*item));
        drag->setPixmap(item->icon(0).pixmap(24, 24));
        drag->exec(Qt::CopyAction);
    }
};

} // namespace

PalettePanel::PalettePanel(const AppContext& app, QWidget* parent)
    : View(parent), m_app(app), m_filter(new QLineEdit(this)) {
    setObjectName(QStringLiteral("palette"));
    setAccessibleName(tr("Palette"));
    auto* list = new PaletteList;
    list->payload = [this](const QTreeWidgetItem& item) { return payloadOf(item).toMime(); };
    list->giveUp = [this] {
        TopologyCanvas* target = canvas();
        const bool armed = target && target->armed();
        if (armed)
            target->setTool(TopologyCanvas::Tool::Select);
        return armed;
    };
    m_list = list;
    m_list->setObjectName(QStringLiteral("palette.list"));
    m_list->setAccessibleName(tr("Things to draw"));
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setIndentation(12);
    m_list->setUniformRowHeights(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setDragEnabled(true);
    m_list->setDragDropMode(QAbstractItemView::DragOnly);
    m_list->setIconSize(QSize(16, 16));
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_filter->setObjectName(QStringLiteral("palette.filter"));
    m_filter->setAccessibleName(tr("Find a kind"));
    m_filter->setPlaceholderText(tr("Find a kind"));
    m_filter->addAction(icon(QStringLiteral("find"), IconTone::Text2), QLineEdit::LeadingPosition);
    m_filter->setClearButtonEnabled(true);
    auto* hint = new QLabel(
        tr("Click one, then the canvas, or drag it there. Hold Shift to be asked how many."), this);
    hint->setObjectName(QStringLiteral("palette.hint"));
    hint->setFont(smallFont());
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(10, 8, 10, 8);
    top->addWidget(m_filter);
    column->addLayout(top);
    column->addWidget(m_list, 1);
    auto* bottom = new QVBoxLayout;
    bottom->setContentsMargins(10, 8, 10, 8);
    bottom->addWidget(hint);
    column->addLayout(bottom);

    fill();
    connect(m_filter, &QLineEdit::textChanged, this, &PalettePanel::filter);
    connect(m_list, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (!item->data(0, kWhat).toString().isEmpty())
            placeInView(payloadOf(*item));
    });
    const auto takeKind = [this](const QTreeWidgetItem* item) {
        if (item && item->data(0, kWhat).toString() == QLatin1String("kind"))
            m_app.selection.setKind(item->data(0, kName).toString());
    };
    connect(m_list, &QTreeWidget::currentItemChanged, this, takeKind);
    connect(m_list, &QTreeWidget::itemClicked, this, takeKind); // also of the current one, again
    connect(m_list, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
        if (TopologyCanvas* target = canvas(); target && !item->data(0, kWhat).toString().isEmpty())
            target->arm(payloadOf(*item));
    });
    connect(&app.selection, &Selection::kindChanged, this, &PalettePanel::showKind);
    connect(&app.document, &Document::changed, this, &PalettePanel::showKind); // which may not know it
    connect(&app.document, &Document::replaced, m_filter, &QLineEdit::clear);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &PalettePanel::fill);
    connect(&UserCatalogue::instance(), &UserCatalogue::changed, this, &PalettePanel::fill);
}

void PalettePanel::fill() {
    m_list->clear();
    const auto group = [&](const QString& title, const QString& right) {
        auto* item = new QTreeWidgetItem(m_list, {title, right});
        item->setFlags(Qt::ItemIsEnabled);
        item->setFont(0, bodyFont(600));
        item->setFont(1, smallFont());
        item->setForeground(1, theme().text2);
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        for (int c = 0; c < 2; ++c) {
            item->setBackground(c, theme().head);
            item->setSizeHint(c, QSize(0, 22));
        }
        item->setExpanded(true);
        return item;
    };
    const auto entry = [&](QTreeWidgetItem* parent, const QString& text, const QString& right,
                           const char* symbol, const QString& what, const QString& name,
                           const QString& help) {
        auto* item = new QTreeWidgetItem(parent, {text, right});
        item->setIcon(0, icon(QLatin1String(symbol), IconTone::Text2));
        item->setForeground(1, theme().text2);
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setData(0, kWhat, what);
        item->setData(0, kName, name);
        item->setToolTip(0, help);
        item->setSizeHint(0, QSize(0, 24));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled);
    };
    if (const auto& own = UserCatalogue::instance().kinds(); !own.empty()) {
        QTreeWidgetItem* mine = group(tr("Your GPUs"), tr("memory"));
        for (const DeviceKind& kind : own)
            entry(mine, q(kind.name), q(formatGibibytes(kind.memory)), "gpu", QStringLiteral("kind"),
                  q(kind.name), q(kind.source));
    }
    m_nodes = group({}, {});
    m_nodes->setFirstColumnSpanned(true);
    showKind();
    for (const ClusterTemplate& row : clusterTemplates())
        entry(m_nodes, QCoreApplication::translate("pw::TopologyCanvas", row.label),
              row.gpus ? QString::number(row.gpus) : QString(), row.gpus > 8 ? "stages" : "node",
              QStringLiteral("template"), QLatin1String(row.key),
              QCoreApplication::translate("pw::TopologyCanvas", row.help));
    QTreeWidgetItem* kinds = group(tr("GPUs, latest process first"), tr("memory"));
    for (const DeviceKind& kind : newestFirst(Catalogue::builtin().kinds()))
        entry(kinds, q(kind.name), q(formatGibibytes(kind.memory)), "gpu", QStringLiteral("kind"),
              q(kind.name), q(kind.source));
    QTreeWidgetItem* network = group(tr("Network"), {});
    for (const char* medium : {"Ethernet", "InfiniBand"})
        entry(network, tr("Switch, %1").arg(QLatin1String(medium)),
              medium[0] == 'E' ? QStringLiteral("S") : QString(), "switch", QStringLiteral("switch"),
              QLatin1String(medium), tr("A switch that joins nodes; draw links to it with L"));
    QTreeWidgetItem* drawing = group(tr("Drawing"), {});
    entry(drawing, tr("Note"), QStringLiteral("T"), "note", QStringLiteral("note"), QString(),
          tr("A sheet of paper; a double click writes on it"));
    m_list->expandAll();
    filter(m_filter->text());
}

// Of kinds alone: what they are placed as, and the network between, stays at hand.
void PalettePanel::filter(const QString& text) {
    for (int g = 0; g < m_list->topLevelItemCount(); ++g) {
        QTreeWidgetItem* group = m_list->topLevelItem(g);
        int shown = 0;
        for (int i = 0; i < group->childCount(); ++i) {
            const bool hit = group->child(i)->data(0, kWhat).toString() != QLatin1String("kind") ||
                             group->child(i)->text(0).contains(text, Qt::CaseInsensitive);
            group->child(i)->setHidden(!hit);
            shown += hit;
        }
        group->setHidden(shown == 0);
    }
}

std::vector<PalettePanel::Entry> PalettePanel::entries() const {
    std::vector<Entry> entries;
    for (int g = 0; g < m_list->topLevelItemCount(); ++g)
        for (int i = 0; i < m_list->topLevelItem(g)->childCount(); ++i) {
            const QTreeWidgetItem& item = *m_list->topLevelItem(g)->child(i);
            entries.push_back({item.text(0), item.toolTip(0), payloadOf(item)});
        }
    return entries;
}

void PalettePanel::placeInView(const DragPayload& payload) {
    TopologyCanvas* target = canvas();
    if (!target)
        return;
    if (target->armed()) // by the first click of two
        target->setTool(TopologyCanvas::Tool::Select);
    target->placeFree(payload);
}

TopologyCanvas* PalettePanel::canvas() const {
    const QWidget* top = this;
    while (top->parentWidget())
        top = top->parentWidget();
    return top->findChild<TopologyCanvas*>();
}

QString PalettePanel::kind() const {
    return q(kindToDraw(m_app.document.project()->cluster, s(m_app.selection.kind())));
}

void PalettePanel::showKind() {
    m_nodes->setText(0, tr("Nodes and templates of %1").arg(kind()));
}

DragPayload PalettePanel::payloadOf(const QTreeWidgetItem& item) const {
    return {item.data(0, kWhat).toString(), item.data(0, kName).toString(), kind()};
}

} // namespace pw
