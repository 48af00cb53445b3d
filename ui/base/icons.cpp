// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/icons.h"

#include "ui/base/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

// A static library's resources are linked in by this call only; it must stand outside of any namespace.
static void initIcons() {
    Q_INIT_RESOURCE(icons);
}

namespace pw {

namespace {

QColor toneColor(IconTone tone) {
    const Theme& t = theme();
    switch (tone) {
    case IconTone::Text:
        return t.text;
    case IconTone::Text2:
        return t.text2;
    case IconTone::Text3:
        return t.text3;
    case IconTone::Accent:
        return t.accent;
    case IconTone::OnAccent:
        return t.onAccent;
    case IconTone::Ok:
        return t.ok;
    case IconTone::Warn:
        return t.warn;
    case IconTone::Err:
        return t.err;
    }
    return t.text;
}

class LineIconEngine : public QIconEngine {
public:
    LineIconEngine(QByteArray svg, IconTone tone) : m_svg(std::move(svg)), m_tone(tone) {}

    QIconEngine* clone() const override { return new LineIconEngine(m_svg, m_tone); }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const QColor color = mode == QIcon::Disabled ? theme().text3 : toneColor(m_tone);
        QByteArray svg = m_svg;
        svg.replace("currentColor", color.name().toLatin1());
        QSvgRenderer(svg).render(painter, QRectF(rect));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap made(size);
        made.fill(Qt::transparent);
        QPainter painter(&made);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return made;
    }

private:
    QByteArray m_svg;
    IconTone m_tone;
};

} // namespace

QIcon icon(const QString& name, IconTone tone) {
    static const bool ready = (initIcons(), true);
    Q_UNUSED(ready)
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new LineIconEngine(file.readAll(), tone));
}

} // namespace pw
