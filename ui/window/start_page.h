// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QGridLayout;
class QVBoxLayout;

namespace pw {

class Commands;
struct Settings;

// What an empty window shows: new, open, recent files and a place to drop one; the samples; the six steps.
class StartPage : public QWidget {
    Q_OBJECT

public:
    StartPage(Commands& commands, const Settings& settings, QWidget* parent = nullptr);
    void refresh(); // the recent files, as they are on the disk now

Q_SIGNALS:
    void openRequested(const QString& path);
    void clearRecentRequested();
    void forgetRecentRequested(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeRail(Commands& commands);
    QWidget* makeSheet();
    void addSamples();
    void arrangeSamples(int perRow);

    const Settings& m_settings;
    QVBoxLayout* m_recent;
    QGridLayout* m_samples;
    std::vector<QWidget*> m_cards; // of the samples
    int m_perRow = 0;
};

} // namespace pw
