// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/import_reading.h"

#include "core/base/units.h"
#include "core/calibrate/own_runs.h"
#include "core/document/plan_file.h"
#include "core/exchange/imports/import_table.h"
#include "core/formats/source.h"
#include "ui/base/convert.h"
#include "ui/imports/file_kinds.h"

#include <QDirIterator>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace pw {

namespace {

constexpr int kFileLimit = 500; // files of a folder that are looked at

QStringList filesOf(const QStringList& paths) {
    QStringList files;
    for (const QString& path : paths) {
        if (!QFileInfo(path).isDir()) {
            files << path;
            continue;
        }
        QStringList inside;
        QDirIterator walk(path,
                          {QStringLiteral("*.json"), QStringLiteral("*.csv"), QStringLiteral("*.json.gz")},
                          QDir::Files, QDirIterator::Subdirectories);
        while (walk.hasNext() && inside.size() < kFileLimit)
            inside << walk.next();
        inside.sort();
        files << inside;
    }
    return files;
}

struct OwnContent {
    ImportContent content;
    std::string summary;
    Diagnostics notes;
};

std::string counted(std::size_t n, const char* what) {
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

Result<OwnContent> readOwn(std::string_view kind, const std::string& file) {
    const Result<std::string> text = readText(file);
    if (!text)
        return text.error();
    OwnContent own;
    const auto machines = [](const Cluster& cluster) {
        return counted(static_cast<std::size_t>(cluster.gpuCount()), "GPU") + " on " +
               counted(cluster.nodes.size(), "node");
    };
    if (kind == "pipewright-project") {
        Result<Project> project = readProject(*text, file, &own.notes);
        if (!project)
            return project.error();
        own.summary = machines(project->cluster) +
                      (project->model ? ", " + project->model->name : ", no model") + ", " +
                      counted(project->profiles.size(), "measured row");
        own.content = *std::move(project);
    } else if (kind == "pipewright-cluster") {
        Result<Cluster> cluster = readCluster(*text, file, &own.notes);
        if (!cluster)
            return cluster.error();
        own.summary = machines(*cluster);
        own.content = *std::move(cluster);
    } else if (kind == "pipewright-model") {
        Result<Model> model = readModelFile(file, &own.notes);
        if (!model)
            return model.error();
        own.summary = model->name + ", " + std::to_string(parameterCount(*model)) + " parameters";
        own.content = *std::move(model);
    } else {
        Result<PlanFile> plans = readPlanFile(*text, file);
        if (!plans)
            return plans.error();
        own.summary = counted(plans->plans.size(), "plan") + " of " + plans->problem->model().name + " on " +
                      machines(plans->problem->topology().cluster());
        own.notes = plans->notes;
        own.content = *std::move(plans);
    }
    return own;
}

// Several files: a cluster and a model stand beside what the others hold.
Status takeBeside(ImportContent own, const std::string& file, ImportReading& reading) {
    if (auto* cluster = std::get_if<Cluster>(&own)) {
        if (reading.cluster)
            return badInput("import.mixed", file,
                            "holds a cluster, and so does another file; remove one of them from the list");
        reading.cluster = std::move(*cluster);
        return Ok{};
    }
    if (auto* model = std::get_if<Model>(&own)) {
        if (reading.model)
            return badInput("import.mixed", file,
                            "holds a model, and so does another file; remove one of them from the list");
        reading.model = std::move(*model);
        return Ok{};
    }
    return badInput(
        "import.mixed", file,
        "is opened as a whole, in place of the present project; remove it or all other files from "
        "the list");
}

// What others say of the machines or the model contradicts a file of Pipewright's own that says it, too.
void refuseContradiction(ImportReading& reading) {
    const auto refuse = [&](const char* kind, const char* why) {
        for (ImportedFile& file : reading.files)
            if (file.kind == QLatin1String(kind)) {
                file.refused = true;
                append(reading.notes, diagnosticsOf(badInput("import.mixed", s(file.path), why)));
            }
    };
    if (reading.cluster && std::holds_alternative<Inventory>(reading.content))
        refuse("pipewright-cluster",
               "holds a cluster, and other files describe machines; remove it or them from the list");
    const auto* plan = std::get_if<TrainerPlan>(&reading.content);
    if (reading.model && (std::holds_alternative<Model>(reading.content) || (plan && plan->model)))
        refuse("pipewright-model",
               "holds a model, and so does another file; remove one of them from the list");
}

ImportContent contentOf(Imported imported) {
    return std::visit([](auto&& what) { return ImportContent(std::forward<decltype(what)>(what)); },
                      std::move(imported.what));
}

// "Megatron-LM, 2.00 s a step, at most 31.0 GiB"
std::string summaryOf(const RunRow& run) {
    return run.framework + (run.iterTimeS ? ", " + formatDuration(Seconds(*run.iterTimeS)) + " a step" : "") +
           (run.failed() ? ", out of memory" : "") +
           (run.peakMemGib ? ", at most " + formatGibibytes(gibibytes(*run.peakMemGib)) : "");
}

// The runs that logs state, those of two ranks as one. What each says goes to its file of `reading`, and what
// is wrong to its notes.
TrainingLogs runsOf(std::vector<OwnLog> logs, ImportReading& reading) {
    const auto say = [&](const std::string& path, const std::string& summary, bool refused) {
        const auto file = std::ranges::find(reading.files, q(path), &ImportedFile::path);
        if (file == reading.files.end())
            return;
        file->summary = q(summary);
        file->refused = refused;
    };
    const auto refuse = [&](const Error& error, const std::string& path) {
        say(path, {}, true);
        append(reading.notes, diagnosticsOf(error));
    };
    TrainingLogs runs;
    if (const Status joined = joinRanks(logs); !joined) {
        refuse(joined.error(), joined.error().where);
        return runs;
    }
    for (const OwnLog& own : logs) {
        Result<RunRow> run = loggedRun(own, {});
        if (!run) {
            refuse(run.error(), own.file);
            continue;
        }
        say(own.file, summaryOf(*run), false);
        if (!own.argumentsOf.empty())
            say(own.argumentsOf,
                "arguments of the run in " + std::filesystem::path(own.file).filename().string(), false);
        runs.runs.push_back(*std::move(run));
    }
    return runs;
}

// What the files beside it are of: block counts and lengths that they leave open are its. Whether it may come
// with them is judged when it is read in its turn.
std::optional<Model> ownModelAmong(const std::vector<std::string>& files,
                                   const std::vector<const OwnFileKind*>& own) {
    for (std::size_t i = 0; files.size() > 1 && i < files.size(); ++i) {
        if (own[i] == nullptr || std::string_view(own[i]->kind) != "pipewright-model")
            continue;
        if (Result<OwnContent> read = readOwn(own[i]->kind, files[i]))
            if (auto* model = std::get_if<Model>(&read->content))
                return std::move(*model);
    }
    return std::nullopt;
}

} // namespace

ImportReading readImport(const ImportRequest& request, const Model* model, const std::stop_token& stop,
                         const std::function<void(int file, double share)>& progress) {
    ImportReading reading;
    const QStringList paths = filesOf(request.paths);
    const bool folder = paths != request.paths;
    const std::string kind = s(request.kind);
    const bool measuresModel = model != nullptr; // as somebody said
    std::vector<std::string> all, files;
    for (const QString& path : paths)
        all.push_back(s(path));
    const std::vector<const OwnFileKind*> own = ownKindsOf(all, stop);
    const std::optional<Model> beside = ownModelAmong(all, own);
    if (beside)
        model = &*beside;
    const std::vector<QString> foreign =
        kind.empty() ? foreignKindsOf(all, own, stop) : std::vector<QString>(all.size(), request.kind);
    std::vector<Imported> parts;
    std::vector<OwnLog> logs;
    const auto refuse = [&](const Error& error) { append(reading.notes, diagnosticsOf(error)); };
    for (int i = 0; i < paths.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::string& file = all[at];
        if (stop.stop_requested()) {
            reading.stopped = true;
            return reading;
        }
        if (progress)
            progress(i, 0.0);
        ImportHints hints{.model = model,
                          .measuresModel = measuresModel,
                          .modelName =
                              model != nullptr && request.modelName.empty() ? model->name : request.modelName,
                          .deviceKind = request.deviceKind,
                          .ranks = request.ranks,
                          .collective = request.collective,
                          .stop = stop,
                          .progress = [&](double share) {
                              if (progress)
                                  progress(i, share);
                          }};
        ImportedFile& entry = reading.files.emplace_back(ImportedFile{paths[i], foreign[at], {}, false});
        const OwnFileKind* known = kind.empty() ? own[at] : nullptr;
        for (const OwnFileKind& one : ownFileKinds())
            if (kind == one.kind)
                known = &one;
        if (known != nullptr) {
            entry.kind = QLatin1String(known->kind);
            Result<OwnContent> read = readOwn(known->kind, file);
            if (!read) {
                entry.refused = true;
                refuse(read.error());
                continue;
            }
            entry.summary = q(read->summary);
            append(reading.notes, std::move(read->notes));
            if (paths.size() == 1) {
                reading.content = std::move(read->content);
            } else if (const Status taken = takeBeside(std::move(read->content), file, reading); !taken) {
                entry.refused = true;
                refuse(taken.error());
            }
            continue;
        }
        if (entry.kind == QLatin1String(kTrainingLogKind)) {
            const Result<std::string> text = readText(file);
            entry.refused = !text;
            if (text)
                logs.push_back({file, scanTrainingLog(*text)});
            else
                refuse(text.error());
            continue;
        }
        const Result<std::string> head = readHead(file);
        Result<Imported> one = head ? importFile(file, s(entry.kind), hints) : Result<Imported>(head.error());
        if (!one && one.error().kind == ErrorKind::Stopped) {
            reading.stopped = true;
            return reading;
        }
        if (!one && folder && one.error().code == "import.unrecognised") {
            // In a folder, files of other forms are expected; they are named and passed over.
            reading.notes.push_back({Severity::Note, one.error().code, file, one.error()});
            reading.files.pop_back();
            continue;
        }
        if (!one) {
            entry.refused = true;
            refuse(one.error());
            continue;
        }
        entry.kind = q(one->kind);
        entry.summary = q(one->summary);
        entry.sort = sortOf(*one);
        files.push_back(file);
        parts.push_back(*std::move(one));
    }
    TrainingLogs runs = runsOf(std::move(logs), reading);
    if (!runs.runs.empty() &&
        std::any_of(reading.files.begin(), reading.files.end(),
                    [](const ImportedFile& file) { return file.kind != QLatin1String(kTrainingLogKind); }))
        refuse(badInput("import.mixed", runs.runs.front().rowId,
                        "is a training log; training logs are read without other files"));
    if (reading.refused())
        return reading;
    if (!runs.runs.empty()) {
        reading.content = std::move(runs);
        return reading;
    }
    if (parts.empty() && reading.model)
        reading.content = *std::exchange(reading.model, std::nullopt);
    else if (parts.empty() && reading.cluster)
        reading.content = *std::exchange(reading.cluster, std::nullopt);
    if (!std::holds_alternative<std::monostate>(reading.content))
        return reading;
    if (parts.empty()) {
        refuse(badInput("import.empty_folder", request.paths.isEmpty() ? "" : s(request.paths.front()),
                        "holds no *.json, *.csv or *.json.gz file that can be imported"));
        return reading;
    }
    Result<Imported> joined = joinImported(std::move(parts), files);
    if (!joined) {
        refuse(joined.error());
        return reading;
    }
    append(reading.notes, std::move(joined->notes));
    reading.content = contentOf(*std::move(joined));
    refuseContradiction(reading);
    return reading;
}

} // namespace pw
