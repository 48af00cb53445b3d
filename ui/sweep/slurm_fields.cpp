// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/slurm_fields.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "ui/base/convert.h"

#include <QFormLayout>
#include <QIntValidator>
#include <QLineEdit>

#include <nlohmann/json.hpp>

#include <array>

namespace pw {

namespace {

struct SlurmField {
    const char* flag; // without its dashes; object name behind "slurm."
    const char* label;
    const char* example;
    const char* help;
    bool kept = false; // in the folder of the sweep
};
constexpr std::array kFields = {
    SlurmField{"partition", QT_TRANSLATE_NOOP("pw::SlurmFields", "Partition"), "cpu",
               QT_TRANSLATE_NOOP("pw::SlurmFields", "As sbatch has it; empty: Slurm's default"), true},
    SlurmField{"account", QT_TRANSLATE_NOOP("pw::SlurmFields", "Account"), "",
               QT_TRANSLATE_NOOP("pw::SlurmFields", "As sbatch has it; empty: Slurm's default"), true},
    SlurmField{"time", QT_TRANSLATE_NOOP("pw::SlurmFields", "Time"), "1:00:00",
               QT_TRANSLATE_NOOP("pw::SlurmFields", "Limit of each chunk, as sbatch has it"), true},
    SlurmField{"max-running", QT_TRANSLATE_NOOP("pw::SlurmFields", "At a time"), "100",
               QT_TRANSLATE_NOOP("pw::SlurmFields", "Chunks that run at a time; empty: no limit"), true},
    SlurmField{"sbatch", QT_TRANSLATE_NOOP("pw::SlurmFields", "Further"), "--mem=2G --nice",
               QT_TRANSLATE_NOOP("pw::SlurmFields", "Further words for sbatch, with blanks between")},
    SlurmField{"through", QT_TRANSLATE_NOOP("pw::SlurmFields", "Through"), "ssh login",
               QT_TRANSLATE_NOOP("pw::SlurmFields", "Words before every command of Slurm, where it is on "
                                                    "another machine that has this folder, too")},
    SlurmField{"program", QT_TRANSLATE_NOOP("pw::SlurmFields", "Program"),
               "/opt/pipewright/bin/pipewright-cli",
               QT_TRANSLATE_NOOP("pw::SlurmFields",
                                 "pipewright-cli as the nodes see it; empty: the one of this window")}};
constexpr int kMostRunning = 1'000'000;

std::filesystem::path fileIn(const QString& folder) {
    return std::filesystem::path(s(folder)) / "submit.json";
}

} // namespace

SlurmFields::SlurmFields(QWidget* parent) : QWidget(parent) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(4);
    for (const SlurmField& row : kFields) {
        auto* field = new QLineEdit;
        field->setObjectName(QStringLiteral("slurm.") + QLatin1String(row.flag));
        field->setAccessibleName(tr(row.label));
        field->setToolTip(tr(row.help));
        field->setPlaceholderText(QLatin1String(row.example));
        form->addRow(tr(row.label), field);
        connect(field, &QLineEdit::textChanged, this, &SlurmFields::changed);
        m_fields.push_back(field);
        if (QLatin1String(row.flag) == QLatin1String("max-running"))
            field->setValidator(new QIntValidator(1, kMostRunning, field));
    }
}

QStringList SlurmFields::words() const {
    QStringList words;
    for (std::size_t i = 0; i < kFields.size(); ++i)
        if (const QString text = m_fields[i]->text().trimmed(); !text.isEmpty())
            words << QStringLiteral("--%1=%2").arg(QLatin1String(kFields[i].flag), text);
    return words;
}

QString SlurmFields::through() const {
    for (std::size_t i = 0; i < kFields.size(); ++i)
        if (QLatin1String(kFields[i].flag) == QLatin1String("through"))
            return m_fields[i]->text().trimmed();
    return {};
}

void SlurmFields::read(const QString& folder) {
    const Result<std::string> text = readFile(fileIn(folder));
    const Json kept = text ? Json::parse(*text, nullptr, false) : Json();
    for (std::size_t i = 0; i < kFields.size(); ++i) {
        if (!kFields[i].kept)
            continue;
        const bool is =
            kept.is_object() && kept.contains(kFields[i].flag) && kept[kFields[i].flag].is_string();
        m_fields[i]->setText(is ? q(kept[kFields[i].flag].get<std::string>()) : QString());
    }
}

void SlurmFields::write(const QString& folder) const {
    Json kept = Json::object();
    for (std::size_t i = 0; i < kFields.size(); ++i)
        if (const QString text = m_fields[i]->text().trimmed(); kFields[i].kept && !text.isEmpty())
            kept[kFields[i].flag] = s(text);
    if (!kept.empty() || isThere(fileIn(folder)))
        static_cast<void>(writeFileAtomically(fileIn(folder), printJson(kept)));
}

} // namespace pw
