// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/exchange/exports/export.h"
#include "tests/exchange/exported_file.h"
#include "tests/exchange/target_plans.h"
#include "tests/test_data.h"

#include <nlohmann/json.hpp>

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <functional>
#include <set>

using namespace pw;

namespace {

// Keys from the outermost inwards.
using KeyPath = std::vector<std::string>;
using KeyPaths = std::set<KeyPath>;

// A line of tests/data/trainers: a key as the pinned release's own code reads it, with * for what is free in
// it.
struct KnownKey {
    KeyPath path;
    bool needed = false; // fails without it
};

std::vector<KnownKey> knownKeys(const std::string& list) {
    const auto text = readFile(test::testData("trainers/" + list));
    std::vector<KnownKey> known;
    for (const TextLine& line : linesOf(text ? std::string_view(*text) : std::string_view())) {
        if (line.text.empty() || line.text.front() == '#')
            continue;
        const std::size_t blank = line.text.find(' ');
        KnownKey& key = known.emplace_back();
        for (const std::string_view part : partsOf(line.text.substr(0, blank), '.'))
            key.path.emplace_back(part);
        key.needed = line.text.substr(blank + 1) == "needed";
    }
    return known;
}

bool matches(const KnownKey& known, const KeyPath& path) {
    return std::equal(known.path.begin(), known.path.end(), path.begin(), path.end(),
                      [](const std::string& pattern, const std::string& key) {
                          const std::size_t star = pattern.find('*');
                          if (star == std::string::npos)
                              return pattern == key;
                          return key.size() + 1 >= pattern.size() &&
                                 key.starts_with(pattern.substr(0, star)) &&
                                 key.ends_with(pattern.substr(star + 1));
                      });
}

// Keys of objects within objects; of lists nothing. byName: as if all were outermost, but for the dimensions
// of a split, which are numbers.
void addKeys(const Json& value, bool byName, const KeyPath& outer, KeyPaths& paths) {
    if (!value.is_object())
        return;
    for (const auto& [key, inner] : value.items()) {
        KeyPath path = byName && key.find_first_not_of("0123456789") != std::string::npos ? KeyPath() : outer;
        path.push_back(key);
        paths.insert(path);
        addKeys(inner, byName, path, paths);
    }
}

// The same of a YAML file as exports write it: two blanks a level, maps in braces, names with a colon; list
// entries and comments name no key.
KeyPaths yamlKeys(const std::string& yaml) {
    KeyPaths paths;
    KeyPath open;
    static const QRegularExpression token(QStringLiteral("\"?([\\w.-]+)\"?:(?= |$)|\"[^\"]*\"|[{}]"));
    for (const TextLine& line : linesOf(yaml)) {
        const std::size_t indent = line.text.find_first_not_of(' ');
        if (indent == std::string_view::npos || line.text[indent] == '#' || line.text[indent] == '-')
            continue;
        open.resize(indent / 2);
        bool inBraces = false, first = true;
        auto tokens = token.globalMatch(QString::fromUtf8(line.text.data(), qsizetype(line.text.size())));
        while (tokens.hasNext()) {
            const auto match = tokens.next();
            if (match.captured(0) == QLatin1String("{")) {
                inBraces = true;
                first = true; // the next key is one level further in
            } else if (match.captured(0) == QLatin1String("}")) {
                open.pop_back();
            } else if (match.hasCaptured(1)) {
                if (inBraces && !first)
                    open.pop_back();
                first = false;
                open.push_back(match.captured(1).toStdString());
                paths.insert(open);
            }
        }
    }
    return paths;
}

using KeyVariant = std::pair<const char*, std::function<void(TargetPlan&)>>;

// Shapes of plans that make exporters write what they else leave out; a target may refuse all but the
// first.
const std::vector<KeyVariant>& keyVariants() {
    static const std::vector<KeyVariant> list = {
        {"as it is", [](TargetPlan&) {}},
        {"recompute",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.recompute = Recompute::Full;
         }},
        {"fp32", [](TargetPlan& t) { t.recipe.precision = Precision::Fp32; }},
        {"other GPUs of a host",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.replicas.pop_back();
             t.recipe.gbs /= 2;
             t.plan.pipelines[0].microbatchSize /= 2;
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.replicas[0].share = 1.0;
         }},
        {"context parallelism",
         [](TargetPlan& t) {
             for (Stage& s : t.plan.pipelines[0].stages) {
                 s.cp = 2;
                 s.tp = 1;
                 s.sequenceParallel = false;
             }
         }},
        {"experts", [](TargetPlan& t) {
             t.model.experts.count = 8;
             t.model.experts.perToken = 2;
             t.model.experts.ffn = t.model.ffn;
             for (Stage& s : t.plan.pipelines[0].stages)
                 s.ep = 2;
         }}};
    return list;
}

} // namespace

// Files of keys, held against what the pinned release's own code reads (tests/data/trainers).
class TrainerKeysTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Every key that is written is one of the release's, and every one is there that it fails without.
    void keysOfTheRelease_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("list");
        QTest::newRow("aceso") << QStringLiteral("aceso") << QStringLiteral("config.json")
                               << QStringLiteral("aceso-json.txt");
        QTest::newRow("galvatron") << QStringLiteral("galvatron") << QStringLiteral("galvatron_config.json")
                                   << QStringLiteral("galvatron-json.txt");
        QTest::newRow("hetu") << QStringLiteral("hetu") << QStringLiteral("ds_parallel_config.json")
                              << QStringLiteral("hetu-json.txt");
        QTest::newRow("hetu's settings") << QStringLiteral("hetu") << QStringLiteral("settings.json")
                                         << QStringLiteral("hetu-settings.txt");
        QTest::newRow("flagscale") << QStringLiteral("flagscale") << QStringLiteral("experiment.yaml")
                                   << QStringLiteral("flagscale-experiment.txt");
    }
    void keysOfTheRelease() {
        QFETCH(QString, format);
        QFETCH(QString, file);
        QFETCH(QString, list);
        const std::vector<KnownKey> known = knownKeys(list.toStdString());
        QVERIFY(known.size() > 15);
        int compared = 0;
        for (const auto& [variant, change] : keyVariants()) {
            TargetPlan target = planFor(format.toStdString());
            change(target);
            const std::optional<ExportResult> made = exported(target, *exporterRow(format.toStdString()));
            QVERIFY2(made || compared > 0, variant); // the first goes through
            if (!made)
                continue; // what a target cannot express is refusals_test's
            ++compared;
            const std::string name = file.toStdString();
            KeyPaths written;
            if (file.endsWith(QStringLiteral(".yaml")))
                written = yamlKeys(fileOf(*made, name));
            else
                addKeys(jsonOf(*made, name), list == QLatin1String("hetu-json.txt"), {}, written);
            const auto isKnown = [&](const KeyPath& path) {
                return std::any_of(known.begin(), known.end(),
                                   [&](const KnownKey& key) { return matches(key, path); });
            };
            QVERIFY(!isKnown({"pipeline_divisions"}));
            for (const KeyPath& path : written)
                QVERIFY2(isKnown(path), (std::string(variant) + ": " + path.back()).c_str());
            for (const KnownKey& key : known)
                QVERIFY2(!key.needed || std::any_of(written.begin(), written.end(),
                                                    [&](const KeyPath& path) { return matches(key, path); }),
                         (std::string(variant) + ": " + key.path.back()).c_str());
        }
        QVERIFY2(compared >= 3, qPrintable(QString::number(compared)));
    }

private:
    // Nothing where there is no such problem or plan, or the target refuses it.
    static std::optional<ExportResult> exported(const TargetPlan& target, const ExporterRow& row) {
        const auto problem = Problem::make(target.cluster, target.model, target.recipe, {});
        if (!problem)
            return {};
        const auto evaluation = evaluate(**problem, target.plan, {.keepOps = true});
        if (!evaluation)
            return {};
        ExportResult made = makeExport(row, {**problem, {}, target.plan, *evaluation});
        return made.refusals.empty() ? std::optional(std::move(made)) : std::nullopt;
    }
};

QTEST_GUILESS_MAIN(TrainerKeysTest)
#include "trainer_keys_test.moc"
