// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/name_editor.h"

#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/geometry.h"
#include "ui/topology/items.h"

#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace pw {

namespace {
constexpr int kLeastWidth = 120; // px, where the drawing is small
} // namespace

NameEditor::NameEditor(const QString& name, std::function<bool(const QString&)> rename, QWidget* parent)
    : QLineEdit(name, parent), m_before(name), m_rename(std::move(rename)) {
    setObjectName(QStringLiteral("topology.nameEditor"));
    setAccessibleName(tr("Name"));
    setFont(bodyFont(600));
    selectAll();
    connect(this, &QLineEdit::editingFinished, this, [this] { take(false); }); // before a command is done
}

// Its Esc is the canvas's and the window's elsewhere.
bool NameEditor::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void NameEditor::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        return end();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return take(false);
    default:
        QLineEdit::keyPressEvent(event);
    }
}

void NameEditor::focusOutEvent(QFocusEvent* event) {
    if (event->reason() != Qt::PopupFocusReason)
        take(true);
    QLineEdit::focusOutEvent(event);
}

// The canvas around it would go to its next item by Tab.
bool NameEditor::focusNextPrevChild(bool) {
    take(true);
    return true;
}

void NameEditor::take(bool leaves) {
    if (m_done)
        return;
    const QString name = text().trimmed();
    m_done = true; // what follows may take the focus
    if (name != m_before && !m_rename(name) && !leaves) {
        m_done = false;
        return selectAll();
    }
    m_done = false;
    end();
}

void NameEditor::end() {
    if (std::exchange(m_done, true))
        return;
    Q_EMIT ended(); // the focus goes back first
    hide();
    deleteLater();
}

// Nodes and switches in their place, notes as by a double click; links have their name in the properties.
void TopologyCanvas::renameChosen() {
    const QSet<QString>& items = m_app.selection.items();
    const QString id = items.size() == 1 ? *items.begin() : QString();
    if (id.startsWith(kNotePrefix))
        editNote(id);
    else if (!m_scene.boxOf(id).isNull())
        editName(id);
    else if (m_scene.linkItem(id))
        m_app.selection.requestFocus(id + QStringLiteral(".name"));
    else
        hintForNow(tr("Choose one node or switch to rename it"));
}

void TopologyCanvas::editName(const QString& id) {
    for (NameEditor* other : viewport()->findChildren<NameEditor*>())
        other->take(true);
    QRectF box = m_scene.boxOf(id);
    if (box.isNull() || !isVisible()) // into one that is not seen nobody could write
        return;
    chooseItem(id);
    if (m_scene.nodeItem(id))
        box.setHeight(kNodeHeader);
    const QRect place = mapFromScene(box).boundingRect();
    auto* editor = new NameEditor(
        id, [this, id](const QString& name) { return renameBox(m_app, id, name); }, viewport());
    const int high = std::max(editor->sizeHint().height(), std::min(place.height(), 32));
    editor->setGeometry(place.x(), place.y(), std::max(place.width(), kLeastWidth), high);
    connect(editor, &NameEditor::ended, this, [this, editor] { takeKeysFrom(editor); });
    connect(&m_app.document, &Document::replaced, editor, &NameEditor::end);
    editor->show();
    editor->setFocus();
}

} // namespace pw
