// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_actions.h"

#include "ui/base/background_job.h"
#include "ui/base/convert.h"
#include "ui/session/document.h"
#include "ui/widgets/file_dialogs.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton> // keep: what a message box gives for its buttons
#include <QTimer>

#include <initializer_list>
#include <utility>

namespace pw {

namespace {

const QString kEnding = QStringLiteral(".pwx");
// Kinds of files: of those that are opened some, the samples, are not saved where they lie.
const QString kOpened = QStringLiteral("openedProject"), kSaved = QStringLiteral("savedProject");

// What a project that was never saved is called.
QString nameOf(const Project& project) {
    const QString otherwise = safeFileName(q(project.cluster.name), FileActions::tr("Untitled"));
    return safeFileName(q(project.name), otherwise);
}

QString projects() {
    return FileActions::tr("Pipewright projects (*.pwx)");
}

// What others make has many endings; plans, clusters and models of ours are JSON.
QString whatOpens() {
    return FileActions::tr("Projects, plans and other files to import (*.pwx *.json *.txt *.conf *.xml *.csv "
                           "*.yml *.yaml "
                           "*.sh *.topo *.gz)") +
           QStringLiteral(";;") + projects() + QStringLiteral(";;") + FileActions::tr("All files (*)");
}

// Shows the box with these buttons, Save the one that Enter presses, and says which was. Qt's own texts have
// no letter that Alt goes with.
int ask(QMessageBox& box, std::initializer_list<std::pair<QMessageBox::StandardButton, QString>> buttons) {
    for (const auto& [button, text] : buttons)
        box.addButton(button)->setText(text);
    box.setDefaultButton(QMessageBox::Save);
    box.setWindowModality(Qt::WindowModal); // the manual stays of use beside it
    return box.exec();
}

bool isSample(const QString& path) {
    const QString samples = QFileInfo(samplesFolder()).canonicalFilePath();
    return !samples.isEmpty() && QFileInfo(path).canonicalFilePath().startsWith(samples + QLatin1Char('/'));
}

} // namespace

FileActions::FileActions(Document& document, Settings& settings, QWidget* window)
    : QObject(window), m_document(document), m_settings(settings), m_window(window) {}

// For a question: a name of one long word makes a box wider than its screen.
QString FileActions::shownTitle() const {
    constexpr int kWidest = 320; // px
    return m_window->fontMetrics().elidedText(m_document.title(), Qt::ElideMiddle, kWidest);
}

// Says that a file is being read once that has taken longer than a moment, and when it is over.
class FileActions::Reading {
public:
    Reading(FileActions& files, const QString& path) : m_files(files) {
        m_moment.setSingleShot(true);
        QObject::connect(&m_moment, &QTimer::timeout, &files, [this, path] {
            m_said = true;
            QGuiApplication::setOverrideCursor(Qt::WaitCursor);
            Q_EMIT m_files.reading(QFileInfo(path).fileName());
        });
        m_moment.start(kMomentMs);
    }
    ~Reading() {
        if (!m_said)
            return;
        QGuiApplication::restoreOverrideCursor();
        Q_EMIT m_files.reading({});
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

private:
    static constexpr int kMomentMs = 300; // shorter, and a text would flicker
    FileActions& m_files;
    QTimer m_moment;
    bool m_said = false;
};

bool FileActions::mayDiscard() {
    const bool edited = m_document.isModified(), plans = m_document.hasNewPlans();
    const bool demand = m_document.hasNewDemand();
    if (!edited && !plans && !demand && m_document.onDisk() != Document::OnDisk::Gone)
        return true;
    QMessageBox box(QMessageBox::Question,
                    edited   ? tr("Unsaved changes")
                    : plans  ? tr("Plans or answers that are not saved")
                    : demand ? tr("Search fields that are not saved")
                             : tr("The file is gone"),
                    (edited   ? tr("Save the changes to %1?")
                     : plans  ? tr("Save the plans and answers that were found for %1?")
                     : demand ? tr("Save what plans have to be, as Search asks it, in %1?")
                              : tr("%1 is no longer where it was. Save it there again?"))
                        .arg(shownTitle()),
                    QMessageBox::NoButton, m_window);
    box.setObjectName(QStringLiteral("unsavedQuestion"));
    const int answer = ask(box, {{QMessageBox::Save, tr("&Save")},
                                 {QMessageBox::Discard, tr("&Discard")},
                                 {QMessageBox::Cancel, tr("&Cancel")}});
    if (answer == QMessageBox::Save)
        return save();
    return answer == QMessageBox::Discard;
}

void FileActions::newProject() {
    if (!mayDiscard())
        return;
    m_document.reset();
    Q_EMIT opened();
}

void FileActions::openWithDialog() {
    const QString path = askForFile(m_window, kOpened, tr("Open"), whatOpens());
    if (!path.isEmpty())
        Q_EMIT chosen(path);
}

bool FileActions::open(const QString& path) {
    const Reading said(*this, path);
    Result<FileRead> read = awaited([&] { return Document::read(path, m_document.disk()); });
    if (!read) {
        Q_EMIT failed(tr("%1 was not opened.").arg(QFileInfo(path).fileName()), read.error());
        return false;
    }
    m_document.open(*std::move(read));
    keepFolderOf(kOpened, m_document.path());
    if (!isSample(m_document.path())) // samples stay as they came
        keepFolderOf(kSaved, m_document.path());
    m_settings.addRecent(m_document.path());
    m_settings.save();
    Q_EMIT recentChanged();
    Q_EMIT opened();
    return true;
}

bool FileActions::adopt(Project project) {
    if (!mayDiscard())
        return false;
    m_document.adopt(std::move(project), QString());
    Q_EMIT opened();
    return true;
}

bool FileActions::save() {
    if (m_document.path().isEmpty() || isSample(m_document.path()))
        return saveAs();
    if (m_document.onDisk() != Document::OnDisk::Changed)
        return saveTo(m_document.path());
    // Another window or another program has written it since: neither's work goes without a word.
    QMessageBox box(QMessageBox::Warning, tr("The file has changed"),
                    tr("%1 was changed by another window or program since it was opened here. Saving over it "
                       "drops what was changed there.")
                        .arg(shownTitle()),
                    QMessageBox::NoButton, m_window);
    box.setObjectName(QStringLiteral("changedQuestion"));
    const int answer = ask(box, {{QMessageBox::Yes, tr("Save &over it")},
                                 {QMessageBox::Save, tr("Save &as...")},
                                 {QMessageBox::Cancel, tr("&Cancel")}});
    if (answer == QMessageBox::Save)
        return saveAs();
    return answer == QMessageBox::Yes && saveTo(m_document.path());
}

bool FileActions::saveAs() {
    const QString now = m_document.path();
    const QString proposed = now.isEmpty()   ? nameOf(*m_document.project()) + kEnding
                             : isSample(now) ? QFileInfo(now).fileName()
                                             : now;
    QString path = askWhereToSave(m_window, kSaved, tr("Save project as"), proposed, projects());
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += kEnding;
    return saveTo(path);
}

bool FileActions::saveTo(const QString& path) {
    if (const Status written = m_document.save(path); !written) {
        Q_EMIT failed(tr("%1 was not saved.").arg(QFileInfo(path).fileName()), written.error());
        return false;
    }
    keepFolderOf(kOpened, m_document.path());
    keepFolderOf(kSaved, m_document.path());
    m_settings.addRecent(m_document.path());
    m_settings.save();
    Q_EMIT saved();
    Q_EMIT recentChanged();
    return true;
}

void FileActions::fillRecent(QMenu* menu) {
    menu->clear();
    for (const QString& path : m_settings.recent) {
        QAction* entry = menu->addAction(QFileInfo(path).fileName());
        entry->setToolTip(path);
        entry->setStatusTip(path);
        connect(entry, &QAction::triggered, this, [this, path] {
            if (mayDiscard())
                open(path);
        });
    }
    if (!m_settings.recent.isEmpty()) {
        menu->addSeparator();
        connect(menu->addAction(tr("&Clear list")), &QAction::triggered, this, &FileActions::clearRecent);
    }
    menu->setEnabled(!m_settings.recent.isEmpty());
}

void FileActions::forgetRecent(const QString& path) {
    m_settings.recent.removeAll(path);
    m_settings.save();
    Q_EMIT recentChanged();
}

void FileActions::clearRecent() {
    m_settings.recent.clear();
    m_settings.save();
    Q_EMIT recentChanged();
}

} // namespace pw
