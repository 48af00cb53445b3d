// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/constants.h"
#include "core/exchange/exports/export.h"
#include "core/findings/findings.h"
#include "core/problem/software.h"
#include "core/search/space/rejection.h"
#include "tests/cli/cli_run.h"
#include "tests/packaging/pages.h"

#include <QFileInfo>
#include <QImage>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

using namespace pw;

namespace {

constexpr qint64 kPictureBytes = 160 * 1024, kAllPicturesBytes = 1200 * 1024;
constexpr int kReadmeLines = 150;

const char* const kMessages = "messages.md";

bool endsLikeAFile(const QString& word) {
    static const QRegularExpression file(
        QStringLiteral("\\.(cpp|csv|h|json|jsonl|md|png|py|sbatch|sh|toml|yaml|yml)$"));
    return file.match(word).hasMatch();
}

// Words in the form of a code that are none: places and keys of documents.
bool isNoCode(const QString& word) {
    static const QRegularExpression other(QStringLiteral(
        "^((cfg|norm|rope|torch)\\..*|cluster\\.nodes|recipe\\.(data|gbs|mbs|model|optim|recompute|seq|"
        "trainer)(\\..*)?|memory\\.total|"
        "model\\.(precision|seq)|pci\\.bus_id)$"));
    return other.match(word).hasMatch();
}

// Every code that the program can emit, with a file that does. Tables have some; the others are literals in
// the form "room.what", which core and the command line use for nothing else but names of files, and words
// handed to badInput() and the like, in the window too.
std::map<QString, QString> codesOfTheSources() {
    static const QRegularExpression dotted(
        QStringLiteral("\"([a-z][a-z0-9]*(?:\\.[a-z0-9_]+)+|E_[A-Z_]+)\""));
    static const QRegularExpression handed(QStringLiteral(
        "(?:badInput|failure|infeasible|stopped|m_faults\\.add)\\(\\s*\"([^\"]+)\"|(?:ErrorKind|Severity)::"
        "\\w+,\\s*\"([^\"]+)\""));
    static const QRegularExpression comment(QStringLiteral("//[^\n]*"));
    std::map<QString, QString> codes;
    const auto collect = [&](const QRegularExpression& form, const QString& text, const QString& file) {
        for (auto match = form.globalMatch(text); match.hasNext();) {
            const QRegularExpressionMatch found = match.next();
            const QString code = found.captured(1) + found.captured(2);
            if (!isNoCode(code) && (&form != &dotted || !endsLikeAFile(code)))
                codes.emplace(code, file);
        }
    };
    for (const char* folder : {"core", "app", "ui"}) {
        QDirIterator files(source(QLatin1String(folder)), {QStringLiteral("*.h"), QStringLiteral("*.cpp")},
                           QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString file = files.next();
            const QString text = textOf(file).remove(comment);
            collect(handed, text, file);
            if (qstrcmp(folder, "ui") != 0)
                collect(dotted, text, file);
        }
    }
    for (const CapabilityRow& row : capabilityTable())
        codes.emplace(QString::fromUtf8(row.code), QStringLiteral("capabilityTable()"));
    for (const FindingRule& rule : findingRules())
        codes.emplace(QString::fromUtf8(rule.name), QStringLiteral("findingRules()"));
    for (const RejectionRow& row : rejectionTable())
        codes.emplace(QString::fromUtf8(row.words), QStringLiteral("rejectionTable()"));
    return codes;
}

} // namespace

// The manual as it stands in the tree: complete, linked, and nothing in it that the program contradicts.
class ManualPagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_manual = manualOfTree();
        QVERIFY(m_manual.pages().size() > 15);
    }

    void everyFileIsInTheProgram() {
        static const QRegularExpression row(QStringLiteral("<file>([^<]+)</file>"));
        QStringList listed;
        for (auto match = row.globalMatch(textOf(kManualSource + QStringLiteral("/manual.qrc")));
             match.hasNext();)
            listed << match.next().captured(1);
        QStringList there = manualFiles(QStringLiteral("*.md")) + manualFiles(QStringLiteral("*.png"));
        listed.sort();
        there.sort();
        QCOMPARE(listed, there);
    }

    void everyPageStandsInTheContents() {
        const ManualPage* index = m_manual.page(Manual::kIndex);
        QVERIFY(index);
        QSet<QString> named = {QLatin1String(Manual::kIndex)};
        for (const std::string& link : index->links)
            named << QString::fromStdString(resolvedLink(index->name, link)).section(QLatin1Char('#'), 0, 0);
        for (const ManualPage& page : m_manual.pages()) {
            QVERIFY2(named.contains(QString::fromStdString(page.name)), page.name.c_str());
            QVERIFY2(!page.sections.empty() && page.sections.front().level == 1, page.name.c_str());
        }
    }

    void everyLinkLeadsSomewhere() {
        int inside = 0;
        QStringList lost;
        for (const ManualPage& page : m_manual.pages())
            for (const std::string& link : page.links) {
                const std::string target = resolvedLink(page.name, link);
                inside += isExternal(target) ? 0 : 1;
                if (isExternal(target) ? !target.starts_with("https://") : !m_manual.leadsSomewhere(target))
                    lost << QStringLiteral("%1: %2").arg(QString::fromStdString(page.name),
                                                         QString::fromStdString(link));
            }
        QVERIFY2(lost.isEmpty(), qPrintable(lost.join(QLatin1Char('\n'))));
        QVERIFY(inside > 100);
    }

    void picturesAreThereShownAndSmall() {
        QSet<QString> shown;
        for (const ManualPage& page : m_manual.pages())
            for (const std::string& picture : page.pictures)
                shown << QString::fromStdString(resolvedLink(page.name, picture));
        const QStringList there = manualFiles(QStringLiteral("*.png"));
        QCOMPARE(QSet<QString>(there.begin(), there.end()), shown);
        qint64 all = 0;
        for (const QString& name : there) {
            const QFileInfo file(kManualSource + QLatin1Char('/') + name);
            QVERIFY2(file.size() <= kPictureBytes, qPrintable(name));
            QVERIFY2(QImage(file.filePath()).width() >= 300, qPrintable(name));
            all += file.size();
        }
        QVERIFY(all <= kAllPicturesBytes);
    }

    void everyCodeHasItsEntry() {
        const ManualPage* page = m_manual.page(kMessages);
        QVERIFY(page);
        std::map<QString, QString> entries; // anchor, heading
        for (const ManualSection& section : page->sections)
            if (section.level >= 3) {
                const QString anchor = QString::fromStdString(section.anchor);
                QVERIFY2(!section.words.empty(), section.heading.c_str());
                entries.emplace(anchor, QString::fromStdString(section.heading));
            }
        const std::map<QString, QString> codes = codesOfTheSources();
        QVERIFY(codes.size() > 400);
        QStringList missing, stale;
        std::map<QString, QString> anchors;
        for (const auto& [code, file] : codes) {
            const QString anchor = QString::fromStdString(headingAnchor(code.toStdString()));
            const auto entry = entries.find(anchor);
            if (entry == entries.end() || entry->second != code)
                missing << QStringLiteral("%1 (%2)").arg(code, file);
            QVERIFY2(anchors.emplace(anchor, code).second, qPrintable(code)); // two codes, one entry
        }
        for (const auto& [anchor, heading] : entries)
            if (!codes.contains(heading))
                stale << heading;
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("resources/manual/messages.md wants a heading "
                                                              "\"### CODE\" and a sentence for each of\n") +
                                               missing.join(QLatin1Char('\n'))));
        QVERIFY2(stale.isEmpty(),
                 qPrintable(QStringLiteral("resources/manual/messages.md has entries of codes "
                                           "that nothing emits:\n") +
                            stale.join(QLatin1Char('\n'))));
    }

    void generatedPagesAreWhatTheProgramWrites() {
        const QTemporaryDir folder;
        const bool update = qEnvironmentVariableIsSet("PW_UPDATE_EXPECTED");
        const QString committed = kManualSource + QStringLiteral("/generated"),
                      out = update ? committed : folder.filePath(QStringLiteral("made/on the way"));
        const CliRun run = runCli({QStringLiteral("manual"), QStringLiteral("--out"), out});
        QVERIFY2(run.code == 0, run.err.constData());
        const QStringList written = QDir(out).entryList(QDir::Files);
        QVERIFY(written.size() >= 6);
        for (const QString& name : written)
            QVERIFY2(textOf(QDir(out).filePath(name)) == textOf(QDir(committed).filePath(name)),
                     qPrintable(name + QStringLiteral(" is stale: the target manual-tables writes it")));
    }

    // It takes minutes and is written anew by hand: of other constants or capabilities, or of none, it is
    // stale.
    void termsAreOfTheseConstantsAndCapabilities() {
        const QString page = textOf(kManualSource + QStringLiteral("/generated/terms.md"));
        const qsizetype behind = page.indexOf(QLatin1String("## Without each capability"));
        QVERIFY(behind > 0);
        const QString terms = page.left(behind), capabilities = page.mid(behind);
        const Json software = toJson(Software{});
        for (const auto& [name, usual] : software.items())
            QVERIFY2(capabilities.count(QString::fromStdString(fmt::format("| `{}` |", name))) == 1,
                     name.c_str());
        for (const FittedConstant& c : ConstantSet::builtin().list()) {
            const QString row =
                QString::fromStdString(fmt::format("| `{}` | {} | {:.4g} |", c.name, c.section, c.value));
            QVERIFY2(terms.contains(row), qPrintable(row));
            QVERIFY2(terms.count(QString::fromStdString(fmt::format("| `{}` |", c.name))) == 2,
                     c.name.c_str());
        }
    }

    // Likewise the page of sources left out: it has a row of each whose times are predicted.
    void generalityIsOfTheseSources() {
        const QString page = textOf(kManualSource + QStringLiteral("/generated/generality.md")),
                      now = textOf(kManualSource + QStringLiteral("/generated/accuracy.md"));
        const QString errors =
            now.section(QStringLiteral("\n## Errors\n"), 1).section(QStringLiteral("\n## "), 0, 0);
        static const QRegularExpression row(QStringLiteral("^\\| ([^|]+) \\|[^\n]*\\d\\.\\d %"),
                                            QRegularExpression::MultilineOption);
        int count = 0;
        for (auto found = row.globalMatch(page); found.hasNext(); ++count) {
            const QString name = QStringLiteral("[%1](").arg(found.next().captured(1));
            QVERIFY2(errors.contains(name), qPrintable(name));
        }
        QVERIFY(count > 10);
    }

    void readmeIsShort() {
        const QString readme = textOf(source(QStringLiteral("README.md")));
        QVERIFY(readme.count(QLatin1Char('\n')) <= kReadmeLines);
        QVERIFY(readme.contains(QStringLiteral("resources/manual/index.md")));
    }

    // What is installed: every page, its pictures and the stylesheet, and no link that leads nowhere.
    void htmlIsWhole() {
        const QTemporaryDir folder;
        QCOMPARE(QProcess::execute(QStringLiteral(PW_MANUAL), {kManualSource, folder.path()}), 0);
        QMap<QString, QString> pages;
        QDirIterator files(folder.path(), {QStringLiteral("*.html")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString file = files.next();
            pages.insert(QDir(folder.path()).relativeFilePath(file), textOf(file));
        }
        QCOMPARE(pages.size(), static_cast<qsizetype>(m_manual.pages().size()));
        static const QRegularExpression link(QStringLiteral("(?:href|src)=\"([^\"]+)\""));
        QStringList lost;
        for (auto page = pages.begin(); page != pages.end(); ++page)
            for (auto match = link.globalMatch(page.value()); match.hasNext();) {
                const std::string stated = match.next()
                                               .captured(1)
                                               .replace(QStringLiteral("&amp;"), QStringLiteral("&"))
                                               .toStdString();
                if (isExternal(stated))
                    continue;
                const QString target = QUrl::fromPercentEncoding(
                    QByteArray::fromStdString(resolvedLink(page.key().toStdString(), stated)));
                const QString file = target.section(QLatin1Char('#'), 0, 0);
                const QString anchor = target.section(QLatin1Char('#'), 1);
                if (!QFileInfo::exists(folder.filePath(file)) ||
                    (!anchor.isEmpty() &&
                     !pages.value(file).contains(QStringLiteral(" id=\"%1\"").arg(anchor))))
                    lost << QStringLiteral("%1: %2").arg(page.key(), target);
            }
        QVERIFY2(lost.isEmpty(), qPrintable(lost.join(QLatin1Char('\n'))));
    }

private:
    Manual m_manual;
};

QTEST_GUILESS_MAIN(ManualPagesTest)
#include "manual_pages_test.moc"
