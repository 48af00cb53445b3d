// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUrl>

#include <string_view>

class QAbstractItemView;
class QLabel;

namespace pw {

// Links into the manual. Whoever shows a message opens its entry by an address, as it would open any other
// page, and knows nothing of the window that answers: ui/help takes what QDesktopServices is given under this
// scheme.
inline constexpr const char* kManualScheme = "manual";

QUrl manualUrl(const QString& target); // "window.md#timeline"

// The entry of a message: the anchor is that of its code. A finding's code is its rule, a rejection's its
// reason.
QUrl messageUrl(std::string_view code);
void openMessage(std::string_view code);

// Model data: the code of the message that a row shows, as QString. Shift+F1 opens the current row's entry.
inline constexpr int kMessageCodeRole = 0x4d43; // beyond the roles that models here number from Qt::UserRole
// Dynamic property of a widget that shows one message: likewise.
inline constexpr const char* kMessageCodeProperty = "messageCode";

// A click on this column opens the entry of the row's message.
void linkMessages(QAbstractItemView* view, int column);
// What that column shows and says: the symbol and its tool tip.
QString explainText(std::string_view code);

// A link to the message's entry as rich text; nothing for no code. For a label that openLinks() was called
// with.
QString explainLink(std::string_view code);
void openLinks(QLabel* label); // by mouse and keyboard; its text is HTML, which escapes what it puts in

} // namespace pw
