// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/name_list.h"

#include "core/cluster/cluster.h"
#include "ui/base/convert.h"

#include <QAbstractItemView> // keep: what a completer shows
#include <QCompleter>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStringListModel>

namespace pw {

namespace {

class LastNameCompleter : public QCompleter {
public:
    using QCompleter::QCompleter;
    QStringList splitPath(const QString& path) const override {
        return {path.mid(path.lastIndexOf(u',') + 1).trimmed()};
    }
    QString pathFromIndex(const QModelIndex& index) const override {
        const QString before = qobject_cast<QLineEdit*>(widget())->text();
        const qsizetype comma = before.lastIndexOf(u',');
        return (comma < 0 ? QString() : before.left(comma) + QStringLiteral(", ")) + index.data().toString();
    }
};

QStringListModel* suggestionsOf(const QLineEdit* field) {
    return static_cast<QStringListModel*>(field->completer()->model());
}

// Itself where several names begin so, or none.
QString inFull(const QString& typed, const QStringList& names) {
    if (names.contains(typed))
        return typed;
    const QStringList begun = names.filter(QRegularExpression(u'^' + QRegularExpression::escape(typed),
                                                              QRegularExpression::CaseInsensitiveOption));
    return begun.size() == 1 ? begun.front() : typed;
}

void showInFull(QLineEdit* field) {
    if (const std::vector<std::string> names = namesIn(field); names != typedNames(field))
        field->setText(namesText(names));
}

} // namespace

void completeNames(QLineEdit* field) {
    auto* names = new LastNameCompleter(field);
    names->popup()->setObjectName(QStringLiteral("nameSuggestions"));
    names->setModel(new QStringListModel(names));
    names->setCaseSensitivity(Qt::CaseInsensitive);
    field->setCompleter(names);
    QObject::connect(field, &QLineEdit::editingFinished, field, [field] { showInFull(field); });
}

void followNames(QLineEdit* field, const Cluster& cluster, NamedItems items) {
    QStringList names, kinds;
    for (const Node& node : cluster.nodes) {
        names.append(q(node.id));
        if (const DeviceKind* kind = findKind(cluster, node.kind);
            kind && !kinds.contains(q(kind->shortName)))
            kinds.append(q(kind->shortName));
    }
    names += kinds;
    if (items == NamedItems::AlsoSwitches)
        for (const Switch& item : cluster.switches)
            names.append(q(item.id));
    suggestionsOf(field)->setStringList(names);
}

std::vector<std::string> namesIn(const QLineEdit* field) {
    std::vector<std::string> names = typedNames(field);
    const QStringList known = suggestionsOf(field)->stringList();
    for (std::string& name : names)
        name = s(inFull(q(name), known));
    return names;
}

std::vector<std::string> typedNames(const QLineEdit* field) {
    std::vector<std::string> names;
    for (const QString& name : field->text().split(u',', Qt::SkipEmptyParts))
        if (!name.trimmed().isEmpty())
            names.push_back(s(name.trimmed()));
    return names;
}

QString namesText(const std::vector<std::string>& names) {
    QStringList list;
    for (const std::string& name : names)
        list << q(name);
    return list.join(QStringLiteral(", "));
}

} // namespace pw
