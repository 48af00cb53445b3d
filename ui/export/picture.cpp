// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/picture.h"

#include "core/base/file.h"
#include "ui/base/convert.h"
#include "ui/base/restyle.h"
#include "ui/session/view.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/qcustomplot.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFileInfo>
#include <QGraphicsItem>
#include <QGraphicsView>
#include <QImage>
#include <QLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QPointer>
#include <QSvgGenerator>
#include <QWidget>

namespace pw {

namespace {

constexpr double kPngScale = 2.0;
constexpr double kPointsAPixel = 72.0 / 96.0;

// While it lives, nothing in the view has the focus, so that no frame of it is in the picture. What had it is
// told nothing: a field that is typed in would take its number over, and a place in a list would be lost.
class FocusAside : public QObject {
public:
    explicit FocusAside(const QWidget& view) {
        QWidget* focus = QApplication::focusWidget();
        if (!focus || (focus != &view && !view.isAncestorOf(focus)))
            return;
        m_focus = focus;
        m_focus->installEventFilter(this);
        m_focus->clearFocus();
    }
    ~FocusAside() override {
        if (m_focus)
            m_focus->setFocus(Qt::OtherFocusReason);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        return event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut;
    }

private:
    QPointer<QWidget> m_focus;
};

// While it lives, what is for the screen alone is hidden, and what stands beside it has its room.
class ScreenAside {
public:
    explicit ScreenAside(const QWidget& view) {
        for (QWidget* widget : view.findChildren<QWidget*>())
            if (widget->property(kNotPictured).toBool() && widget->isVisibleTo(&view)) {
                widget->hide();
                m_hidden.emplace_back(widget);
            }
        activate();
    }
    ~ScreenAside() {
        for (QWidget* widget : m_hidden)
            widget->show();
        activate();
    }
    ScreenAside(const ScreenAside&) = delete;
    ScreenAside& operator=(const ScreenAside&) = delete;

private:
    void activate() {
        for (QWidget* widget : m_hidden)
            if (QLayout* layout = widget->parentWidget()->layout())
                layout->activate();
    }
    std::vector<QWidget*> m_hidden;
};

// What a picture of it shows.
QSize sizeOf(const QWidget& view) {
    const auto* whole = qobject_cast<const View*>(&view);
    return whole && !whole->wholeSize().isEmpty() ? whole->wholeSize() : view.size();
}

void paint(QWidget& view, QPainter& painter) {
    if (auto* whole = qobject_cast<View*>(&view); whole && !whole->wholeSize().isEmpty())
        whole->paintWhole(painter);
    else
        view.render(&painter, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
}

// Widgets paint straight onto the device; plots keep a picture of themselves, so they are drawn again over it
// as lines.
void paintVector(QWidget& view, QPaintDevice& device) {
    // Items of a drawing keep pictures of themselves, too.
    std::vector<QGraphicsItem*> pictured;
    for (const QGraphicsView* drawing : view.findChildren<QGraphicsView*>())
        for (QGraphicsItem* item : drawing->scene()->items())
            if (item->cacheMode() != QGraphicsItem::NoCache) {
                item->setCacheMode(QGraphicsItem::NoCache);
                pictured.push_back(item);
            }
    QCPPainter painter(&device);
    painter.setMode(QCPPainter::pmVectorized);
    paint(view, painter);
    for (QCustomPlot* plot : view.findChildren<QCustomPlot*>()) {
        if (!plot->isVisibleTo(&view))
            continue;
        painter.save();
        painter.translate(plot->mapTo(&view, QPoint()));
        painter.setClipRect(plot->rect());
        plot->toPainter(&painter, plot->width(), plot->height());
        painter.restore();
    }
    for (QGraphicsItem* item : pictured)
        item->setCacheMode(QGraphicsItem::DeviceCoordinateCache);
}

QByteArray svgOf(QWidget& view) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(sizeOf(view));
    generator.setViewBox(QRect(QPoint(), sizeOf(view)));
    generator.setTitle(view.accessibleName().isEmpty() ? view.windowTitle() : view.accessibleName());
    paintVector(view, generator);
    return buffer.data();
}

QByteArray pdfOf(QWidget& view) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setCreator(QStringLiteral("Pipewright"));
    writer.setResolution(96);
    writer.setPageMargins(QMarginsF());
    writer.setPageSize(
        QPageSize(QSizeF(sizeOf(view)) * kPointsAPixel, QPageSize::Point, QString(), QPageSize::ExactMatch));
    paintVector(view, writer);
    return buffer.data();
}

QImage imageOf(QWidget& view, double scale) {
    QImage image((QSizeF(sizeOf(view)) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    paint(view, painter);
    return image;
}

QByteArray pngOf(QWidget& view) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    imageOf(view, kPngScale).save(&buffer, "PNG");
    return bytes;
}

} // namespace

Status savePicture(QWidget& view, const QString& path) {
    const FocusAside aside(view);
    const ScreenAside screen(view);
    restyleUnseen(view);
    const QString form = QFileInfo(path).suffix().toLower();
    const QByteArray bytes = form == QLatin1String("svg")   ? svgOf(view)
                             : form == QLatin1String("pdf") ? pdfOf(view)
                             : form == QLatin1String("png") ? pngOf(view)
                                                            : QByteArray();
    if (bytes.isEmpty())
        return badInput("picture.form", s(path), "expected a name that ends in .png, .svg or .pdf");
    return writeFileAtomically(s(path), bytes.toStdString());
}

void copyPicture(QWidget& view) {
    const FocusAside aside(view);
    const ScreenAside screen(view);
    restyleUnseen(view);
    QApplication::clipboard()->setImage(imageOf(view, view.devicePixelRatioF()));
}

QString askAndSavePicture(QWidget* view, const QString& name,
                          const std::function<void(const QString& lead, const Error& error)>& failed) {
    QString chosen = QObject::tr("PNG picture (*.png)");
    QString path = askWhereToSave(
        view->window(), QStringLiteral("picture"), QObject::tr("Save picture as"),
        name + QStringLiteral(".png"),
        QStringList{chosen, QObject::tr("SVG drawing (*.svg)"), QObject::tr("PDF page (*.pdf)")}.join(
            QStringLiteral(";;")),
        &chosen);
    if (path.isEmpty())
        return {};
    if (QFileInfo(path).suffix().isEmpty())
        path += chosen.mid(chosen.indexOf(QLatin1Char('.')), 4);
    if (const Status saved = savePicture(*view, path); !saved) {
        failed(QObject::tr("%1 was not saved.").arg(QFileInfo(path).fileName()), saved.error());
        return {};
    }
    return path;
}

} // namespace pw
