// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Comes before every test file of mutate_rooms (compiler option -include): a file's own main becomes an entry
// of one list, so that many test classes are one program. The files themselves know nothing of it.
#include <QTest>

#include <functional>
#include <string>
#include <vector>

namespace pw::mutate {

struct TestClass {
    std::string name;
    std::function<int(const QStringList& arguments)> run; // gives the number of failed functions
};

// In the order in which the files are linked.
std::vector<TestClass>& testClasses();

inline bool collect(const char* name, std::function<int(const QStringList&)> run) {
    testClasses().push_back({name, std::move(run)});
    return true;
}

} // namespace pw::mutate

#undef QTEST_APPLESS_MAIN
#undef QTEST_GUILESS_MAIN
#define QTEST_APPLESS_MAIN(Class)                                                                            \
    namespace {                                                                                              \
    [[maybe_unused]] const bool collected##Class =                                                           \
        pw::mutate::collect(#Class, [](const QStringList& arguments) {                                       \
            Class test;                                                                                      \
            return QTest::qExec(&test, arguments);                                                           \
        });                                                                                                  \
    }
#define QTEST_GUILESS_MAIN(Class) QTEST_APPLESS_MAIN(Class)
