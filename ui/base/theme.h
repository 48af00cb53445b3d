// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

#include <array>
#include <vector>

class QApplication;
class QPainter;
class QRect;

namespace pw {

enum class ThemeMode { System, Light, Dark, BlackOnWhite, WhiteOnBlack };

// One theme's colours by what they are for. Colours in code are these and no others.
struct Theme {
    bool dark = false;
    QColor panel, window, title, head, alternate, canvas, node, line, faint, grid;
    QColor text, text2, text3, accent, accentGround, onAccent, button;
    QColor ok, okGround, warn, warnGround, warnMark, err, errGround, infoGround, ink, hatch;

    struct Kind {
        QColor fill, edge, number; // number: text colour on the fill
    };
    std::array<Kind, kBarKinds> kinds; // by BarKind
    const Kind& kind(BarKind k) const { return kinds[static_cast<std::size_t>(k)]; }

    std::array<QColor, 12> stages, stageGrounds; // ramp in pipeline order, repeats
    QColor onStage;
    QColor stage(int i) const { return stages[static_cast<std::size_t>(i) % stages.size()]; }
    QColor stageGround(int i) const {
        return stageGrounds[static_cast<std::size_t>(i) % stageGrounds.size()];
    }
    // Memory bands bottom up: reserve, weights, gradients, optimizer, communication, transient, activations.
    std::array<QColor, 7> memory;

    QBrush idle, waits, coolDown, overflow, estimateDots, estimateDotsOnForward;

    bool highContrast = false; // text 7:1 on its ground, all that says something 3:1
    // Of a map of figures, least to most. Of high contrast its steps are shown as they are: a colour between
    // two has no ink that stands out on it.
    std::array<QColor, 9> ramp;

    static const Theme& light();
    QPalette palette() const;
};

// One row a theme. System is none: it stands for light or dark.
struct ThemeRow {
    ThemeMode mode;
    const char* name;    // in the settings and in names of pictures: "light"
    const char* command; // that chooses it
    const Theme& (*theme)();
};
const std::vector<ThemeRow>& themeTable();
const ThemeRow& themeRow(ThemeMode mode); // of System: the first one
const char* themeName(ThemeMode mode);    // of System, too

// WCAG 2: (lighter + 0.05) / (darker + 0.05), of the relative luminances of sRGB; 1 to 21.
double contrast(const QColor& a, const QColor& b);
QColor inkOn(const QColor& ground); // black or white, whichever stands out more

// The current theme, and the signal when it changes. One for the program.
class ThemeControl : public QObject {
    Q_OBJECT

public:
    static ThemeControl& instance();
    const Theme& theme() const { return *m_theme; }
    ThemeMode mode() const { return m_mode; }
    // Sets Fusion, palette, style sheet and fonts of the application. System follows the palette at start-up.
    void apply(QApplication& app, ThemeMode mode);

Q_SIGNALS:
    void changed();

private:
    ThemeControl();
    const Theme* m_theme;
    ThemeMode m_mode = ThemeMode::System;
    bool m_styled = false; // style and font are set: they are those of every theme
};

inline const Theme& theme() {
    return ThemeControl::instance().theme();
}

// Fonts: body 12, small 11, heading 15/600, page 20/600; pixel sizes.
QFont bodyFont(int weight = 400);
QFont smallFont(int weight = 400);
QFont headingFont();
QFont pageFont();
QFont codeFont(); // code and files: DejaVu Sans Mono 11
QFont laneFont(); // 10, lane names of the timeline only

QColor mixed(const QColor& over, const QColor& ground, double share); // opaque; `share` of the former
// A colour in a result of an earlier state of the project: near the panel. As it is where `stale` is false.
QColor paled(const QColor& colour, bool stale);

// A stage badge: rounded square of the stage's colour with its number.
void paintStageBadge(QPainter& painter, const QRect& rect, int stage, bool hollow = false);

} // namespace pw
