// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/note_editor.h"

#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/items.h"

#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace pw {

NoteEditor::NoteEditor(const QString& text, QWidget* parent) : QPlainTextEdit(text, parent), m_before(text) {
    setObjectName(QStringLiteral("topology.noteEditor"));
    setAccessibleName(tr("Text of the note"));
    setFont(bodyFont());
    setTabChangesFocus(true);
    selectAll();
}

// Its keys are the window's elsewhere: Ctrl+Enter compares plans.
bool NoteEditor::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (key->key() == Qt::Key_Escape || (enter && key->modifiers() & Qt::ControlModifier)) {
            event->accept();
            return true;
        }
    }
    return QPlainTextEdit::event(event);
}

void NoteEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return finish(m_before.isEmpty()); // of a new one nothing that was written is lost
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
        event->modifiers() & Qt::ControlModifier)
        return finish(true);
    QPlainTextEdit::keyPressEvent(event);
}

void NoteEditor::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason)
        finish(true);
}

// The canvas around it would go to its next item by Tab.
bool NoteEditor::focusNextPrevChild(bool) {
    finish(true);
    return true;
}

void NoteEditor::finish(bool take) {
    if (std::exchange(m_done, true))
        return;
    if (take && toPlainText() != m_before)
        Q_EMIT written(toPlainText());
    Q_EMIT ended(); // the focus goes back first, else hiding would hand it to the next item of the canvas
    hide();
    deleteLater();
}

void TopologyCanvas::placeNote() {
    if (pw::placeNote(m_app, spotFor(QSizeF(Note().width, Note().height))))
        editNote(*m_app.selection.items().begin());
}

void TopologyCanvas::editNote(const QString& id) {
    for (NoteEditor* other : viewport()->findChildren<NoteEditor*>()) // writes, and the drawing is made anew
        other->finish(true);
    const auto look = std::ranges::find(m_drawing.notes, id, &NoteLook::id);
    if (look == m_drawing.notes.end() || !isVisible()) // into one that is not seen nobody could write
        return;
    auto* editor = new NoteEditor(look->text, viewport());
    const QRect place = mapFromScene(look->box).boundingRect();
    editor->setGeometry(place.x(), place.y(), std::max(place.width(), 160), std::max(place.height(), 60));
    connect(editor, &NoteEditor::written, this,
            [this, id](const QString& text) { writeNote(m_app, id, text); });
    connect(editor, &NoteEditor::ended, this, [this, editor] { takeKeysFrom(editor); });
    connect(&m_app.document, &Document::replaced, editor, [editor] { editor->finish(false); });
    editor->show();
    editor->setFocus();
}

} // namespace pw
