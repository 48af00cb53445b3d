// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QString>

#include <optional>
#include <vector>

class QLabel;
class QPoint;

namespace pw {

// A word of the views that the glossary explains. What is said of it is the entry's first sentence: it stands
// in the manual alone.
struct GlossaryTerm {
    const char* word;   // as labels and headers show it, in English
    const char* anchor; // of its entry in glossary.md
};
const std::vector<GlossaryTerm>& glossaryTable();

inline constexpr const char* kGlossaryPage = "glossary.md";

// Marks the table's words wherever they stand as a label or a header of a table, in whatever view or dialog:
// a dotted line under the label, and in both cases a tool tip with the entry's first sentence. Views know
// nothing of it; a word is marked where it is all of the text, as names of figures and fields are. In a
// language whose view and table say a word differently it stands unmarked.
class GlossaryMarks : public QObject {
    Q_OBJECT

public:
    explicit GlossaryMarks(QObject* parent);

    const GlossaryTerm* term(const QString& shown) const; // null: no word of the table
    // What stands at a place of the screen: "glossary.md#bubble".
    std::optional<QString> targetAt(const QPoint& global) const;
    // Its own tool tip, what the entry says, and the key that opens it.
    static QString toolTip(const GlossaryTerm& term, const QString& own);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QHash<QString, const GlossaryTerm*> m_terms; // by the word in the language of the window
};

} // namespace pw
