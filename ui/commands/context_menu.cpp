// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/context_menu.h"

#include "ui/commands/commands.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>

#include <cstring>
#include <utility>

namespace pw {

const std::vector<ContextRow>& contextTable() {
    static const std::vector<ContextRow> rows = {
        {"canvas",
         {"canvas.node", "canvas.switch", "canvas.note", "", "canvas.paste", "canvas.selectAll",
          "canvas.selectNodes", "canvas.selectLinks", "", "canvas.fit", "canvas.actualSize", "canvas.zoomIn",
          "canvas.zoomOut", "canvas.minimap"}},
        {"canvas item",
         {"canvas.editData", "canvas.link", "", "canvas.cut", "canvas.copy", "canvas.duplicate",
          "canvas.delete", "", "canvas.group", "canvas.ungroup", "canvas.lock"}},
        {"canvas link", {"canvas.editData", "canvas.delete", "", "canvas.selectLinks", "canvas.selectNone"}},
        {"plans",
         {"plan.export", "plan.compare", "plan.compareFile", "", "plans.pin", "plans.rename", "plans.note",
          "plans.ties", "", "search.improve", "answers.judge", "", "plans.remove"}},
        {"stage",
         {"stages.lock", "search.improve", "", "stages.split", "stages.merge", "stages.earlier",
          "stages.later"}},
        {"edited plan", {"whatif.keep", "whatif.revert"}},
        {"timeline",
         {"timeline.fit", "timeline.centre", "timeline.zoomIn", "timeline.zoomOut", "", "timeline.cause",
          "timeline.effect", "timeline.range", "", "timeline.find", "timeline.clear"}},
        {"problems", {"problems.fix", "problems.jump", "", "help.message"}},
        {"findings", {"findings.try", "findings.jump", "", "help.message"}},
        {"answers", {"answers.judge", "answers.around"}},
        {"planners", {"planners.show", "plan.export", "plan.compare"}},
        {"compare", {"compare.base", "compare.swap", "compare.remove", "", "compare.fit", "compare.clear"}},
        {"accuracy", {"accuracy.open", "accuracy.leaveOut", "", "accuracy.filter"}},
    };
    return rows;
}

QMenu* newContextMenu(const char* place, QWidget* parent) {
    auto* menu = new QMenu(parent);
    menu->setObjectName(QLatin1String("context.") + QLatin1String(place));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    return menu;
}

void fillContext(QMenu& menu, const Commands& commands, const char* place) {
    for (const ContextRow& row : contextTable()) {
        if (std::strcmp(row.place, place) != 0)
            continue;
        for (const char* id : row.commands)
            if (*id)
                menu.addAction(commands.action(id));
            else
                menu.addSeparator();
        return;
    }
    Q_ASSERT_X(false, "fillContext", place);
}

void addCopy(QMenu& menu, const QString& text) {
    menu.addAction(QCoreApplication::translate("pw::Commands", "&Copy"), &menu,
                   [text] { QApplication::clipboard()->setText(text); });
}

QString selectedText(const QAbstractItemView& view) {
    const QAbstractItemModel& model = *view.model();
    const auto line = [&](auto cell) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << cell(column);
        return cells.join(QLatin1Char('\t'));
    };
    QStringList lines{line([&](int column) { return model.headerData(column, Qt::Horizontal).toString(); })};
    for (int row = 0; row < model.rowCount(); ++row)
        if (view.selectionModel()->rowIntersectsSelection(row))
            lines << line([&](int column) { return model.index(row, column).data().toString(); });
    return lines.join(QLatin1Char('\n'));
}

void showContext(const Commands& commands, const char* place, QWidget* parent, const QPoint& global) {
    QMenu* menu = newContextMenu(place, parent);
    fillContext(*menu, commands, place);
    menu->popup(global);
}

namespace {

// The view asks its viewport on a click and gets the event itself on the key.
class RowMenu : public QObject {
public:
    RowMenu(QAbstractItemView* view, const char* place, std::function<void(QMenu&)> fill)
        : QObject(view), m_view(view), m_place(place), m_fill(std::move(fill)) {
        view->installEventFilter(this);
        view->viewport()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ContextMenu)
            return QObject::eventFilter(watched, event);
        const auto* asked = static_cast<const QContextMenuEvent*>(event);
        const bool byKey = asked->reason() == QContextMenuEvent::Keyboard;
        if (!byKey && watched != m_view->viewport())
            return false;
        const QModelIndex at = byKey ? m_view->currentIndex() : m_view->indexAt(asked->pos());
        if (!at.isValid())
            return true;
        if (!byKey && !m_view->selectionModel()->isSelected(at))
            m_view->setCurrentIndex(at);
        QMenu* menu = newContextMenu(m_place, m_view);
        m_fill(*menu);
        if (menu->isEmpty())
            delete menu;
        else
            menu->popup(byKey ? m_view->viewport()->mapToGlobal(m_view->visualRect(at).center())
                              : asked->globalPos());
        return true;
    }

private:
    QAbstractItemView* m_view;
    const char* m_place;
    std::function<void(QMenu&)> m_fill;
};

} // namespace

void offerRowMenu(QAbstractItemView* view, const char* place, std::function<void(QMenu&)> fill) {
    new RowMenu(view, place, std::move(fill));
}

void offerRowMenu(QAbstractItemView* view, const char* place, const Commands& commands) {
    offerRowMenu(view, place, [&commands, place](QMenu& menu) { fillContext(menu, commands, place); });
}

} // namespace pw
