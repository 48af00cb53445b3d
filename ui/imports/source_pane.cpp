// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/source_pane.h"

#include "core/formats/source.h"
#include "ui/base/convert.h"
#include "ui/base/theme.h"
#include "ui/widgets/elided_label.h"

#include <QFileInfo>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QVBoxLayout>

namespace pw {

namespace {

constexpr qint64 kWhole = 4 << 20;       // bytes of a file that is shown to its end
constexpr qsizetype kLongestLine = 2000; // characters: a trace may be one line of a hundred million

QString shortened(const std::string& text) {
    QString shown;
    const QString all = q(text);
    qsizetype begin = 0;
    while (begin < all.size()) {
        qsizetype end = all.indexOf(QLatin1Char('\n'), begin);
        if (end < 0)
            end = all.size();
        shown += QStringView(all).mid(begin, std::min(end - begin, kLongestLine));
        shown += QLatin1Char('\n');
        begin = end + 1;
    }
    return shown;
}

} // namespace

SourcePane::SourcePane(QWidget* parent)
    : QWidget(parent), m_title(new ElidedLabel), m_view(new QPlainTextEdit) {
    m_title->setFont(smallFont());
    m_title->setForegroundRole(QPalette::PlaceholderText);
    m_view->setObjectName(QStringLiteral("import.source"));
    m_view->setAccessibleName(tr("Text of the file"));
    m_view->setReadOnly(true);
    m_view->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_view->setFont(codeFont());
    m_view->document()->setDefaultFont(codeFont());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_title);
    column->addWidget(m_view, 1);
}

void SourcePane::showFile(const QString& path) {
    if (path == m_path)
        return;
    m_path = path;
    m_place.reset();
    m_view->setExtraSelections({});
    const bool whole = QFileInfo(path).size() <= kWhole;
    Result<std::string> text = whole ? readText(s(path)) : readHead(s(path));
    if (!text) // not to be inflated or decoded as a whole: what can be seen of it
        text = readHead(s(path));
    m_text = text ? *std::move(text) : std::string();
    m_title->setText(whole ? path : tr("%1, its beginning").arg(path));
    m_view->setPlainText(text ? shortened(m_text) : QString());
}

bool SourcePane::goTo(const QString& where) {
    const std::string text = s(where), file = s(m_path);
    if (!text.starts_with(file))
        return false;
    m_place = placeInText(std::string_view(text).substr(file.size()), m_text);
    const QTextBlock line = m_place ? m_view->document()->findBlockByNumber(m_place->line - 1) : QTextBlock();
    if (!line.isValid()) {
        m_place.reset();
        m_view->setExtraSelections({});
        return false;
    }
    QTextCursor cursor(line);
    cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor,
                        std::min(m_place->column, line.length()) - 1);
    m_view->setTextCursor(cursor);
    m_view->centerCursor();
    QTextEdit::ExtraSelection mark;
    mark.cursor = cursor;
    mark.cursor.clearSelection();
    mark.format.setBackground(theme().errGround);
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    QTextEdit::ExtraSelection letter;
    letter.cursor = cursor;
    letter.cursor.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor);
    letter.format.setBackground(theme().err);
    letter.format.setForeground(theme().panel);
    m_view->setExtraSelections({mark, letter});
    return true;
}

} // namespace pw
