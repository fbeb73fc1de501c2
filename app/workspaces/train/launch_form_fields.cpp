// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/paths.h"
#include "app/jobs/device_list.h"
#include "app/parts/access_keys.h"
#include "app/parts/availability.h"
#include "app/parts/forms/opening_entry.h"
#include "app/places/place_store.h"
#include "app/places/where_choices.h"
#include "app/runs/run_store.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/corpus_watch.h"
#include "app/workspaces/train/data/hold_out.h"
#include "app/workspaces/train/launch_form_private.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/run_monitor/table_text.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenuBar>
#include <QShortcut>
#include <QVBoxLayout>

#include <utility>

namespace headroom::app {

using widgets::Sizes;

namespace {

PathField* lineWithButton(const QString& iconName, const QString& tip, QAction*& action, QWidget* parent) {
    auto* line = new PathField(parent);
    action = line->addAction(widgets::icon(iconName), QLineEdit::TrailingPosition);
    action->setText(tip); // what a screen reader says of the button
    action->setToolTip(tip);
    return line;
}

/// A field with a button behind it that takes a change back.
QWidget* withBack(QLineEdit* line, QToolButton*& back, const QString& tip, QWidget* parent) {
    auto* box = new QWidget(parent);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(qRound(Sizes::unit() / 2));
    row->addWidget(line, 1);
    back = new QToolButton(box);
    back->setIcon(widgets::icon(QStringLiteral("undo")));
    back->setToolTip(tip);
    back->setAccessibleName(tip);
    row->addWidget(back);
    box->setFocusProxy(line);
    return box;
}

/// The cards are made anew when the list changes, and Tab still goes down the form.
void orderPlaces(PlaceCard* first, const QList<PlaceCard*>& devices, const QList<PlaceCard*>& others) {
    QWidget* last = first;
    for (PlaceCard* card : devices + others) {
        QWidget::setTabOrder(last, card);
        last = card;
    }
}

} // namespace

void LaunchForm::makeFields() {
    const int unit = qRound(Sizes::unit());
    addHeading(tr("What"));
    m->architecture = newCombo(); // Tab goes from field to field in the order in which they are made
    m->recipe = newCombo();
    m->data = lineWithButton(QStringLiteral("folder"), tr("Choose a corpus folder."), m->openCorpus, column());
    m->data->setPlaceholderText(tr("a corpus folder"));
    addRow(QStringLiteral("architecture"), tr("Architecture"), m->architecture);
    addRow(QStringLiteral("recipe"), tr("Recipe"), m->recipe);
    m->dataRow = addRow(QStringLiteral("data"), tr("Data"), m->data);
    m->makeCorpus =
        new QPushButton(widgets::icon(QStringLiteral("audio")), tr("Make the demo corpus"), column());
    auto* corpusRow = new QHBoxLayout;
    auto* indent = new QSpacerItem(0, 0);
    corpusRow->addItem(indent);
    widgets::withTextSize(m->makeCorpus, [indent, corpusRow] { // as far as the fields
        indent->changeSize(qRound(Sizes::unit() * FormRow::kLabelWidth), 0);
        corpusRow->invalidate();
    });
    m->holdOut = makeHoldOutButton(column());
    m->holdOut->setObjectName(QStringLiteral("holdOut"));
    m->holdOut->hide();
    corpusRow->addWidget(m->makeCorpus);
    corpusRow->addWidget(m->holdOut);
    corpusRow->addStretch(1);
    rows()->addLayout(corpusRow);
    m->start = newCombo();
    m->start->setObjectName(QStringLiteral("startFrom"));
    m->seeds = new QLineEdit(QStringLiteral("1"), column());
    m->seeds->setToolTip(tr("One run per seed: 1 2 3, or 1-3."));
    addRow(QStringLiteral("start"), tr("Start from"), m->start);
    addRow(QStringLiteral("seeds"), tr("Seeds"), m->seeds);
    const QString toRecipe = tr("Reset to the recipe's value.");
    m->batch = new QLineEdit(column());
    m->batch->setAccessibleName(tr("Batch, frames"));
    m->batchRow = addRow(QStringLiteral("batch"), tr("Batch, frames"), withBack(m->batch, m->batchBack, toRecipe, column()));
    m->updates = new QLineEdit(column());
    m->updates->setAccessibleName(tr("Updates"));
    addRow(QStringLiteral("updates"), tr("Updates"), withBack(m->updates, m->updatesBack, toRecipe, column()));
    rows()->addWidget(makeValues());
    rows()->addSpacing(unit / 2);
    addHeading(tr("Where"));
    m->place = new PlaceCard(QStringLiteral("cpu"), tr("This machine, CPU"), column());
    m->place->setChecked(true);
    m->places = new QVBoxLayout;
    m->places->setSpacing(unit / 2);
    m->places->addWidget(m->place);
    rows()->addLayout(m->places);
    m->hold = new QCheckBox(tr("Show the script before it is sent"), column());
    m->hold->setObjectName(QStringLiteral("hold"));
    m->hold->setToolTip(tr("The script is written there and waits in the queue, where you can change it and send it. Each seed gets a "
                           "script of its own."));
    m->hold->hide();
    rows()->addWidget(m->hold);
    m->editPlaces = new QPushButton(widgets::icon(QStringLiteral("server")), tr("Places…"), column());
    m->editPlaces->setToolTip(tr("Add, test and change hosts reached by ssh, and Slurm clusters."));
    auto* placesRow = new QHBoxLayout;
    placesRow->addWidget(m->editPlaces);
    m->allCheckpoints = new QCheckBox(tr("Copy every checkpoint here"), column());
    m->allCheckpoints->setObjectName(QStringLiteral("allCheckpoints"));
    m->allCheckpoints->setToolTip(tr("Copies every checkpoint that a run keeps there. Otherwise only the last and the best are copied."));
    m->allCheckpoints->hide();
    placesRow->addWidget(m->allCheckpoints);
    placesRow->addStretch(1);
    rows()->addLayout(placesRow);
    m->folder = lineWithButton(QStringLiteral("folder"), tr("Choose the folder for runs."), m->openRuns, column());
    m->folder->setAccessibleName(tr("Runs folder"));
    addRow(QStringLiteral("folder"), tr("Runs folder"), withBack(m->folder, m->folderBack, tr("Use the default folder."), column()));
    rows()->addSpacing(unit / 2);
    addHeading(tr("Checked before the start"));
    m->checks = new ChecksPanel(column());
    // The panel has margins of its own.
    auto* checkRow = new QHBoxLayout;
    checkRow->setContentsMargins(-unit * 3 / 2, -unit, -unit * 3 / 2, 0);
    checkRow->addWidget(m->checks);
    rows()->addLayout(checkRow);
    makeFoot();
    connectFields();
}

void LaunchForm::connectFields() {
    const auto chosen = [this](QComboBox* box, auto open, auto use) {
        connect(box, &QComboBox::currentIndexChanged, this, [this, box, use](int index) {
            box->setToolTip(index >= 0 ? box->itemText(index) : QString());
            use();
            revalidateSoon();
        });
        letLastEntryOpen(box, open);
    };
    chosen(
        m->architecture, [this] { openArchitecture(); }, [this] { m_wantedDraft = nullptr; });
    chosen(
        m->recipe, [this] { openRecipe(); }, [this] { loadRecipe(); });
    chosen(
        m->start, [this] { openStart(); }, [this] { m_wantedRun.clear(); });
    connect(m->openCorpus, &QAction::triggered, this, &LaunchForm::openData);
    connect(m->data, &QLineEdit::editingFinished, this,
            [this] { setData(m->data->path()); });
    connectRunsFolder();
    connect(m->hold, &QCheckBox::toggled, this, &LaunchForm::revalidateSoon);
    connect(m->allCheckpoints, &QCheckBox::toggled, this, &LaunchForm::revalidateSoon);
    connect(m->place, &PlaceCard::toggled, this, &LaunchForm::revalidateSoon);
    connect(m->editPlaces, &QPushButton::clicked, this, [this] { Q_EMIT placesRequested(chosenPlace()); });
    connect(m_parts.places, &PlaceStore::changed, this, &LaunchForm::fillPlaces);
    connect(m_parts.store, &RunStore::changed, this, &LaunchForm::showPlaceStates);
    connect(m_parts.devices, &DeviceList::changed, this, &LaunchForm::fillDevices);
    fillPlaces();
    fillDevices();
    connect(m->seeds, &QLineEdit::textChanged, this, &LaunchForm::revalidateSoon);
    connect(m->makeCorpus, &QPushButton::clicked, this,
            [this] {
                m_making.isEmpty() ? Q_EMIT demoCorpusRequested(needsParallelText(m_values->recipe())) : Q_EMIT cancelMakingRequested();
            });
    connect(m->holdOut, &QPushButton::clicked, this, [this] { Q_EMIT holdOutRequested(m_data); });
    const auto bind = [this](QLineEdit* line, QToolButton* back, const QString& key) {
        connect(line, &QLineEdit::editingFinished, this, [this, line, key] {
            QString text = line->text();
            m_values->write(key, text.remove(QLatin1Char(',')));
        });
        connect(back, &QToolButton::clicked, this, [this, key] { m_values->takeBack(key); });
    };
    bind(m->batch, m->batchBack, QLatin1String(kBatchKey));
    bind(m->updates, m->updatesBack, QLatin1String(kUpdatesKey));
}

void LaunchForm::showEvent(QShowEvent* event) {
    FormPanel::showEvent(event);
    if (!std::exchange(m_hasAccessKeys, true)) // the menus of all workspaces are there by now
        giveAccessKeys(this, window()->findChild<QMenuBar*>());
    m_parts.devices->look();
    if (m_facts) // the corpus may have been put right in Data, or elsewhere
        m_watch->look();
}

/// A card for each GPU of this machine, and for all that can be used together; one that cannot be used says why.
void LaunchForm::fillDevices() {
    const QString wanted = std::exchange(m_wantedDevice, {}), chosen = wanted.isEmpty() ? chosenDevice() : wanted;
    qDeleteAll(m->devices);
    m->devices.clear();
    for (const WhereChoice& choice : whereChoices(*m_parts.places, *m_parts.devices, AllGpus::Offered, chosen)) {
        if (choice.device.isEmpty())
            continue;
        auto* card = new PlaceCard(choice.iconName, choice.name, column());
        card->setProperty("device", choice.device);
        card->setDetail(choice.whyNot.isEmpty() ? choice.detail : choice.whyNot);
        setAvailable(card, choice.whyNot);
        connect(card, &PlaceCard::toggled, this, &LaunchForm::revalidateSoon);
        m->places->insertWidget(1 + static_cast<int>(m->devices.size()), card);
        m->devices << card;
        if (choice.whyNot.isEmpty() && choice.device == chosen)
            card->setChecked(true);
    }
    orderPlaces(m->place, m->devices, m->otherPlaces);
    m->place->setNote(m_parts.devices->noGpu()); // why there is no other card
    if (!chosen.isEmpty() && chosenDevice().isEmpty() && chosenPlace().isEmpty())
        m->place->setChecked(true);
    revalidateSoon();
}

void LaunchForm::chooseDevice(const QString& device) {
    m->place->setChecked(true);
    m_wantedDevice = device;
    fillDevices();
}

QString LaunchForm::chosenDevice() const {
    for (const PlaceCard* card : m->devices)
        if (card->isChecked())
            return card->property("device").toString();
    return {};
}

/// A card for each place; the choice stays while its place is in the list.
void LaunchForm::fillPlaces() {
    const QString chosen = chosenPlace();
    qDeleteAll(m->otherPlaces);
    m->otherPlaces.clear();
    for (const WhereChoice& choice : whereChoices(*m_parts.places, *m_parts.devices, AllGpus::Offered)) {
        if (choice.place.isEmpty())
            continue;
        auto* card = new PlaceCard(choice.iconName, choice.name, column());
        card->setDetail(choice.detail);
        connect(card, &PlaceCard::toggled, this, &LaunchForm::revalidateSoon);
        m->places->addWidget(card);
        m->otherPlaces << card;
    }
    orderPlaces(m->place, m->devices, m->otherPlaces);
    const auto showHold = [this] {
        const Place* place = m_parts.places->find(chosenPlace());
        m->hold->setVisible(place && place->kind == Place::Kind::Slurm);
    };
    for (const PlaceCard* card : m->otherPlaces)
        connect(card, &PlaceCard::toggled, this, showHold);
    showPlaceStates();
    if (!chosen.isEmpty()) // else a device of this machine stays
        choosePlace(chosen);
    showHold();
}

/// What the runs at each place say of it.
void LaunchForm::showPlaceStates() {
    for (PlaceCard* card : m->otherPlaces) {
        int running = 0, waiting = 0;
        QString lost;
        for (const auto& run : m_parts.store->runs())
            if (run.place == card->name() && run.goesOn()) {
                ++(run.waits ? waiting : running);
                if (run.lost)
                    lost = run.contact;
            }
        for (const auto& job : m_parts.store->waiting())
            waiting += job.place == card->name() && job.error.isEmpty() ? 1 : 0;
        QStringList parts;
        if (running > 0)
            parts << (running == 1 ? tr("1 run running") : tr("%1 runs running").arg(running));
        if (waiting > 0)
            parts << (waiting == 1 ? tr("1 waits") : tr("%1 wait").arg(waiting));
        card->setState(lost.isEmpty() ? parts.join(QStringLiteral(", ")) : lost, !lost.isEmpty());
    }
}

void LaunchForm::choosePlace(const QString& name) {
    PlaceCard* chosen = m->place;
    for (PlaceCard* card : m->otherPlaces)
        if (card->name() == name)
            chosen = card;
    chosen->setChecked(true);
    revalidateSoon();
}

QString LaunchForm::chosenPlace() const {
    for (const PlaceCard* card : m->otherPlaces)
        if (card->isChecked())
            return card->name();
    return {};
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
        tr("All values of the recipe. Double-click to change one; press Delete to reset it."));
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
    auto* back = new QShortcut(QKeySequence::Delete, m->values);
    back->setContext(Qt::WidgetShortcut);
    connect(back, &QShortcut::activated, this, [this] {
        const QModelIndex now = m->values->currentIndex();
        if (now.isValid())
            m_values->takeBack(m_values->index(now.row(), RecipeModel::Key).data().toString());
    });
    auto* change = new QAction(tr("Change this value\tF2"), m->values);
    connect(change, &QAction::triggered, this, [this] {
        if (const QModelIndex now = m->values->currentIndex(); now.isValid())
            m->values->edit(m_values->index(now.row(), RecipeModel::Value));
    });
    auto* restore = new QAction(tr("Use the recipe's value\tDel"), m->values);
    connect(restore, &QAction::triggered, back, &QShortcut::activated);
    widgets::setContextMenu(m->values, {change, restore});
    const auto turn = [this](bool open) {
        m->showValues->setIcon(widgets::icon(open ? QStringLiteral("down") : QStringLiteral("right")));
        m->values->setVisible(open);
    };
    turn(false);
    connect(m->showValues, &QPushButton::toggled, this, turn);
    layout->addWidget(m->showValues, 0, Qt::AlignLeft);
    layout->addWidget(m->values);
    return box;
}

void LaunchForm::makeFoot() {
    m->startButton = new QPushButton(this);
    m->startButton->setObjectName(QStringLiteral("startRuns"));
    m->startButton->setProperty("primary", true);
    m->startButton->setToolTip(tr("Add the run to the queue."));
    m->startButton->setIcon(widgets::iconOnAccent(QStringLiteral("play")));
    m->copyButton = new QPushButton(widgets::icon(QStringLiteral("terminal")), tr("Copy command"), this);
    m->copyButton->setToolTip(tr("Copy the equivalent command lines."));
    addFoot({m->startButton, m->copyButton});
    connect(m->startButton, &QPushButton::clicked, this, [this] {
        m_runs.clear(); // what could be made may not be any more
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
}

} // namespace headroom::app
