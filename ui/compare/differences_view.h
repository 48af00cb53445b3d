// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/view.h"

class QLabel;
class QStackedWidget;
class QTableView;

namespace pw {

class CompareSet;
class DifferenceModel;
class FieldModel;

// What differs, in words and in numbers: seconds of a GPU by cause, largest change first, then the plans' own
// properties. A click on a cause frames the row of each lane where it is largest.
class DifferencesView : public View {
    Q_OBJECT

public:
    explicit DifferencesView(AppContext& context, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void fitNames();
    void showChosen();

    CompareSet& m_set;
    DifferenceModel* m_differences;
    FieldModel* m_fields;
    QStackedWidget* m_pages;
    QLabel* m_words;
    QTableView* m_table;
    QTableView* m_fieldTable;
};

} // namespace pw
