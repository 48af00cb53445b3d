// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/session/selection.h"
#include "ui/widgets/accessible_parts.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPointer>
#include <QTableView>

#include <algorithm>
#include <cstring>
#include <utility>

namespace pw {

namespace {

constexpr const char* kContext = "tables and plots"; // of the commands "rows.*"

// The commands that work on the current row of any view: whether it has what they need, and what they do.
struct RowCommand {
    const char* id;
    bool (*has)(const RowMenu& menu);
    void (*run)(const RowMenu& menu, const Commands& commands, Selection& selection);
};

void toClipboard(const QString& text) {
    QApplication::clipboard()->setText(text);
}

const std::vector<RowCommand>& rowCommands() {
    static const std::vector<RowCommand> rows = {
        {"rows.copy", [](const RowMenu& menu) { return menu.text && !menu.text().isEmpty(); },
         [](const RowMenu& menu, const Commands&, Selection&) { toClipboard(menu.text()); }},
        {"rows.copyValue", [](const RowMenu& menu) { return menu.value && !menu.value().isEmpty(); },
         [](const RowMenu& menu, const Commands&, Selection&) { toClipboard(menu.value()); }},
        {"rows.copyAll", [](const RowMenu& menu) { return static_cast<bool>(menu.all); },
         [](const RowMenu& menu, const Commands&, Selection&) { toClipboard(menu.all()); }},
        {"rows.stage", [](const RowMenu& menu) { return menu.stage && menu.stage() >= 0; },
         [](const RowMenu& menu, const Commands& commands, Selection& selection) {
             selection.setStage(menu.stage());
             commands.action("view.details")->trigger();
         }},
        {"rows.device", [](const RowMenu& menu) { return menu.device && !menu.device().isEmpty(); },
         [](const RowMenu& menu, const Commands& commands, Selection& selection) {
             const QString device = menu.device(); // the row may change with what is selected
             selection.setItems({device.section(QLatin1Char('.'), 0, -2)});
             selection.setDevice(device);
             commands.action("view.topology")->trigger();
         }},
    };
    return rows;
}

// The menu of one view: its child, which the mouse and the keys ask.
class Offer : public QObject {
public:
    Offer(QWidget* view, RowMenu menu) : QObject(view), m_view(view), m_menu(std::move(menu)) {
        setObjectName(QStringLiteral("rowMenu"));
        view->installEventFilter(this);
        if (const auto* area = qobject_cast<QAbstractScrollArea*>(view))
            area->viewport()->installEventFilter(this); // which gets the clicks
    }

    static Offer* of(const QWidget* view) {
        for (QObject* child : view->children())
            if (auto* offer = dynamic_cast<Offer*>(child))
                return offer;
        return nullptr;
    }
    // Of the menu that is open, or was closed by what it is asked for; else of the view with the focus.
    static Offer* asked() {
        if (open().menu)
            return open().offer;
        for (const QWidget* at = QApplication::focusWidget(); at; at = at->parentWidget())
            if (Offer* offer = of(at))
                return offer;
        return nullptr;
    }
    const RowMenu& menu() const { return m_menu; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        switch (event->type()) {
        case QEvent::Show:
            if (const Commands* known = watched == m_view ? commands() : nullptr)
                known->attach(kContext, m_view);
            return false;
        case QEvent::ContextMenu:
            show(static_cast<const QContextMenuEvent&>(*event), static_cast<const QWidget&>(*watched));
            return true;
        default:
            return false;
        }
    }

private:
    struct Open {
        QPointer<QMenu> menu;
        QPointer<Offer> offer;
    };
    static Open& open() {
        static Open last;
        return last;
    }

    const Commands* commands() const {
        const Commands* found = m_menu.commands;
        for (const QWidget* at = m_view; at && !found; at = at->parentWidget())
            found = at->findChild<Commands*>(QString(), Qt::FindDirectChildrenOnly);
        return found;
    }

    void show(const QContextMenuEvent& event, const QWidget& at) {
        const bool byKey = event.reason() == QContextMenuEvent::Keyboard;
        if (!byKey && !m_menu.choose(at.mapTo(m_view, event.pos())))
            return;
        const QRect current = m_menu.current();
        if (!current.isValid())
            return;
        QMenu* menu = newContextMenu(m_menu.place, m_view);
        if (m_menu.fill)
            m_menu.fill(*menu);
        menu->addSeparator();
        if (const Commands* known = commands())
            fillContext(*menu, *known, m_menu.place, [this](const char* id) {
                const auto& rows = rowCommands();
                const auto found = std::find_if(rows.begin(), rows.end(), [id](const RowCommand& row) {
                    return std::strcmp(row.id, id) == 0;
                });
                return found == rows.end() || found->has(m_menu);
            });
        if (menu->isEmpty())
            return delete menu;
        open() = {menu, this};
        const QRect seen = current & m_view->rect();
        menu->popup(byKey ? m_view->mapToGlobal((seen.isValid() ? seen : m_view->rect()).center())
                          : event.globalPos());
    }

    QWidget* m_view;
    RowMenu m_menu;
};

// A line of a row, with what would break it taken out.
template <class Cell>
QString lineOf(const std::vector<int>& columns, Cell cell) {
    QStringList cells;
    for (const int column : columns)
        cells << QString(cell(column))
                     .replace(QLatin1Char('\n'), QLatin1Char(' '))
                     .replace(QLatin1Char('\t'), QLatin1Char(' '));
    return cells.join(QLatin1Char('\t'));
}

// Columns without a heading hold symbols; what stands in a list has no heading at all.
template <class Wanted>
QString rowsText(const QAbstractItemView& view, Wanted wanted) {
    const QAbstractItemModel& model = *view.model();
    const bool headed = qobject_cast<const QTableView*>(&view) != nullptr;
    const auto heading = [&model](int column) { return model.headerData(column, Qt::Horizontal).toString(); };
    std::vector<int> columns;
    for (int column = 0; column < model.columnCount(); ++column)
        if (!headed || !heading(column).isEmpty())
            columns.push_back(column);
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row)
        if (wanted(row))
            lines << lineOf(columns, [&](int column) { return model.index(row, column).data().toString(); });
    if (headed && !lines.isEmpty())
        lines.prepend(lineOf(columns, heading));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void offerMenu(QWidget* view, RowMenu menu) {
    delete Offer::of(view);
    new Offer(view, std::move(menu));
}

QString selectedText(const QAbstractItemView& view) {
    const QItemSelectionModel& chosen = *view.selectionModel();
    const int current = chosen.hasSelection() ? -1 : view.currentIndex().row();
    return rowsText(
        view, [&chosen, current](int row) { return row == current || chosen.rowIntersectsSelection(row); });
}

QString tableText(const QAbstractItemView& view) {
    return rowsText(view, [](int) { return true; });
}

RowMenu tableMenu(QAbstractItemView* view, const char* place) {
    RowMenu menu;
    menu.place = place;
    menu.choose = [view](const QPoint& at) {
        const QModelIndex index = view->indexAt(view->viewport()->mapFrom(view, at));
        if (!index.isValid())
            return false;
        if (view->selectionModel()->isSelected(index)) // with others, perhaps, which stay chosen
            view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        else
            view->setCurrentIndex(index);
        return true;
    };
    menu.current = [view] {
        const QModelIndex index = view->currentIndex();
        if (!index.isValid())
            return QRect();
        const QRect cell = view->visualRect(index); // none, where its column is hidden
        return (cell.isValid() ? cell : view->viewport()->rect()).translated(view->viewport()->pos());
    };
    menu.text = [view] { return selectedText(*view); };
    menu.all = [view] { return tableText(*view); };
    menu.value = [view] { return view->currentIndex().data().toString(); };
    return menu;
}

void offerRowMenu(QAbstractItemView* view, const char* place, std::function<void(QMenu&)> fill) {
    RowMenu menu = tableMenu(view, place);
    menu.fill = std::move(fill);
    offerMenu(view, std::move(menu));
}

void offerRowMenu(QAbstractItemView* view, const char* place, const Commands& commands) {
    RowMenu menu = tableMenu(view, place);
    menu.commands = &commands;
    offerMenu(view, std::move(menu));
}

RowMenu partsMenu(const PartsWidget* view, const char* place,
                  std::function<void(const QString& key)> choose) {
    const auto selected = [view]() -> AccessiblePart {
        for (AccessiblePart& part : view->accessibleParts())
            if (part.selected)
                return std::move(part);
        return {};
    };
    RowMenu menu;
    menu.place = place;
    menu.choose = [view, choose = std::move(choose)](const QPoint& at) {
        for (const AccessiblePart& part : view->accessibleParts())
            if (part.rect.contains(at)) {
                choose(part.key);
                return true;
            }
        return false;
    };
    menu.current = [selected] { return selected().rect; };
    menu.text = [selected] { return selected().name; };
    menu.all = [view] {
        QStringList lines;
        for (const AccessiblePart& part : view->accessibleParts())
            lines << part.name;
        return lines.join(QLatin1Char('\n'));
    };
    return menu;
}

void bindRowCommands(Commands& commands, Selection& selection) {
    for (const RowCommand& row : rowCommands())
        commands.bind(row.id, &commands, [&commands, &selection, &row] {
            const Offer* offer = Offer::asked();
            if (offer && offer->menu().current().isValid() && row.has(offer->menu()))
                row.run(offer->menu(), commands, selection);
        });
}

MenuKey::MenuKey(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool MenuKey::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress || watched != QApplication::focusWidget())
        return QObject::eventFilter(watched, event);
    const auto& key = static_cast<const QKeyEvent&>(*event);
    if (key.key() != Qt::Key_F10 || key.modifiers() != Qt::ShiftModifier)
        return QObject::eventFilter(watched, event);
    auto* focus = static_cast<QWidget*>(watched);
    const QPoint middle = focus->rect().center();
    QContextMenuEvent asked(QContextMenuEvent::Keyboard, middle, focus->mapToGlobal(middle));
    QCoreApplication::sendEvent(focus, &asked);
    return true;
}

} // namespace pw
