// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/page_interface.h"

#include "ui/help/manual_browser.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>

namespace pw {
namespace {

// Offsets are positions in the page's QTextDocument.
class PageInterface : public QAccessibleWidget, public QAccessibleTextInterface {
public:
    explicit PageInterface(ManualBrowser* page)
        : QAccessibleWidget(page, QAccessible::Document), m_page(page) {}

    int childCount() const override { return 0; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? m_page->toPlainText() : QAccessibleWidget::text(kind);
    }
    QAccessible::State state() const override {
        QAccessible::State state = QAccessibleWidget::state();
        state.readOnly = state.multiLine = state.selectableText = true;
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TextInterface ? static_cast<QAccessibleTextInterface*>(this)
                                                  : QAccessibleWidget::interface_cast(type);
    }

    int selectionCount() const override { return m_page->textCursor().hasSelection() ? 1 : 0; }
    void selection(int index, int* start, int* end) const override {
        const QTextCursor cursor = m_page->textCursor();
        const bool there = index == 0 && cursor.hasSelection();
        *start = there ? cursor.selectionStart() : 0;
        *end = there ? cursor.selectionEnd() : 0;
    }
    void addSelection(int start, int end) override { setSelection(0, start, end); }
    void removeSelection(int index) override {
        QTextCursor cursor = m_page->textCursor();
        cursor.clearSelection();
        if (index == 0)
            m_page->setTextCursor(cursor);
    }
    void setSelection(int index, int start, int end) override {
        if (index == 0)
            m_page->setTextCursor(between(start, end));
    }
    int cursorPosition() const override { return m_page->textCursor().position(); }
    void setCursorPosition(int position) override { m_page->setTextCursor(between(position, position)); }
    int characterCount() const override { return m_page->document()->characterCount() - 1; }
    QString text(int start, int end) const override {
        return between(start, end)
            .selectedText()
            .replace(QChar::ParagraphSeparator, QLatin1Char('\n'))
            .replace(QChar::LineSeparator, QLatin1Char('\n'));
    }
    QRect characterRect(int offset) const override {
        const QRect at = m_page->cursorRect(between(offset, offset));
        const QRect next = m_page->cursorRect(between(offset + 1, offset + 1));
        const int width = next.top() == at.top() ? next.left() - at.left() : 0; // else the line ends there
        return QRect(m_page->viewport()->mapToGlobal(at.topLeft()), QSize(std::max(width, 1), at.height()));
    }
    int offsetAtPoint(const QPoint& point) const override {
        return m_page->cursorForPosition(m_page->viewport()->mapFromGlobal(point)).position();
    }
    void scrollToSubstring(int start, int) override {
        QScrollBar* bar = m_page->verticalScrollBar();
        bar->setValue(bar->value() + m_page->cursorRect(between(start, start)).top());
    }
    // Bold or not, which tells headings and terms, as far as it goes on.
    QString attributes(int offset, int* start, int* end) const override {
        const QTextBlock block = m_page->document()->findBlock(clamped(offset));
        *start = block.position();
        *end = block.position() + block.length();
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (const QTextFragment own = part.fragment(); own.contains(offset)) {
                *start = own.position();
                *end = own.position() + own.length();
                return own.charFormat().fontWeight() > QFont::Medium ? QStringLiteral("font-weight:bold;")
                                                                     : QStringLiteral("font-weight:normal;");
            }
        return {};
    }

private:
    int clamped(int position) const { return std::clamp(position, 0, characterCount()); }
    QTextCursor between(int start, int end) const {
        QTextCursor cursor(m_page->document());
        cursor.setPosition(clamped(start));
        cursor.setPosition(clamped(end), QTextCursor::KeepAnchor);
        return cursor;
    }

    ManualBrowser* m_page;
};

QAccessibleInterface* pageFactory(const QString&, QObject* object) {
    auto* page = qobject_cast<ManualBrowser*>(object);
    return page ? new PageInterface(page) : nullptr;
}

} // namespace

void tellPagesAsDocuments() {
    [[maybe_unused]] static const bool once = (QAccessible::installFactory(pageFactory), true);
}

} // namespace pw
