// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialog_pictures.h"

#include "core/base/file.h"
#include "ui/base/convert.h"
#include "ui/commands/commands.h"
#include "ui/commands/key_sheet.h"
#include "ui/commands/quick_open.h"
#include "ui/commands/shortcut_editor.h"
#include "ui/diagnostics/diagnostics_dialog.h"
#include "ui/export/export_dialog.h"
#include "ui/help/manual_window.h"
#include "ui/imports/import_dialog.h"
#include "ui/model/size_dialog.h"
#include "ui/profiles/profiles_panel.h"
#include "ui/published/published_dialog.h"
#include "ui/sweep/new_sweep_dialog.h"
#include "ui/topology/kind_dialog.h"
#include "ui/topology/node_dialog.h"
#include "ui/window/dock_area.h"
#include "ui/window/locator.h"
#include "ui/window/main_window.h"

#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QTabBar>
#include <QTableWidget>

namespace pw {

namespace {

using Made = std::unique_ptr<QWidget>;

Made importOf(MainWindow& window, const QString& file) {
    auto dialog = std::make_unique<ImportDialog>(window.context(), profileStorePath());
    if (!file.isEmpty())
        dialog->read({file});
    return dialog;
}

// A configuration that ends in its middle.
Made brokenImport(MainWindow& window, const QString& folder) {
    const QString file = QDir(folder).filePath(QStringLiteral("cut-off-config.json"));
    const Status written = writeFileAtomically(
        s(file), "{\n  \"model_type\": \"llama\",\n  \"hidden_size\": 4096,\n  \"num_hidden_layers\": ");
    return written ? importOf(window, file) : nullptr;
}

// A file of figures that is none.
Made brokenFigures(MainWindow&, const QString& folder) {
    const QString file = QDir(folder).filePath(QStringLiteral("figures.json"));
    auto dialog = std::make_unique<PublishedDialog>();
    return writeFileAtomically(s(file), "{\"schema\": \"other\"}") && !dialog->addFile(file)
               ? std::move(dialog)
               : nullptr;
}

std::unique_ptr<ExportDialog> exportOfShown(MainWindow& window, const QString& folder) {
    AppContext& app = window.context();
    const Candidate* candidate = app.candidates.find(app.selection.plan());
    const auto detail = candidate ? app.candidates.detail(candidate->id) : nullptr;
    if (!detail)
        return nullptr;
    auto dialog = std::make_unique<ExportDialog>(*candidate, detail->evaluation, nullptr);
    dialog->setFolder(folder);
    dialog->setOffers(app.candidates.all());
    return dialog;
}

// At the first target that can express the plan, or that cannot.
Made exportAt(MainWindow& window, const QString& folder, bool refused) {
    auto dialog = exportOfShown(window, folder);
    if (!dialog)
        return nullptr;
    auto* targets = dialog->findChild<QListWidget*>(QStringLiteral("export.targets"));
    const auto* refusals = dialog->findChild<QTableWidget*>(QStringLiteral("export.refusals"));
    for (int row = 0; row < targets->count(); ++row) {
        targets->setCurrentRow(row);
        if (refusals->isVisibleTo(dialog.get()) == refused)
            return dialog;
    }
    return nullptr;
}

// The keys of "save" given to "run" as well.
Made clashingKeys(MainWindow& window, const QString& folder) {
    auto dialog = std::make_unique<ShortcutEditor>(window.commands(),
                                                   QDir(folder).filePath(QStringLiteral("keys.ini")));
    QTableWidget* table = dialog->table();
    const QString run = window.commands().action("search.run")->text().remove(QLatin1Char('&'));
    for (int row = 0; row < table->rowCount(); ++row)
        if (table->item(row, 0)->text() == run) {
            table->item(row, 2)->setText(QStringLiteral("Ctrl+S"));
            table->scrollToItem(table->item(row, 0));
        }
    return dialog;
}

Made quickOpen(const QString& title, const QString& hint, std::vector<QuickOpen::Entry> entries,
               const QString& typed) {
    auto dialog = std::make_unique<QuickOpen>(title, hint, std::move(entries), nullptr);
    dialog->line()->setText(typed);
    return dialog;
}

Made diagnosticsAt(MainWindow& window, int tab) {
    auto dialog = std::make_unique<DiagnosticsDialog>(window.log(), window.settingFacts());
    dialog->findChild<QTabBar*>(QStringLiteral("diagnostics.tabs"))->setCurrentIndex(tab);
    return dialog;
}

// At a heading, or with something searched for.
Made manualAt(const QString& target, const QString& typed) {
    auto manual = std::make_unique<ManualWindow>();
    manual->open(target);
    manual->findChild<QLineEdit*>(QStringLiteral("manual.search"))->setText(typed);
    return manual;
}

} // namespace

const std::vector<DialogPicture>& dialogPictures() {
    static const std::vector<DialogPicture> pictures = {
        {"kinds",
         [](MainWindow& window, const QString&) -> Made {
             return std::make_unique<KindDialog>(window.context().document);
         }},
        {"importEmpty",
         [](MainWindow& window, const QString&) -> Made { return importOf(window, QString()); }},
        {"import",
         [](MainWindow& window, const QString&) -> Made {
             return importOf(window, samplesFolder() + QStringLiteral("/clusters/mixed-64.json"));
         }},
        {"importRefused", brokenImport},
        {"export", [](MainWindow& window, const QString& folder) { return exportAt(window, folder, false); }},
        {"exportRefused",
         [](MainWindow& window, const QString& folder) { return exportAt(window, folder, true); }},
        {"shortcuts",
         [](MainWindow& window, const QString& folder) -> Made {
             return std::make_unique<ShortcutEditor>(window.commands(),
                                                     QDir(folder).filePath(QStringLiteral("keys.ini")));
         }},
        {"shortcutsClash", clashingKeys},
        {"keySheet", [](MainWindow&, const QString&) -> Made { return std::make_unique<KeySheet>(); }},
        {"diagnostics", [](MainWindow& window, const QString&) { return diagnosticsAt(window, 0); }},
        {"diagnosticsCrashes", [](MainWindow& window, const QString&) { return diagnosticsAt(window, 1); }},
        {"commandPalette",
         [](MainWindow& window, const QString&) -> Made {
             return quickOpen(MainWindow::tr("Commands"), MainWindow::tr("Type a command"),
                              commandEntries(window.commands()), QStringLiteral("co"));
         }},
        {"locator",
         [](MainWindow& window, const QString&) -> Made {
             return quickOpen(MainWindow::tr("Find"), MainWindow::tr("Find device, stage, plan, view"),
                              placeEntries(window.context(), &window.docks()), QStringLiteral("n1"));
         }},
        {"locatorNothing",
         [](MainWindow& window, const QString&) -> Made {
             return quickOpen(MainWindow::tr("Find"), MainWindow::tr("Find device, stage, plan, view"),
                              placeEntries(window.context(), &window.docks()), QStringLiteral("zzzz"));
         }},
        {"manual", [](MainWindow&,
                      const QString&) { return manualAt(QStringLiteral("window.md#timeline"), QString()); }},
        {"manualSearch",
         [](MainWindow&, const QString&) {
             return manualAt(QStringLiteral("glossary.md"), QStringLiteral("bubble"));
         }},
        {"addNodes",
         [](MainWindow& window, const QString&) -> Made {
             return std::make_unique<NodeDialog>(window.context().document.project()->cluster,
                                                 NodeDialog::Answer{"A100-SXM4-40GB", 8, 4});
         }},
        {"newSweep",
         [](MainWindow& window, const QString&) -> Made {
             return std::make_unique<NewSweepDialog>(window.context());
         }},
        {"published",
         [](MainWindow&, const QString&) -> Made { return std::make_unique<PublishedDialog>(); }},
        {"publishedRefused", brokenFigures},
        {"sizes",
         [](MainWindow&, const QString&) -> Made {
             return std::make_unique<SizeDialog>(SizeDialog::usual());
         }},
    };
    return pictures;
}

} // namespace pw
