// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_study.h"

#include "core/sweep/task_plan.h"
#include "ui/base/convert.h"
#include "ui/session/document.h"
#include "ui/sweep/sweep_words.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr int kPollMs = 2000; // file systems of a network notify nobody

bool isSame(const std::vector<Error>& a, const std::vector<Error>& b) {
    return std::ranges::equal(a, b, {}, &Error::text, &Error::text);
}

} // namespace

bool isSweepFolder(const QString& path) {
    return QFileInfo(path).isDir() && QFileInfo::exists(path + QStringLiteral("/sweep.json"));
}

struct SweepStudy::Opened {
    std::shared_ptr<SweepFollower> follower;
    SweepNews news;
};

SweepStudy& SweepStudy::of(Document& document) {
    if (auto* made = document.findChild<SweepStudy*>(QString(), Qt::FindDirectChildrenOnly))
        return *made;
    return *new SweepStudy(&document);
}

SweepStudy::SweepStudy(QObject* parent) : QObject(parent) {
    m_poll.setSingleShot(true);
    m_poll.setInterval(kPollMs);
    connect(&m_poll, &QTimer::timeout, this, &SweepStudy::look);
}

SweepStudy::~SweepStudy() = default;

void SweepStudy::open(const QString& folder) {
    close();
    m_path = QFileInfo(folder).absoluteFilePath();
    m_reading = true;
    m_job.start(
        [path = s(m_path)](const std::stop_token&) -> Result<std::shared_ptr<Opened>> {
            Result<SweepFolder> read = openSweepFolder(path);
            if (!read)
                return read.error();
            Result<SweepFollower> follower = SweepFollower::make(*std::move(read));
            if (!follower)
                return follower.error();
            auto all = std::make_shared<Opened>();
            all->follower = std::make_shared<SweepFollower>(*std::move(follower));
            all->news = all->follower->readOn();
            return all;
        },
        [this](const Result<std::shared_ptr<Opened>>& read) {
            if (!read) {
                const QString name = QFileInfo(m_path).fileName();
                close();
                Q_EMIT failed(tr("%1 was not opened.").arg(name), read.error());
                return;
            }
            m_follower = (*read)->follower;
            m_rows.assign(m_follower->tasks().size(), SweepRow());
            m_status = (*read)->news.status;
            Q_EMIT opened();
            take(std::move((*read)->news));
        });
    Q_EMIT opened(); // none, while it is read
}

void SweepStudy::close() {
    m_poll.stop();
    m_job.drop();
    m_planJob.drop();
    m_path.clear();
    m_follower.reset();
    m_rows.clear();
    m_known.reset();
    m_status = {};
    m_damage.clear();
    m_reading = m_gone = false;
    m_chosen = -1;
    Q_EMIT opened();
}

void SweepStudy::look() {
    if (!isOpen() || m_job.isRunning())
        return;
    m_poll.stop();
    follow();
}

void SweepStudy::follow() {
    m_job.start([follower = m_follower](const std::stop_token&) { return follower->readOn(); },
                [this](Result<SweepNews> news) {
                    if (news)
                        return take(*std::move(news));
                    Q_EMIT failed(tr("The results were not read."), news.error());
                    m_poll.start();
                });
}

void SweepStudy::take(SweepNews news) {
    const bool wasReading = std::exchange(m_reading, m_reading && news.more);
    const bool wasGone = std::exchange(m_gone, news.gone);
    const bool isNews =
        !news.rows.empty() || !isSame(news.damage, m_damage) || wasReading != m_reading || wasGone != m_gone;
    for (auto& [task, row] : news.rows) {
        for (std::size_t f = 0; f < kSweepFigures; ++f)
            if (row.standing == TaskStanding::Plan && !std::isnan(row.figures[f]))
                m_known.set(f);
        m_rows[task] = std::move(row);
    }
    m_status = std::move(news.status);
    m_damage = std::move(news.damage);
    if (news.more)
        follow();
    else
        m_poll.start();
    if (isNews)
        Q_EMIT changed();
}

void SweepStudy::setChosen(int task) {
    if (task == m_chosen || task < -1 || task >= static_cast<int>(m_rows.size()))
        return;
    m_chosen = task;
    Q_EMIT chosenChanged();
}

void SweepStudy::requestPlan() {
    if (m_chosen < 0 || rows()[static_cast<std::size_t>(m_chosen)].standing != TaskStanding::Plan)
        return;
    const TaskLine& task = tasks()[static_cast<std::size_t>(m_chosen)];
    const QString name = QStringLiteral("%1: %2").arg(q(sweep().name), taskText(sweep(), task.at));
    m_planJob.start([follower = m_follower, &task](
                        const std::stop_token& stop) { return taskPlan(follower->folder(), task, 0, stop); },
                    [this, name](const Result<PlanFile>& plans) {
                        Q_EMIT planProgress();
                        if (plans)
                            Q_EMIT planMade(*plans, name);
                        else if (plans.error().kind != ErrorKind::Stopped)
                            Q_EMIT failed(tr("The plan was not opened."), plans.error());
                    });
    Q_EMIT planProgress();
}

void SweepStudy::stopPlan() {
    m_planJob.stop();
}

} // namespace pw
