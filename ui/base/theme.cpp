// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/theme.h"

#include "ui/base/focus_frame.h"
#include "ui/base/plain_labels.h"
#include "ui/base/restyle.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPainter>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>

namespace pw {

QString styleSheet(const Theme& theme); // style_sheet.cpp

namespace {

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

// Each widget is styled once. QApplication::setStyleSheet() alone goes through every widget whose rules it
// knows and, for each of these, through all that lie in it: some ten times each in a window as deep as ours,
// and 0.8 s.
void replaceStyleSheet(QApplication& app, const QString& sheet) {
    app.style()->unpolish(&app); // forgets all rules, and with them which widgets to go through
    app.setStyleSheet(sheet);
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (!widget->parentWidget()) // else it is restyled with its owner
            restyle(*widget);
}

} // namespace

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
    const ThemeMode shown = mode != ThemeMode::System ? mode
                            : systemIsDark            ? ThemeMode::Dark
                                                      : ThemeMode::Light;
    m_theme = &themeRow(shown).theme();
    // Each of these goes through every widget that there is.
    if (!m_styled) {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setFont(bodyFont());
        m_styled = true;
    }
    QApplication::setPalette(m_theme->palette());
    replaceStyleSheet(app, styleSheet(*m_theme));
    keepLabelsPlain(app);
    showFocusFrames(app);
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
    return stale ? mixed(colour, theme().panel, theme().highContrast ? 0.7 : 0.4) : colour;
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
