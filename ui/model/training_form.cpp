// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/training_form.h"

#include "core/edit/edit.h"
#include "core/problem/software_stack.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/manual_link.h"
#include "ui/base/own_colour.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/widgets/value_field.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

constexpr int kThreePairs = 560; // px from which three fields stand side by side
const QString kAuto = QStringLiteral("auto");
const QString kPrefix = QStringLiteral("recipe."); // of the fields' object names

const std::vector<std::vector<Recompute>>& recomputeChoices() {
    static const std::vector<std::vector<Recompute>> all = {
        {}, {Recompute::None}, {Recompute::Selective}, {Recompute::Full}};
    return all;
}

} // namespace

TrainingForm::TrainingForm(const AppContext& app, QWidget* parent)
    : QWidget(parent), m_app(app),
      m_gbs(new ValueField(countSpec(1, 1e7), QStringLiteral("recipe.gbs"), tr("Global batch"), this)),
      m_seq(new ValueField(countSpec(1, 1e7), QStringLiteral("recipe.seq"), tr("Sequence length"), this)),
      m_reserve(
          new ValueField(memorySpec(0, 1e12), QStringLiteral("recipe.reserve"), tr("Reserve a GPU"), this)),
      m_fitChance(new ValueField(percentSpec(RecipeLimits::leastFitChance, RecipeLimits::mostFitChance),
                                 QStringLiteral("recipe.fit_chance"), tr("Chance to fit"), this)),
      m_expertLoad(new ValueField(factorSpec(1.0, RecipeLimits::expertLoad),
                                  QStringLiteral("recipe.expert_load"), tr("Expert load"), this)),
      m_precision(new QComboBox(this)), m_optimizer(new QComboBox(this)), m_zero(new QComboBox(this)),
      m_recompute(new QComboBox(this)), m_sequenceParallel(new QComboBox(this)), m_stack(new QComboBox(this)),
      m_mbs(new QLineEdit(this)), m_mbsNote(new QLabel(this)) {
    setObjectName(QStringLiteral("trainingForm"));
    setAccessibleName(tr("Training"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(10, 4, 10, 4);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    m_grid = grid;
    const auto add = [&](const QString& label, QWidget* field) {
        auto* text = new QLabel(label, this);
        text->setForegroundRole(QPalette::PlaceholderText);
        text->setBuddy(field);
        text->setMinimumHeight(24);
        field->setSizePolicy(field->sizePolicy().horizontalPolicy(),
                             QSizePolicy::Fixed); // scrolled, not squeezed
        m_rows.emplace_back(text, field);
    };
    const auto choice = [&](QComboBox* box, const QString& name, const QString& label,
                            const QStringList& items) {
        box->setObjectName(kPrefix + name);
        box->setAccessibleName(label);
        box->addItems(items);
        add(label, box);
    };
    auto* mbs = new QWidget(this);
    auto* mbsColumn = new QVBoxLayout(mbs);
    mbsColumn->setContentsMargins(0, 0, 0, 0);
    mbsColumn->setSpacing(2);
    mbsColumn->addWidget(m_mbs);
    mbsColumn->addWidget(m_mbsNote);
    mbs->setFocusProxy(m_mbs);
    m_mbs->setObjectName(QStringLiteral("recipe.mbs"));
    m_mbs->setAccessibleName(tr("Micro-batches"));
    m_mbs->setToolTip(tr("Sequences a replica, for instance 1, 2, 4; auto leaves them to the search"));
    m_mbsNote->setObjectName(QStringLiteral("recipe.mbs.note"));
    m_mbsNote->setFont(smallFont());
    m_mbsNote->hide();

    add(tr("Global batch"), m_gbs);
    add(tr("Sequence"), m_seq);
    choice(m_precision, QStringLiteral("precision"), tr("Precision"),
           {kAuto, QStringLiteral("fp32"), QStringLiteral("tf32"), QStringLiteral("fp16"),
            QStringLiteral("bf16"), QStringLiteral("fp8")});
    choice(m_optimizer, QStringLiteral("optimizer"), tr("Optimizer"),
           {QStringLiteral("adam"), QStringLiteral("sgd")});
    choice(m_recompute, QStringLiteral("recompute"), tr("Recompute"),
           {kAuto, QStringLiteral("none"), QStringLiteral("selective"), QStringLiteral("full")});
    choice(m_zero, QStringLiteral("zero"), tr("Sharding"),
           {kAuto, QStringLiteral("ZeRO 0"), QStringLiteral("ZeRO 1"), QStringLiteral("ZeRO 2"),
            QStringLiteral("ZeRO 3")});
    add(tr("Micro-batches"), mbs);
    choice(m_sequenceParallel, QStringLiteral("sequenceParallel"), tr("Seq. parallel"),
           {kAuto, QStringLiteral("on"), QStringLiteral("off")});
    add(tr("Reserve"), m_reserve);
    add(tr("Chance to fit"), m_fitChance);
    m_fitChance->setToolTip(
        tr("How sure plans are to fit into memory; 50 % takes memory as it is predicted"));
    choice(m_stack, QStringLiteral("stack"), tr("Software"), {});
    m_stack->setToolTip(tr("The trainer's generation: kernels, overlaps and habits that times rest on"));
    m_stack->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_stack->setMinimumContentsLength(8);
    add(tr("Expert load"), m_expertLoad);
    m_expertLoad->setToolTip(tr("Tokens of the busiest expert-parallel rank over the mean"));
    for (std::size_t i = 1; i < m_rows.size(); ++i) // as they stand, not as they were made
        setTabOrder(entry(i - 1), entry(i));
    listStacks();
    arrange(2);

    const auto number = [&](ValueField* field, const QString& what, auto set) {
        connect(field, &ValueField::committed, this, [this, field, what, set](double v) {
            const std::optional<Error> refused = change(what, [set, v](Recipe& r) { set(r, v); });
            field->setError(refused ? messageText(*refused) : QString(),
                            refused ? refused->code : std::string());
        });
    };
    number(m_gbs, tr("Change global batch"),
           [](Recipe& r, double v) { r.gbs = static_cast<std::int64_t>(v); });
    number(m_seq, tr("Change sequence length"),
           [](Recipe& r, double v) { r.seq = static_cast<std::int64_t>(v); });
    number(m_reserve, tr("Change reserve"), [](Recipe& r, double v) { r.reserve = Bytes(v); });
    number(m_fitChance, tr("Change chance to fit"), [](Recipe& r, double v) { r.fitChance = v; });
    number(m_expertLoad, tr("Change expert load"), [](Recipe& r, double v) { r.expertLoad = v; });
    const auto pick = [&](QComboBox* box, const QString& what, auto set) {
        connect(box, &QComboBox::activated, this, [this, what, set](int i) {
            change(what, [set, i](Recipe& r) { set(r, i); });
            refresh();
        });
    };
    pick(m_precision, tr("Change precision"),
         [](Recipe& r, int i) { r.precision = static_cast<Precision>(i); });
    pick(m_optimizer, tr("Change optimizer"),
         [](Recipe& r, int i) { r.optimizer = static_cast<Optimizer>(i); });
    pick(m_zero, tr("Change sharding"), [](Recipe& r, int i) { r.zero = i - 1; });
    pick(m_recompute, tr("Change recompute"),
         [](Recipe& r, int i) { r.recompute = recomputeChoices()[static_cast<std::size_t>(i)]; });
    pick(m_sequenceParallel, tr("Change sequence parallelism"),
         [](Recipe& r, int i) { r.sequenceParallel = static_cast<Choice>(i); });
    pick(m_stack, tr("Change software"), [this](Recipe& r, int i) {
        const std::string names = s(m_stack->itemData(i).toString());
        if (names == r.stack)
            return;
        const Result<Software> software =
            names.empty() ? Result<Software>(Software{}) : softwareOfStack(names, "stack");
        if (software) { // else it is a stack of a file, which only that file can change
            r.stack = names;
            r.software = *software;
        }
    });
    connect(m_mbs, &QLineEdit::editingFinished, this, &TrainingForm::commitMicrobatches);
    connect(&app.document, &Document::changed, this, &TrainingForm::refresh);
    refresh();
}

// What is typed or chosen in.
QWidget* TrainingForm::entry(std::size_t row) const {
    QWidget* field = m_rows[row].second;
    return field->focusProxy() ? field->focusProxy() : field;
}

void TrainingForm::arrange(int pairs) {
    if (m_pairs == pairs)
        return;
    m_pairs = pairs;
    for (int column = 0; column < 6; ++column)
        m_grid->setColumnStretch(column, column % 2 == 1 && column < 2 * pairs ? 1 : 0);
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        const auto& [label, field] = m_rows[static_cast<std::size_t>(i)];
        m_grid->addWidget(label, i / pairs, i % pairs * 2, Qt::AlignTop);
        m_grid->addWidget(field, i / pairs, i % pairs * 2 + 1, Qt::AlignTop);
    }
}

void TrainingForm::listStacks() {
    m_stack->addItem(tr("usual"), QString());
    for (const SoftwareStack& stack : softwareStacks()) {
        m_stack->addItem(q(stack.label), q(stack.name));
        m_stack->setItemData(m_stack->count() - 1, q(stack.what), Qt::ToolTipRole);
    }
}

void TrainingForm::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange(width() >= kThreePairs ? 3 : 2);
}

bool TrainingForm::hasExpertLoad() const {
    const auto& model = m_app.document.project()->model;
    return model && hasExperts(*model);
}

void TrainingForm::refresh() {
    const Recipe& recipe = m_app.document.project()->recipe;
    m_gbs->setValues({static_cast<double>(recipe.gbs)});
    m_seq->setValues({static_cast<double>(recipe.seq)});
    m_reserve->setValues({recipe.reserve.value});
    m_fitChance->setValues({recipe.fitChance});
    m_expertLoad->setValues({recipe.expertLoad});
    m_expertLoad->setVisible(hasExpertLoad());
    m_rows.back().first->setVisible(hasExpertLoad());
    // Several stacks, or one of a file, come from a file or the command line only.
    if (m_stack->findData(q(recipe.stack)) < 0)
        m_stack->addItem(q(recipe.stack), q(recipe.stack));
    m_stack->setCurrentIndex(m_stack->findData(q(recipe.stack)));
    m_precision->setCurrentIndex(static_cast<int>(recipe.precision));
    m_optimizer->setCurrentIndex(static_cast<int>(recipe.optimizer));
    m_zero->setCurrentIndex(recipe.zero + 1);
    m_sequenceParallel->setCurrentIndex(static_cast<int>(recipe.sequenceParallel));
    // A list of several modes comes from a file only; it is shown, and any choice replaces it.
    const auto& choices = recomputeChoices();
    const auto at = std::find(choices.begin(), choices.end(), recipe.recompute);
    QStringList modes;
    for (const Recompute mode : recipe.recompute)
        modes << q(name(mode));
    m_recompute->setPlaceholderText(modes.join(QStringLiteral(", ")));
    m_recompute->setCurrentIndex(at == choices.end() ? -1 : static_cast<int>(at - choices.begin()));
    QStringList sizes;
    for (const std::int64_t size : recipe.mbs)
        sizes << QString::number(size);
    m_mbs->setText(sizes.isEmpty() ? kAuto : sizes.join(QStringLiteral(", ")));
    m_mbsNote->hide();
    m_mbs->setProperty("invalid", false);
    m_mbs->style()->unpolish(m_mbs);
    m_mbs->style()->polish(m_mbs);
}

std::optional<Error> TrainingForm::change(const QString& what, const std::function<void(Recipe&)>& edit) {
    Recipe recipe = m_app.document.project()->recipe;
    edit(recipe);
    const Result<Project> edited = setRecipe(*m_app.document.project(), recipe);
    if (!edited)
        return edited.error();
    m_app.document.apply(edited, what);
    return std::nullopt;
}

void TrainingForm::commitMicrobatches() {
    const QString text = m_mbs->text().trimmed();
    std::vector<std::int64_t> sizes;
    std::optional<Error> refused;
    if (text.compare(kAuto, Qt::CaseInsensitive) != 0 && !text.isEmpty())
        for (const QString& part : text.split(QLatin1Char(','))) {
            bool ok = false;
            const qlonglong size = part.trimmed().toLongLong(&ok);
            if (!ok || size < 1 || size > RecipeLimits::batch)
                refused = badInput("field.number", {}, wordingOf(tr("Whole numbers from 1, or auto")));
            else
                sizes.push_back(size);
        }
    if (!refused && sizes == m_app.document.project()->recipe.mbs) {
        refresh();
        return;
    }
    if (!refused)
        refused = change(tr("Change micro-batches"), [&](Recipe& r) { r.mbs = sizes; });
    if (!refused)
        return;
    m_mbs->setProperty(kMessageCodeProperty, q(refused->code));
    m_mbsNote->setText(messageText(*refused));
    setOwnColour(*m_mbsNote, QPalette::WindowText, theme().err);
    m_mbsNote->show();
    m_mbs->setProperty("invalid", true);
    m_mbs->style()->unpolish(m_mbs);
    m_mbs->style()->polish(m_mbs);
}

std::vector<TrainingForm::Field> TrainingForm::fields() const {
    std::vector<Field> fields;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].second != m_expertLoad || hasExpertLoad())
            fields.push_back({entry(i)->objectName().mid(kPrefix.size()), m_rows[i].first->text()});
    return fields;
}

bool TrainingForm::focusField(const QString& field) {
    auto* found = findChild<QWidget*>(kPrefix + field);
    if (!found)
        return false;
    found->setFocus(Qt::ShortcutFocusReason);
    if (auto* edit = qobject_cast<QLineEdit*>(found))
        edit->selectAll();
    return true;
}

} // namespace pw
