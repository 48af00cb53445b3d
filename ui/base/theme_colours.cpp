// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/theme.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw {

// The colours of every theme; theme_test holds what they have to keep.

namespace {

QColor c(unsigned rgb) {
    return QColor(QRgb(0xFF000000u | rgb));
}

QBrush diagonal(int pitch, const QColor& color, bool back = false, double width = 1.0,
                const QColor& ground = Qt::transparent) {
    QImage tile(pitch, pitch, QImage::Format_ARGB32_Premultiplied);
    tile.fill(ground);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, width));
    for (int shift = -pitch; shift <= pitch; shift += pitch) {
        if (back)
            painter.drawLine(shift - 1, -1, shift + pitch + 1, pitch + 1);
        else
            painter.drawLine(shift - 1, pitch + 1, shift + pitch + 1, -1);
    }
    painter.end();
    return QBrush(tile);
}

QBrush dots(int pitch, const QColor& color) {
    QImage tile(pitch, pitch, QImage::Format_ARGB32_Premultiplied);
    tile.fill(Qt::transparent);
    tile.setPixelColor(pitch / 2, pitch / 2, color);
    return QBrush(tile);
}

void addTextures(Theme& t) {
    t.idle = diagonal(6, t.hatch);
    t.waits = diagonal(4, t.text3);
    t.coolDown = diagonal(6, t.text3, true);
    t.overflow = diagonal(5, t.err, false, 1.5, t.errGround);
    t.estimateDots = dots(4, QColor(0, 0, 0, 191));
    t.estimateDotsOnForward = dots(6, t.kind(BarKind::Forward).number);
}

// Of equal steps in lightness, and the same to most eyes: cividis (doi:10.1371/journal.pone.0199239).
std::array<QColor, 9> cividis() {
    return {c(0x00224E), c(0x1D3A6E), c(0x434E6C), c(0x5F636E), c(0x7C7B78),
            c(0x9B9276), c(0xBCAB6E), c(0xDEC65A), c(0xFDE737)};
}

// The same without its middle, on which neither black nor white stands out 7:1.
std::array<QColor, 9> steps() {
    return {c(0x00224E), c(0x102E60), c(0x1D3A6E), c(0x2E4870), c(0xB0A272),
            c(0xBCAB6E), c(0xCDB968), c(0xDEC65A), c(0xFDE737)};
}

Theme makeLight() {
    Theme t;
    t.dark = false;
    t.panel = c(0xFFFFFF), t.window = c(0xECEEF1), t.title = c(0xE3E6EA), t.head = c(0xF1F3F5);
    t.alternate = c(0xF7F8F9), t.canvas = c(0xFBFBFC), t.node = c(0xFFFFFF);
    t.line = c(0xCBD0D7), t.faint = c(0xE6E9ED), t.grid = c(0xEDEFF2);
    t.text = c(0x1A1F26), t.text2 = c(0x515A66), t.text3 = c(0x7C8591);
    t.accent = c(0x4F46C8), t.accentGround = c(0xEAE8FB), t.onAccent = c(0xFFFFFF), t.button = c(0xF8F9FA);
    t.ok = c(0x1A7444), t.okGround = c(0xE5F4EB);
    t.warn = c(0x8F5A00), t.warnGround = c(0xFFF3DA), t.warnMark = c(0xB87A0A);
    t.err = c(0xB42318), t.errGround = c(0xFCE9E7), t.infoGround = c(0xE8EFF8);
    t.ink = c(0x11151A), t.hatch = c(0xDDE1E6);
    t.kinds = {{{c(0x0072B2), c(0x004F7C), Qt::white},
                {c(0x56B4E9), c(0x4999C6), Qt::black},
                {c(0x009E73), c(0x006E50), Qt::black},
                {c(0xCC79A7), c(0xA3557F), Qt::black},
                {c(0xF0E442), c(0x9C942A), Qt::black},
                {c(0xE69F00), c(0xC38700), Qt::black},
                {c(0xD55E00), c(0x9C4500), Qt::black}}};
    t.stages = {c(0x5B4B8A), c(0x3E6A99), c(0x2C807C), c(0x4F7D3A), c(0x84701A), c(0xA5662B),
                c(0xB03A4E), c(0xA63F7E), c(0x7A3FA8), c(0x23407A), c(0x1E5F45), c(0x6E4A2F)};
    t.stageGrounds = {c(0xECE9F4), c(0xE5EDF5), c(0xE2F0EF), c(0xE8F1E4), c(0xF4EFDC), c(0xF6EADF),
                      c(0xF6E7EA), c(0xF4E8F0), c(0xEFE8F5), c(0xE5E8EF), c(0xE4ECE9), c(0xEEE9E6)};
    t.onStage = c(0xFFFFFF);
    t.memory = {c(0xDFE3E8), c(0x5E6B7C), c(0x8592A2), c(0xB3BCC8), c(0xE5D5BC), c(0xD2B48C), c(0xA9804E)};
    t.ramp = cividis();
    addTextures(t);
    return t;
}

Theme makeDark() {
    Theme t;
    t.dark = true;
    t.panel = c(0x1B1D20), t.window = c(0x25282C), t.title = c(0x2F3338), t.head = c(0x272A2F);
    t.alternate = c(0x1F2225), t.canvas = c(0x1D1F22), t.node = c(0x272A2F);
    t.line = c(0x3D4249), t.faint = c(0x2B2F34), t.grid = c(0x26292D);
    t.text = c(0xE6E9ED), t.text2 = c(0xA4ACB7), t.text3 = c(0x7C8692);
    t.accent = c(0xA9A3FF), t.accentGround = c(0x322F57), t.onAccent = c(0x15131F), t.button = c(0x30343A);
    t.ok = c(0x58C98E), t.okGround = c(0x1D3529);
    t.warn = c(0xE5AC45), t.warnGround = c(0x3A2F18), t.warnMark = c(0xB98A2E);
    t.err = c(0xFF8A7C), t.errGround = c(0x41211F), t.infoGround = c(0x1F2C3A);
    t.ink = c(0xFFFFFF), t.hatch = c(0x343940);
    t.kinds = {{{c(0x0072B2), c(0x00456D), Qt::white},
                {c(0x56B4E9), c(0x2A7FAE), Qt::black},
                {c(0x009E73), c(0x006047), Qt::black},
                {c(0xCC79A7), c(0x934F76), Qt::black},
                {c(0xF0E442), c(0xA39A22), Qt::black},
                {c(0xE69F00), c(0x9C6C00), Qt::black},
                {c(0xD55E00), c(0x8F3F00), Qt::black}}};
    t.stages = {c(0xA595DB), c(0x76A9DA), c(0x55BDB6), c(0x8CC878), c(0xD3BE57), c(0xE39B5F),
                c(0xF08C8C), c(0xE58CC3), c(0xC48CF0), c(0x7F8CFF), c(0x3FE0A0), c(0xC9B7A5)};
    t.stageGrounds = {c(0x322F41), c(0x263442), c(0x213A3A), c(0x2A3929), c(0x3A3625), c(0x3D3026),
                      c(0x3D2F31), c(0x3B2F3A), c(0x362F41), c(0x2B2F44), c(0x213C34), c(0x373635)};
    t.onStage = c(0x15171A);
    t.memory = {c(0x33383F), c(0x7D8A9B), c(0x5F6B7A), c(0x475260), c(0x6A5538), c(0x8F7048), c(0xC69A62)};
    t.ramp = cividis();
    addTextures(t);
    return t;
}

// Of high contrast: text 7:1 on every ground that it stands on, whatever else says something 3:1. Numbers on
// bars are black wherever white would want a fill too dark to tell from the next kind.
Theme makeHighContrastLight() {
    Theme t;
    t.dark = false;
    t.highContrast = true;
    t.panel = c(0xFFFFFF), t.window = c(0xFFFFFF), t.title = c(0xEBEBEB), t.head = c(0xF4F4F4);
    t.alternate = c(0xF7F7F7), t.canvas = c(0xFFFFFF), t.node = c(0xFFFFFF);
    t.line = c(0x5A5A5A), t.faint = c(0x808080), t.grid = c(0x7E7E7E);
    t.text = c(0x000000), t.text2 = c(0x262626), t.text3 = c(0x454545);
    t.accent = c(0x0A1F9E), t.accentGround = c(0xDCE3FF), t.onAccent = c(0xFFFFFF), t.button = c(0xFFFFFF);
    t.ok = c(0x00471C), t.okGround = c(0xDFF5E6);
    t.warn = c(0x523300), t.warnGround = c(0xFFF0CC), t.warnMark = c(0x8A5A00);
    t.err = c(0x800A00), t.errGround = c(0xFFE4E1), t.infoGround = c(0xE1ECFF);
    t.ink = c(0x000000), t.hatch = c(0x7E7E7E);
    t.kinds = {{{c(0x00497A), c(0x002A47), Qt::white},
                {c(0x56B4E9), c(0x1F6FA3), Qt::black},
                {c(0x00B382), c(0x005C42), Qt::black},
                {c(0xDA94BF), c(0x8A3E67), Qt::black},
                {c(0xF0E442), c(0x756E14), Qt::black},
                {c(0xE69F00), c(0x8A5F00), Qt::black},
                {c(0xF58231), c(0x8A3D00), Qt::black}}};
    t.stages = {c(0x4A3A7A), c(0x244F7A), c(0x0F5C58), c(0x355C22), c(0x545400), c(0x7A3E00),
                c(0x8A1F35), c(0x7D1F60), c(0x6A14A0), c(0x102F6B), c(0x0A4A30), c(0x543317)};
    t.stageGrounds = {c(0xECE9F4), c(0xE5EDF5), c(0xE2F0EF), c(0xE8F1E4), c(0xF4EFDC), c(0xF6EADF),
                      c(0xF6E7EA), c(0xF4E8F0), c(0xEFE8F5), c(0xE5E8EF), c(0xE4ECE9), c(0xEEE9E6)};
    t.onStage = c(0xFFFFFF);
    t.memory = {c(0x8C8C8C), c(0x1F3A5F), c(0x44638C), c(0x6F8FB5), c(0xB0823C), c(0x8A5A1E), c(0x5C3300)};
    t.ramp = steps();
    addTextures(t);
    return t;
}

Theme makeHighContrastDark() {
    Theme t;
    t.dark = true;
    t.highContrast = true;
    t.panel = c(0x000000), t.window = c(0x000000), t.title = c(0x1F1F1F), t.head = c(0x141414);
    t.alternate = c(0x0D0D0D), t.canvas = c(0x000000), t.node = c(0x000000);
    t.line = c(0x9A9A9A), t.faint = c(0x757575), t.grid = c(0x767676);
    t.text = c(0xFFFFFF), t.text2 = c(0xE0E0E0), t.text3 = c(0xB8B8B8);
    t.accent = c(0xC8C4FF), t.accentGround = c(0x262357), t.onAccent = c(0x000000), t.button = c(0x000000);
    t.ok = c(0x7FE8AE), t.okGround = c(0x0C2B1A);
    t.warn = c(0xFFCB70), t.warnGround = c(0x332600), t.warnMark = c(0xE5AC45);
    t.err = c(0xFFB3A8), t.errGround = c(0x3A1210), t.infoGround = c(0x10243A);
    t.ink = c(0xFFFFFF), t.hatch = c(0x767676);
    t.kinds = {{{c(0x4FA3E3), c(0x1F6FA8), Qt::black},
                {c(0xA8DCFF), c(0x5AA0CC), Qt::black},
                {c(0x00C490), c(0x007F5C), Qt::black},
                {c(0xE3A3C8), c(0xA8608A), Qt::black},
                {c(0xF0E442), c(0xA39A22), Qt::black},
                {c(0xF0AE1E), c(0xA87300), Qt::black},
                {c(0xFF8A3D), c(0xB34E00), Qt::black}}};
    t.stages = {c(0xB9ABEB), c(0x8ABCEB), c(0x63CCC5), c(0x9AD686), c(0xE0CC66), c(0xF09A50),
                c(0xFF9E9E), c(0xF29CD2), c(0xDB90FF), c(0x7F93FF), c(0x4FF0B0), c(0xD8C8B8)};
    t.stageGrounds = {c(0x1C1828), c(0x12202E), c(0x0D2422), c(0x16230F), c(0x242007), c(0x291D12),
                      c(0x29191A), c(0x271722), c(0x20172B), c(0x171A2E), c(0x0C261C), c(0x211F1D)};
    t.onStage = c(0x000000);
    t.memory = {c(0x6E6E6E), c(0xA9B6C7), c(0x8595A8), c(0x68788C), c(0xA08458), c(0xC09A5C), c(0xE3BC7C)};
    t.ramp = steps();
    addTextures(t);
    return t;
}

template <Theme (*make)()>
const Theme& made() {
    static const Theme theme = make();
    return theme;
}

} // namespace

const Theme& Theme::light() {
    return made<makeLight>();
}

const std::vector<ThemeRow>& themeTable() {
    static const std::vector<ThemeRow> rows = {
        {ThemeMode::Light, "light", "view.light", made<makeLight>},
        {ThemeMode::Dark, "dark", "view.dark", made<makeDark>},
        {ThemeMode::BlackOnWhite, "black-on-white", "view.blackOnWhite", made<makeHighContrastLight>},
        {ThemeMode::WhiteOnBlack, "white-on-black", "view.whiteOnBlack", made<makeHighContrastDark>},
    };
    return rows;
}

const ThemeRow& themeRow(ThemeMode mode) {
    const auto found = std::find_if(themeTable().begin(), themeTable().end(),
                                    [mode](const ThemeRow& row) { return row.mode == mode; });
    return found != themeTable().end() ? *found : themeTable().front();
}

const char* themeName(ThemeMode mode) {
    return mode == ThemeMode::System ? "system" : themeRow(mode).name;
}

double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& colour) {
        const auto linear = [](double v) {
            return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
               0.0722 * linear(colour.blueF());
    };
    const double one = luminance(a) + 0.05, other = luminance(b) + 0.05;
    return std::max(one, other) / std::min(one, other);
}

QColor inkOn(const QColor& ground) {
    const QColor black(Qt::black), white(Qt::white);
    return contrast(black, ground) >= contrast(white, ground) ? black : white;
}

} // namespace pw
