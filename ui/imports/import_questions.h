// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inventory/inventory_cluster.h"
#include "ui/imports/import_reading.h"

#include <QWidget>

#include <map>

class QCheckBox;
class QComboBox;
class QListWidget;
class QVBoxLayout;

namespace pw {

class ValueField;

// What no file says and a person must, beside what is read: the device kind and the network of machines, the
// ranks of a timed collective, the part of the drawing that it is about. Nothing is filled in as a guess.
class ImportQuestions : public QWidget {
    Q_OBJECT

public:
    explicit ImportQuestions(QWidget* parent = nullptr);

    // Fields for this reading; what was answered before stays if it is asked again. `project`: what the
    // content is put onto, see groundOf().
    void ask(const ImportReading& reading, const Project& project);
    bool isEmpty() const { return m_rows == 0; }

    const ClusterAnswers& answers() const { return m_answers; }
    std::vector<std::string> items() const; // of the drawing, for timed collectives
    bool useInProject() const;              // measured rows
    const std::map<std::string, std::string>& kinds() const { return m_kinds; }
    // Of the reading itself, which must be done again with them.
    int ranks() const { return m_ranks; }
    const std::string& collective() const { return m_collective; }
    bool asModel() const { return m_asModel; } // the rows measure the project's model
    QString fault() const;                     // the first field that holds something wrong; empty = none

Q_SIGNALS:
    void changed();
    void readAgain();

private:
    void clear();
    void askKinds(const std::vector<ProfileRow>& rows, const Project& project);
    void askModel(const std::vector<ProfileRow>& rows, const Project& project);
    void askMachines(const Inventory& inventory);
    void askItems(const std::vector<LinkMeasurement>& links, const Cluster& cluster);
    ValueField* addField(const QString& label, const QString& name, const struct ValueSpec& spec,
                         const QString& example, const std::function<void(double)>& take);
    void addKinds(const QString& label, const std::vector<std::string>& first, const std::string& chosen,
                  const std::function<void(const std::string&)>& take);
    void addRow(const QString& label, QWidget* field);

    QVBoxLayout* m_form;
    int m_rows = 0;
    ClusterAnswers m_answers;
    int m_ranks = 0;
    std::string m_collective;
    std::map<std::string, std::string> m_kinds; // of measured rows
    std::vector<ValueField*> m_fields;
    QListWidget* m_items = nullptr;
    QCheckBox* m_use = nullptr;
    bool m_useChosen = true, m_asModel = false;
};

} // namespace pw
