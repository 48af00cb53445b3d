// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <array>
#include <optional>

namespace pw {

class Commands;
enum class Perspective;

// The segments of the tool bar that choose how a project is looked at. A window without room for words shows
// icons. Clicking the lit segment changes nothing, unlike the key of Compare, which also leads back.
class PerspectiveBar : public QWidget {
    Q_OBJECT

public:
    explicit PerspectiveBar(const Commands& commands, QWidget* parent = nullptr);
    void setShown(std::optional<Perspective> shown); // none: the page is of no perspective
    void setNarrow(bool narrow);

Q_SIGNALS:
    void chosen(Perspective perspective);

private:
    class Segment;
    std::array<Segment*, 3> m_segments;
};

} // namespace pw
