// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/cluster/cluster.h"

#include <QDialog>

#include <functional>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace pw {

class Document;
class ValueField;

// The device kinds that a cluster can be drawn with: the user's own, which can be added, duplicated, edited
// and removed, and those that ship, which can be looked at and duplicated. A field is saved when it is left;
// a kind that the open project carries is changed there, too, as one undo step.
class KindDialog : public QDialog {
    Q_OBJECT

public:
    explicit KindDialog(Document& document, QWidget* parent = nullptr);
    void select(const QString& kind);

private:
    struct Field {
        ValueField* field;
        std::function<double(const DeviceKind&)> get;
    };
    void makeFields(QGridLayout* grid);
    void addText(QGridLayout* grid, const QString& label, const char* name, std::string DeviceKind::*text);
    void addValue(QGridLayout* grid, const QString& label, const char* name, struct ValueSpec spec,
                  std::function<double(const DeviceKind&)> get, std::function<void(DeviceKind&, double)> set);
    void fill();
    void showKind();
    void report(const Error& error); // beside the buttons
    void add(DeviceKind kind);
    void removeKind();
    // Changes the shown kind; false and the reason beside the buttons if that is refused.
    bool change(const std::function<void(DeviceKind&)>& edit);
    const DeviceKind* shown() const;

    Document& m_document;
    QListWidget* m_list;
    QWidget* m_form;
    QLabel* m_report;
    QPushButton* m_remove;
    std::vector<Field> m_values;
    std::vector<std::pair<QLineEdit*, std::string DeviceKind::*>> m_texts;
    QComboBox* m_fabric;
};

} // namespace pw
