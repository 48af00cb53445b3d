// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QLineEdit;
class QListWidget;

namespace pw {

// How well typed letters fit a name: they must come in its order, better where they stand together or begin
// words. Nothing if they do not occur.
std::optional<int> fuzzyScore(const QString& typed, const QString& name);

// A line that finds by a few letters of a name, by the beginning of another word for it or by the words of
// its detail, names first, and a list below it; Enter takes, Esc leaves. What finds nothing in the plural is
// looked for in the singular. The command palette and the locator are this with different entries.
class QuickOpen : public QDialog {
    Q_OBJECT

public:
    struct Entry {
        QString name, detail; // what is looked for, and what stands quietly behind it
        QString key;          // shortcut
        std::function<void()> run;
        QString otherWords = {}; // "price, cost": finds it too, and is not shown
    };

    QuickOpen(const QString& title, const QString& hint, std::vector<Entry> entries, QWidget* parent);
    QLineEdit* line() const { return m_line; }
    QListWidget* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Hits = std::vector<std::pair<int, std::size_t>>; // cost and entry, best first
    Hits hitsOf(const QString& typed) const;
    void search();
    void take();

    std::vector<Entry> m_entries;
    QLineEdit* m_line;
    QListWidget* m_list;
};

class Commands;
std::vector<QuickOpen::Entry> commandEntries(const Commands& commands); // those that can be run now

} // namespace pw
