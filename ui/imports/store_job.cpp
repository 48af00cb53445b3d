// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/store_job.h"

#include "core/base/file.h"
#include "core/store/store.h"
#include "ui/base/convert.h"

#include <QFileInfo>

namespace pw {

namespace {

Status addAll(const Disk& disk, const QString& path, const std::vector<ProfileRow>& rows,
              const std::vector<LinkMeasurement>& links, const std::stop_token& stop,
              Mailbox<double>& share) {
    static_cast<void>(makeFolders(s(QFileInfo(path).absolutePath()), disk)); // the store says what is wrong
    Result<ProfileStore> store =
        ProfileStore::open(std::filesystem::path(s(path)), ProfileStore::Mode::ReadWrite);
    if (!store)
        return store.error();
    if (!links.empty()) { // few, and never together with rows
        const Result<int> added = store->addLinks(links);
        return added ? Status(Ok{}) : Status(added.error());
    }
    const Result<std::int64_t> added = store->addFrom([&](const ProfileStore::Take& take) -> Status {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (stop.stop_requested())
                return stopped("stopped", "stopped; nothing was stored");
            if (Status taken = take(rows[i]); !taken)
                return taken;
            share.write([&](double& taken) {
                taken = static_cast<double>(i + 1) / static_cast<double>(rows.size());
            });
        }
        return Ok{};
    });
    if (!added)
        return added.error();
    return Ok{};
}

} // namespace

StoreJob::StoreJob(QObject* parent, const Disk& disk) : QObject(parent), m_disk(disk) {}

StoreJob::~StoreJob() = default;

void StoreJob::start(const QString& storePath, std::vector<ProfileRow> rows,
                     std::vector<LinkMeasurement> links) {
    m_share = std::make_shared<Mailbox<double>>();
    m_job.start(
        [&disk = m_disk, storePath, rows = std::move(rows), links = std::move(links), share = m_share](
            const std::stop_token& stop) { return addAll(disk, storePath, rows, links, stop, *share); },
        [this](const Status& added) { Q_EMIT finished(added); });
}

void StoreJob::stop() {
    m_job.stop();
}

} // namespace pw
