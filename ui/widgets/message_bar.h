// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/widgets/alert.h"

#include <QStringList>
#include <QWidget>

#include <array>

class QLabel;
class QPushButton;
class QToolButton;

namespace pw {

// The bar at the top of a view, 28 px where its text stands in one line: an error, a stale result, a note; a
// word in bold, a sentence, actions, what the manual says about it, and a cross that puts it away, as Esc on
// one of them does. A state that goes on (stale, note) stays away until it says something else or was
// cleared in between; an error is an event and always comes back.
class MessageBar : public QWidget, public Alert {
    Q_OBJECT

public:
    enum class Tone { Error, Stale, Info };
    enum class Text {
        Cut,
        Wrapped
    }; // where the sentence has no room: in one line, or in as many as it takes

    explicit MessageBar(QWidget* parent = nullptr) : MessageBar(Text::Cut, parent) {}
    explicit MessageBar(Text text, QWidget* parent = nullptr); // hidden until show()n by setMessage

    // `actions`: texts of buttons, two at most; empty ones are not shown.
    void setMessage(Tone tone, const QString& lead, const QString& text, const QStringList& actions = {});
    void setMessage(Tone tone, const QString& lead, const QString& text, const QString& action);
    void setError(const QString& lead, const Error& error, const QStringList& actions = {});
    void clear(); // nothing to say
    // Puts the focus onto the first button of the bar in sight inside `area` that said something last, its
    // cross where it offers nothing else; false: there is none.
    static bool focusNewest(const QWidget& area);
    // Shown over the lower edge of `area`, whose child it becomes, no higher than that, in place of moving
    // what is there: for messages that come while the mouse is on its way. Nothing that takes the focus
    // should lie there.
    void layOver(QWidget* area);
    QString text() const;

Q_SIGNALS:
    void actionClicked(int action); // its place in the list
    void errorShown(const QString& lead, const Error& error);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void recolour();
    void dismiss();
    void place();

    bool m_over = false; // an area, whose layout knows nothing of it
    Tone m_tone = Tone::Info;
    QLabel* m_symbol;
    QLabel* m_lead;
    QLabel* m_text;
    std::array<QPushButton*, 2> m_actions;
    QToolButton* m_explain; // seen where the message has a code
    QToolButton* m_close;
    QString m_dismissed; // what the user has put away
    int m_told = 0;      // the higher the later it said something
};

} // namespace pw
