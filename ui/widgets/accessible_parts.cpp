// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/accessible_parts.h"

#include <QAccessibleWidget>
#include <QHash>
#include <QWidget>

#include <optional>

namespace pw {

namespace {

// One part. It has no object; the widget's interface makes and keeps it by its key.
class PartInterface : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    PartInterface(QWidget* widget, QString key) : m_widget(widget), m_key(std::move(key)) {}

    bool isValid() const override { return part().has_value(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_widget); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text kind) const override {
        const auto found = part();
        if (!found)
            return {};
        return kind == QAccessible::Name          ? found->name
               : kind == QAccessible::Description ? found->description
                                                  : QString();
    }
    QRect rect() const override {
        const auto found = part();
        return found ? found->rect.translated(m_widget->mapToGlobal(QPoint())) : QRect();
    }
    QAccessible::Role role() const override {
        const auto found = part();
        return found ? found->role : QAccessible::NoRole;
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        const auto found = part();
        state.selectable = true;
        state.selected = found && found->selected;
        state.invisible = !found || !m_widget->isVisible();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        if (name == pressAction())
            if (auto* parts = dynamic_cast<PartsWidget*>(m_widget))
                parts->activatePart(m_key);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    std::optional<AccessiblePart> part() const {
        if (const auto* parts = dynamic_cast<const PartsWidget*>(m_widget))
            for (AccessiblePart& each : parts->accessibleParts())
                if (each.key == m_key)
                    return std::move(each);
        return std::nullopt;
    }

    QWidget* m_widget;
    QString m_key;
};

class PartsInterface : public QAccessibleWidget {
public:
    explicit PartsInterface(QWidget* widget) : QAccessibleWidget(widget, QAccessible::List) {}
    ~PartsInterface() override {
        for (const QAccessible::Id id : std::as_const(m_ids))
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return static_cast<int>(parts().size()); }
    QAccessibleInterface* child(int index) const override {
        const auto all = parts();
        return index >= 0 && static_cast<std::size_t>(index) < all.size()
                   ? made(all[static_cast<std::size_t>(index)].key)
                   : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (int i = 0; i < childCount(); ++i)
            if (this->child(i) == child)
                return i;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        const QPoint at = widget()->mapFromGlobal(QPoint(x, y));
        for (const AccessiblePart& part : parts())
            if (part.rect.contains(at))
                return made(part.key);
        return nullptr;
    }

private:
    std::vector<AccessiblePart> parts() const {
        const auto* view = dynamic_cast<const PartsWidget*>(widget());
        return view ? view->accessibleParts() : std::vector<AccessiblePart>();
    }
    QAccessibleInterface* made(const QString& key) const {
        QAccessible::Id& id = m_ids[key];
        if (id == 0)
            id = QAccessible::registerAccessibleInterface(new PartInterface(widget(), key));
        return QAccessible::accessibleInterface(id);
    }

    mutable QHash<QString, QAccessible::Id> m_ids;
};

QAccessibleInterface* partsFactory(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    return widget && dynamic_cast<PartsWidget*>(widget) ? new PartsInterface(widget) : nullptr;
}

} // namespace

PartsWidget::PartsWidget() {
    [[maybe_unused]] static const bool once = (QAccessible::installFactory(partsFactory), true);
}

} // namespace pw
