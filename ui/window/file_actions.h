// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/window/settings.h"

#include <QObject>

class QMenu;
class QWidget;

namespace pw {

class Document;
struct Project;

// New, open, save, recent files and the question before unsaved work is dropped.
class FileActions : public QObject {
    Q_OBJECT

public:
    FileActions(Document& document, Settings& settings, QWidget* window);

    bool mayDiscard(); // asks if there is unsaved work; false = stay
    void newProject();
    void openWithDialog();          // asks which; says chosen()
    bool open(const QString& path); // a project; reports what is wrong
    bool adopt(Project project);    // one that has no file yet; asks about unsaved work first, false = stayed
    bool save();
    bool saveAs();
    void fillRecent(QMenu* menu);
    void clearRecent();
    void forgetRecent(const QString& path);

Q_SIGNALS:
    void chosen(const QString& path); // a project, or any other file that the program reads
    void opened();                    // another project, empty or not
    void saved();
    void recentChanged();
    void reading(const QString& name); // what takes longer than a moment; empty: that is over
    void failed(const QString& what, const Error& error);

private:
    class Reading;
    bool saveTo(const QString& path);
    QString shownTitle() const;

    Document& m_document;
    Settings& m_settings;
    QWidget* m_window;
};

} // namespace pw
