// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/problem/recipe.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QGridLayout;

class QComboBox;
class QLabel;
class QLineEdit;

namespace pw {

struct AppContext;
class ValueField;

// The recipe as a form: each field is one undo step. What the recipe leaves to the search reads "auto".
class TrainingForm : public QWidget {
    Q_OBJECT

public:
    explicit TrainingForm(const AppContext& app, QWidget* parent = nullptr);
    bool focusField(const QString& name); // "gbs", "seq", ...; false if there is no such field
    struct Field {
        QString name, label; // as focusField() takes it, and as it is read
    };
    std::vector<Field> fields() const; // those that the project's model has

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    bool hasExpertLoad() const;
    void refresh();
    void arrange(int pairs); // of label and field side by side
    void listStacks();
    QWidget* entry(std::size_t row) const;
    QGridLayout* m_grid = nullptr;
    std::vector<std::pair<QLabel*, QWidget*>> m_rows;
    int m_pairs = 0;
    // Empty if it was applied, else why not.
    std::optional<Error> change(const QString& what, const std::function<void(Recipe&)>& edit);
    void commitMicrobatches();

    const AppContext& m_app;
    ValueField* m_gbs;
    ValueField* m_seq;
    ValueField* m_reserve;
    ValueField* m_fitChance;
    ValueField* m_expertLoad; // of models with experts
    QComboBox* m_precision;
    QComboBox* m_optimizer;
    QComboBox* m_zero;
    QComboBox* m_recompute;
    QComboBox* m_sequenceParallel;
    QComboBox* m_stack;
    QLineEdit* m_mbs;
    QLabel* m_mbsNote;
};

} // namespace pw
