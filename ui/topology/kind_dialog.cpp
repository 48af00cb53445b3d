// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/kind_dialog.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/session/document.h"
#include "ui/topology/user_catalogue.h"
#include "ui/widgets/value_field.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

constexpr int kListWidth = 240;
constexpr Fabric kFabrics[] = {Fabric::Pcie,     Fabric::Bridge,   Fabric::Mesh,
                               Fabric::CubeMesh, Fabric::Switched, Fabric::Reducing};

// A kind to start from: what an A100 of 40 GB has, under a name of its own.
DeviceKind newKind() {
    DeviceKind kind = Catalogue::builtin().kinds().front();
    if (const DeviceKind* usual = Catalogue::builtin().find("A100-SXM4-40GB"))
        kind = *usual;
    kind.source.clear();
    return kind;
}

} // namespace

KindDialog::KindDialog(Document& document, QWidget* parent)
    : QDialog(parent), m_document(document), m_list(new QListWidget), m_form(new QWidget),
      m_report(new QLabel), m_remove(new QPushButton(tr("&Remove"))), m_fabric(new QComboBox) {
    setObjectName(QStringLiteral("kindDialog"));
    setWindowTitle(tr("Device kinds"));
    setAccessibleName(windowTitle());
    resize(760, 640);
    m_list->setObjectName(QStringLiteral("kinds.list"));
    m_list->setAccessibleName(tr("Device kinds"));
    m_list->setFixedWidth(kListWidth);
    m_list->setFrameShape(QFrame::StyledPanel);
    auto* grid = new QGridLayout(m_form);
    grid->setContentsMargins(12, 4, 12, 4);
    grid->setHorizontalSpacing(16);
    grid->setColumnStretch(1, 1);
    makeFields(grid);
    grid->setRowStretch(grid->rowCount(), 1);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_form);
    auto* middle = new QHBoxLayout;
    middle->addWidget(m_list);
    middle->addWidget(scroll, 1);

    auto* add = new QPushButton(icon(QStringLiteral("plus"), IconTone::Text2), tr("&Add"));
    auto* copy = new QPushButton(icon(QStringLiteral("copy"), IconTone::Text2), tr("&Duplicate"));
    auto* close = new QPushButton(tr("Close"));
    add->setObjectName(QStringLiteral("kinds.add"));
    copy->setObjectName(QStringLiteral("kinds.copy"));
    m_remove->setObjectName(QStringLiteral("kinds.remove"));
    close->setObjectName(QStringLiteral("kinds.close"));
    m_report->setObjectName(QStringLiteral("kinds.report"));
    m_report->setWordWrap(true);
    openLinks(m_report);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {add, copy, m_remove}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addWidget(m_report, 1);
    close->setAutoDefault(false);
    buttons->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(12);
    column->addLayout(middle, 1);
    column->addLayout(buttons);

    connect(m_list, &QListWidget::currentRowChanged, this, &KindDialog::showKind);
    connect(add, &QPushButton::clicked, this, [this] {
        DeviceKind kind = newKind();
        kind.name = s(tr("My kind"));
        this->add(std::move(kind));
    });
    connect(copy, &QPushButton::clicked, this, [this] {
        if (const DeviceKind* kind = shown())
            this->add(*kind);
    });
    connect(m_remove, &QPushButton::clicked, this, &KindDialog::removeKind);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    fill();
    showKind();
}

void KindDialog::addText(QGridLayout* grid, const QString& label, const char* name,
                         std::string DeviceKind::*text) {
    auto* edit = new QLineEdit;
    edit->setObjectName(QStringLiteral("kinds.") + QLatin1String(name));
    edit->setAccessibleName(label);
    auto* caption = new QLabel(label);
    caption->setBuddy(edit);
    grid->addWidget(caption, grid->rowCount(), 0, Qt::AlignTop);
    grid->addWidget(edit, grid->rowCount() - 1, 1);
    m_texts.emplace_back(edit, text);
    connect(edit, &QLineEdit::editingFinished, this, [this, edit, text] {
        const DeviceKind* kind = shown();
        if (kind && q(kind->*text) != edit->text().trimmed())
            change([&](DeviceKind& k) { k.*text = s(edit->text().trimmed()); });
    });
}

void KindDialog::addValue(QGridLayout* grid, const QString& label, const char* name, ValueSpec spec,
                          std::function<double(const DeviceKind&)> get,
                          std::function<void(DeviceKind&, double)> set) {
    auto* field = new ValueField(std::move(spec), QStringLiteral("kinds.") + QLatin1String(name), label);
    auto* caption = new QLabel(label);
    caption->setBuddy(field->edit());
    grid->addWidget(caption, grid->rowCount(), 0, Qt::AlignTop);
    grid->addWidget(field, grid->rowCount() - 1, 1);
    m_values.push_back({field, std::move(get)});
    connect(field, &ValueField::committed, this, [this, set = std::move(set)](double value) {
        change([&](DeviceKind& kind) { set(kind, value); });
    });
}

void KindDialog::makeFields(QGridLayout* grid) {
    addText(grid, tr("Name"), "name", &DeviceKind::name);
    addText(grid, tr("Short name"), "shortName", &DeviceKind::shortName);
    addText(grid, tr("Vendor"), "vendor", &DeviceKind::vendor);
    addValue(
        grid, tr("Memory"), "memory", memorySpec(1 << 20, 1e15),
        [](const DeviceKind& k) { return k.memory.value; },
        [](DeviceKind& k, double v) { k.memory = Bytes(v); });
    const auto rate = [&](const QString& label, const char* name, BytesPerSecond DeviceKind::*member,
                          double low, const QString& zero) {
        addValue(
            grid, label, name, byteRateSpec(low, 1e15, zero),
            [member](const DeviceKind& k) { return (k.*member).value; },
            [member](DeviceKind& k, double v) { k.*member = BytesPerSecond(v); });
    };
    rate(tr("Memory bandwidth"), "memoryBandwidth", &DeviceKind::memoryBandwidth, 1e6, tr("unknown"));
    const auto peak = [&](const QString& label, const char* name, FlopsPerSecond DeviceKind::*member,
                          double low) {
        addValue(
            grid, label, name, flopRateSpec(low, 1e18, tr("cannot")),
            [member](const DeviceKind& k) { return (k.*member).value; },
            [member](DeviceKind& k, double v) { k.*member = FlopsPerSecond(v); });
    };
    peak(tr("FP32"), "fp32", &DeviceKind::fp32, 1e6);
    peak(tr("TF32"), "tf32", &DeviceKind::tf32, 0.0);
    peak(tr("FP16"), "fp16", &DeviceKind::fp16, 0.0);
    peak(tr("BF16"), "bf16", &DeviceKind::bf16, 0.0);
    peak(tr("FP8"), "fp8", &DeviceKind::fp8, 0.0);
    rate(tr("GPU to GPU"), "intraBandwidth", &DeviceKind::intraBandwidth, 0.0, tr("only PCIe"));
    m_fabric->setObjectName(QStringLiteral("kinds.fabric"));
    m_fabric->setAccessibleName(tr("Fabric inside a node"));
    for (const Fabric fabric : kFabrics)
        m_fabric->addItem(QString::fromLatin1(name(fabric)));
    grid->addWidget(new QLabel(tr("Fabric inside a node")), grid->rowCount(), 0);
    grid->addWidget(m_fabric, grid->rowCount() - 1, 1);
    connect(m_fabric, &QComboBox::activated, this,
            [this](int index) { change([index](DeviceKind& kind) { kind.fabric = kFabrics[index]; }); });
    rate(tr("PCIe"), "pcie", &DeviceKind::pcie, 0.0, tr("unknown"));
    addValue(
        grid, tr("Power, W"), "watts", countSpec(0, 1e6), [](const DeviceKind& k) { return k.watts; },
        [](DeviceKind& k, double v) { k.watts = v; });
    addValue(
        grid, tr("Price of an hour"), "price", priceSpec(tr("unknown")),
        [](const DeviceKind& k) { return k.pricePerHour; },
        [](DeviceKind& k, double v) { k.pricePerHour = v; });
    addText(grid, tr("Where the figures are from"), "source", &DeviceKind::source);
}

void KindDialog::fill() {
    const QSignalBlocker quiet(m_list);
    const QString before = m_list->currentItem() ? m_list->currentItem()->text() : QString();
    m_list->clear();
    const auto& own = UserCatalogue::instance().kinds();
    for (const DeviceKind& kind : own) {
        auto* item = new QListWidgetItem(icon(QStringLiteral("gpu"), IconTone::Accent), q(kind.name), m_list);
        item->setData(Qt::AccessibleTextRole, tr("%1, your own").arg(q(kind.name)));
    }
    for (const DeviceKind& kind : newestFirst(Catalogue::builtin().kinds())) {
        auto* item = new QListWidgetItem(icon(QStringLiteral("gpu"), IconTone::Text3), q(kind.name), m_list);
        item->setForeground(theme().text2);
        item->setToolTip(tr("Ships with the program; duplicate it to change its figures"));
        item->setData(Qt::AccessibleTextRole, tr("%1, ships with the program").arg(q(kind.name)));
    }
    select(before);
}

void KindDialog::select(const QString& kind) {
    const QList<QListWidgetItem*> found = m_list->findItems(kind, Qt::MatchExactly);
    m_list->setCurrentItem(found.isEmpty() ? m_list->item(0) : found.front());
}

const DeviceKind* KindDialog::shown() const {
    if (!m_list->currentItem())
        return nullptr;
    const std::string name = s(m_list->currentItem()->text());
    const DeviceKind* own = UserCatalogue::instance().find(name);
    return own ? own : Catalogue::builtin().find(name);
}

void KindDialog::showKind() {
    const DeviceKind* kind = shown();
    const bool own = kind && UserCatalogue::instance().find(kind->name);
    m_form->setEnabled(own);
    m_remove->setEnabled(own);
    m_report->setText(own ? QString() : tr("Ships with the program: duplicate it to change its figures."));
    if (!kind)
        return;
    for (const auto& [edit, text] : m_texts) {
        edit->setText(q(kind->*text));
        edit->setCursorPosition(0);
    }
    for (const Field& field : m_values)
        field.field->setValues({field.get(*kind)});
    m_fabric->setCurrentText(QString::fromLatin1(name(kind->fabric)));
}

void KindDialog::report(const Error& error) {
    m_report->setText(sentence(error).toHtmlEscaped() + explainLink(error.code));
}

void KindDialog::add(DeviceKind kind) {
    UserCatalogue& catalogue = UserCatalogue::instance();
    kind.name = catalogue.freeName(kind.name);
    kind.shortName = kind.name;
    if (const Status added = catalogue.put({}, kind); !added)
        return report(added.error());
    fill();
    select(q(kind.name));
    showKind();
    for (const auto& [edit, text] : m_texts)
        if (text == &DeviceKind::name) {
            edit->setFocus();
            edit->selectAll();
        }
}

void KindDialog::removeKind() {
    const DeviceKind* kind = shown();
    if (!kind)
        return;
    if (const Status removed = UserCatalogue::instance().remove(kind->name); !removed)
        return report(removed.error());
    fill();
    showKind();
}

bool KindDialog::change(const std::function<void(DeviceKind&)>& edit) {
    const DeviceKind* kind = shown();
    if (!kind)
        return false;
    const std::string before = kind->name;
    DeviceKind changed = *kind;
    edit(changed);
    if (const Status put = UserCatalogue::instance().put(before, changed); !put) {
        showKind(); // as it was
        report(put.error());
        return false;
    }
    // The open project carries a copy, which goes with it unless it was renamed.
    Project project = *m_document.project();
    const auto at = std::find_if(project.cluster.kinds.begin(), project.cluster.kinds.end(),
                                 [&](const DeviceKind& k) { return k.name == before; });
    if (at != project.cluster.kinds.end() && changed.name == before) {
        *at = changed;
        m_document.apply(project, tr("Change kind %1").arg(q(before)));
    }
    fill();
    select(q(changed.name));
    showKind();
    return true;
}

} // namespace pw
