// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/disk.h"
#include "core/edit/edit.h"
#include "core/project/project.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <functional>
#include <memory>
#include <optional>

namespace pw {

using ProjectPtr = std::shared_ptr<const Project>;

// What a project asks: a problem, or null with what stands in its way.
struct AskedProblem {
    std::shared_ptr<const Problem> problem;
    Diagnostics diagnostics;
};

// A project's file, read whole: nothing of it is left to be worked out by who opens it.
struct FileRead {
    ProjectPtr project;
    QString path;     // absolute
    std::string hash; // of what the file held
    Diagnostics notes;
    AskedProblem asked;
};

// The open document: one immutable Project at a time, its file and its undo history. Every change goes
// through apply(), so everything can be undone; views read project() and rebuild on changed().
class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr, const Disk& disk = systemDisk());
    ~Document() override;
    const Disk& disk() const { return m_disk; } // of its file, and of what is kept of it elsewhere

    const ProjectPtr& project() const { return m_project; }
    QUndoStack* undoStack() { return &m_undo; }
    bool isModified() const { return !m_undo.isClean(); }
    // Plans were found, or others are asked for, that a saved file would keep: no edits, and yet lost with
    // the project.
    bool hasNewPlans() const { return m_newPlans; }
    void setNewPlans(bool there) { setUnkept(m_newPlans, there); }
    bool hasNewDemand() const { return m_newDemand; }
    void setNewDemand(bool there) { setUnkept(m_newDemand, there); }
    bool isUnkept() const { return isModified() || m_newPlans || m_newDemand; } // something would be lost
    QString path() const { return m_path; }                                     // empty = never saved
    // Its file, beside what was last read from it or written to it. Looks at the disk.
    enum class OnDisk { AsKnown, Changed, Gone };
    OnDisk onDisk() const;
    QString title() const; // file name, or "Untitled"

    // Takes an edit's result: pushes one undo step called `text`, or emits failed() and returns false.
    // Nothing changed, no step. Steps in a row with the same non-empty mergeKey become one.
    bool apply(const Result<Project>& edited, const QString& text, const QString& mergeKey = QString());

    void reset(); // a new, empty project
    // In any thread.
    static Result<FileRead> read(const QString& path, const Disk& disk);
    void open(FileRead read);
    Status open(const QString& path);
    Status save(const QString& path); // atomic; path() becomes `path`
    // What a saved file holds beside the project (see saved_table.h); asked at each save().
    void setCompletion(std::function<Project(const Project&)> complete) { m_complete = std::move(complete); }
    // Takes a project that came from elsewhere (a sample without a file, a restored autosave). `notes` stay
    // among its diagnostics: what was found in its file.
    void adopt(Project project, const QString& path, Diagnostics notes = {});

    // The question the project asks now, or null with the problems that stand in the way. Cached per project.
    std::shared_ptr<const Problem> problem() const;
    const Diagnostics& diagnostics() const;

Q_SIGNALS:
    // Before changed(): the same question has come under other names, and answers to the one answer the
    // other.
    void renamed(const std::shared_ptr<const Problem>& before, const std::shared_ptr<const Problem>& now);
    // The same for nodes alone, also where the project asks nothing: plans of older questions hold them, too.
    void nodesRenamed(const NodeNames& names);
    void changed(); // project() is another one
    // After changed(), with the project before it: apply() has made a step of undo, not one that another
    // took up.
    void applied(const pw::ProjectPtr& before, const QString& step);
    // Another document is about to be open: what views remember of this one is void.
    void replaced();
    void pathChanged();
    void modifiedChanged(bool modified);
    void unkeptChanged();            // hasNewPlans(), hasNewDemand()
    void failed(const Error& error); // an edit was refused

private:
    friend class ProjectCommand;
    void setProject(ProjectPtr project, std::optional<AskedProblem> asked = std::nullopt);
    void take(ProjectPtr project, const QString& path, Diagnostics notes, std::optional<AskedProblem> asked);
    void setUnkept(bool& which, bool there);

    const Disk& m_disk;
    std::function<Project(const Project&)> m_complete; // null: nothing
    ProjectPtr m_project;
    QUndoStack m_undo;
    QString m_path;
    std::string m_onDisk; // hash of what its file held; empty: not known
    bool m_newPlans = false, m_newDemand = false;
    mutable AskedProblem m_asked;
    Diagnostics m_fileNotes; // of the file that the project came from
    mutable const Project* m_checked = nullptr;
};

} // namespace pw
