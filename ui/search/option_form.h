// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/options.h"
#include "core/search/search.h"

#include <QHash>
#include <QWidget>

#include <utility>
#include <vector>

class QGridLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace pw {

// The search options as fields, made from core's option table: label, help, range and default are those of
// the command line. Two fields a row where there is room for that, else one; those for experts stand behind a
// heading that unfolds them, and are seen while one of them is not as it comes. A field whose text is refused
// turns red with the reason, and valid() is false until it is repaired.
class OptionForm : public QWidget {
    Q_OBJECT

public:
    explicit OptionForm(QWidget* parent = nullptr);

    const SearchOptions& options() const { return m_options; }
    void setOptions(const SearchOptions& options);
    bool valid() const { return m_refused.isEmpty(); }
    QString refusal() const;              // of the first refused field
    void unfoldFor(const QWidget& field); // where it is for experts
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void changed();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Part { // the fields for everybody, or those for experts
        QGridLayout* grid = nullptr;
        std::vector<std::pair<QLabel*, QWidget*>> fields;
    };
    int widthFor(int pairs) const; // pixels that so many fields a row need
    bool expertsTouched() const;
    void arrange(int pairs);
    QWidget* makeField(const SearchOptionRow& row);
    void take(const SearchOptionRow& row, const QString& text, QWidget* field);
    void refreshHints();

    SearchOptions m_options;
    QHash<QString, QString> m_refused; // option name -> why
    Part m_parts[2];
    QToolButton* m_unfold;
    QWidget* m_experts;
    int m_pairs = 0; // fields a row
};

} // namespace pw
