// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QRect>
#include <QRegularExpression>
#include <QString>

#include <optional>
#include <vector>

class QPoint;
class QWidget;

namespace pw {

// A word of the views that the glossary explains. What is said of it is the entry's first sentence: it stands
// in the manual alone.
struct GlossaryTerm {
    const char* word;   // in English, as labels and headers show it; its first letter may be large or small
    const char* anchor; // of its entry in glossary.md
    bool alone = false; // means the term only where it is all of the text: "Launch", not "Launch files"
};
const std::vector<GlossaryTerm>& glossaryTable();

inline constexpr const char* kGlossaryPage = "glossary.md";

// Marks the table's words wherever they stand in a label, a header of a table or a legend, in whatever view
// or dialog: a dotted line under the word, and a tool tip with the entry's first sentence. Views know nothing
// of it. Names of figures and fields are marked, prose is not: text of several lines, with a full stop or of
// more than 60 letters. In a language whose view and table say a word differently it stands unmarked.
class GlossaryMarks : public QObject {
    Q_OBJECT

public:
    explicit GlossaryMarks(QObject* parent);

    struct Word {
        qsizetype at, size; // in the text, the & of a buddy left out
        const GlossaryTerm* term;
    };
    // From left to right, the longest where several begin. "Gap to the bound" has two.
    const std::vector<Word>& wordsIn(const QString& shown) const;
    const GlossaryTerm* term(const QString& shown) const; // the first; null: none
    // What stands at a place of the screen: "glossary.md#bubble".
    std::optional<QString> targetAt(const QPoint& global) const;
    // Its own tool tip, what the entry says unless the own one explains the word where it stands (the entry
    // may mean more: "Idle" of a table is of all GPUs, of a bar of one stage), and the key that opens it.
    static QString toolTip(const GlossaryTerm& term, const QString& own, bool explained = false);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // A word as a widget shows it, in its coordinates.
    struct Spot {
        QRect line;  // the letters; empty: cut off, or on several lines
        QRect whole; // the label, section or entry that it stands in
        QString own; // its tool tip
        const GlossaryTerm* term;
        bool explained; // by the own one
    };
    std::vector<Spot> spotsOn(const QWidget& part) const;
    static const Spot* spotAt(const std::vector<Spot>& spots, const QPoint& at);
    void addSpots(std::vector<Spot>& spots, const QString& text, const QRect& letters, const QRect& whole,
                  const QFont& font, const QString& own, bool explained = false) const;
    void paintOver(QWidget& part, QEvent& event);

    QHash<QString, const GlossaryTerm*>
        m_terms; // by the word in the language of the window, first letter small
    QRegularExpression m_words;
    mutable QHash<QString, std::vector<Word>> m_known; // texts that were looked through
    const QObject* m_painting = nullptr;               // is painted below, and not looked at again
};

} // namespace pw
