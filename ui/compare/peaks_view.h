// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/view.h"

class QStackedWidget;

namespace pw {

class CompareSet;

// Every how many bars of `pitch` px each one may be named, so that each of the names has room: 1 is all.
int labelEvery(const QStringList& names, int pitch);

// The peak memory of every device, a bar a plan beside each other, with the capacity as a line.
class PeaksView : public View {
    Q_OBJECT

public:
    explicit PeaksView(AppContext& context, QWidget* parent = nullptr);

private:
    void refresh();

    CompareSet& m_set;
    QStackedWidget* m_pages;
    QWidget* m_bars;
};

} // namespace pw
