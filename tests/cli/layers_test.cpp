// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/skip.h"

#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

namespace {

QString source(const char* path) {
    return QStringLiteral(PW_SOURCE_DIR "/") + QLatin1String(path);
}

QString readText(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// Included names, with their quotes or brackets, of every source file under a folder.
QMultiMap<QString, QString> includes(const QString& folder) {
    static const QRegularExpression line(QStringLiteral("^\\s*#\\s*include\\s*([<\"][^>\"]+)[>\"]"),
                                         QRegularExpression::MultilineOption);
    QMultiMap<QString, QString> found;
    QDirIterator files(folder, {QStringLiteral("*.h"), QStringLiteral("*.cpp")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        for (auto match = line.globalMatch(readText(path)); match.hasNext();)
            found.insert(path, match.next().captured(1));
    }
    return found;
}

} // namespace

// One direction: nothing lower is included by anything above it, and no Qt under the command line.
class LayersTest : public QObject {
    Q_OBJECT

private slots:
    void coreAndCommandLineIncludeNoQtAndNoUi_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("core") << source("core");
        QTest::newRow("app/cli") << source("app/cli");
    }
    void coreAndCommandLineIncludeNoQtAndNoUi() {
        QFETCH(QString, folder);
        const auto all = includes(folder);
        QVERIFY(all.size() > 20);
        for (auto it = all.begin(); it != all.end(); ++it) {
            const QString& name = it.value();
            const bool qt = name.startsWith(QLatin1String("<Q")) || name.startsWith(QLatin1String("\"Q"));
            QVERIFY2(!qt && !name.startsWith(QLatin1String("\"ui/")), qPrintable(it.key() + name));
        }
        QVERIFY(!readText(source("app/cli_main.cpp")).contains(QLatin1String("<Q")));
    }

    // The order of the folders in core/CMakeLists.txt is the flow: a folder includes itself and what stands
    // above it.
    void coreFoldersIncludeUpwards() {
        static const QRegularExpression folder(QStringLiteral("add_subdirectory\\((\\w+)\\)"));
        QStringList order;
        for (auto match = folder.globalMatch(readText(source("core/CMakeLists.txt"))); match.hasNext();)
            order << match.next().captured(1);
        QVERIFY(order.size() > 10);
        for (const QString& own : order) {
            const auto all = includes(source("core/") + own);
            for (auto it = all.begin(); it != all.end(); ++it)
                if (it.value().startsWith(QLatin1String("\"core/"))) {
                    const QString other = it.value().section(QLatin1Char('/'), 1, 1);
                    QVERIFY2(order.contains(other) && order.indexOf(other) <= order.indexOf(own),
                             qPrintable(it.key() + QLatin1String(" includes ") + it.value()));
                }
        }
    }

    void commandLineLinksNoQt() {
        QProcess ldd;
        ldd.start(QStringLiteral("ldd"), {QStringLiteral(PW_CLI)});
        if (!ldd.waitForFinished() || ldd.exitCode() != 0)
            PW_SKIP("ldd", "ldd does not run here");
        const QByteArray libraries = ldd.readAllStandardOutput();
        QVERIFY(libraries.contains("libc."));
        QVERIFY2(!libraries.contains("Qt"), libraries.constData());
    }
};

QTEST_APPLESS_MAIN(LayersTest)
#include "layers_test.moc"
