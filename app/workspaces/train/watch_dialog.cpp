// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/watch_dialog.h"

#include "app/documents/items/paths.h"
#include "app/parts/availability.h"
#include "app/parts/forms/form_row.h"
#include "app/places/place_store.h"
#include "app/runs/run_store.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/run_monitor/run_words.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <utility>

namespace headroom::app {

using nlohmann::json;
using widgets::Sizes;
using widgets::StudyTableView;

namespace {

/// "Running" of "running": what run.json says, that it has not begun, or why its state is not known.
std::string stateOfRunThere(const std::string& state, const std::string& why) {
    for (const RunState one : {RunState::Running, RunState::Stopped, RunState::Finished, RunState::Failed, RunState::Interrupted})
        if (state == toText(one))
            return widgets::stateWord(one).toStdString();
    return (state == "waiting"   ? WatchDialog::tr("Pending")
            : state == "unknown" ? WatchDialog::tr("Unknown. %1").arg(QString::fromStdString(why))
                                 : QString::fromStdString(state))
        .toStdString();
}

StudyCell countOf(const json& run, const char* key) {
    const json value = run.value(key, json());
    return value.is_number_integer() && value.get<double>() > 0 ? StudyCell(value.get<double>()) : StudyCell();
}

} // namespace

WatchDialog::WatchDialog(PlaceStore* places, RunStore* runs, QWidget* parent)
    : QDialog(parent)
    , m_places(places)
    , m_runs(runs)
    , m_place(new QComboBox(this))
    , m_table(new StudyTableView(this))
    , m_sentence(new QLabel(this))
    , m_watch(new QPushButton(widgets::iconOnAccent(QStringLiteral("play")), tr("Watch"), this))
    , m_again(new QPushButton(widgets::icon(QStringLiteral("refresh")), tr("Look again"), this)) {
    setWindowTitle(tr("Watch a run at a place"));
    setObjectName(QStringLiteral("watchRun"));
    makeLayout();
    connect(m_place, &QComboBox::currentIndexChanged, this, &WatchDialog::look);
    connect(m_again, &QPushButton::clicked, this, &WatchDialog::look);
    connect(m_watch, &QPushButton::clicked, this, &WatchDialog::watch);
    connect(m_table, &StudyTableView::cellActivated, this, &WatchDialog::watch);
    connect(m_table, &StudyTableView::rowChosen, this, &WatchDialog::updateButton);
    connect(m_places, &PlaceStore::changed, this, &WatchDialog::fillPlaces);
    fillPlaces(); // which looks, if there is a place
    if (m_place->count() == 0)
        look();
}

void WatchDialog::makeLayout() {
    const int unit = qRound(Sizes::unit());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * unit, 2 * unit, 2 * unit, 2 * unit);
    layout->setSpacing(unit);
    auto* head = new QHBoxLayout;
    auto* label = new QLabel(tr("Place"), this);
    label->setBuddy(m_place);
    m_place->setAccessibleName(tr("Place"));
    head->addWidget(label);
    head->addWidget(m_place, 1);
    head->addWidget(m_again);
    layout->addLayout(head);
    m_table->setAccessibleName(tr("Runs at the place"));
    m_table->horizontalHeader()->setStretchLastSection(true);
    layout->addWidget(m_table, 1);
    m_sentence->setWordWrap(true);
    m_sentence->setMinimumHeight(Sizes::tableRow() * 2);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(m_sentence);
    auto* foot = new QHBoxLayout;
    m_again->setToolTip(tr("Ask the place again."));
    m_again->setAutoDefault(false);
    m_watch->setToolTip(tr("Copy the run here and follow it. Nothing is started there."));
    m_watch->setProperty("primary", true);
    m_watch->setDefault(true);
    auto* close = new QPushButton(tr("Close"), this);
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    foot->addStretch(1);
    foot->addWidget(m_watch);
    foot->addWidget(close);
    layout->addLayout(foot);
    resize(unit * 96, unit * 60);
}

void WatchDialog::fillPlaces() {
    const QString chosen = m_place->currentText();
    {
        const QSignalBlocker blocker(m_place);
        m_place->clear();
        for (const Place& place : m_places->places())
            m_place->addItem(QString::fromStdString(place.name));
        m_place->setCurrentIndex(std::max(0, m_place->findText(chosen)));
    }
    if (m_place->currentText() != chosen)
        look();
}

void WatchDialog::choosePlace(const QString& name) {
    m_place->setCurrentIndex(m_place->findText(name));
}

QStringList WatchDialog::namesHere() const {
    QStringList names;
    for (const widgets::RunItem& run : m_runs->runs())
        names << toQString(run.folder.filename());
    return names;
}

/// Without waiting for its end.
void WatchDialog::leaveLook() {
    WorkerTask* task = std::exchange(m_task, nullptr);
    if (!task)
        return;
    task->disconnect(this);
    if (!task->isRunning())
        return task->deleteLater();
    connect(task, &WorkerTask::ended, task, &QObject::deleteLater);
    task->cancel();
}

void WatchDialog::look() {
    leaveLook();
    m_answer.clear();
    m_names.clear();
    m_table->setTable({});
    const QString place = m_place->currentText();
    if (place.isEmpty())
        say(tr("There are no places yet. Add one with Places…"), false);
    else
        say(tr("Looking at %1…").arg(place), false);
    if (place.isEmpty())
        return updateButton();
    m_task = new WorkerTask(this);
    connect(m_task, &WorkerTask::ended, this, &WatchDialog::take);
    m_task->start({QStringLiteral("places"), QStringLiteral("runs"), place, QStringLiteral("--json")});
    updateButton();
}

StudyTable WatchDialog::tableOf(const QByteArray& answer, const QStringList& here, QStringList& names) {
    const json document = json::parse(answer.begin(), answer.end(), nullptr, false);
    if (!document.is_object() || document.value("format", json()) != "headroom/place-runs" || !document.value("runs", json()).is_array())
        throw Error("places.badAnswer", tr("The worker's answer is not a list of runs.").toStdString());
    const auto text = [](const json& run, const char* key) {
        const json value = run.value(key, json());
        return value.is_string() ? value.get<std::string>() : std::string();
    };
    StudyTable table;
    table.name = "runs";
    table.columns = {{"name", tr("Run").toStdString(), "", 0, true},       {"title", tr("Architecture").toStdString(), "", 0, true},
                     {"seed", tr("Seed").toStdString(), "", 0, false},     {"state", tr("State").toStdString(), "", 0, true},
                     {"update", tr("Update").toStdString(), "", 0, false},   {"maxUpdates", tr("Of").toStdString(), "", 0, false},
                     {"here", tr("Here").toStdString(), "", 0, true},      {"created", tr("Created, UTC").toStdString(), "", 0, true}}; // as in Runs
    names.clear();
    for (const json& run : document["runs"]) {
        const std::string name = text(run, "name");
        names << QString::fromStdString(name);
        const QDateTime created = QDateTime::fromString(QString::fromStdString(text(run, "created")), Qt::ISODate).toUTC();
        const bool isHere = here.contains(names.last());
        table.rows.push_back({name, text(run, "title"), countOf(run, "seed"), stateOfRunThere(text(run, "state"), text(run, "why")), countOf(run, "update"),
                              countOf(run, "maxUpdates"), isHere ? tr("yes").toStdString() : std::string(),
                              created.toString(QStringLiteral("yyyy-MM-dd HH:mm")).toStdString()});
    }
    return table;
}

void WatchDialog::take(const WorkerTask::End& end) {
    if (end.cancelled)
        return;
    if (!end.done)
        return say(end.sentence, true);
    m_answer = end.output;
    try {
        const StudyTable table = tableOf(m_answer, namesHere(), m_names);
        m_table->setTable(table);
        say(m_names.isEmpty()       ? tr("There are no runs at %1.").arg(m_place->currentText())
            : m_names.size() == 1 ? tr("1 run at %1. A watched run appears in Queue and Runs, and can be stopped and resumed from here.")
                                        .arg(m_place->currentText())
                                  : tr("%1 runs at %2. A watched run appears in Queue and Runs, and can be "
                                       "stopped and resumed from here.")
                                        .arg(m_names.size())
                                        .arg(m_place->currentText()),
            false);
        if (!m_names.isEmpty())
            m_table->setCurrentRow(0);
    } catch (const Error& mistake) {
        say(QString::fromUtf8(mistake.what()), true);
    }
    updateButton();
}

QString WatchDialog::sentence() const {
    return m_sentence->text();
}

void WatchDialog::say(const QString& sentence, bool wrong) {
    m_sentence->setText(sentence);
    markMistake(m_sentence, wrong);
}

void WatchDialog::updateButton() {
    const int row = m_table->currentRow();
    const QString name = row >= 0 && row < m_names.size() ? m_names[row] : QString();
    setAvailable(m_watch, name.isEmpty()                  ? tr("Choose a run first.")
                          : namesHere().contains(name) ? tr("This run is already in Runs.")
                                                       : QString());
}

void WatchDialog::watch() {
    updateButton();
    const int row = m_table->currentRow();
    if (!m_watch->isEnabled() || row < 0 || row >= m_names.size())
        return;
    Q_EMIT watchRequested(m_place->currentText(), m_names[row]);
    accept();
}

} // namespace headroom::app
