// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/autosave.h"

#include "core/base/file.h"
#include "core/base/log.h"
#include "ui/base/convert.h"
#include "ui/session/document.h"
#include "ui/window/process.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSysInfo>

#include <algorithm>
#include <span>

namespace pw {

namespace {

constexpr int kWithinMs = 500; // of an edit; the promise is a second
constexpr char kHead[] = "pipewright-autosave";
constexpr std::size_t kLongestHead = 65'536; // bytes

// Whether the program runs that wrote its host, process and mark here.
bool isOwned(const QJsonObject& owner) {
    return owner.value(QLatin1String("host")).toString() == QSysInfo::machineHostName() &&
           isRunning(owner.value(QLatin1String("process")).toInteger(),
                     owner.value(QLatin1String("started")).toString());
}

QJsonObject asOwner(QJsonObject object) {
    const qint64 process = QCoreApplication::applicationPid();
    object.insert(QStringLiteral("host"), QSysInfo::machineHostName());
    object.insert(QStringLiteral("process"), process);
    object.insert(QStringLiteral("started"), processMark(process));
    return object;
}

// Header line of an autosave, before the project's text: its program, its project, its time.
QJsonObject headOf(const QString& file, const Disk& disk) {
    std::error_code code;
    const std::unique_ptr<ReadableFile> in = disk.open(s(file), code);
    std::string begins(kLongestHead, '\0');
    std::size_t filled = 0, got = code ? 0 : 1;
    while (!code && got > 0 && filled < begins.size()) {
        code = in->read(std::span(begins).subspan(filled), got);
        filled += got;
    }
    if (code)
        return {};
    begins.resize(std::min(filled, begins.find('\n')));
    const QJsonObject head = QJsonDocument::fromJson(QByteArray::fromStdString(begins)).object();
    return head.value(QLatin1String("schema")).toString() == QLatin1String(kHead) ? head : QJsonObject();
}

} // namespace

QString stateFolder() {
    const QString given = qEnvironmentVariable("PIPEWRIGHT_STATE_DIR");
    if (!given.isEmpty())
        return given;
    QString base = qEnvironmentVariable("XDG_STATE_HOME");
    if (!QDir::isAbsolutePath(base))
        base = QDir::homePath() + QStringLiteral("/.local/state");
    return base + QStringLiteral("/pipewright");
}

std::vector<LostWork> lostWork(const Disk& disk) {
    std::vector<LostWork> found;
    const QDir folder(stateFolder());
    for (const QFileInfo& info : folder.entryInfoList({QStringLiteral("*.autosave")}, QDir::Files)) {
        const QJsonObject head = headOf(info.filePath(), disk);
        if (head.isEmpty() || isOwned(head))
            continue;
        found.push_back({info.filePath(), head.value(QLatin1String("project")).toString(),
                         head.value(QLatin1String("when")).toString(),
                         head.value(QLatin1String("plan")).toString()});
    }
    std::sort(found.begin(), found.end(),
              [](const LostWork& a, const LostWork& b) { return a.when > b.when; });
    return found;
}

void discard(const LostWork& work, const Disk& disk) {
    static_cast<void>(disk.remove(s(work.file)));
}

Autosave::Autosave(Document& document, QObject* parent, const Clock& clock)
    : QObject(parent), m_document(document), m_clock(clock) {
    m_file = QStringLiteral("%1/%2.autosave").arg(stateFolder()).arg(QCoreApplication::applicationPid());
    m_due.setSingleShot(true);
    m_due.setInterval(kWithinMs);
    connect(&m_due, &QTimer::timeout, this, &Autosave::flush);
    connect(&document, &Document::changed, this, &Autosave::changed);
    connect(&document, &Document::modifiedChanged, this, &Autosave::changed);
    connect(&document, &Document::unkeptChanged, this, &Autosave::changed);
    connect(&document, &Document::pathChanged, this, &Autosave::changed);
}

Autosave::~Autosave() {
    drop();
}

void Autosave::drop() {
    m_due.stop();
    static_cast<void>(m_document.disk().remove(s(m_file))); // mostly there is none
}

void Autosave::changed() {
    if (!m_document.isUnkept())
        drop();
    else if (!m_due.isActive()) // not restarted: a long drag is kept while it goes on
        m_due.start();
}

void Autosave::flush() {
    if (!m_document.isUnkept())
        return;
    const QJsonObject head = asOwner({{QStringLiteral("schema"), QLatin1String(kHead)},
                                      {QStringLiteral("project"), m_document.path()},
                                      {QStringLiteral("when"), q(timeText(m_clock.wall()))},
                                      {QStringLiteral("plan"), m_planInView ? m_planInView() : QString()}});
    static_cast<void>(makeFolders(s(stateFolder()), m_document.disk())); // the write says what is wrong
    const std::string text =
        QJsonDocument(head).toJson(QJsonDocument::Compact).toStdString() + '\n' +
        printProject(m_complete ? m_complete(*m_document.project()) : *m_document.project());
    const Status written = writeFileAtomically(s(m_file), text, m_document.disk());
    if (written)
        Q_EMIT kept();
    else if (!m_failed)
        Q_EMIT failed(written.error());
    m_failed = !written;
}

bool ProjectLock::take(const QString& project) {
    release();
    if (project.isEmpty())
        return true;
    const QByteArray name =
        QCryptographicHash::hash(QFileInfo(project).canonicalFilePath().toUtf8(), QCryptographicHash::Sha1)
            .toHex();
    const QString file = QStringLiteral("%1/%2.lock").arg(stateFolder(), QString::fromLatin1(name.left(16)));
    if (const Result<std::string> held = readFile(s(file), kLongestHead, m_disk)) {
        const QJsonObject owner = QJsonDocument::fromJson(QByteArray::fromStdString(*held)).object();
        const qint64 process = owner.value(QLatin1String("process")).toInteger();
        const QString host = owner.value(QLatin1String("host")).toString();
        const bool here = host == QSysInfo::machineHostName();
        if (!host.isEmpty() && process != QCoreApplication::applicationPid() && (!here || isOwned(owner))) {
            m_owner =
                QCoreApplication::translate("pw::ProjectLock", "process %1 on %2").arg(process).arg(host);
            return false;
        }
    }
    static_cast<void>(makeFolders(s(stateFolder()), m_disk));
    const QJsonObject mine = asOwner({{QStringLiteral("project"), project}});
    if (writeFileAtomically(s(file), QJsonDocument(mine).toJson().toStdString(), m_disk))
        m_file = file;
    return true;
}

void ProjectLock::release() {
    if (!m_file.isEmpty())
        static_cast<void>(m_disk.remove(s(m_file)));
    m_file.clear();
    m_owner.clear();
}

} // namespace pw
