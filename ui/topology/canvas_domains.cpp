// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/domains.h"
#include "ui/base/convert.h"
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/topology/domain_dialog.h"

// NVLink domains of what is chosen on the canvas.

namespace pw {

namespace {

ItemIds chosenIds(const Selection& selection) {
    ItemIds ids;
    for (const QString& id : selection.items())
        ids.insert(s(id));
    return ids;
}

} // namespace

void TopologyCanvas::askForDomain() {
    const Project& project = *m_app.document.project();
    const ItemIds items = chosenIds(m_app.selection);
    // What no answer can mend is refused before it is asked for.
    if (const Result<Project> shared = shareDomain(project, items, {}); !shared) {
        Q_EMIT m_app.document.failed(shared.error());
        return;
    }
    auto* dialog = new DomainDialog(project, items, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_app.document.apply(dialog->edited(), tr("Share an NVLink domain"));
        setFocus();
    });
    dialog->open();
}

void TopologyCanvas::leaveDomains() {
    m_app.document.apply(leaveDomain(*m_app.document.project(), chosenIds(m_app.selection)),
                         tr("Leave the NVLink domain"));
}

} // namespace pw
