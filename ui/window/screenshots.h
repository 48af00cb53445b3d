// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <QTemporaryDir>

#include <functional>
#include <memory>
#include <vector>

class QWidget;

namespace pw {

class DockArea;
class MainWindow;
struct DialogPicture;

// Saves the window in its perspectives ("window-light.png" is Look, "draw-light.png", "comparing-light.png")
// and its accuracy layout, every dock and every dialog in both themes as PNG files, "timeline-dark.png". With
// states the same of what is not the usual case: a project with names as long as they get
// ("long-plans-light.png"), plans that answer an earlier question ("stale-..."), a cluster that cannot be
// searched ("broken-..."), and nothing at all ("empty-..."). `only` names those that are wanted, without
// ".png"; none: all but those of high contrast ("timeline-white-on-black"). A picture is
// taken when layouts and background figures have settled.
class Screenshots : public QObject {
    Q_OBJECT

public:
    Screenshots(MainWindow& window, const QString& folder, bool states = false, QStringList only = {});
    ~Screenshots() override;
    void start();

Q_SIGNALS:
    void finished(int exitCode); // 0; 1: a file was not written; 2: something wanted is no picture

private:
    void addViews(const QString& state); // the usual one: empty
    void addStates();
    void next();
    void save(QWidget* what, const QString& name);
    void addDock(DockArea& area, const QString& dockName, const QString& state, const QString& suffix);
    void addDialog(const DialogPicture& picture, const QString& name);
    bool isWanted(const QString& name) const;
    void chooseRun(); // to have something to show
    bool isSettled() const;

    MainWindow& m_window;
    QString m_folder;
    bool m_states;
    QStringList m_only;
    std::vector<std::function<void()>> m_steps;
    std::size_t m_step = 0;
    int m_quiet = 0; // looks in a row that found nothing under way
    bool m_saved = true;
    QSet<QString> m_taken;
    QTemporaryDir m_scratch;           // for files that a dialog needs
    std::unique_ptr<QWidget> m_dialog; // that is pictured next
};

} // namespace pw
