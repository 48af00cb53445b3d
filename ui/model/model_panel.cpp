// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_panel.h"

#include "core/edit/edit.h"
#include "core/exchange/imports/import_table.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/model/layer_model.h"
#include "ui/model/size_dialog.h"
#include "ui/model/training_form.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>

namespace pw {

namespace {

constexpr int kBeside = 720;   // from this width on the layer table stands beside the form
constexpr int kLeastRows = 40; // px of each, so that the drawing above may have the rest of a low window

QString shapeText(const Model& model) {
    QStringList parts = {ModelPanel::tr("%1 blocks").arg(model.blocks),
                         ModelPanel::tr("hidden %1").arg(countText(model.hidden)),
                         model.kvHeads == model.heads || model.kvHeads == 0
                             ? ModelPanel::tr("%1 heads").arg(model.heads)
                             : ModelPanel::tr("%1 heads in %2 groups").arg(model.heads).arg(model.kvHeads),
                         ModelPanel::tr("feed-forward %1").arg(countText(model.ffn)),
                         ModelPanel::tr("vocabulary %1").arg(countText(model.vocab)),
                         ModelPanel::tr("%1 positions").arg(countText(model.positions))};
    if (hasExperts(model)) {
        const Experts& e = model.experts;
        parts << ModelPanel::tr("%1 experts of %2, %3 per token")
                     .arg(countText(e.count), countText(e.ffn), countText(e.perToken));
        if (e.shared > 0)
            parts << ModelPanel::tr("%1 shared of %2").arg(countText(e.shared), countText(e.sharedFfn));
        if (!e.denseBlocks.empty())
            parts << ModelPanel::tr("%1 dense blocks").arg(e.denseBlocks.size());
    }
    if (hasLatentAttention(model))
        parts << ModelPanel::tr("latent attention %1").arg(countText(model.latent.kvRank));
    if (model.tied)
        parts << ModelPanel::tr("head tied to the embedding");
    return parts.join(QStringLiteral(", "));
}

} // namespace

ModelPanel::ModelPanel(const AppContext& app, const QString& modelFolder, QWidget* parent)
    : View(parent), m_app(app), m_catalogue(new QComboBox(this)), m_bar(new MessageBar(this)),
      m_empty(new EmptyState(QStringLiteral("table"), this)), m_stack(new QStackedWidget(this)),
      m_form(new TrainingForm(app, this)), m_totals(new QLabel(this)), m_shape(new QLabel(this)),
      m_layers(new LayerModel(this)), m_sorted(new QSortFilterProxyModel(this)) {
    setObjectName(QStringLiteral("model"));
    setAccessibleName(tr("Model"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_catalogue->setObjectName(QStringLiteral("model.catalogue"));
    m_catalogue->setAccessibleName(tr("Model"));
    m_catalogue->setToolTip(tr("Model"));
    m_catalogue->setMinimumWidth(120);
    for (const QFileInfo& file :
         QDir(modelFolder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
        m_catalogue->addItem(file.completeBaseName(), file.absoluteFilePath());
    m_catalogue->setCurrentIndex(-1);
    m_catalogue->setEnabled(m_catalogue->count() > 0);
    m_catalogue->setPlaceholderText(emptyText());
    connect(m_catalogue, &QComboBox::activated, this,
            [this](int i) { importModel(m_catalogue->itemData(i).toString()); });

    auto* import = new QPushButton(icon(QStringLiteral("import")), tr("Import configuration\u2026"), this);
    import->setObjectName(QStringLiteral("model.import"));
    import->setAccessibleName(tr("Import configuration"));
    connect(import, &QPushButton::clicked, this, &ModelPanel::chooseFile);
    // Whoever goes to the model chooses one.
    setFocusProxy(m_catalogue->isEnabled() ? static_cast<QWidget*>(m_catalogue) : import);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 8, 10, 4);
    top->setSpacing(8);
    top->addWidget(m_catalogue, 1);
    auto* sizes = new QPushButton(tr("Enter sizes\u2026"), this);
    sizes->setObjectName(QStringLiteral("model.sizes"));
    sizes->setAccessibleName(tr("Enter the model size by size"));
    sizes->setToolTip(tr("Any decoder, or the model at hand with other sizes"));
    connect(sizes, &QPushButton::clicked, this, &ModelPanel::enterSizes);
    top->addWidget(import);
    top->addWidget(sizes);

    m_totals->setObjectName(QStringLiteral("model.totals"));
    m_totals->setTextFormat(Qt::RichText);
    m_totals->setWordWrap(true);
    m_shape->setObjectName(QStringLiteral("model.shape"));
    m_shape->setFont(smallFont());
    m_shape->setWordWrap(true);
    m_shape->setForegroundRole(QPalette::PlaceholderText);
    auto* left = new QWidget;
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(0, 0, 0, 0);
    leftColumn->setSpacing(0);
    auto* figures = new QVBoxLayout;
    figures->setContentsMargins(10, 4, 10, 4);
    figures->setSpacing(2);
    figures->addWidget(m_totals);
    figures->addWidget(m_shape);
    leftColumn->addLayout(figures);
    leftColumn->addWidget(m_form);
    leftColumn->addStretch(1);

    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("model.scroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setMinimumHeight(kLeastRows);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(left);
    auto* page = new QWidget;
    m_body = new QBoxLayout(QBoxLayout::TopToBottom, page);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(0);
    scroll->setMaximumWidth(kBeside);
    m_body->addWidget(scroll, 1);
    m_body->addWidget(makeTable(), 1);

    m_empty->setObjectName(QStringLiteral("model.empty"));
    m_empty->setText(
        emptyText(),
        m_catalogue->isEnabled()
            ? tr("Take one from the list, import the configuration file of your own, or enter it size by "
                 "size.")
            : tr("The samples are missing beside the program. Import the configuration file of your own, or "
                 "enter it size by size."));
    m_empty->setButton(tr("Import configuration\u2026"), QStringLiteral("import"));
    connect(m_empty, &EmptyState::clicked, this, &ModelPanel::chooseFile);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    setTabOrder(m_catalogue, import);
    setTabOrder(import, sizes);
    setTabOrder(sizes, m_empty->button());

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addLayout(top);
    column->addWidget(m_stack, 1);
    connect(&app.document, &Document::replaced, m_bar, &MessageBar::clear);
    connect(&app.document, &Document::changed, this, &ModelPanel::refresh);
    connect(&app.selection, &Selection::focusRequested, this, [this](const QString& where) {
        if (where == QLatin1String("model") || where.startsWith(QLatin1String("model.")) ||
            where.startsWith(QLatin1String("model#"))) {
            Q_EMIT raiseRequested();
            focusField(where);
        }
    });
    refresh();
}

QWidget* ModelPanel::makeTable() {
    auto* side = new QWidget;
    m_filter = new QLineEdit;
    m_filter->setObjectName(QStringLiteral("model.filter"));
    m_filter->setAccessibleName(tr("Filter layers"));
    m_filter->setPlaceholderText(tr("Filter layers"));
    m_filter->addAction(icon(QStringLiteral("filter"), IconTone::Text2), QLineEdit::LeadingPosition);
    m_filter->setClearButtonEnabled(true);
    m_sorted->setSourceModel(m_layers);
    m_sorted->setSortRole(LayerModel::SortRole);
    m_sorted->setFilterKeyColumn(LayerModel::Kind);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(m_filter, &QLineEdit::textChanged, m_sorted, &QSortFilterProxyModel::setFilterFixedString);
    m_table = new QTableView;
    m_table->setObjectName(QStringLiteral("model.layers"));
    m_table->setAccessibleName(tr("Layer table"));
    m_table->setModel(m_sorted);
    m_table->setItemDelegate(new BarDelegate(m_table));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(LayerModel::Index, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setMinimumHeight(kLeastRows);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->horizontalHeader()->setHighlightSections(false);
    const int widths[] = {48, 80, 48, 126, 92, 92, 92};
    for (int column = 0; column < LayerModel::ColumnCount; ++column)
        m_table->setColumnWidth(column, widths[column]);
    m_table->horizontalHeader()->setStretchLastSection(true);
    offerRowMenu(m_table, "layers", m_app.commands);
    auto* find = new QShortcut(QKeySequence(QKeySequence::Find), this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_filter, [this] { m_filter->setFocus(Qt::ShortcutFocusReason); });
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(10, 4, 10, 0);
    row->addWidget(m_filter);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    return side;
}

void ModelPanel::chooseFile() {
    m_app.commands.action("file.import")->trigger();
}

void ModelPanel::enterSizes() {
    const std::optional<Model>& now = m_app.document.project()->model;
    auto* dialog = new SizeDialog(now ? *now : SizeDialog::usual(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (const Result<Model> model = dialog->model())
            m_app.document.apply(setModel(*m_app.document.project(), *model),
                                 tr("Enter %1").arg(q(model->name)));
    });
    dialog->open();
}

std::vector<ModelPanel::KnownModel> ModelPanel::known() const {
    std::vector<KnownModel> models;
    for (int i = 0; i < m_catalogue->count(); ++i)
        models.push_back({m_catalogue->itemText(i), m_catalogue->itemData(i).toString()});
    return models;
}

bool ModelPanel::importModel(const QString& path) {
    Diagnostics notes;
    const Result<Model> model = readModelFile(std::filesystem::path(s(path)), &notes);
    if (!model) {
        m_bar->setError(tr("Refused."), model.error());
        refresh();
        return false;
    }
    const bool done = m_app.document.apply(setModel(*m_app.document.project(), *model),
                                           tr("Choose %1").arg(q(model->name)));
    m_bar->clear();
    if (!notes.empty())
        m_bar->setMessage(MessageBar::Tone::Info, tr("Some keys are unknown."),
                          q(notes.front().where) + QLatin1Char(' ') + messageText(notes.front()) +
                              (notes.size() > 1 ? tr(", and %1 more").arg(notes.size() - 1) : QString()));
    return done;
}

bool ModelPanel::focusField(const QString& where) {
    // The check names the fields of the recipe "model.gbs", "model.seq".
    if (where.startsWith(QLatin1String("model.")) && m_form->focusField(where.mid(6))) {
        findChild<QScrollArea*>(QStringLiteral("model.scroll"))->ensureWidgetVisible(m_form->focusWidget());
        return true;
    }
    if (!where.startsWith(QLatin1String("model")))
        return false;
    focusProxy()->setFocus(Qt::ShortcutFocusReason);
    if (!m_app.document.project()->model && m_catalogue->isVisible() && m_catalogue->isEnabled())
        m_catalogue->showPopup();
    return true;
}

// In place of a model's name.
QString ModelPanel::emptyText() const {
    return m_catalogue->count() > 0 ? tr("Choose a model") : tr("No models installed");
}

void ModelPanel::refresh() {
    const Project& project = *m_app.document.project();
    m_stack->setCurrentIndex(project.model ? 1 : 0);
    if (!project.model) {
        m_catalogue->setCurrentIndex(-1);
        m_catalogue->setPlaceholderText(emptyText());
        m_layers->setLayers({});
        setSubtitle({});
        return;
    }
    const Model& model = *project.model;
    setSubtitle(q(model.name));
    m_catalogue->setCurrentIndex(m_catalogue->findText(q(model.name), Qt::MatchFixedString));
    m_catalogue->setPlaceholderText(q(model.name));
    std::vector<FineLayer> layers = fineLayers(model, project.recipe.seq);
    Flops forward;
    for (const FineLayer& layer : layers)
        forward += layer.forwardFlops;
    const QString active = hasExperts(model)
                               ? tr("<b>%1</b> active &nbsp; ").arg(countText(activeParameterCount(model)))
                               : QString();
    m_totals->setText(tr("<span style=\"font-size:15px;font-weight:600\">%1</span> parameters &nbsp; %4"
                         "<b>%2</b> layers &nbsp; "
                         "<b>%3</b> TFLOP forward a sequence")
                          .arg(countText(parameterCount(model)))
                          .arg(layers.size())
                          .arg(forward.value / 1e12, 0, 'f', 2)
                          .arg(active));
    m_shape->setText(shapeText(model));
    m_layers->setLayers(std::move(layers));
}

void ModelPanel::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    m_body->setDirection(width() >= kBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

} // namespace pw
