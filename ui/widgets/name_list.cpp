// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/name_list.h"

#include "core/cluster/cluster.h"
#include "ui/base/convert.h"

#include <QCompleter>
#include <QLineEdit>
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

} // namespace

void completeNames(QLineEdit* field) {
    auto* names = new LastNameCompleter(field);
    names->setModel(new QStringListModel(names));
    names->setCaseSensitivity(Qt::CaseInsensitive);
    field->setCompleter(names);
}

void followNames(QLineEdit* field, const Cluster& cluster) {
    QStringList names, kinds;
    for (const Node& node : cluster.nodes) {
        names.append(q(node.id));
        if (const DeviceKind* kind = findKind(cluster, node.kind);
            kind && !kinds.contains(q(kind->shortName)))
            kinds.append(q(kind->shortName));
    }
    static_cast<QStringListModel*>(field->completer()->model())->setStringList(names + kinds);
}

std::vector<std::string> namesIn(const QLineEdit* field) {
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
