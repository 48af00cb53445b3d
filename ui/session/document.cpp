// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/document.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/edit/edit.h"
#include "ui/base/convert.h"

#include <QFileInfo>
#include <QUndoCommand>

#include <filesystem>
#include <utility>

namespace pw {

namespace {
constexpr int kUndoLimit = 200;
constexpr int kMergeable = 1; // the one id of steps that may merge; the key decides
// Kept plans and names are no part of the question: it is not made anew when only they change.
bool asksTheSame(const Project& a, const Project& b) {
    return a.cluster == b.cluster && a.model == b.model && a.recipe == b.recipe && a.profiles == b.profiles &&
           a.forbidden == b.forbidden;
}

// `notes` of the file that it came from.
AskedProblem questionOf(const Project& project, const Diagnostics& notes) {
    AskedProblem asked{nullptr, checkProject(project)};
    append(asked.diagnostics, notes);
    if (hasErrors(asked.diagnostics))
        return asked;
    if (const auto made = problemOf(project))
        asked.problem = *made;
    else
        asked.diagnostics.push_back({Severity::Error, made.error()});
    return asked;
}

} // namespace

// One step: the project before and after. All edits are this class, since a project is one immutable value.
class ProjectCommand : public QUndoCommand {
public:
    ProjectCommand(Document& document, ProjectPtr after, const QString& text, const QString& mergeKey)
        : QUndoCommand(text), m_document(document), m_before(document.project()), m_after(std::move(after)),
          m_mergeKey(mergeKey) {}

    int id() const override { return m_mergeKey.isEmpty() ? -1 : kMergeable; }
    void undo() override { m_document.setProject(m_before); }
    void redo() override { m_document.setProject(m_after); }
    bool mergeWith(const QUndoCommand* next) override {
        const auto* command = static_cast<const ProjectCommand*>(next);
        if (command->m_mergeKey != m_mergeKey)
            return false;
        m_after = command->m_after;
        setObsolete(*m_after == *m_before);
        return true;
    }

private:
    Document& m_document;
    ProjectPtr m_before, m_after;
    QString m_mergeKey;
};

Document::Document(QObject* parent, const Disk& disk)
    : QObject(parent), m_disk(disk), m_project(std::make_shared<const Project>()) {
    m_undo.setUndoLimit(kUndoLimit);
    connect(&m_undo, &QUndoStack::cleanChanged, this, [this](bool clean) { Q_EMIT modifiedChanged(!clean); });
}

// Nobody is told that the steps go with it: who listens may have lost already what stands beside it.
Document::~Document() {
    m_undo.disconnect(this);
}

QString Document::title() const {
    return m_path.isEmpty() ? tr("Untitled") : QFileInfo(m_path).fileName();
}

bool Document::apply(const Result<Project>& edited, const QString& text, const QString& mergeKey) {
    if (!edited) {
        Q_EMIT failed(edited.error());
        return false;
    }
    if (*edited == *m_project)
        return true;
    const ProjectPtr before = m_project;
    const int steps = m_undo.index();
    const QUndoCommand* last = steps > 0 ? m_undo.command(steps - 1) : nullptr;
    m_undo.push(new ProjectCommand(*this, std::make_shared<const Project>(*edited), text, mergeKey));
    const bool merged = m_undo.index() < steps || m_undo.command(m_undo.index() - 1) == last;
    if (!merged)
        Q_EMIT applied(before, text);
    return true;
}

void Document::setUnkept(bool& which, bool there) {
    if (std::exchange(which, there) != there)
        Q_EMIT unkeptChanged();
}

void Document::reset() {
    adopt(Project{}, QString());
}

Result<FileRead> Document::read(const QString& path, const Disk& disk) {
    const Result<std::string> text = readFile(s(path), kWholeFileLimit, disk);
    if (!text)
        return text.error();
    Diagnostics notes;
    Result<Project> project = readProject(*text, s(path), &notes);
    if (!project)
        return project.error();
    for (Diagnostic& note : notes) // the folder says nothing: this is the one file that is open
        if (note.where.starts_with(s(path)))
            note.where.replace(0, s(path).size(), s(QFileInfo(path).fileName()));
    auto whole = std::make_shared<const Project>(*std::move(project));
    AskedProblem asked = questionOf(*whole, notes);
    return FileRead{std::move(whole), QFileInfo(path).absoluteFilePath(), hashText(*text), std::move(notes),
                    std::move(asked)};
}

void Document::open(FileRead read) {
    take(std::move(read.project), read.path, std::move(read.notes), std::move(read.asked));
    m_onDisk = std::move(read.hash);
}

Status Document::open(const QString& path) {
    Result<FileRead> file = read(path, m_disk);
    if (!file)
        return file.error();
    open(*std::move(file));
    return Ok{};
}

Document::OnDisk Document::onDisk() const {
    if (m_onDisk.empty())
        return OnDisk::AsKnown;
    const std::filesystem::path file = s(m_path);
    if (!isThere(file, m_disk))
        return OnDisk::Gone;
    const Result<std::string> text = readFile(file, kWholeFileLimit, m_disk);
    return text && hashText(*text) == m_onDisk ? OnDisk::AsKnown : OnDisk::Changed;
}

Status Document::save(const QString& path) {
    const std::string text = printProject(m_complete ? m_complete(*m_project) : *m_project);
    if (Status written = writeFileAtomically(s(path), text, m_disk); !written)
        return written;
    m_path = QFileInfo(path).absoluteFilePath();
    m_onDisk = hashText(text);
    setNewPlans(false);
    setNewDemand(false);
    m_undo.setClean();
    Q_EMIT pathChanged();
    return Ok{};
}

void Document::adopt(Project project, const QString& path, Diagnostics notes) {
    take(std::make_shared<const Project>(std::move(project)), path, std::move(notes), std::nullopt);
}

void Document::take(ProjectPtr project, const QString& path, Diagnostics notes,
                    std::optional<AskedProblem> asked) {
    Q_EMIT replaced();
    m_fileNotes = std::move(notes);
    m_checked = nullptr;
    m_undo.clear();
    setNewPlans(false);
    setNewDemand(false);
    m_path = path;
    m_onDisk.clear();
    setProject(std::move(project), std::move(asked));
    Q_EMIT pathChanged();
}

void Document::setProject(ProjectPtr project, std::optional<AskedProblem> asked) {
    const bool sameQuestion = m_project && m_checked == m_project.get() && asksTheSame(*m_project, *project);
    const std::shared_ptr<const Problem> before = m_checked == m_project.get() ? m_asked.problem : nullptr;
    const bool renames = m_project && !sameQuestion && differInNamesOnly(*m_project, *project);
    const NodeNames names = renames ? renamedNodes(*m_project, *project) : NodeNames();
    m_project = std::move(project);
    m_checked = sameQuestion || asked ? m_project.get() : nullptr;
    if (asked)
        m_asked = *std::move(asked);
    if (renames && before && problem())
        Q_EMIT renamed(before, problem());
    if (!names.empty())
        Q_EMIT nodesRenamed(names);
    Q_EMIT changed();
}

std::shared_ptr<const Problem> Document::problem() const {
    if (std::exchange(m_checked, m_project.get()) != m_project.get())
        m_asked = questionOf(*m_project, m_fileNotes);
    return m_asked.problem;
}

const Diagnostics& Document::diagnostics() const {
    problem();
    return m_asked.diagnostics;
}

} // namespace pw
