// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual_browser.h"

#include "ui/base/convert.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/help/manual_pages.h"
#include "ui/help/page_interface.h"
#include "ui/widgets/read_by_keys.h"

#include <QAccessible>
#include <QDesktopServices>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextFrame> // keep: rootFrame() hands one out

#include <algorithm>
#include <utility>

namespace pw {

namespace {

constexpr int kMargin = 24, kWidest = 820; // of the column: some 110 letters

// What a page looks like beyond the palette. QTextDocument knows a small part of CSS only.
QString pageStyle(const Theme& t) {
    QString css = QStringLiteral(R"(
h1 { font-size: 22px; font-weight: 600; margin-top: 18px; margin-bottom: 10px; }
h2 { font-size: 17px; font-weight: 600; margin-top: 22px; margin-bottom: 8px; }
h3 { font-size: 14px; font-weight: 600; margin-top: 16px; margin-bottom: 6px; }
h4, h5, h6 { font-size: 13px; font-weight: 600; margin-top: 12px; margin-bottom: 4px; }
p, li { line-height: 130%; }
p { margin-top: 0; margin-bottom: 9px; }
a { color: {accent}; }
code { font-family: 'DejaVu Sans Mono'; font-size: 12px; background-color: {head}; }
pre { font-family: 'DejaVu Sans Mono'; font-size: 12px; background-color: {head}; margin-top: 4px; margin-bottom: 12px; }
pre code { background-color: transparent; }
blockquote { color: {text2}; }
table { border-collapse: collapse; margin-top: 4px; margin-bottom: 12px; }
th, td { border: 1px solid {line}; padding: 3px 8px; }
th { background-color: {head}; font-weight: 600; text-align: left; }
)");
    const std::pair<const char*, QColor> tokens[] = {
        {"accent", t.accent}, {"head", t.head}, {"line", t.line}, {"text2", t.text2}};
    for (const auto& [name, color] : tokens)
        css.replace(QStringLiteral("{%1}").arg(QLatin1String(name)), color.name());
    return css;
}

// Commands wrap; what the program prints stays as it is. The end of a block's last line would show as another
// one.
QString adapted(QString html) {
    return html.replace(QStringLiteral("\n</code></pre>"), QStringLiteral("</code></pre>"))
        .replace(QStringLiteral("<pre><code class=\"language-sh\">"),
                 QStringLiteral("<pre style=\"white-space: pre-wrap\"><code>"));
}

QString nameOf(const QUrl& url) {
    return url.path().mid(1);
}

bool isOurs(const QUrl& url) {
    return url.scheme() == QLatin1String(kManualScheme);
}

} // namespace

ManualBrowser::ManualBrowser(QWidget* parent) : QTextBrowser(parent) {
    tellPagesAsDocuments();
    setObjectName(QStringLiteral("manual.page"));
    setAccessibleName(tr("Page"));
    setFrameShape(QFrame::NoFrame);
    document()->setDocumentMargin(kMargin);
    QFont font = bodyFont();
    font.setPixelSize(13);
    setFont(font);
    restyle();
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &ManualBrowser::restyle);
    connect(this, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
        fitColumn();
        mark();
        readFrom(url.fragment());
        const ManualPage* page = shippedManual().page(s(m_page));
        setAccessibleDescription(page ? q(page->title()) : QString());
    });
}

void ManualBrowser::open(const QString& target) {
    setSource(manualUrl(target));
}

// The caret is where the eye is led: who reads by it begins there.
void ManualBrowser::readFrom(const QString& anchor) {
    const auto has = [&anchor](const QTextBlock& block) {
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (part.fragment().charFormat().anchorNames().contains(anchor))
                return true;
        return block.charFormat().anchorNames().contains(anchor);
    };
    QTextBlock block = document()->begin();
    while (!anchor.isEmpty() && block.isValid() && !has(block))
        block = block.next();
    if (!block.isValid())
        return;
    setTextCursor(QTextCursor(block));
    if (!anchor.isEmpty())
        scrollToAnchor(anchor);
    QAccessibleTextCursorEvent moved(this, block.position());
    QAccessible::updateAccessibility(&moved);
}

// A link that the keys have come to is selected: readers are told.
bool ManualBrowser::focusNextPrevChild(bool next) {
    const bool stays = QTextBrowser::focusNextPrevChild(next);
    if (const QTextCursor link = textCursor(); stays && link.hasSelection()) {
        QAccessibleTextSelectionEvent chosen(this, link.selectionStart(), link.selectionEnd());
        QAccessible::updateAccessibility(&chosen);
        QAccessibleTextCursorEvent moved(this, link.position());
        QAccessible::updateAccessibility(&moved);
    }
    return stays;
}

void ManualBrowser::home() {
    open(QLatin1String(Manual::kIndex));
}

// In its place: an edit of the style sheet shows in a page that is read anew.
void ManualBrowser::reload() {
    const int x = horizontalScrollBar()->value(), y = verticalScrollBar()->value();
    QTextBrowser::reload();
    fitColumn();
    mark();
    horizontalScrollBar()->setValue(x);
    verticalScrollBar()->setValue(y);
}

// A page that nobody sees is read when it is seen: it takes as long as the rest of the window together.
void ManualBrowser::restyle() {
    document()->setDefaultStyleSheet(pageStyle(theme()));
    m_outdated = !source().isEmpty() && !isVisible();
    if (!source().isEmpty() && isVisible())
        reload();
}

void ManualBrowser::showEvent(QShowEvent* event) {
    if (std::exchange(m_outdated, false))
        reload();
    readByKeys(*this);
    QTextBrowser::showEvent(event);
}

void ManualBrowser::doSetSource(const QUrl& url, QTextDocument::ResourceType) {
    if (!isOurs(url)) {
        QDesktopServices::openUrl(url);
        return;
    }
    QTextBrowser::doSetSource(url, QTextDocument::HtmlResource);
}

QVariant ManualBrowser::loadResource(int type, const QUrl& url) {
    if (type == QTextDocument::ImageResource) {
        m_pictures.insert(url, true);
        return picture(url);
    }
    if (type != QTextDocument::HtmlResource || !isOurs(url))
        return {};
    m_page = nameOf(url); // source() is behind: it follows when the page has been read
    m_pictures.clear();
    if (const ManualPage* found = shippedManual().page(s(m_page)))
        return adapted(q(found->html));
    return tr("<h1>No such page</h1><p>The manual has no page %1.</p>").arg(m_page.toHtmlEscaped());
}

// As large as it is, or as the column is wide. Of what is shown smaller, a dense screen gets the pixels that
// it can show.
QVariant ManualBrowser::picture(const QUrl& url) const {
    QImage image(QLatin1String(kManualFolder) + manualUrl(m_page).resolved(url).path());
    const int room = std::max(m_column, 200);
    if (image.isNull() || image.width() <= room)
        return image;
    const int pixels = std::min(image.width(), qRound(room * devicePixelRatioF()));
    if (pixels < image.width())
        image = image.scaledToWidth(pixels, Qt::SmoothTransformation);
    image.setDevicePixelRatio(static_cast<double>(pixels) / room);
    return image;
}

void ManualBrowser::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    fitColumn();
}

void ManualBrowser::fitColumn() {
    const int room = viewport()->width() - 2 * kMargin;
    QTextFrameFormat frame = document()->rootFrame()->frameFormat();
    const int beside = std::max(0, room - kWidest);
    if (m_column != std::min(room, kWidest)) {
        m_column = std::min(room, kWidest);
        const QList<QUrl> pictures = m_pictures.keys();
        for (const QUrl& url : pictures)
            document()->addResource(QTextDocument::ImageResource, url, picture(url));
        document()->markContentsDirty(0, document()->characterCount());
    }
    if (frame.rightMargin() != kMargin + beside) {
        frame.setRightMargin(kMargin + beside);
        document()->rootFrame()->setFrameFormat(frame);
    }
}

void ManualBrowser::setMarked(const QStringList& words) {
    m_marked = words;
    mark();
}

void ManualBrowser::mark() {
    QList<QTextEdit::ExtraSelection> marks;
    QTextCharFormat format;
    format.setBackground(theme().warnGround);
    format.setForeground(theme().text);
    for (const QString& word : m_marked) {
        // Where a word begins so, as the search finds them.
        const bool begins = !word.isEmpty() && word.front().isLetterOrNumber();
        const QRegularExpression beginning(
            (begins ? QStringLiteral("(?<![\\p{L}\\p{N}])") : QString()) + QRegularExpression::escape(word),
            QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
        for (QTextCursor at = document()->find(beginning); !at.isNull(); at = document()->find(beginning, at))
            marks.append({at, format});
    }
    std::sort(marks.begin(), marks.end(), [](const auto& a, const auto& b) {
        return a.cursor.selectionStart() < b.cursor.selectionStart();
    });
    setExtraSelections(marks);
}

void ManualBrowser::stepMarked(int by) {
    const QList<QTextEdit::ExtraSelection> marks = extraSelections();
    if (marks.isEmpty())
        return;
    const bool seen = textCursor().hasSelection() && viewport()->rect().intersects(cursorRect());
    const int here = seen ? textCursor().selectionStart() : cursorForPosition({0, 0}).position() - 1;
    const auto starts = [](const QTextEdit::ExtraSelection& mark) { return mark.cursor.selectionStart(); };
    qsizetype found = -1;
    for (qsizetype i = 0; i < marks.size(); ++i)
        if (by < 0 ? starts(marks[i]) < here : found < 0 && starts(marks[i]) > here)
            found = i;
    if (found < 0)
        found = by < 0 ? marks.size() - 1 : 0;
    setTextCursor(marks[found].cursor);
    ensureCursorVisible();
}

} // namespace pw
