// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QGridLayout;
class QLayout;
class QVBoxLayout;

namespace pw {

class Commands;
class Selection;
struct ClusterSize;
struct Error;
struct Project;
struct Settings;

// What an empty window shows: new, open, recent files and a place to drop one; the samples, small ones first;
// drawings to begin with, also one by its sizes; the six steps.
class StartPage : public QWidget {
    Q_OBJECT

public:
    StartPage(Commands& commands, Selection& selection, const Settings& settings, QWidget* parent = nullptr);
    void refresh(); // the recent files, as they are on the disk now

Q_SIGNALS:
    void openRequested(const QString& path);
    void templateRequested(const pw::Project& project); // to be a new one
    void refused(const pw::Error& error);               // a drawing of those sizes
    void clearRecentRequested();
    void forgetRecentRequested(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeRail(Commands& commands);
    QLayout* makeLinks(Commands& commands);
    QWidget* makeSheet(Selection& selection);
    void addSamples();
    void addTemplates();
    void draw(const ClusterSize& size);
    void arrangeCards(int perRow);

    const Settings& m_settings;
    QVBoxLayout* m_recent;
    struct Cards {
        QGridLayout* grid;
        std::vector<QWidget*> cards;
    };
    Cards m_samples, m_templates;
    int m_perRow = 0;
};

} // namespace pw
