// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/theme.h"

#include "ui/base/plain_labels.h"

#include <QApplication>
#include <QFontDatabase>
#include <QImage>
#include <QPainter>
#include <QStyleFactory>

namespace pw {

QString styleSheet(const Theme& theme); // style_sheet.cpp

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
    t.estimateDotsOnForward = dots(6, Qt::white);
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
    addTextures(t);
    return t;
}

QString family() {
    static const QString found = [] {
        for (const QString& name : {QStringLiteral("Inter"), QStringLiteral("Noto Sans")})
            if (QFontDatabase::hasFamily(name))
                return name;
        return QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
    }();
    return found;
}

QFont font(int pixels, int weight) {
    QFont made(family());
    made.setPixelSize(pixels);
    made.setWeight(static_cast<QFont::Weight>(weight));
    return made;
}

} // namespace

const Theme& Theme::light() {
    static const Theme made = makeLight();
    return made;
}

const Theme& Theme::darkTheme() {
    static const Theme made = makeDark();
    return made;
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, panel);
    p.setColor(QPalette::AlternateBase, alternate);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, text2);
    p.setColor(QPalette::Button, button);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, err);
    p.setColor(QPalette::ToolTipBase, panel);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Highlight, accentGround);
    p.setColor(QPalette::HighlightedText, text);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, accent);
    p.setColor(QPalette::Light, dark ? line : panel);
    p.setColor(QPalette::Midlight, faint);
    p.setColor(QPalette::Mid, line);
    p.setColor(QPalette::Dark, text3);
    p.setColor(QPalette::Shadow, line);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, text3);
    p.setColor(QPalette::Disabled, QPalette::Highlight, faint);
    return p;
}

ThemeControl::ThemeControl() : m_theme(&Theme::light()) {}

ThemeControl& ThemeControl::instance() {
    static ThemeControl control;
    return control;
}

void ThemeControl::apply(QApplication& app, ThemeMode mode) {
    // Qt 6.4 does not tell a desktop's colour scheme; the palette that the program started with does.
    static const bool systemIsDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    m_mode = mode;
    const bool dark = mode == ThemeMode::Dark || (mode == ThemeMode::System && systemIsDark);
    m_theme = dark ? &Theme::darkTheme() : &Theme::light();
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(m_theme->palette());
    QApplication::setFont(bodyFont());
    app.setStyleSheet(styleSheet(*m_theme));
    keepLabelsPlain(app);
    Q_EMIT changed();
}

QFont bodyFont(int weight) {
    return font(12, weight);
}

QFont smallFont(int weight) {
    return font(11, weight);
}

QFont headingFont() {
    return font(15, QFont::DemiBold);
}

QFont pageFont() {
    return font(20, QFont::DemiBold);
}

QFont laneFont() {
    return font(10, QFont::Normal);
}

QFont codeFont() {
    QFont made(QStringLiteral("DejaVu Sans Mono"));
    made.setStyleHint(QFont::Monospace);
    made.setPixelSize(11);
    return made;
}

QColor mixed(const QColor& over, const QColor& ground, double share) {
    const auto channel = [share](int a, int b) { return static_cast<int>(std::lround(b + (a - b) * share)); };
    return QColor(channel(over.red(), ground.red()), channel(over.green(), ground.green()),
                  channel(over.blue(), ground.blue()));
}

QColor paled(const QColor& colour, bool stale) {
    return stale ? mixed(colour, theme().panel, 0.4) : colour;
}

void paintStageBadge(QPainter& painter, const QRect& rect, int stage, bool hollow) {
    const Theme& t = theme();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hollow ? QPen(t.stage(stage), 1.3) : QPen(Qt::NoPen));
    painter.setBrush(hollow ? QBrush(t.panel) : QBrush(t.stage(stage)));
    painter.drawRoundedRect(hollow ? QRectF(rect).adjusted(0.65, 0.65, -0.65, -0.65) : QRectF(rect), 3, 3);
    painter.setPen(hollow ? t.text2 : t.onStage);
    painter.setFont(rect.height() < 17 ? font(10, QFont::DemiBold) : smallFont(QFont::DemiBold));
    painter.drawText(rect, Qt::AlignCenter, QString::number(stage));
    painter.restore();
}

} // namespace pw
