// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/paths.h"
#include "app/runs/run_store.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/launch_form_private.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/table_text.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;

namespace {

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("heading", true);
    return label;
}

QLineEdit* lineWithButton(const QString& iconName, const QString& tip, QAction*& action, QWidget* parent) {
    auto* line = new QLineEdit(parent);
    action = line->addAction(widgets::icon(iconName), QLineEdit::TrailingPosition);
    action->setToolTip(tip);
    return line;
}

/// A field with a button behind it that takes a change back.
QWidget* withBack(QLineEdit* line, QToolButton*& back, QWidget* parent) {
    auto* box = new QWidget(parent);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(qRound(Sizes::unit() / 2));
    row->addWidget(line, 1);
    back = new QToolButton(box);
    back->setIcon(widgets::icon(QStringLiteral("undo")));
    back->setToolTip(LaunchForm::tr("Reset to the recipe's value."));
    back->setAccessibleName(back->toolTip());
    row->addWidget(back);
    box->setFocusProxy(line);
    return box;
}

} // namespace

void LaunchForm::makeFields() {
    const int unit = qRound(Sizes::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* content = new QWidget(scroll);
    content->setProperty("panel", true);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    layout->setSpacing(unit / 2);

    const auto combo = [&] {
        auto* box = new QComboBox(content);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        box->setMaxVisibleItems(20);
        return box;
    };
    const auto add = [&](FormRow*& place, const char* name, const QString& label, QWidget* field) {
        place = new FormRow(label, field, content);
        place->setObjectName(QLatin1String(name));
        layout->addWidget(place);
    };
    layout->addWidget(heading(tr("What"), content));
    m->architecture = combo();
    m->recipe = combo();
    m->start = combo();
    QAction *openCorpus = nullptr, *openRuns = nullptr;
    m->data = lineWithButton(QStringLiteral("folder"), tr("Choose a corpus folder."), openCorpus, content);
    m->data->setPlaceholderText(tr("a corpus folder"));
    m->seeds = new QLineEdit(QStringLiteral("1"), content);
    m->seeds->setToolTip(tr("One run per seed: 1 2 3, or 1-3."));
    m->batch = new QLineEdit(content);
    m->updates = new QLineEdit(content);
    add(m->architectureRow, "architecture", tr("Architecture"), m->architecture);
    add(m->recipeRow, "recipe", tr("Recipe"), m->recipe);
    add(m->dataRow, "data", tr("Data"), m->data);
    m->makeCorpus =
        new QPushButton(widgets::icon(QStringLiteral("audio")), tr("Make the demo corpus"), content);
    m->makeCorpus->setToolTip(
        tr("Sentences of a small grammar, spoken by espeak-ng in many voices, with exact times. Makes 30 "
           "minutes of speech in about a minute."));
    auto* corpusRow = new QHBoxLayout;
    corpusRow->addSpacing(qRound(Sizes::unit() * 11.5));
    corpusRow->addWidget(m->makeCorpus);
    corpusRow->addStretch(1);
    layout->addLayout(corpusRow);
    add(m->startRow, "start", tr("Start from"), m->start);
    add(m->seedsRow, "seeds", tr("Seeds"), m->seeds);
    add(m->batchRow, "batch", tr("Batch, frames"), withBack(m->batch, m->batchBack, content));
    add(m->updatesRow, "updates", tr("Updates"), withBack(m->updates, m->updatesBack, content));
    layout->addWidget(makeValues());
    layout->addSpacing(unit / 2);
    layout->addWidget(heading(tr("Where"), content));
    m->place = new PlaceCard(QStringLiteral("cpu"), tr("This machine, CPU"), content);
    layout->addWidget(m->place);
    m->folder = lineWithButton(QStringLiteral("folder"), tr("Choose the folder for runs."), openRuns,
        content);
    m->folder->setText(toQString(m_parts.store->folder()));
    add(m->folderRow, "folder", tr("Runs folder"), m->folder);
    layout->addSpacing(unit / 2);
    layout->addWidget(heading(tr("Checked before the start"), content));
    m->checks = new ChecksPanel(content);
    m->checks->setFixedHeight(Sizes::tableRow() * 4 + 2 * unit);
    // The panel has margins of its own.
    auto* checkRow = new QHBoxLayout;
    checkRow->setContentsMargins(-unit * 3 / 2, -unit, -unit * 3 / 2, 0);
    checkRow->addWidget(m->checks);
    layout->addLayout(checkRow);
    layout->addStretch(1);
    scroll->setWidget(content);
    outer->addWidget(scroll, 1);
    outer->addWidget(makeFoot());

    const auto chosen = [this](QComboBox* box, auto open, auto use) {
        connect(box, &QComboBox::currentIndexChanged, this, [this, box, use](int index) {
            box->setToolTip(index >= 0 ? box->itemText(index) : QString());
            use();
            revalidateSoon();
        });
        connect(box, &QComboBox::activated, this, [box, open](int index) {
            if (index == box->count() - 1)
                open();
        });
    };
    chosen(
        m->architecture, [this] { openArchitecture(); }, [] {});
    chosen(
        m->recipe, [this] { openRecipe(); }, [this] { loadRecipe(); });
    chosen(
        m->start, [this] { openStart(); }, [] {});
    connect(openCorpus, &QAction::triggered, this, &LaunchForm::openData);
    connect(openRuns, &QAction::triggered, this, [this] {
        if (const QString folder = askFolder(tr("Choose the folder for runs")); !folder.isEmpty()) {
            m->folder->setText(folder);
            Q_EMIT m->folder->editingFinished();
        }
    });
    connect(m->data, &QLineEdit::editingFinished, this,
            [this] { setData(toPath(m->data->text().trimmed())); });
    connect(m->folder, &QLineEdit::editingFinished, this, [this] {
        const QString text = m->folder->text().trimmed();
        if (text.isEmpty() || normalised(toPath(text)) == m_parts.store->folder())
            return m->folder->setText(toQString(m_parts.store->folder()));
        m_parts.store->setFolder(toPath(text));
        m_parts.settings->setRunsFolder(toQString(m_parts.store->folder()));
        revalidateSoon();
    });
    connect(m->seeds, &QLineEdit::textChanged, this, &LaunchForm::revalidateSoon);
    connect(m->makeCorpus, &QPushButton::clicked, this,
            [this] { m_making ? Q_EMIT cancelMakingRequested() : Q_EMIT demoCorpusRequested(); });
    const auto bind = [this](QLineEdit* line, QToolButton* back, const QString& key) {
        connect(line, &QLineEdit::editingFinished, this, [this, line, key] {
            QString text = line->text();
            m_values->write(key, text.remove(QLatin1Char(',')));
        });
        connect(back, &QToolButton::clicked, this, [this, key] { m_values->takeBack(key); });
    };
    bind(m->batch, m->batchBack, QStringLiteral("data.maxBatchFrames"));
    bind(m->updates, m->updatesBack, QStringLiteral("length.maxUpdates"));
}

QWidget* LaunchForm::makeValues() {
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(qRound(Sizes::unit() / 2));
    m->showValues = new QPushButton(box);
    m->showValues->setCheckable(true);
    m->showValues->setFlat(true);
    m->showValues->setProperty("small", true);
    m->showValues->setToolTip(
        tr("All values of the recipe. Double click to change one; press Delete to reset it."));
    m->values = new QTableView(box);
    m->values->setModel(m_values);
    widgets::styleTable(*m->values, Sizes::tableRow());
    m->values->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                               QAbstractItemView::AnyKeyPressed);
    m->values->setSelectionMode(QAbstractItemView::SingleSelection);
    m->values->horizontalHeader()->hide();
    m->values->horizontalHeader()->setSectionResizeMode(RecipeModel::Key, QHeaderView::Stretch);
    m->values->horizontalHeader()->resizeSection(RecipeModel::Value, qRound(Sizes::unit() * 11));
    m->values->setAlternatingRowColors(true);
    m->values->setAccessibleName(tr("Values of the recipe"));
    m->values->setMinimumHeight(Sizes::tableRow() * 12);
    m->values->hide();
    auto* back = new QShortcut(QKeySequence::Delete, m->values);
    back->setContext(Qt::WidgetShortcut);
    connect(back, &QShortcut::activated, this, [this] {
        const QModelIndex now = m->values->currentIndex();
        if (now.isValid())
            m_values->takeBack(m_values->index(now.row(), RecipeModel::Key).data().toString());
    });
    connect(m->showValues, &QPushButton::toggled, m->values, &QWidget::setVisible);
    layout->addWidget(m->showValues, 0, Qt::AlignLeft);
    layout->addWidget(m->values);
    return box;
}

QWidget* LaunchForm::makeFoot() {
    const int unit = qRound(Sizes::unit());
    auto* foot = new QWidget(this);
    foot->setProperty("panel", true);
    auto* layout = new QVBoxLayout(foot);
    layout->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    layout->setSpacing(unit);
    auto* line = new QFrame(foot);
    line->setFrameShape(QFrame::HLine);
    layout->addWidget(line);
    m->summary = new QLabel(foot);
    m->summary->setProperty("caption", true);
    m->summary->setWordWrap(true);
    layout->addWidget(m->summary);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(unit);
    m->startButton = new QPushButton(foot);
    m->startButton->setObjectName(QStringLiteral("startRuns"));
    m->startButton->setProperty("primary", true);
    m->startButton->setIcon(widgets::iconOnAccent(QStringLiteral("play")));
    m->copyButton = new QPushButton(widgets::icon(QStringLiteral("terminal")), tr("Copy command"), foot);
    m->copyButton->setToolTip(tr("Copy the equivalent command lines."));
    buttons->addWidget(m->startButton, 1);
    buttons->addWidget(m->copyButton);
    layout->addLayout(buttons);
    connect(m->startButton, &QPushButton::clicked, this, [this] {
        revalidate();
        if (const StartChoice* from = start(); from && from->kind == StartChoice::Kind::Resume)
            Q_EMIT resumeRequested(from->path);
        else if (m_launch)
            Q_EMIT startRequested(*m_launch);
    });
    connect(m->copyButton, &QPushButton::clicked, this, [this] {
        if (m_launch)
            Q_EMIT copyRequested(*m_launch);
    });
    return foot;
}

} // namespace headroom::app
