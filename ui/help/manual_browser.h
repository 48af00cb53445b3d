// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QStringList>
#include <QTextBrowser>

namespace pw {

// One page of the manual at a time, in the theme's colours and a column that can be read. Pictures give way
// to the column's width and stay sharp on dense screens. A link out of the manual goes to the desktop's
// browser; no page is ever fetched.
class ManualBrowser : public QTextBrowser {
    Q_OBJECT

public:
    explicit ManualBrowser(QWidget* parent = nullptr);

    void open(const QString& target);       // "window.md#timeline"
    QString page() const { return m_page; } // "window.md"
    // Marks where words begin so (searchWords), in any case; none: no marks.
    void setMarked(const QStringList& words);
    int markedCount() const { return static_cast<int>(extraSelections().size()); }
    // Moves to the next occurrence behind the top of what is visible, or before it; round the ends.
    void stepMarked(int by);

    void home() override;
    void reload() override;

protected:
    QVariant loadResource(int type, const QUrl& url) override;
    void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void readFrom(const QString& anchor);
    void restyle();
    void fitColumn();
    QVariant picture(const QUrl& url) const;
    void mark();

    QString m_page;
    QStringList m_marked;
    QHash<QUrl, bool> m_pictures; // those of the page
    int m_column = 0;             // pixels that text and pictures may take
    bool m_outdated = false;      // the page is in another theme's colours
};

} // namespace pw
