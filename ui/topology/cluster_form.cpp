// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/cluster_form.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/session/selection.h"
#include "ui/topology/user_catalogue.h"
#include "ui/widgets/eliding_combo.h"
#include "ui/widgets/wrap_layout.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace pw {

namespace {

constexpr int kMostNodes = 512, kMostGpus = 16, kMostPerRack = 64, kMostSpines = 64, kMostOver = 16;
constexpr int kKindWidth = 150; // pixels
constexpr const char* kSecondKind = "A100-SXM4-80GB";

} // namespace

ClusterForm::ClusterForm(const QString& name, Selection& selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_row(new WrapLayout(12, 8)) {
    m_row->setContentsMargins(0, 0, 0, 0);
    setObjectName(name);
    m_nodes = makeCount(QStringLiteral("nodes"), tr("Nodes"), 1, kMostNodes, 4);
    m_gpus = makeCount(QStringLiteral("gpus"), tr("GPUs a node"), 1, kMostGpus, 8);
    m_kind = makeKinds(QStringLiteral("kind"), tr("Kind"));
    m_otherNodes = makeCount(QStringLiteral("otherNodes"), tr("Nodes of a second kind"), 0, kMostNodes, 0);
    m_otherNodes->setSpecialValueText(tr("none"));
    m_otherGpus = makeCount(QStringLiteral("otherGpus"), tr("GPUs in each"), 0, kMostGpus, 0);
    m_otherGpus->setSpecialValueText(tr("as many"));
    m_otherGpus->setAccessibleName(tr("GPUs a node of the second kind"));
    m_otherKind = makeKinds(QStringLiteral("otherKind"), tr("Second kind"));
    m_network = new QComboBox;
    m_network->setObjectName(name + QStringLiteral(".network"));
    using Network = ClusterSize::Network;
    for (const auto& [network, text] : {std::pair(Network::OneSwitch, tr("One switch")),
                                        {Network::SwitchOfEachKind, tr("A switch for each kind, joined")},
                                        {Network::LeafAndSpine, tr("Racks, leaf and spine")},
                                        {Network::Rails, tr("Rails, a switch for each port")}})
        m_network->addItem(text, static_cast<int>(network));
    m_row->addWidget(labelled(tr("Network"), m_network));
    m_perRack = makeCount(QStringLiteral("perRack"), tr("Nodes a rack"), 1, kMostPerRack, 4);
    m_spines = makeCount(QStringLiteral("spines"), tr("Spine switches"), 1, kMostSpines, 2);
    m_oversubscription = makeCount(QStringLiteral("oversubscription"), tr("Oversubscribed"), 1, kMostOver, 2);
    m_oversubscription->setSuffix(tr(" : 1"));
    m_oversubscription->setToolTip(
        tr("What the nodes of a full rack send at most, to what leads up from its leaf switch"));

    m_total = new QLabel;
    m_total->setObjectName(name + QStringLiteral(".total"));
    m_total->setFont(smallFont());
    m_total->setForegroundRole(QPalette::PlaceholderText);
    m_draw = new QPushButton(tr("Draw"));
    m_draw->setObjectName(name + QStringLiteral(".draw"));
    m_draw->setAccessibleName(tr("Draw a cluster of these sizes"));
    m_draw->setToolTip(m_draw->accessibleName());
    auto* end = new QWidget;
    auto* ends = new QGridLayout(end);
    ends->setContentsMargins(0, 0, 0, 0);
    ends->setHorizontalSpacing(12);
    ends->setVerticalSpacing(2);
    auto* above = new QLabel; // as high as the labels of the fields
    above->setFont(smallFont());
    ends->addWidget(above, 0, 0);
    ends->addWidget(m_draw, 1, 0);
    ends->addWidget(m_total, 1, 1);
    m_row->addWidget(end);
    setLayout(m_row);

    fillKinds();
    m_otherKind->setCurrentText(QLatin1String(kSecondKind));
    refresh();
    for (QSpinBox* count :
         {m_nodes, m_gpus, m_otherNodes, m_otherGpus, m_perRack, m_spines, m_oversubscription})
        connect(count, &QSpinBox::valueChanged, this, &ClusterForm::refresh);
    for (QComboBox* choice :
         {static_cast<QComboBox*>(m_kind), static_cast<QComboBox*>(m_otherKind), m_network})
        connect(choice, &QComboBox::currentIndexChanged, this, &ClusterForm::refresh);
    connect(m_kind, &QComboBox::currentTextChanged, &m_selection, &Selection::setKind);
    connect(&m_selection, &Selection::kindChanged, this, &ClusterForm::showKind);
    connect(&UserCatalogue::instance(), &UserCatalogue::changed, this, &ClusterForm::fillKinds);
    connect(m_draw, &QPushButton::clicked, this, [this] { Q_EMIT drawRequested(size()); });
}

QWidget* ClusterForm::labelled(const QString& text, QWidget* field) {
    auto* both = new QWidget;
    auto* column = new QVBoxLayout(both);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* label = new QLabel(text);
    label->setFont(smallFont());
    label->setBuddy(field);
    field->setAccessibleName(text);
    column->addWidget(label);
    column->addWidget(field);
    return both;
}

QSpinBox* ClusterForm::makeCount(const QString& name, const QString& label, int least, int most, int value) {
    auto* count = new QSpinBox;
    count->setObjectName(objectName() + QLatin1Char('.') + name);
    count->setRange(least, most);
    count->setValue(value);
    m_row->addWidget(labelled(label, count));
    return count;
}

ElidingCombo* ClusterForm::makeKinds(const QString& name, const QString& label) {
    auto* choice = new ElidingCombo;
    choice->setObjectName(objectName() + QLatin1Char('.') + name);
    choice->setFixedWidth(kKindWidth);
    m_row->addWidget(labelled(label, choice));
    return choice;
}

// The kinds of an empty drawing; what is chosen stays as far as it is there.
void ClusterForm::fillKinds() {
    const std::vector<DeviceKind> kinds = newestFirst(kindsFor(Cluster{}));
    for (QComboBox* choice : {m_kind, m_otherKind}) {
        const QString chosen = choice->currentText();
        const QSignalBlocker quiet(choice);
        choice->clear();
        for (const DeviceKind& kind : kinds)
            choice->addItem(q(kind.name));
        choice->setCurrentIndex(std::max(0, choice->findText(chosen)));
    }
    showKind();
}

void ClusterForm::showKind() {
    const QSignalBlocker quiet(m_kind); // a kind that an empty drawing does not know stays the window's
    m_kind->setCurrentText(q(kindToDraw(Cluster{}, s(m_selection.kind()))));
    refresh();
}

ClusterSize ClusterForm::size() const {
    return {.kind = s(m_kind->currentText()),
            .nodes = m_nodes->value(),
            .otherKind = s(m_otherKind->currentText()),
            .otherNodes = m_otherNodes->value(),
            .gpusPerNode = m_gpus->value(),
            .network = static_cast<ClusterSize::Network>(m_network->currentData().toInt()),
            .nodesPerRack = m_perRack->value(),
            .otherGpusPerNode = m_otherGpus->value(),
            .spines = m_spines->value(),
            .oversubscription = m_oversubscription->value()};
}

void ClusterForm::refresh() {
    const ClusterSize now = size();
    m_otherKind->setEnabled(now.otherNodes > 0);
    m_otherGpus->setEnabled(now.otherNodes > 0);
    for (const QSpinBox* ofRacks : {m_perRack, m_spines, m_oversubscription})
        ofRacks->parentWidget()->setVisible(now.network == ClusterSize::Network::LeafAndSpine);
    m_total->setText(
        now.otherNodes > 0
            ? tr("%1 GPUs: %2 %3, %4 %5")
                  .arg(countText(now.gpus()), countText(std::int64_t{now.nodes} * now.gpusPerNode),
                       m_kind->currentText(), countText(std::int64_t{now.otherNodes} * now.gpusOfOthers()),
                       m_otherKind->currentText())
            : tr("%1 GPUs: %2").arg(countText(now.gpus()), m_kind->currentText()));
}

} // namespace pw
