// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/yaml_file.h"

#include <QtTest>
#include <nlohmann/json.hpp>

using namespace pw;

class YamlFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusesWhatYamlCanHide() {
        QCOMPARE((*parseYaml("a: [1, 2.5, x, null, true, '3']", "f")).dump(),
                 std::string(R"({"a":[1,2.5,"x",null,true,"3"]})"));
        const auto refused = [](const std::string& text) {
            const Result<Json> read = parseYaml(text, "f");
            return read ? std::string("read") : read.error().code + " " + read.error().where;
        };
        QCOMPARE(refused("a: &x 1\nb: *x\n"), std::string("yaml.alias f:1:4"));
        QCOMPARE(refused("a: !!python/object 1\n"), std::string("yaml.tag f:1:4"));
        QCOMPARE(refused("a: 1\na: 2\n"), std::string("yaml.duplicate f:2:1"));
        QCOMPARE(refused("<<: {a: 1}\n"), std::string("yaml.merge f:1:1"));
        QCOMPARE(refused("a: .nan\n"), std::string("yaml.number f:1:4"));
        QCOMPARE(refused("a: 1e999\n"), std::string("yaml.number f:1:4"));
        QCOMPARE(refused("a: [1\n").substr(0, 11), std::string("yaml.syntax"));
        QCOMPARE(refused("a: 1\n---\nb: 2\n").substr(0, 11), std::string("yaml.syntax"));
        QCOMPARE(refused(std::string(300, '[') + std::string(300, ']')).substr(0, 10),
                 std::string("yaml.depth"));
    }
};

QTEST_APPLESS_MAIN(YamlFileTest)
#include "yaml_file_test.moc"
