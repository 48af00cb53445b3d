// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/theme.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace pw;

// What the colours of every theme keep: contrasts of WCAG 2, 4.5 for text and 3 for bars, and in themes of
// high contrast 7 for text and 3 for whatever else says something.
class ThemeTest : public QObject {
    Q_OBJECT

private:
    static void check(const ThemeRow& row, const char* what, const QColor& ink, const QColor& ground,
                      double least) {
        QVERIFY2(contrast(ink, ground) >= least, qPrintable(QStringLiteral("%1, %2: %3 on %4 is %5")
                                                                .arg(QLatin1String(row.name))
                                                                .arg(QLatin1String(what))
                                                                .arg(ink.name(), ground.name())
                                                                .arg(contrast(ink, ground))));
    }
    static double leastOfText(const Theme& t) { return t.highContrast ? 7.0 : 4.5; }

private Q_SLOTS:
    void contrastIsThatOfWcag() {
        QCOMPARE(std::round(contrast(Qt::black, Qt::white)), 21.0);
        QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
        QVERIFY(std::abs(contrast(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.01);
        QCOMPARE(inkOn(QColor(Qt::yellow)), QColor(Qt::black));
        QCOMPARE(inkOn(QColor(Qt::blue)), QColor(Qt::white));
    }

    void textStandsOutOnEveryGround() {
        for (const ThemeRow& row : themeTable()) {
            const Theme& t = row.theme();
            std::vector<QColor> grounds = {t.panel, t.window, t.title, t.head, t.alternate};
            std::vector<QColor> inks = {t.text, t.text2, t.accent, t.ok, t.warn, t.err};
            if (t.highContrast) {
                grounds.insert(grounds.end(), {t.canvas, t.node, t.button, t.accentGround, t.okGround,
                                               t.warnGround, t.errGround, t.infoGround});
                inks.push_back(t.text3); // what is disabled, too
            }
            for (const QColor& ground : grounds)
                for (const QColor& ink : inks)
                    check(row, "text", ink, ground, leastOfText(t));
            check(row, "text of the primary button", t.onAccent, t.accent, leastOfText(t));
        }
    }

    void barsStandOutOnThePanel() {
        for (const ThemeRow& row : themeTable()) {
            const Theme& t = row.theme();
            for (const Theme::Kind& kind : t.kinds) {
                const bool byEdge = contrast(kind.edge, t.panel) > contrast(kind.fill, t.panel);
                check(row, "bar", byEdge ? kind.edge : kind.fill, t.panel, 3.0);
                check(row, "number on a bar", kind.number, kind.fill, leastOfText(t));
            }
        }
    }

    // Twelve stages in a row are twelve colours, and the numbers on them can be read.
    void stagesDiffer() {
        for (const ThemeRow& row : themeTable()) {
            const Theme& t = row.theme();
            for (int a = 0; a < 12; ++a) {
                check(row, "number of a stage", t.onStage, t.stage(a), leastOfText(t));
                check(row, "text on a stage's ground", t.text, t.stageGround(a), leastOfText(t));
                for (int b = 0; b < a; ++b) {
                    const QColor &one = t.stage(a), &other = t.stage(b);
                    const double apart = std::hypot(one.red() - other.red(), one.green() - other.green(),
                                                    one.blue() - other.blue());
                    QVERIFY2(apart >= 38.0, qPrintable(one.name() + QLatin1Char(' ') + other.name()));
                }
            }
        }
    }

    void highContrastIsOfAllThatSaysSomething() {
        int themes = 0;
        for (const ThemeRow& row : themeTable()) {
            const Theme& t = row.theme();
            if (!t.highContrast)
                continue;
            ++themes;
            for (const QColor& ground :
                 {t.panel, t.window, t.canvas, t.node, t.alternate, t.head, t.title, t.button})
                for (const QColor& line :
                     {t.line, t.faint, t.grid, t.hatch, t.text3, t.warnMark, t.ink, t.accent})
                    check(row, "line", line, ground, 3.0);
            for (int i = 0; i < 12; ++i) {
                check(row, "second text on a stage's ground", t.text2, t.stageGround(i), 7.0);
                for (const QColor& ground : {t.panel, t.node, t.title, t.stageGround(i)})
                    check(row, "stage", t.stage(i), ground, 3.0);
            }
            for (const QColor& band : t.memory)
                check(row, "band of memory", band, t.panel, 3.0);
        }
        QCOMPARE(themes, 2);
    }

    void figuresAreReadOnTheirColour() {
        for (const ThemeRow& row : themeTable())
            for (const QColor& step : row.theme().ramp)
                check(row, "figure of a map", inkOn(step), step, leastOfText(row.theme()));
    }

    // Colours stand in the theme, or the contrasts above would say nothing of the views.
    void noColourIsWrittenElsewhere() {
        static const QRegularExpression colour(QStringLiteral(
            "#[0-9A-Fa-f]{6}\\b|QColor\\((0x|\"|\\d)|qRgb|0x[fF]{2}[0-9A-Fa-f]{6}|"
            "Qt::(white|black|gray|red|green|blue|cyan|magenta|yellow|(dark|light)[A-Z]\\w*)\\b"));
        QStringList found;
        QDirIterator files(QStringLiteral(PW_SOURCE_DIR "/ui"),
                           {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                           QDirIterator::Subdirectories);
        int read = 0;
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            ++read;
            if (file.fileName().endsWith(QLatin1String("base/theme_colours.cpp")))
                continue;
            if (const auto match = colour.match(QString::fromUtf8(file.readAll())); match.hasMatch())
                found << file.fileName() + QLatin1String(": ") + match.captured();
        }
        QVERIFY(read > 100);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
