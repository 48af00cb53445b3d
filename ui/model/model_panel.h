// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/view.h"

#include <vector>

class QBoxLayout;
class QComboBox;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace pw {

struct AppContext;
class EmptyState;
class LayerModel;
class MessageBar;
class TrainingForm;

// Which model is trained and how: the models that ship and the import of a configuration, the training form,
// totals, and the fine layers with their costs. Wide docks stand the table beside the form, narrow ones below
// it.
class ModelPanel : public View {
    Q_OBJECT

public:
    // `modelFolder`: where the models that ship lie (*.json); a missing folder gives an empty catalogue.
    ModelPanel(const AppContext& app, const QString& modelFolder, QWidget* parent = nullptr);

    bool importModel(const QString& path); // reads and takes it as one undo step; a refusal stands in the bar
    bool focusField(const QString& where); // "model.gbs", "model"
    LayerModel* layers() const { return m_layers; }

    struct KnownModel {
        QString name, file;
    };
    std::vector<KnownModel> known() const; // those that ship, as the list has them

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void chooseFile();
    void enterSizes();
    QString emptyText() const;
    void refresh();
    QWidget* makeTable();

    const AppContext& m_app;
    QComboBox* m_catalogue;
    MessageBar* m_bar;
    EmptyState* m_empty;
    QStackedWidget* m_stack;
    QBoxLayout* m_body;
    TrainingForm* m_form;
    QLabel* m_totals;
    QLabel* m_shape;
    LayerModel* m_layers;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
    QLineEdit* m_filter;
};

} // namespace pw
