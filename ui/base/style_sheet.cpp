// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/theme.h"

namespace pw {

// What the palette cannot say: flat bars, 24 px fields, thin lines. Names in braces are the theme's tokens. A
// line of text takes its colour from the palette: one from here would pale its placeholder.
QString styleSheet(const Theme& theme) {
    QString sheet = QStringLiteral(R"(
QMainWindow, QDialog { background: {window}; }
QMainWindow::separator { background: {window}; width: 4px; height: 4px; }
QMainWindow::separator:hover { background: {line}; }
QMenuBar { background: {window}; color: {text}; padding: 0 6px; }
QMenuBar::item { background: transparent; padding: 4px 8px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: {title}; border-radius: 3px; }
QMenu { background: {panel}; color: {text}; border: 1px solid {line}; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 8px; border-radius: 3px; }
QMenu::icon { padding-left: 4px; }
QMenu::item:selected { background: {accentGround}; }
QMenu::item:disabled { color: {text3}; }
QMenu::separator { height: 1px; background: {faint}; margin: 4px 0; }
QToolBar { background: {window}; border: none; border-bottom: 1px solid {line}; spacing: 0; padding: 0; }
QToolBar::separator { background: {line}; width: 1px; margin: 4px 6px; }
QToolButton { background: transparent; color: {text}; border: 1px solid transparent; border-radius: 3px; padding: 1px; }
QToolBar QToolButton { padding: 5px; min-width: 16px; min-height: 16px; }
QToolButton:hover { background: {title}; }
QToolButton:pressed, QToolButton:checked { background: {accentGround}; border-color: {accent}; }
QToolButton:focus { border: 2px solid {accent}; padding: 0; }
QToolButton:checked:focus { border-color: {text}; }
QToolBar QToolButton:focus { padding: 4px; }
QToolBar QToolButton[segment] { background: {button}; border: 1px solid {line}; border-radius: 0; padding: 0;
    min-width: 0; min-height: 22px; }
QToolBar QToolButton[segment="middle"] { border-left: none; border-right: none; }
QToolBar QToolButton[segment="first"] { border-top-left-radius: 3px; border-bottom-left-radius: 3px; }
QToolBar QToolButton[segment="last"] { border-top-right-radius: 3px; border-bottom-right-radius: 3px; }
QToolBar QToolButton[segment]:hover { background: {title}; }
QToolBar QToolButton[segment]:checked { background: {accentGround}; border: 1px solid {accent}; font-weight: 600; }
QToolBar QToolButton[segment]:focus { border: 2px solid {accent}; padding: 0; }
QToolBar QToolButton[segment]:checked:focus { border: 2px solid {text}; }
QToolButton::menu-indicator { image: none; }
QStatusBar { background: {window}; color: {text2}; border-top: 1px solid {line}; min-height: 23px; max-height: 23px; }
QStatusBar::item { border: none; }
QStatusBar > QLabel { color: {text2}; padding: 0 8px; }
QLabel[quiet="true"] { color: {text2}; }
QPushButton { background: {button}; color: {text}; border: 1px solid {line}; border-radius: 3px; padding: 0 10px;
    min-height: 22px; }
QPushButton:hover { background: {title}; }
QPushButton:pressed { background: {accentGround}; }
QPushButton:checked { background: {accentGround}; border-color: {accent}; }
QPushButton:disabled { color: {text3}; }
QPushButton:focus { border: 2px solid {accent}; padding: 0 9px; min-height: 20px; }
QPushButton:checked:focus { border-color: {text}; }
QPushButton[primary="true"] { background: {accent}; color: {onAccent}; border: 1px solid {accent}; font-weight: 600; }
QPushButton[primary="true"]:disabled { background: {button}; color: {text3}; border: 1px solid {line}; font-weight: 400; }
QPushButton[primary="true"]:focus { border: 2px solid {text}; }
QPushButton[link="true"] { background: transparent; border: none; color: {accent}; text-decoration: underline;
    padding: 0 2px; min-height: 18px; }
QPushButton[link="true"]:focus { border: 1px solid {accent}; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { background: {panel}; border: 1px solid {line};
    border-radius: 3px; padding: 0 6px; min-height: 22px; selection-background-color: {accent};
    selection-color: {onAccent}; }
QSpinBox, QDoubleSpinBox, QComboBox { color: {text}; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 2px solid {accent}; padding: 0 5px;
    min-height: 20px; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: {text3};
    background: {window}; }
QLineEdit[invalid="true"] { border: 1px solid {err}; background: {errGround}; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/icons/down-{mode}.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: {panel}; color: {text}; border: 1px solid {line};
    selection-background-color: {accentGround}; selection-color: {text}; outline: none; }
QSpinBox::up-button, QDoubleSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::down-button { width: 0; border: none; }
QPlainTextEdit, QTextEdit, QTextBrowser { background: {panel}; color: {text}; border: 1px solid {line};
    selection-background-color: {accent}; selection-color: {onAccent}; }
QTableView, QListView, QTreeView { background: {panel}; alternate-background-color: {alternate}; color: {text};
    border: none; gridline-color: {faint}; selection-background-color: {accentGround}; selection-color: {text};
    outline: none; }
QListView#nameSuggestions { border: 1px solid {line}; }
QHeaderView { background: {head}; border: none; }
QHeaderView::section { background: {head}; color: {text}; border: none; border-bottom: 1px solid {line};
    border-right: 1px solid {faint}; padding: 0 8px; min-height: 23px; font-weight: 500; }
QHeaderView::up-arrow, QHeaderView::down-arrow { width: 0; height: 0; }
QTableCornerButton::section { background: {head}; border: none; }
QTabBar { outline: none; }
QTabBar::tab { background: {title}; color: {text2}; padding: 4px 9px; border: none; border-right: 1px solid {line}; }
QTabBar::tab:selected { background: {panel}; color: {text}; font-weight: 600; }
QTabBar::tab:hover { color: {text}; }
QTabBar::tab:selected:focus { border: 2px solid {accent}; padding: 2px 8px 2px 7px; }
QTabBar::close-button { image: none; }
QTabWidget::pane { border: 1px solid {line}; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: {text3}; border-radius: 3px; margin: 2px; min-width: 24px; min-height: 24px; }
QScrollBar::handle:hover { background: {text2}; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QSplitter::handle { background: {window}; }
QToolTip { background: {panel}; color: {text}; border: 1px solid {line}; padding: 4px 6px; }
QCheckBox { spacing: 6px; }
QCheckBox::indicator, QListView::indicator { width: 14px; height: 14px; border: 1px solid {text3}; border-radius: 3px;
    background: {panel}; }
QListView::indicator { margin-right: 4px; }
QListView::indicator:disabled { border-color: {line}; background: {window}; }
QCheckBox::indicator:checked, QListView::indicator:checked:enabled { background: {accent}; border-color: {accent}; image: url(:/icons/check-{mode}.svg); }
QCheckBox::indicator:focus { border: 2px solid {accent}; width: 12px; height: 12px; }
QTableView::item { border: none; padding: 0 5px; }
QTableView::item:selected { background: {accentGround}; color: {text}; }
QListView::item { border: none; padding: 0 8px; }
QTreeView[roomy="true"]::item { min-height: 21px; }
QListView::item:disabled { color: {text3}; }
QListView::item:selected { background: {accentGround}; color: {text}; }
QFrame#ablationList { background: {panel}; border: 1px solid {line}; }
QProgressBar { background: {faint}; border: none; max-height: 4px; min-height: 4px; }
QProgressBar::chunk { background: {accent}; }
)");
    const std::pair<const char*, QColor> tokens[] = {
        {"window", theme.window},       {"panel", theme.panel},   {"title", theme.title},
        {"head", theme.head},           {"line", theme.line},     {"faint", theme.faint},
        {"alternate", theme.alternate}, {"text", theme.text},     {"text2", theme.text2},
        {"text3", theme.text3},         {"accent", theme.accent}, {"accentGround", theme.accentGround},
        {"onAccent", theme.onAccent},   {"button", theme.button}, {"err", theme.err},
        {"errGround", theme.errGround},
    };
    for (const auto& [name, color] : tokens)
        sheet.replace(QStringLiteral("{%1}").arg(QLatin1String(name)), color.name());
    return sheet.replace(QStringLiteral("{mode}"),
                         theme.dark ? QStringLiteral("dark") : QStringLiteral("light"));
}

} // namespace pw
