// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/manual/manual.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace pw {

class ManualBrowser;

// The manual beside the work: a window of its own that stands in nobody's way. On the left the contents, or
// what a search found in all pages; on the right a page, with what was searched for marked.
//
// Keys: F1 tells them; Ctrl+F or / to the search line, where Down goes to what was found and Enter opens it;
// Esc back to the contents, and closes where nothing is searched for; F3 and Shift+F3 through the marks;
// Alt+Left, Alt+Right and Alt+Home as in a browser; Ctrl+W closes.
class ManualWindow : public QWidget {
    Q_OBJECT

public:
    explicit ManualWindow(QWidget* parent = nullptr);

    void open(const QString& target); // "window.md#timeline"; a search that was made before ends
    ManualBrowser& browser() { return *m_browser; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeBar();
    QWidget* makeSide();
    void bindKeys();
    void fillContents();
    void search();
    void openHit(int row);
    void leaveSearch();
    void follow(const QUrl& url);

    QLineEdit* m_line;
    QStackedWidget* m_side;
    QTreeWidget* m_contents;
    QListWidget* m_hits;
    QLabel* m_state; // of the search, or where a link leads
    ManualBrowser* m_browser;
    std::vector<ManualHit> m_found;
};

} // namespace pw
