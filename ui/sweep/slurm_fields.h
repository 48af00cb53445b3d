// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

class QLineEdit;

namespace pw {

// What `sweep run --on slurm` is told beside the folder, a field a flag; an empty one is not given. Each
// sweep keeps its own, in its folder: whoever submits it from another window submits it alike. Not those that
// say what is run: a folder may be anybody's.
class SlurmFields : public QWidget {
    Q_OBJECT

public:
    explicit SlurmFields(QWidget* parent = nullptr);

    QStringList words() const; // "--partition=cpu"; all flags
    QString through() const;   // that one alone, which `sweep cancel` takes, too
    void read(const QString& folder);
    void write(const QString& folder) const; // what cannot be kept is typed again the next time

Q_SIGNALS:
    void changed();

private:
    std::vector<QLineEdit*> m_fields;
};

} // namespace pw
