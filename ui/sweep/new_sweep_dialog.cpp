// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/new_sweep_dialog.h"

#include "core/base/file.h"
#include "core/document/plan_document.h"
#include "core/search/options.h"
#include "core/sweep/expansion.h"
#include "core/sweep/sweep_folder.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/search_runner.h"
#include "ui/session/trainer_box.h"
#include "ui/sweep/axis_rows.h"
#include "ui/sweep/sweep_words.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/message_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <set>

#include <nlohmann/json.hpp> // keep: a document passes through

namespace pw {

namespace {

constexpr int kTypingMs = 300;
constexpr std::size_t kMostPlans = 3; // that are judged beside a search
constexpr const char *kProjectFile = "project.pwx", *kPlansFile = "plans.json", *kSweepName = "sweep";

// Empty counts as none; the document refuses what is too small.
double numberIn(const QLineEdit* field, bool* isNumber = nullptr) {
    return QLocale::c().toDouble(field->text().remove(QLatin1Char(',')), isNumber);
}

bool isEmpty(const QLineEdit* field) {
    return field->text().trimmed().isEmpty();
}

double numberOr(double usual, const QLineEdit* field) {
    return isEmpty(field) ? usual : numberIn(field);
}

} // namespace

NewSweepDialog::NewSweepDialog(AppContext& context, QWidget* parent)
    : QDialog(parent), m_context(context), m_template(new QComboBox), m_name(new QLineEdit),
      m_trainer(new TrainerBox), m_axes(new AxisRows(axisChoices(*context.document.project()))),
      m_keep(new QCheckBox(tr("Keep the plan of every task (some 10 to 100 KB each)"))),
      m_folder(new QLineEdit), m_estimate(new QLabel), m_message(new MessageBar) {
    setObjectName(QStringLiteral("newSweepDialog"));
    setWindowTitle(tr("New sweep"));
    setAccessibleName(windowTitle());
    resize(640, 0);
    keepInputs();
    m_template->setObjectName(QStringLiteral("newSweep.template"));
    m_template->addItem(tr("Which of these offers?"), static_cast<int>(SweepTemplate::Offers));
    m_template->addItem(tr("How many of which kind, under a budget?"),
                        static_cast<int>(SweepTemplate::Counts));
    m_template->addItem(tr("Which plan stays good?"), static_cast<int>(SweepTemplate::Robust));
    m_template->addItem(tr("Axes of my own"), static_cast<int>(SweepTemplate::Own));
    m_template->setCurrentIndex(1);
    m_name->setObjectName(QStringLiteral("newSweep.name"));
    m_trainer->setObjectName(QStringLiteral("newSweep.trainer"));
    m_trainer->setToolTip(tr("Only plans that this trainer can run; an axis Trainer stands above it"));
    m_trainer->setTrainer(context.runner.demand().target);
    m_estimate->setObjectName(QStringLiteral("newSweep.estimate"));
    m_estimate->setWordWrap(true);
    m_estimate->setMinimumHeight(2 * fontMetrics().height());
    m_keep->setObjectName(QStringLiteral("newSweep.keep"));
    m_keep->setChecked(true);
    auto* head = new QGridLayout;
    head->setHorizontalSpacing(12);
    const auto row = [head](int at, const QString& text, QWidget* field) {
        auto* label = new QLabel(text);
        label->setBuddy(field);
        field->setAccessibleName(QString(text).remove(QLatin1Char('&')));
        head->addWidget(label, at, 0);
        head->addWidget(field, at, 1);
    };
    row(0, tr("&Question"), m_template);
    row(1, tr("&Name"), m_name);
    row(2, tr("&Run with"), m_trainer);
    auto* more = new QPushButton(tr("&Add an axis"));
    more->setObjectName(QStringLiteral("newSweep.add"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_write = buttons->button(QDialogButtonBox::Ok);
    m_write->setText(tr("Write and open"));
    m_write->setObjectName(QStringLiteral("newSweep.write"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(10);
    column->addWidget(m_message);
    column->addLayout(head);
    column->addWidget(m_axes);
    column->addWidget(more, 0, Qt::AlignLeft);
    column->addWidget(makeLimits());
    column->addWidget(m_keep);
    column->addWidget(makeFolder());
    column->addWidget(m_estimate);
    column->addStretch();
    column->addWidget(buttons);

    m_wait.setSingleShot(true);
    m_wait.setInterval(kTypingMs);
    connect(&m_wait, &QTimer::timeout, this, &NewSweepDialog::check);
    connect(m_template, &QComboBox::currentIndexChanged, this, &NewSweepDialog::takeTemplate);
    connect(m_trainer, &QComboBox::currentIndexChanged, this, &NewSweepDialog::edited);
    connect(m_axes, &AxisRows::changed, this, &NewSweepDialog::edited);
    QList<QLineEdit*> fields = numbers();
    fields << m_name;
    for (QLineEdit* field : fields)
        connect(field, &QLineEdit::textChanged, this, &NewSweepDialog::edited);
    connect(m_keep, &QCheckBox::toggled, this, &NewSweepDialog::edited);
    connect(m_folder, &QLineEdit::textChanged, this, &NewSweepDialog::followWrite);
    connect(more, &QPushButton::clicked, this, [this] { m_axes->add({"recipe.gbs", {}, {}}); });
    connect(buttons, &QDialogButtonBox::accepted, this, &NewSweepDialog::write);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    takeTemplate();
}

NewSweepDialog::~NewSweepDialog() = default;

QLineEdit* NewSweepDialog::addNumber(QGridLayout& grid, const QString& label, const char* name,
                                     const QString& hint) {
    const int at = grid.count() / 2;
    auto* field = new QLineEdit;
    field->setObjectName(QLatin1String(name));
    field->setAccessibleName(label);
    field->setPlaceholderText(hint);
    auto* words = new QLabel(label);
    words->setBuddy(field);
    grid.addWidget(words, at / 2, 2 * (at % 2));
    grid.addWidget(field, at / 2, 2 * (at % 2) + 1);
    return field;
}

QWidget* NewSweepDialog::makeLimits() {
    auto* limits = new QWidget;
    auto* grid = new QGridLayout(limits);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    const QString none = tr("no limit");
    m_price = addNumber(*grid, tr("Price an hour, at most"), "newSweep.price", none);
    m_power = addNumber(*grid, tr("Power at most, kW"), "newSweep.power", none);
    m_tokens = addNumber(*grid, tr("Tokens of the run"), "newSweep.tokens", tr("as in 2e11"));
    m_tokens->setToolTip(tr("Without it every figure is that of one iteration."));
    m_days = addNumber(*grid, tr("Days at most"), "newSweep.days", none);
    m_budget = addNumber(*grid, tr("Budget of the run"), "newSweep.budget", none);
    m_overhead = addNumber(*grid, tr("Power of the facility over its GPUs"), "newSweep.overhead", tr("1"));
    m_gpuHours = addNumber(*grid, tr("GPU hours between failures"), "newSweep.gpuHours", tr("no failures"));
    const FailureModel usual;
    m_checkpoint = addNumber(*grid, tr("Seconds to write a checkpoint"), "newSweep.checkpoint",
                             QString::number(usual.checkpoint));
    m_restart =
        addNumber(*grid, tr("Seconds to start again"), "newSweep.restart", QString::number(usual.restart));
    return limits;
}

QWidget* NewSweepDialog::makeFolder() {
    m_folder->setObjectName(QStringLiteral("newSweep.folder"));
    m_folder->setAccessibleName(tr("Folder of the sweep"));
    m_folder->setPlaceholderText(tr("New or empty; Slurm's nodes have to see it under this name"));
    auto* choose = new QPushButton(tr("Choose..."));
    connect(choose, &QPushButton::clicked, this, [this] {
        const QString folder = askForFolder(this, QStringLiteral("newSweep"), tr("Folder of the sweep"));
        if (!folder.isEmpty())
            m_folder->setText(QDir(folder).filePath(m_name->text().trimmed()));
    });
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(new QLabel(tr("Folder")));
    row->addWidget(m_folder, 1);
    row->addWidget(choose);
    return line;
}

// The sweep reads files: the project as it stands, saved or not, and its best plans.
void NewSweepDialog::keepInputs() {
    const QDir folder(m_inputs.path());
    Status kept = writeFileAtomically(s(folder.filePath(QLatin1String(kProjectFile))),
                                      printProject(*m_context.document.project()));
    const auto problem = m_context.document.problem();
    SearchOutcome outcome;
    for (const Candidate& plan : m_context.candidates.all())
        if (problem && plan.evaluation.feasible && !Candidates::isStale(plan, problem) &&
            outcome.plans.size() < kMostPlans) {
            outcome.plans.push_back({plan.plan, plan.evaluation, {}});
            m_plans.push_back(std::string(kPlansFile) + ':' + std::to_string(outcome.plans.size()));
        }
    if (kept && !outcome.plans.empty())
        kept = writeFileAtomically(s(folder.filePath(QLatin1String(kPlansFile))),
                                   printPlanDocument(planDocument(*problem, outcome), DeviceNames::Each));
    if (!kept)
        m_message->setError(tr("The project was not kept."), kept.error());
}

void NewSweepDialog::takeTemplate() {
    const auto from = static_cast<SweepTemplate>(m_template->currentData().toInt());
    const SweepDraft draft = sweepDraft(from, *m_context.document.project(), m_plans);
    m_name->setText(q(draft.name));
    m_axes->setAxes(draft.axes);
}

void NewSweepDialog::edited() {
    if (m_writing)
        return; // it is on its way as it was
    m_job.drop();
    m_prepared.reset();
    m_estimate->setText(tr("Checking"));
    followWrite();
    m_wait.start();
}

QList<QLineEdit*> NewSweepDialog::numbers() const {
    return {m_price, m_power, m_tokens, m_days, m_budget, m_overhead, m_gpuHours, m_checkpoint, m_restart};
}

QString NewSweepDialog::fault() const {
    if (m_axes->count() == 0)
        return tr("Add an axis: without one there is nothing to compare.");
    for (int row = 0; row < m_axes->count(); ++row)
        if (isEmpty(m_axes->values(row)))
            return tr("%1: give it one value at least, with commas between several.")
                .arg(m_axes->values(row)->accessibleName());
    for (const QLineEdit* field : numbers()) {
        bool isNumber = true;
        numberIn(field, &isNumber);
        if (!isNumber && !isEmpty(field))
            return tr("%1: \"%2\" is no number.").arg(field->accessibleName(), field->text());
    }
    for (const QLineEdit* field : {m_days, m_budget, m_overhead, m_gpuHours, m_checkpoint, m_restart})
        if (isEmpty(m_tokens) && !isEmpty(field))
            return tr("%1: that is of a whole run; say how many tokens it has.").arg(field->accessibleName());
    for (const QLineEdit* field : {m_checkpoint, m_restart})
        if (isEmpty(m_gpuHours) && !isEmpty(field))
            return tr("%1: that counts where GPUs fail; say after how many GPU hours one does.")
                .arg(field->accessibleName());
    return {};
}

SweepDraft NewSweepDialog::draft() const {
    SweepDraft draft;
    draft.name = s(m_name->text().trimmed());
    draft.axes = m_axes->axes();
    draft.pricePerHour = numberIn(m_price);
    draft.watts = 1000.0 * numberIn(m_power);
    draft.tokens = numberIn(m_tokens);
    draft.deadlineDays = numberIn(m_days);
    draft.budget = numberIn(m_budget);
    draft.powerOverhead = numberOr(draft.powerOverhead, m_overhead);
    draft.failures.gpuHours = numberIn(m_gpuHours);
    draft.failures.checkpoint = numberOr(draft.failures.checkpoint, m_checkpoint);
    draft.failures.restart = numberOr(draft.failures.restart, m_restart);
    draft.keepAll = m_keep->isChecked();
    draft.search = sweepOptions(m_context.runner.options());
    if (const ExporterRow* trainer = m_trainer->trainer())
        draft.search[kTargetOption] = trainer->format;
    return draft;
}

QString NewSweepDialog::searchText() const {
    QStringList set, left;
    std::set<std::string> axes;
    for (const DraftAxis& axis : m_axes->axes()) {
        axes.insert(axis.of);
        if (axis.of == "plan" && !q(axis.values).contains(QLatin1String(kSearchAnew)))
            return {}; // nothing is searched
    }
    const std::map<std::string, std::string> taken = sweepOptions(m_context.runner.options());
    for (const SearchOptionRow& row : searchOptionTable())
        if (const auto option = taken.find(row.name);
            option != taken.end() &&
            !axes.contains(std::string("search.") + row.name)) // which stands above it
            set << tr("%1 %2").arg(QCoreApplication::translate("SearchOptions", row.label),
                                   q(option->second));
    if (m_context.runner.options().timeLimit > 0.0)
        left << tr("the time limit, since tasks repeat exactly");
    const SearchDemand& demand = m_context.runner.demand();
    if (!demand.required.empty())
        left << tr("Must use");
    if (demand.maxTp > 0 || demand.maxCp > 0 || demand.maxEp > 0)
        left << tr("the largest sizes");
    QString text;
    if (!set.isEmpty())
        text += tr(" As in Search: %1.").arg(set.join(QStringLiteral(", ")));
    if (!left.isEmpty())
        text += tr(" Left to Search: %1.").arg(left.join(QStringLiteral("; ")));
    return text;
}

void NewSweepDialog::check() {
    if (const QString wrong = fault(); !wrong.isEmpty())
        return m_estimate->setText(wrong);
    m_job.start(
        [text = sweepText(draft(), kProjectFile), folder = s(m_inputs.path())](const std::stop_token& stop) {
            Diagnostics notes;
            ExpansionOptions options;
            options.stop = stop;
            return prepareSweep(text, kSweepName, folder, options, notes);
        },
        [this](Result<PreparedSweep> prepared) { checked(std::move(prepared)); });
}

void NewSweepDialog::checked(Result<PreparedSweep> prepared) {
    if (!prepared) {
        QStringList all{errorText(prepared.error())};
        for (const Error& reason : prepared.error().reasons)
            all << errorText(reason);
        m_estimate->setText(all.mid(0, 3).join(QLatin1Char('\n')));
        return;
    }
    m_prepared = std::make_shared<const PreparedSweep>(*std::move(prepared));
    const Expansion& made = m_prepared->expansion;
    QString text =
        tr("Tasks: %1, chunks: %2, some %3 of one core by the number of GPUs.")
            .arg(numberText(made.tasks.size()), numberText(made.chunks.size()), q(roughTime(made.expected)));
    text += searchText();
    if (made.beyondCaps > 0)
        text += tr(" Beyond the limits: %1 combinations.").arg(numberText(made.beyondCaps));
    if (made.infeasible > 0)
        text += tr(" Without a plan for certain: %1, which stay as cells that say so.")
                    .arg(numberText(made.infeasible));
    m_estimate->setText(text);
    followWrite();
}

void NewSweepDialog::followWrite() {
    m_write->setEnabled(m_prepared && !m_writing && !m_folder->text().trimmed().isEmpty());
}

void NewSweepDialog::write() {
    const QString folder = QDir::cleanPath(m_folder->text().trimmed());
    m_writing = true;
    followWrite();
    m_job.start(
        [prepared = m_prepared, path = s(folder)](const std::stop_token&) {
            return writeSweepFolder(path, prepared->sweep, prepared->inputs, prepared->expansion);
        },
        [this, folder](const Status& written) {
            m_writing = false;
            followWrite();
            if (!written)
                return m_message->setError(tr("The sweep was not written."), written.error());
            Q_EMIT made(folder);
            accept();
        });
}

} // namespace pw
