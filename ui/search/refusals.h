// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/column_scroll.h"

#include <QStringList>

#include <array>

class QLabel;
class QPushButton;

namespace pw {

// Why no search can run, or why the last one has no plan, with the way out: it stands above what scrolls, so
// that it is read without scrolling in a panel of any height. Hidden while there is nothing to say.
class Refusals : public ColumnScroll {
    Q_OBJECT

public:
    Refusals();

    void setProblems(const QStringList& problems); // rich text: what Run waits for, of which it shows three
    // Rich text. `wayOut`: what the button does; empty: there is none.
    void setReasons(const QString& reasons, const QString& wayOut);
    void fit(int width, int most); // as high as it is at that width, up to `most`; pixels

Q_SIGNALS:
    void wayOutTaken();

private:
    void showWhatThereIs();

    QLabel* m_heading;
    std::array<QLabel*, 3> m_problems{}; // for good: what is asked anew keeps the focus on a link of theirs
    QLabel* m_reasons;
    QPushButton* m_wayOut;
};

} // namespace pw
