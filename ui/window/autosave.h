// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/disk.h"
#include "core/base/result.h"
#include "core/project/project.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <utility>
#include <vector>

namespace pw {

class Document;

// Where unsaved work is kept: PIPEWRIGHT_STATE_DIR, or "pipewright" in the XDG state folder.
QString stateFolder();

// Work that a program which ended without saving has left behind.
struct LostWork {
    QString file;    // of the autosave
    QString project; // that it belongs to; empty: never saved
    QString when;    // as ISO 8601
    QString plan;    // that was in view then, by its name; empty: none was
};
// Autosaves whose program is gone, the latest first. Those of a running one are its own business.
std::vector<LostWork> lostWork(const Disk& disk = systemDisk());
void discard(const LostWork& work, const Disk& disk = systemDisk());

// Keeps what is not saved yet in the state folder, written within a second of an edit, a search or an answer
// and removed when the document is saved or closed. One file a program, named by its process, with the path
// of the project inside; the write replaces the file atomically, so that a crash at any moment leaves the old
// state or the new one.
class Autosave : public QObject {
    Q_OBJECT

public:
    // The clock says when, in the file's head.
    explicit Autosave(Document& document, QObject* parent = nullptr, const Clock& clock = systemClock());
    ~Autosave() override;

    QString file() const { return m_file; }
    void flush();   // writes what is due now
    void changed(); // what is to be kept, of the document or beside it: it is due
    // What is kept beside the project (see saved_table.h); asked at each write.
    void setCompletion(std::function<Project(const Project&)> complete) { m_complete = std::move(complete); }
    // The name of the plan in view, which is in view again with the work; asked at each write.
    void setPlanInView(std::function<QString()> name) { m_planInView = std::move(name); }

Q_SIGNALS:
    void kept();                     // in file()
    void failed(const Error& error); // once, until a write succeeds again

private:
    void drop();

    Document& m_document;
    const Clock& m_clock;
    QString m_file;
    QTimer m_due;
    bool m_failed = false;
    std::function<Project(const Project&)> m_complete; // null: nothing
    std::function<QString()> m_planInView;             // null: nobody says
};

// Who has a project open: a file beside the project's name in the state folder with host and process. Taking
// it again after a crash succeeds, since the process is gone.
class ProjectLock {
public:
    explicit ProjectLock(const Disk& disk = systemDisk()) : m_disk(disk) {}
    ~ProjectLock() { release(); }
    // False: another running program has it; owner() tells which.
    bool take(const QString& project);
    void release();
    const QString& owner() const { return m_owner; }

private:
    const Disk& m_disk;
    QString m_file, m_owner;
};

} // namespace pw
