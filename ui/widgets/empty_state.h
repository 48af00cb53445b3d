// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace pw {

// What an empty view shows: a symbol, what is missing, why, and the button that supplies it. Where it is too
// low for all, the symbol goes first, then why, then what else a view offers.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(const QString& iconName, QWidget* parent = nullptr);

    void setText(const QString& heading, const QString& text);
    void setError(const QString& heading, const Error& error); // its message, with a link to what it means
    // An empty text hides the button. A primary one is filled.
    void setButton(const QString& text, const QString& iconName, bool primary = false);
    QPushButton* button() const { return m_button; }
    void setSecondButton(const QString& text, const QString& iconName); // below the first; likewise
    QPushButton* secondButton() const { return m_second; }
    void setPart(QWidget* part); // below the button, where there is room for all of it
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void clicked();
    void secondClicked();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitHeight();

    QLabel* m_symbol;
    QLabel* m_heading;
    QLabel* m_text;
    QLabel* m_explain;
    QPushButton *m_button, *m_second;
    QWidget* m_part = nullptr;
};

} // namespace pw
