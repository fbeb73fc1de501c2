// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets of ExperimentsDialog and what they are connected to.
#include "app/documents/items/paths.h"
#include "app/jobs/worker_command.h"
#include "app/parts/availability.h"
#include "app/parts/forms/few_lines.h"
#include "app/parts/forms/path_field.h"
#include "app/places/where_field.h"
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/study_table/study_table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;
using widgets::StudyTableView;

namespace {

/// Leaves out nothing of a title that wraps: the style sheet's padding makes a row narrower than the style reckons.
class ExperimentRows : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const auto* list = qobject_cast<const QListView*>(option.widget);
        QStyleOptionViewItem narrower = option;
        const int width = list->viewport()->width() - 2 * list->spacing();
        narrower.rect.setWidth(width - qRound(2 * Sizes::unit()));
        return {width, QStyledItemDelegate::sizeHint(narrower, index).height()};
    }
};

} // namespace

void ExperimentsDialog::makeLayout() {
    const int unit = qRound(Sizes::unit());
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(2 * unit, 2 * unit, 2 * unit, 2 * unit);
    outer->setSpacing(2 * unit);
    outer->addWidget(makeSide());
    auto* right = new QVBoxLayout;
    right->setSpacing(unit);
    outer->addLayout(right, 1);
    m_title = new QLabel(this);
    widgets::withTextSize(m_title, [title = m_title] { title->setFont(Sizes::heading()); });
    m_title->setWordWrap(true);
    m_needs = new QLabel(this);
    m_needs->setWordWrap(true);
    m_needs->setProperty("caption", true);
    for (QLabel* label : {m_title, m_needs})
        right->addWidget(label);
    right->addWidget(makeForm());
    m_sentence = new QLabel(this);
    m_sentence->setObjectName(QStringLiteral("experimentSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setMinimumHeight(Sizes::tableRow() * 2);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    right->addWidget(m_sentence);
    right->addWidget(makePages(), 1);
    right->addWidget(makeFoot());
    resize(unit * 140, unit * 80);
    connect(m_list, &QListWidget::currentRowChanged, this, &ExperimentsDialog::showCurrent);
    connect(m_list, &QListWidget::itemSelectionChanged, this, [this] { // a click between two entries chooses neither
        if (m_list->selectedItems().isEmpty() && m_list->currentItem())
            m_list->currentItem()->setSelected(true);
    });
    const auto replan = qOverload<>(&QTimer::start);
    for (PathField* field : {m_data, m_out})
        connect(field, &QLineEdit::textChanged, &m_planSoon, replan);
    connect(m_scale, &QDoubleSpinBox::valueChanged, &m_planSoon, replan);
    connect(m_seeds, &QSpinBox::valueChanged, &m_planSoon, replan);
    connect(m_where, &QComboBox::currentIndexChanged, &m_planSoon, replan);
    m_where->look();
}

QWidget* ExperimentsDialog::makeSide() {
    m_list = new QListWidget(this);
    m_list->setAccessibleName(tr("Experiments"));
    m_list->setFixedWidth(qRound(Sizes::unit() * 34));
    m_list->setItemDelegate(new ExperimentRows(m_list));
    m_list->setWordWrap(true);
    m_list->setAlternatingRowColors(true);
    m_list->setSpacing(qRound(Sizes::unit() / 4));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const ListedExperiment& one : m_experiments) {
        const QString name = toQString(one.file.stem());
        const QString title = one.mistake.isEmpty() ? QString::fromStdString(one.document.title) : one.mistake;
        const QString table = QString::fromStdString(one.document.table);
        auto* item = new QListWidgetItem((table.isEmpty() ? name : tr("%1: %2").arg(name, table)) + QLatin1Char('\n') + title, m_list);
        item->setToolTip(item->text()); // else the whole text would stand above the title, which is a part of it
    }
    return m_list;
}

QWidget* ExperimentsDialog::makeForm() {
    auto* form = new QWidget(this);
    auto* rows = new QFormLayout(form);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto folder = [&](AppSettings::FolderOf purpose, const QString& label, const QString& tip, QPushButton*& choose) {
        auto* line = new QWidget(form);
        auto* row = new QHBoxLayout(line);
        row->setContentsMargins(0, 0, 0, 0);
        auto* field = new PathField(line);
        field->setToolTip(tip);
        field->setAccessibleName(label);
        choose = new QPushButton(tr("Choose…"), line);
        choose->setAutoDefault(false);
        choose->setAccessibleName(tr("Choose: %1").arg(label));
        connect(choose, &QPushButton::clicked, this, [this, field, label, purpose] {
            if (const QString chosen = askPath({purpose, label, {}, toQString(field->path())}); !chosen.isEmpty())
                field->setText(chosen);
        });
        row->addWidget(field, 1);
        row->addWidget(choose);
        rows->addRow(label, line);
        return field;
    };
    m_data = folder(
        AppSettings::FolderOf::Corpora, tr("Corpora, D"),
        tr("A corpus, or a folder D with the corpora that the experiment needs, each under its name."), m_chooseData);
    QPushButton* chooseOut = nullptr;
    m_data->setPlaceholderText(tr("The folder with the corpora"));
    m_out = folder(AppSettings::FolderOf::Experiments, tr("Output folder"),
                   tr("Receives everything the experiment produces. If the experiment was started in this folder before, it continues with the "
                      "same settings."), chooseOut);
    auto* numbers = new QWidget(form);
    auto* row = new QHBoxLayout(numbers);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(qRound(Sizes::unit()));
    m_scale = new QDoubleSpinBox(numbers);
    m_scale->setRange(0.0001, 1);
    m_scale->setDecimals(4);
    m_scale->setSingleStep(0.01);
    m_scale->setValue(1);
    m_scale->setLocale(QLocale::c());
    m_scale->setAccessibleName(tr("Scale"));
    m_scale->setToolTip(tr("1 is the paper. 0.01 shrinks data, width, beams and updates, so that everything "
                           "runs in minutes; its numbers cannot be compared with the paper's."));
    m_seeds = new QSpinBox(numbers);
    m_seeds->setRange(1, 1000);
    m_seeds->setAccessibleName(tr("Seeds"));
    m_seeds->setToolTip(tr("Number of runs of each training step, each with a different seed."));
    row->addWidget(m_scale);
    auto* seeds = new QLabel(tr("Seeds"), numbers);
    seeds->setBuddy(m_seeds);
    row->addWidget(seeds);
    row->addWidget(m_seeds);
    row->addStretch(1);
    rows->addRow(tr("Scale"), numbers);
    m_where = new WhereField(m_places, m_devices, form);
    m_where->setAccessibleName(tr("Where"));
    rows->addRow(tr("Where"), m_where);
    return form;
}

QWidget* ExperimentsDialog::makePages() {
    m_pages = new QTabWidget(this);
    m_steps = new StudyTableView(m_pages);
    m_steps->setAccessibleName(tr("Steps of the experiment"));
    m_steps->setToolTip(tr("A double-click opens the trained model of a step in Analyse."));
    m_pages->addTab(m_steps, tr("Steps"));
    auto* page = new QWidget(m_pages);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    m_result = new StudyTableView(page);
    m_result->setAccessibleName(tr("The paper's numbers and ours"));
    m_notes = new QLabel;
    m_notes->setWordWrap(true);
    m_notes->setProperty("caption", true);
    m_notes->setContentsMargins(qRound(Sizes::unit()), 0, qRound(Sizes::unit()), qRound(Sizes::unit() / 2));
    column->addWidget(m_result, 1);
    m_notesArea = new FewLines(m_notes);
    m_notesArea->setObjectName(QStringLiteral("experimentNotes"));
    m_notesArea->setAccessibleName(tr("Notes"));
    column->addWidget(m_notesArea);
    m_pages->addTab(page, tr("Result"));
    m_steps->horizontalHeader()->setStretchLastSection(true);
    connect(m_steps, &StudyTableView::cellActivated, this, &ExperimentsDialog::openStep);
    connect(m_steps, &StudyTableView::rowChosen, this, [this] { setAvailable(m_open, whyNotOpened()); });
    return m_pages;
}

QWidget* ExperimentsDialog::makeFoot() {
    auto* foot = new QWidget(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(0, 0, 0, 0);
    const auto button = [&](const char* icon, const QString& text, const QString& tip) {
        auto* made = new QPushButton(widgets::icon(QLatin1String(icon)), text, foot);
        made->setToolTip(tip);
        made->setAutoDefault(false);
        row->addWidget(made);
        return made;
    };
    m_folder = button("folder", tr("Open folder"), tr("Show the folder of the experiment, with table.md and table.tex."));
    m_open = button("matrix", tr("Open in Analyse"), tr("Open the trained model of the chosen step in Analyse."));
    m_copy = button("terminal", tr("Copy command"), tr("Copy the equivalent command line."));
    row->addStretch(1);
    m_start = new QPushButton(tr("Start"), foot);
    m_start->setProperty("primary", true);
    m_start->setAutoDefault(false);
    row->addWidget(m_start);
    auto* close = new QPushButton(tr("Close"), foot);
    close->setAutoDefault(false);
    row->addWidget(close);
    connect(m_folder, &QPushButton::clicked, this, [this] { Q_EMIT showInFolderRequested(toQString(m_out->path())); });
    connect(m_open, &QPushButton::clicked, this, &ExperimentsDialog::openStep);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(shellLine(arguments(options())) + QLatin1Char('\n')); });
    connect(m_start, &QPushButton::clicked, this, &ExperimentsDialog::startOrStop);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    return foot;
}

} // namespace headroom::app
