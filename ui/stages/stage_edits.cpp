// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stages/stage_edits.h"

#include "core/base/name_ranges.h"
#include "core/base/text.h"
#include "core/whatif/instead.h"
#include "ui/base/convert.h"
#include "ui/session/plan_text.h"
#include "ui/session/what_if.h"

#include <algorithm>
#include <utility>

namespace pw {

namespace {

constexpr double kSameGesture = 0.4; // s between steps by a key that is held or pressed quickly

// "n1.g0 to n1.g3", "n2.g0, n2.g1"; more than two items are a number. Empty: no device.
QString devicesText(const Problem& problem, const std::vector<DeviceIndex>& devices) {
    constexpr std::size_t kMostItems = 2;
    std::vector<std::string> names;
    for (const DeviceIndex device : devices)
        names.push_back(s(deviceId(problem, device)));
    std::ranges::sort(names, naturallyBefore);
    const std::vector<std::string> items = nameRanges(names);
    if (items.size() > kMostItems)
        return StageEdits::tr("%1 GPUs").arg(devices.size());
    QStringList shown;
    for (const std::string& item : items)
        shown << q(item);
    return shown.join(QStringLiteral(", "));
}

// What a move of devices changes besides: "tp of stage 1 from 4 to 2", "micro-batches of 16". The plans have
// the same stages.
QStringList besides(const Plan& before, const Plan& after) {
    const Pipeline &then = before.pipelines.front(), &now = after.pipelines.front();
    QStringList changes;
    if (now.microbatchSize != then.microbatchSize)
        changes << StageEdits::tr("micro-batches of %1").arg(now.microbatchSize);
    for (std::size_t i = 0; i < now.stages.size() && i < then.stages.size(); ++i)
        if (now.stages[i].tp != then.stages[i].tp)
            changes << StageEdits::tr("tp of stage %1 from %2 to %3")
                           .arg(i)
                           .arg(then.stages[i].tp)
                           .arg(now.stages[i].tp);
    return changes;
}

// "Move devices, tp of stage 1 from 4 to 2".
QString withBesides(const QString& text, const Plan& before, const Plan& after) {
    return (QStringList(text) + besides(before, after)).join(QStringLiteral(", "));
}

QString movedText(const Plan& before, const Result<Plan>& after) {
    const QString text = StageEdits::tr("Move devices");
    return after ? withBesides(text, before, *after) : text;
}

} // namespace

StageEdits::StageEdits(WhatIf& whatIf, QObject* parent, const Clock& clock)
    : QObject(parent), m_whatIf(whatIf), m_clock(clock) {
    connect(&whatIf, &WhatIf::refused, this, [this](const Error& error) {
        if (isDragging())
            m_refused = error;
    });
}

const Plan* StageEdits::plan() const {
    return m_whatIf.plan();
}

const Pipeline* StageEdits::pipeline() const {
    const Plan* now = plan();
    return now && now->pipelines.size() == 1 ? &now->pipelines.front() : nullptr;
}

const Stage* StageEdits::stageAt(int stage) const {
    const Pipeline* now = pipeline();
    return now && stage >= 0 && stage < static_cast<int>(now->stages.size())
               ? &now->stages[static_cast<std::size_t>(stage)]
               : nullptr;
}

const Problem* StageEdits::problem() const {
    return m_whatIf.problem().get(); // the candidate in view keeps it
}

void StageEdits::begin() {
    if (pipeline())
        m_start = *plan();
}

void StageEdits::drag(const Result<Plan>& edited, const QString& text) {
    m_text = text;
    m_refused.reset();
    m_asked.reset();
    m_whatIf.preview(edited);
}

void StageEdits::dragBoundary(int boundary, int layer) {
    if (!m_start)
        return;
    const whatif::BoundaryRange range = whatif::boundaryRange(*m_start, boundary);
    drag(whatif::moveBoundary(*problem(), *m_start, boundary, std::clamp(layer, range.low, range.high)),
         tr("Move boundary"));
}

void StageEdits::dragDevices(const std::vector<DeviceIndex>& devices, int stage) {
    if (!m_start)
        return;
    const Result<Plan> moved = whatif::moveDevices(*problem(), *m_start, devices, stage);
    drag(moved, movedText(*m_start, moved));
    m_asked = {devices, stage};
}

void StageEdits::dragStage(int from, int to) {
    if (m_start)
        drag(whatif::reorderStage(*problem(), *m_start, from, to), tr("Reorder stages"));
}

void StageEdits::drop() {
    if (m_start && m_whatIf.isEditing())
        m_whatIf.commit(m_text);
    m_waysOut = m_start && m_refused && m_asked ? waysTo(*m_start, *m_asked) : std::vector<WayOut>();
    m_start.reset();
    if (const std::optional<Error> refused = std::exchange(m_refused, std::nullopt))
        Q_EMIT dropRefused(*refused);
}

void StageEdits::abort() {
    m_start.reset();
    m_refused.reset();
    m_whatIf.cancel();
}

// The devices that were asked for alone, where a larger micro-batch is all that it takes; and those with what
// else makes whole replicas on both sides.
std::vector<StageEdits::WayOut> StageEdits::waysTo(const Plan& start, const DevicesTo& asked) const {
    std::vector<WayOut> ways;
    if (std::optional<Plan> exact =
            whatif::moveAtLargerMicrobatch(*problem(), start, asked.devices, asked.stage))
        ways.push_back({withBesides(tr("Move %1").arg(devicesText(*problem(), asked.devices)), start, *exact),
                        *std::move(exact)});
    if (std::optional<whatif::DeviceMove> move =
            whatif::nearestMove(*problem(), start, asked.devices, asked.stage)) {
        const QString going = devicesText(*problem(), move->there),
                      coming = devicesText(*problem(), move->back);
        const QString text = coming.isEmpty() ? tr("Move %1").arg(going) // more than were asked for
                                              : tr("Swap %1 for %2").arg(going, coming);
        ways.push_back({withBesides(text, start, move->plan), std::move(move->plan)});
    }
    return ways;
}

QStringList StageEdits::waysOut() const {
    QStringList texts;
    for (const WayOut& way : m_waysOut)
        texts << way.text;
    return texts;
}

void StageEdits::takeWayOut(int way) {
    const std::vector<WayOut> ways = std::exchange(m_waysOut, {});
    if (way >= 0 && way < static_cast<int>(ways.size()))
        edit(ways[static_cast<std::size_t>(way)].plan, ways[static_cast<std::size_t>(way)].text);
}

bool StageEdits::edit(const Result<Plan>& edited, const QString& text, const QString& gesture,
                      std::vector<WayOut> ifRefused) {
    m_waysOut = std::move(ifRefused);
    if (gesture.isEmpty())
        return m_whatIf.edit(edited, text);
    if (m_lastWhat != gesture || m_clock.steady() - m_last > kSameGesture)
        ++m_gesture;
    const bool done = m_whatIf.edit(edited, text, QStringLiteral("%1 #%2").arg(gesture).arg(m_gesture));
    m_lastWhat = gesture;
    m_last = m_clock.steady();
    return done;
}

void StageEdits::stepBoundary(int boundary, int layers) {
    if (!pipeline() || boundary < 0 || boundary >= whatif::boundaries(*plan()))
        return;
    const int now = whatif::boundaryLayer(*plan(), boundary);
    int place = now + layers;
    if (layers % 2 == 0 && place % 2 == 0) // from inside a block to the next edge of one
        place += layers > 0 ? -1 : 1;
    const whatif::BoundaryRange range = whatif::boundaryRange(*plan(), boundary);
    const int within = std::clamp(place, range.low, range.high);
    // One that cannot move at all says why.
    edit(whatif::moveBoundary(*problem(), *plan(), boundary, within == now ? place : within),
         tr("Move boundary"), QStringLiteral("boundary %1").arg(boundary));
}

void StageEdits::pushBoundary(int boundary, int by) {
    if (!pipeline() || boundary < 0 || boundary >= whatif::boundaries(*plan()))
        return;
    const whatif::Costing costing(m_whatIf.problem());
    const Result<int> place = whatif::farthestBoundary(costing, *plan(), boundary, by);
    if (!place)
        return edit(place.error(), {}), void();
    edit(whatif::moveBoundary(*problem(), *plan(), boundary, *place), tr("Move boundary"));
}

void StageEdits::moveDevices(const std::vector<DeviceIndex>& devices, int stage) {
    if (!pipeline())
        return;
    const Result<Plan> moved = whatif::moveDevices(*problem(), *plan(), devices, stage);
    edit(moved, movedText(*plan(), moved), {},
         moved ? std::vector<WayOut>() : waysTo(*plan(), {devices, stage}));
}

void StageEdits::setTp(int stage, int tp) {
    if (pipeline())
        edit(whatif::setTp(*problem(), *plan(), stage, tp), tr("Set tp of stage %1").arg(stage));
}

void StageEdits::stepTp(int stage, int by) {
    if (!stageAt(stage))
        return;
    const int now = stageAt(stage)->tp;
    const std::vector<int> choices = whatif::tpChoices(*problem(), *plan(), stage);
    const auto at = std::find(choices.begin(), choices.end(), now);
    if (by > 0 && at != choices.end() && at + 1 != choices.end())
        return setTp(stage, *(at + 1));
    if (by < 0 && at != choices.end() && at != choices.begin())
        return setTp(stage, *(at - 1));
    setTp(stage, by > 0 ? 2 * now : now / 2); // says what stands against it
}

void StageEdits::setDp(int stage, int dp) {
    if (pipeline())
        edit(whatif::setDp(*problem(), *plan(), stage, dp), tr("Set dp of stage %1").arg(stage));
}

void StageEdits::setRecompute(int stage, Recompute mode, int layers) {
    if (pipeline())
        edit(whatif::setRecompute(*problem(), *plan(), stage, mode, layers),
             tr("Set recompute of stage %1").arg(stage));
}

void StageEdits::cycleRecompute(int stage) {
    if (const Stage* own = stageAt(stage))
        setRecompute(stage, static_cast<Recompute>((static_cast<int>(own->recompute) + 1) % 3));
}

void StageEdits::setMicrobatch(std::int64_t size) {
    if (pipeline())
        edit(whatif::setMicrobatch(*problem(), *plan(), size), tr("Set micro-batch"));
}

void StageEdits::setSchedule(ScheduleKind kind, LaunchRule rule) {
    if (pipeline())
        edit(whatif::setSchedule(*problem(), *plan(), kind, rule), tr("Set schedule"));
}

void StageEdits::split(int stage) {
    if (pipeline())
        edit(whatif::splitStage(*problem(), *plan(), stage), tr("Split stage %1").arg(stage));
}

void StageEdits::merge(int stage) {
    if (pipeline())
        edit(whatif::mergeStages(*problem(), *plan(), stage),
             tr("Merge stages %1 and %2").arg(stage).arg(stage + 1));
}

void StageEdits::reorder(int from, int to) {
    if (pipeline())
        edit(whatif::reorderStage(*problem(), *plan(), from, to), tr("Reorder stages"));
}

void StageEdits::dropNode(const QString& node) {
    m_waysOut.clear();
    m_whatIf.dropNode(node);
}

} // namespace pw
