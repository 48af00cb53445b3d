// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/size_dialog.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/own_colour.h"
#include "ui/base/theme.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <array>

namespace pw {

namespace {

struct SizeRow {
    const char* name; // object name behind "size."
    const char* label;
    const char* help;
    std::int64_t& (*of)(Model&);
};
constexpr std::array kSizes = {
    SizeRow{"blocks", QT_TRANSLATE_NOOP("pw::SizeDialog", "Blocks"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Transformer blocks, each attention and feed-forward"),
            [](Model& m) -> std::int64_t& { return m.blocks; }},
    SizeRow{"hidden", QT_TRANSLATE_NOOP("pw::SizeDialog", "Hidden size"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Width of the activations between blocks"),
            [](Model& m) -> std::int64_t& { return m.hidden; }},
    SizeRow{"heads", QT_TRANSLATE_NOOP("pw::SizeDialog", "Heads"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Attention heads of the queries"),
            [](Model& m) -> std::int64_t& { return m.heads; }},
    SizeRow{"kvHeads", QT_TRANSLATE_NOOP("pw::SizeDialog", "Key and value heads"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "As many as heads, or fewer: grouped-query attention"),
            [](Model& m) -> std::int64_t& { return m.kvHeads; }},
    SizeRow{"headDim", QT_TRANSLATE_NOOP("pw::SizeDialog", "Head width"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Usually the hidden size by the heads"),
            [](Model& m) -> std::int64_t& { return m.headDim; }},
    SizeRow{"ffn", QT_TRANSLATE_NOOP("pw::SizeDialog", "Feed-forward size"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Inner width of the MLP of a dense block"),
            [](Model& m) -> std::int64_t& { return m.ffn; }},
    SizeRow{"vocab", QT_TRANSLATE_NOOP("pw::SizeDialog", "Vocabulary"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Rows of the embedding, padding included"),
            [](Model& m) -> std::int64_t& { return m.vocab; }},
    SizeRow{"positions", QT_TRANSLATE_NOOP("pw::SizeDialog", "Positions"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "The longest sequence that it was made for"),
            [](Model& m) -> std::int64_t& { return m.positions; }},
    SizeRow{"learnedPositions", QT_TRANSLATE_NOOP("pw::SizeDialog", "Learned positions"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Rows of a learned position table; 0: rotary or none"),
            [](Model& m) -> std::int64_t& { return m.learnedPositions; }},
    SizeRow{"experts", QT_TRANSLATE_NOOP("pw::SizeDialog", "Experts"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Routed experts of a block; 0: none"),
            [](Model& m) -> std::int64_t& { return m.experts.count; }},
    SizeRow{"perToken", QT_TRANSLATE_NOOP("pw::SizeDialog", "Experts a token"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Routed experts that a token is sent to"),
            [](Model& m) -> std::int64_t& { return m.experts.perToken; }},
    SizeRow{"expertFfn", QT_TRANSLATE_NOOP("pw::SizeDialog", "Expert size"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Inner width of a routed expert"),
            [](Model& m) -> std::int64_t& { return m.experts.ffn; }},
    SizeRow{"shared", QT_TRANSLATE_NOOP("pw::SizeDialog", "Shared experts"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Experts that every token goes through; 0: none"),
            [](Model& m) -> std::int64_t& { return m.experts.shared; }},
    SizeRow{"sharedFfn", QT_TRANSLATE_NOOP("pw::SizeDialog", "Shared expert size"),
            QT_TRANSLATE_NOOP("pw::SizeDialog", "Inner width of a shared expert"),
            [](Model& m) -> std::int64_t& { return m.experts.sharedFfn; }},
};

struct TraitRow {
    const char* name;
    const char* label;
    bool Model::*trait;
};
constexpr std::array kTraits = {
    TraitRow{"gatedMlp", QT_TRANSLATE_NOOP("pw::SizeDialog", "Gated feed-forward (SwiGLU)"),
             &Model::gatedMlp},
    TraitRow{"rmsNorm", QT_TRANSLATE_NOOP("pw::SizeDialog", "Norms without a bias (RMSNorm)"),
             &Model::rmsNorm},
    TraitRow{"tied", QT_TRANSLATE_NOOP("pw::SizeDialog", "Head tied to the embedding"), &Model::tied},
    TraitRow{"qkvBias", QT_TRANSLATE_NOOP("pw::SizeDialog", "Bias on queries, keys and values"),
             &Model::qkvBias},
    TraitRow{"attentionOutBias", QT_TRANSLATE_NOOP("pw::SizeDialog", "Bias on the attention's output"),
             &Model::attentionOutBias},
    TraitRow{"mlpBias", QT_TRANSLATE_NOOP("pw::SizeDialog", "Bias on the feed-forward"), &Model::mlpBias},
};

} // namespace

Model SizeDialog::usual() {
    Model model;
    model.name = "my-model";
    model.family = "llama";
    model.blocks = 32;
    model.hidden = 4096;
    model.heads = 32;
    model.kvHeads = 8;
    model.headDim = 128;
    model.ffn = 14336;
    model.vocab = 128256;
    model.positions = 8192;
    model.gatedMlp = model.rmsNorm = true;
    return model;
}

SizeDialog::SizeDialog(const Model& start, QWidget* parent)
    : QDialog(parent), m_start(start), m_name(new QLineEdit(q(start.name))), m_verdict(new QLabel) {
    setObjectName(QStringLiteral("sizeDialog"));
    setWindowTitle(tr("Model, size by size"));
    setAccessibleName(windowTitle());
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    int row = 0;
    const auto add = [&](const QString& text, const QString& name, const QString& help, QLineEdit* field) {
        auto* label = new QLabel(text);
        label->setBuddy(field);
        field->setObjectName(QStringLiteral("size.") + name);
        field->setAccessibleName(text);
        field->setToolTip(help);
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row++, 1);
        connect(field, &QLineEdit::textChanged, this, &SizeDialog::judge);
    };
    add(tr("Name"), QStringLiteral("name"), tr("What the project calls it"), m_name);
    for (const SizeRow& size : kSizes) {
        auto* field = new QLineEdit(QString::number(size.of(m_start)));
        m_sizes.push_back(field);
        add(tr(size.label), QLatin1String(size.name), tr(size.help), field);
    }
    for (const TraitRow& trait : kTraits) {
        auto* box = new QCheckBox(tr(trait.label));
        box->setObjectName(QStringLiteral("size.") + QLatin1String(trait.name));
        box->setAccessibleName(box->text());
        box->setChecked(m_start.*trait.trait);
        m_traits.push_back(box);
        grid->addWidget(box, row++, 0, 1, 2);
        connect(box, &QCheckBox::toggled, this, &SizeDialog::judge);
    }
    auto* scroll = new QScrollArea; // low screens
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(page);
    m_verdict->setObjectName(QStringLiteral("size.verdict"));
    m_verdict->setWordWrap(true);
    m_verdict->setTextFormat(Qt::PlainText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_accept = buttons->button(QDialogButtonBox::Ok);
    m_accept->setText(tr("Take this model"));
    m_accept->setObjectName(QStringLiteral("size.accept"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(scroll, 1);
    column->addWidget(m_verdict);
    column->addWidget(buttons);
    resize(420, 620);
    judge();
}

Result<Model> SizeDialog::model() const {
    Model model = m_start;
    model.name = s(m_name->text().trimmed());
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
        bool whole = false;
        QString text = m_sizes[i]->text();
        const qlonglong value = text.remove(QLatin1Char(',')).trimmed().toLongLong(&whole);
        if (!whole || value < 0)
            return badInput("field.number", s(tr(kSizes[i].label)),
                            wordingOf(tr("A whole number from 0 is expected")));
        kSizes[i].of(model) = value;
    }
    for (std::size_t i = 0; i < kTraits.size(); ++i)
        model.*kTraits[i].trait = m_traits[i]->isChecked();
    if (model != m_start)
        model.source = s(tr("entered size by size"));
    return model;
}

void SizeDialog::judge() {
    const Result<Model> now = model();
    const Status sound = now ? checkModel(*now, {}) : Status(now.error());
    m_accept->setEnabled(static_cast<bool>(sound));
    setOwnColour(*m_verdict, QPalette::WindowText, sound ? theme().text2 : theme().err);
    m_verdict->setText(sound ? tr("%1 parameters").arg(countText(parameterCount(*now)))
                             : errorText(sound.error()));
}

} // namespace pw
