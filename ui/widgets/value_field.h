// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QWidget>

#include <functional>
#include <utility>
#include <vector>

class QLabel;
class QLineEdit;

namespace pw {

// How one quantity is typed and shown. Values are in base units; `low` and `high` are inclusive.
struct ValueSpec {
    std::function<Result<double>(std::string_view)> parse;
    std::function<QString(double)> print;
    std::function<QString(double)>
        below; // the same value in another unit, or what follows from it; may be empty
    double low = 0.0, high = 1e300;
    QString unit = {}; // of a bare number where what is shown has none
};

ValueSpec countSpec(double low, double high);   // whole numbers, "2,048" is understood
ValueSpec bitRateSpec(double low, double high); // shown as Gbit/s, GB/s below
// The same with the lanes in front as labels write them, "4 × 400 Gbit/s" or "4x400G": the value is the rate
// of one. `lanes` is told their number with every text that is read, 0 where there is none in front.
ValueSpec laneRateSpec(double low, double high, int mostLanes, std::function<void(int)> lanes);
ValueSpec byteRateSpec(double low, double high,
                       const QString& zero); // shown as GB/s; `zero` is the word for 0
ValueSpec flopRateSpec(double low, double high,
                       const QString& zero); // shown as TFLOP/s, which a bare number is taken for
ValueSpec durationSpec(double low, double high);
ValueSpec memorySpec(double low, double high);
ValueSpec priceSpec(const QString& zero);       // of the user's currency, 0 to 1e6; `zero` is the word for 0
ValueSpec factorSpec(double low, double high);  // a number without unit
ValueSpec percentSpec(double low, double high); // value is a share, 0.88 is shown as "88 %"

// What a field says of items that differ, the most frequent first: "2 values: 5 us (4), 20 us (2)".
// `counted`: each value as it is shown, in the order of the values, and how many items have it; values that
// are shown alike are one.
QString valuesText(const std::vector<std::pair<QString, std::size_t>>& counted);

// A line edit for a quantity with its unit. Enter or leaving the field commits: a good value is emitted once,
// a bad one stays in the field with the allowed range under it. Several values at once show as
// valuesText() until one is typed. A bare number is meant in the unit that was shown, or its usual one, and
// "400G" in gigabits where bits were, behind lanes too.
class ValueField : public QWidget {
    Q_OBJECT

public:
    ValueField(ValueSpec spec, const QString& objectName, const QString& accessibleName,
               QWidget* parent = nullptr);
    ~ValueField() override;

    void setValues(const std::vector<double>& values); // empty = disabled
    // Shown in grey while nothing is typed; its unit is that of a bare number. "200 Gbit/s"
    void setExample(const QString& text);
    // Empty clears it. `code`: of the entry that Shift+F1 opens.
    void setError(const QString& text, const std::string& code = {});
    QString error() const;
    QLineEdit* edit() const { return m_edit; }
    QString below() const;

Q_SIGNALS:
    void committed(double value);
    void mended(); // what was wrong is gone, and what stood there before stands there again

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void commit();
    void showBelow(const QString& text, bool error);
    QString withUnit(const QString& text) const;

    ValueSpec m_spec;
    QLineEdit* m_edit;
    QLabel* m_below;
    QString m_shown; // what setValues put there: leaving it as it is changes nothing
    QString m_unit;  // of what was shown; empty: it had none
    QString m_error, m_note;
    bool m_clickedInto = false; // just now
};

} // namespace pw
