// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_context.h"

#include <QStatusBar>

class QLabel;

namespace pw {

class SpokenChanges;

// Left what is selected, right the model, the GPUs, the measured share of the current plan and whether all is
// saved.
class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    explicit StatusLine(AccuracyContext& context, QWidget* parent = nullptr);
    void setProjectOpen(bool open);
    void setInAccuracy(bool on);        // says what is selected there instead
    void say(const QString& sentence);  // to who does not see what has changed
    void tell(const QString& sentence); // everybody: it stands here for a while, and is said

private:
    void refresh();
    QString selectionText() const;
    QString accuracyText() const;
    QString savedText() const;

    AccuracyContext& m_context;
    bool m_open = false, m_inAccuracy = false;
    QLabel *m_selection, *m_model, *m_gpus, *m_measured, *m_saved;
    SpokenChanges* m_spoken;
};

} // namespace pw
