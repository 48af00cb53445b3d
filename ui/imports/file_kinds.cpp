// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/file_kinds.h"

#include "core/base/text.h"
#include "core/calibrate/training_log.h"
#include "core/exchange/imports/import_table.h"
#include "core/formats/source.h"
#include "ui/base/convert.h"
#include "ui/imports/text_place.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw {

namespace {

constexpr std::size_t kSchemaText = 48; // characters of the key and its value

// By the top-level `schema`, wherever in the file it stands.
const OwnFileKind* ownKind(const std::string& text) {
    if (text.find("\"schema\"") == std::string::npos)
        return nullptr;
    const std::optional<TextPlace> place = pointerInJson("/schema", text);
    if (!place)
        return nullptr;
    const std::vector<TextLine> lines = linesOf(text);
    std::string_view line = lines[static_cast<std::size_t>(place->line) - 1].text;
    line = line.substr(std::min(line.size(), static_cast<std::size_t>(place->column) - 1), kSchemaText);
    for (const OwnFileKind& own : ownFileKinds())
        if (line.find(std::string("\"") + own.schema) != std::string_view::npos)
            return &own;
    return nullptr;
}

// Small projects show what they are within the beginning; of others nothing else is known.
const OwnFileKind* ownKindOf(const std::string& file, const std::string& head) {
    if (const OwnFileKind* own = ownKind(head))
        return own;
    if (head.find('{') == std::string::npos)
        return nullptr;
    const Result<const ImporterRow*> row = recogniseFile(file);
    if (!row || *row != nullptr)
        return nullptr;
    const Result<std::string> text = readText(file);
    return text ? ownKind(*text) : nullptr;
}

// What a file has of the log of a run.
enum class LogPart { None, Whole, Arguments, OutOfMemory };

struct Foreign {
    QString kind;
    LogPart part = LogPart::None;
};

Foreign foreignOf(const std::string& file) {
    const Result<const ImporterRow*> row = recogniseFile(file);
    const ImporterRow* known = row ? *row : nullptr;
    Foreign foreign{known ? QString(QLatin1String(known->kind)) : QString()};
    if (known != nullptr && known->stream != nullptr)
        return foreign;
    const Result<std::string> text = readText(file);
    if (text && !trainerOfLog(*text).empty())
        foreign.part = LogPart::Whole;
    else if (text && listsArguments(*text))
        foreign.part = LogPart::Arguments;
    else if (text && known == nullptr && saysOutOfMemory(*text))
        foreign.part = LogPart::OutOfMemory;
    return foreign;
}

} // namespace

const std::vector<OwnFileKind>& ownFileKinds() {
    static const std::vector<OwnFileKind> kinds = {
        {"pipewright-project", QT_TRANSLATE_NOOP("ImportKinds", "Pipewright project"), "pipewright-project"},
        {"pipewright-cluster", QT_TRANSLATE_NOOP("ImportKinds", "Pipewright cluster"), "pipewright-cluster"},
        {"pipewright-model", QT_TRANSLATE_NOOP("ImportKinds", "Pipewright model"), "pipewright-model"},
        {"pipewright-plan", QT_TRANSLATE_NOOP("ImportKinds", "Pipewright plans"), "pipewright-plan"},
    };
    return kinds;
}

QString importKindLabel(const QString& kind) {
    for (const OwnFileKind& own : ownFileKinds())
        if (kind == QLatin1String(own.kind))
            return QCoreApplication::translate("ImportKinds", own.label);
    for (const ImporterRow& row : importerTable())
        if (kind == QLatin1String(row.kind))
            return QCoreApplication::translate("ImportKinds", row.label);
    if (kind == QLatin1String(kTrainingLogKind))
        return QCoreApplication::translate("ImportKinds", "Training log");
    return kind;
}

bool isProjectFile(const QString& path) {
    if (path.endsWith(QLatin1String(".pwx"), Qt::CaseInsensitive))
        return true;
    const Result<std::string> head = readHead(s(path));
    const OwnFileKind* own = head ? ownKind(*head) : nullptr;
    return own != nullptr && std::string_view(own->kind) == "pipewright-project";
}

std::vector<const OwnFileKind*> ownKindsOf(const std::vector<std::string>& files,
                                           const std::stop_token& stop) {
    std::vector<const OwnFileKind*> kinds(files.size());
    for (std::size_t i = 0; i < files.size() && !stop.stop_requested(); ++i)
        if (const Result<std::string> head = readHead(files[i]))
            kinds[i] = ownKindOf(files[i], *head);
    return kinds;
}

std::vector<QString> foreignKindsOf(const std::vector<std::string>& files,
                                    const std::vector<const OwnFileKind*>& own, const std::stop_token& stop) {
    std::vector<Foreign> all(files.size());
    for (std::size_t i = 0; i < files.size() && !stop.stop_requested(); ++i)
        if (own[i] == nullptr)
            all[i] = foreignOf(files[i]);
    const auto any = [&](LogPart part) {
        return std::ranges::any_of(all, [part](const Foreign& each) { return each.part == part; });
    };
    const bool logs =
        any(LogPart::Whole) || (any(LogPart::Arguments) && any(LogPart::OutOfMemory)); // one in two files
    std::vector<QString> kinds;
    for (const Foreign& each : all) {
        const bool isLog = logs && each.part != LogPart::None;
        kinds.push_back(isLog ? QString(QLatin1String(kTrainingLogKind)) : each.kind);
    }
    return kinds;
}

} // namespace pw
