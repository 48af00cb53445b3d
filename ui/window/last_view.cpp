// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/last_view.h"

#include "core/base/file.h"
#include "core/document/plan_document.h"
#include "core/search/search.h"
#include "ui/base/convert.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/window/autosave.h"

#include <QCryptographicHash>
#include <QFileInfo>

#include <nlohmann/json.hpp>

namespace pw {

namespace {

constexpr char kSchema[] = "pipewright-view";

QString fileOf(const QString& project) {
    const QByteArray path = QFileInfo(project).canonicalFilePath().toUtf8();
    const QByteArray name = QCryptographicHash::hash(path, QCryptographicHash::Sha1).toHex().left(16);
    return QStringLiteral("%1/%2.view").arg(stateFolder(), QString::fromLatin1(name));
}

} // namespace

Status keepView(const AppContext& context) {
    const Candidate* candidate = context.candidates.find(context.selection.plan());
    if (context.document.path().isEmpty())
        return Ok{};
    const Disk& disk = context.document.disk();
    if (!candidate) { // what was selected before may be gone for good
        static_cast<void>(disk.remove(s(fileOf(context.document.path()))));
        return Ok{};
    }
    const Json view{{"schema", kSchema},
                    {"plan", s(candidate->name)},
                    {"origin", s(candidate->origin)},
                    {"problem", candidate->problem->hash()},
                    {"entry", keptEntry(*candidate->problem, candidate->plan, candidate->evaluation)},
                    {"stage", context.selection.stage()},
                    {"device", s(context.selection.device())}};
    static_cast<void>(makeFolders(s(stateFolder()), disk)); // the write says what is wrong
    return writeFileAtomically(s(fileOf(context.document.path())), view.dump() + '\n', disk);
}

void restoreView(const AppContext& context) {
    const auto problem = context.document.problem();
    const QString file = context.document.path().isEmpty() ? QString() : fileOf(context.document.path());
    if (!problem || !QFileInfo::exists(file))
        return;
    // A file of another program's making is no reason to trouble anybody: then nothing is selected.
    const Result<std::string> text = readFile(s(file), kWholeFileLimit, context.document.disk());
    const Result<Json> document = text ? parseJson(*text, s(file)) : Result<Json>(text.error());
    if (!document)
        return;
    const JsonReader reader(*document, s(file));
    const QString name = q(reader.text("plan", ""));
    const QString origin = q(reader.text("origin", ""));
    const std::string hash = reader.text("problem", ""), entry = reader.text("entry", "");
    const double stage = reader.number("stage", -1.0, 1e6, -1.0);
    const QString device = q(reader.text("device", ""));
    if (!reader.status() || hash != problem->hash())
        return;
    const Result<Json> kept = parseJson(entry, s(file));
    const Result<Plan> plan =
        kept ? planFromJson(JsonReader(*kept, s(file)), *problem) : Result<Plan>(kept.error());
    const Candidate* known = context.candidates.findNamed(name, hash);
    int id = known && plan && known->key == canonicalKey(*plan) ? known->id : -1;
    if (id < 0 && plan)
        if (const Result<Evaluation> judged = evaluate(*problem, *plan))
            id = context.candidates.add(problem, {{*plan, *judged}}, origin);
    if (id < 0)
        return;
    context.selection.setPlan(id);
    context.selection.setStage(static_cast<int>(stage));
    context.selection.setDevice(device);
}

void showPlan(const AppContext& context, const QString& name) {
    const auto problem = context.document.problem();
    const Candidate* plan = problem ? context.candidates.findNamed(name, problem->hash()) : nullptr;
    if (!plan || plan->id == context.selection.plan())
        return;
    context.selection.leaveStage();
    context.selection.setPlan(plan->id);
}

} // namespace pw
