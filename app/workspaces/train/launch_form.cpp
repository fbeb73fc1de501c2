// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/launch_form.h"

#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/parts/view_values.h"
#include "app/runs/run_store.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/corpus_watch.h"
#include "app/workspaces/train/launch_form_private.h"
#include "core/runs/run_folder.h"
#include "widgets/look/sizes.h"
#include "widgets/run_monitor/run_words.h"

#include <QAbstractItemView>
#include <QFileInfo>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

LaunchForm::LaunchForm(const Parts& parts, QWidget* parent)
    : FormPanel(parent)
    , askPath(pathQuestion(parts.settings, this))
    , m_parts(parts)
    , m(std::make_unique<Fields>())
    , m_values(new RecipeModel(this))
    , m_watch(new CorpusWatch(this)) {
    makeFields();
    m_revalidation.setSingleShot(true);
    m_revalidation.setInterval(0);
    connect(&m_revalidation, &QTimer::timeout, this, &LaunchForm::revalidate);
    connect(&m_reader, &QFutureWatcher<DataFacts>::finished, this, &LaunchForm::takeData);
    connect(m_watch, &CorpusWatch::changed, this, &LaunchForm::readDataAgain);
    connect(m_values, &RecipeModel::recipeChanged, this, [this] {
        readData();
        revalidateSoon();
    });
    connect(m_parts.drafts, &Drafts::listChanged, this, &LaunchForm::fillArchitectures);
    connect(m_parts.drafts, &Drafts::draftChanged, this, &LaunchForm::revalidateSoon);
    connect(m_parts.session, &Session::modelAdded, this, &LaunchForm::revalidateSoon);
    connect(m_parts.session, &Session::modelChanged, this, &LaunchForm::fillStarts);
    connect(m_parts.session, &Session::modelRemoved, this, &LaunchForm::fillStarts);
    connect(m_parts.session->models(), &ModelList::folderChanged, this, &LaunchForm::followModel);
    connect(m_parts.store, &RunStore::changed, this, &LaunchForm::fillStarts);
    connect(m_parts.store, &RunStore::changed, this, &LaunchForm::followRunTitles);
    fillArchitectures();
    fillRecipes();
    fillStarts();
    loadRecipe();
    if (const QStringList corpora = m_parts.settings->recentCorpora(); !corpora.isEmpty())
        setData(toPath(corpora.first()));
    revalidate();
}

LaunchForm::~LaunchForm() {
    m_reader.waitForFinished();
}

nlohmann::json LaunchForm::viewState() const {
    return viewOf(read());
}

nlohmann::json LaunchForm::viewOf(const LaunchValues& values) const {
    const auto draft = chosenDraft();
    return {{"recipe", toQString(values.recipeFile).toStdString()},
            {"architecture", toQString(values.architectureFile).toStdString()},
            {"draft", draft ? draftPlace(*m_parts.session, *m_parts.drafts, *draft) : m_wantedDraft},
            {"seeds", values.seeds.toStdString()},
            {"data", toQString(values.data).toStdString()},
            {"set", values.set},
            {"startFrom", values.resumes() ? std::string() : toQString(values.start.path).toStdString()},
            {"resume", toQString(values.resumes() ? values.start.path : m_wantedRun).toStdString()},
            {"checkpoint", values.start.checkpoint},
            {"encoderOnly", values.start.kind == StartChoice::Kind::Encoder},
            {"place", values.place.toStdString()},
            {"device", values.device.toStdString()},
            {"hold", m->hold->isChecked()},
            {"allCheckpoints", values.allCheckpoints}};
}

void LaunchForm::restoreView(const nlohmann::json& view) {
    const auto text = [&](const char* key) {
        return QString::fromStdString(stringIn(view, key).value_or(std::string()));
    };
    if (const QString recipe = text("recipe"); QFileInfo::exists(recipe))
        chooseRecipe(toPath(recipe));
    if (const QString architecture = text("architecture"); QFileInfo::exists(architecture))
        chooseArchitecture(toPath(architecture));
    if (const nlohmann::json* draft = valueIn(view, "draft"); draft && draft->is_object() && draft->size() == 1 && draft->front().is_string()) {
        const QSignalBlocker blocker(m->architecture);
        m->architecture->setCurrentIndex(-1);
        m_wantedDraft = *draft;
        fillArchitectures();
    }
    if (const QString seeds = text("seeds"); !seeds.isEmpty())
        setSeeds(seeds);
    if (const QString corpus = text("data"); QFileInfo(corpus).isDir())
        setData(toPath(corpus));
    if (const nlohmann::json* set = valueIn(view, "set"); set && set->is_array()) {
        std::vector<std::string> changes;
        for (const auto& change : *set)
            if (change.is_string())
                changes.push_back(change.get<std::string>());
        m_values->restore(changes);
    }
    // One that is gone is chosen all the same, and the form says so: nobody wants random weights in its place.
    if (const QString from = text("startFrom"); !from.isEmpty()) {
        const auto kind = view.value("encoderOnly", nlohmann::json()) == true ? StartChoice::Kind::Encoder : StartChoice::Kind::Whole;
        if (const QString checkpoint = text("checkpoint"); !checkpoint.isEmpty())
            chooseCheckpoint(kind, {toPath(from), checkpoint.toStdString()});
        else
            chooseStart(kind, toPath(from));
    } else if (valueIn(view, "startFrom")) {
        m->start->setCurrentIndex(0); // not what another session began with
    }
    if (valueIn(view, "place") || valueIn(view, "device")) {
        if (const QString place = text("place"); !place.isEmpty())
            choosePlace(place);
        else
            chooseDevice(text("device"));
    }
    for (const auto& [key, box] : {std::pair{"hold", m->hold}, std::pair{"allCheckpoints", m->allCheckpoints}})
        box->setChecked(truthIn(view, key, box->isChecked()));
    if (const QString run = text("resume"); !run.isEmpty()) {
        m_wantedRun = toPath(run);
        fillStarts();
    }
}

void LaunchForm::revalidateSoon() {
    m_revalidation.start();
}

void LaunchForm::focusFirst() {
    m->architecture->setFocus();
}

namespace {

/// Fills a combo and keeps what was chosen, also where it has another name now; the first where it is gone.
template <typename Choice>
void refill(QComboBox* combo, std::vector<Choice>& choices, std::vector<Choice> fresh, const QString& open) {
    const int before = combo->currentIndex();
    std::optional<QString> kept;
    if (before >= 0 && static_cast<std::size_t>(before) < choices.size())
        kept = choices[static_cast<std::size_t>(before)].key();
    if (fresh == choices && combo->count() > 0)
        return;
    choices = std::move(fresh);
    const QSignalBlocker blocker(combo);
    combo->clear();
    for (const Choice& choice : choices)
        combo->addItem(choice.name, choice.key());
    combo->insertSeparator(combo->count());
    combo->addItem(open);
    // The open list shows the names whole; the field is as narrow as the form.
    combo->view()->setMinimumWidth(std::min(combo->view()->sizeHintForColumn(0) + qRound(widgets::Sizes::unit() * 4),
                                            qRound(widgets::Sizes::unit() * 60)));
    const auto found = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) { return choice.key() == kept; });
    combo->setCurrentIndex(found == choices.end() ? (choices.empty() ? -1 : 0)
                                                  : static_cast<int>(found - choices.begin()));
}

template <typename Choice>
bool isOpenEntry(const QComboBox* combo, const std::vector<Choice>& choices) {
    return combo->currentIndex() >= static_cast<int>(choices.size());
}

} // namespace

void LaunchForm::fillArchitectures() {
    const auto before = chosenDraft();
    refill(m->architecture, m_architectures, architectureChoices(*m_parts.drafts, m_openedArchitectures, m_parts.store->runs()),
           tr("Open a file…"));
    // A draft may be called otherwise by now, and one of the last start may not be open yet.
    const QSignalBlocker blocker(m->architecture);
    const auto found = std::find_if(m_architectures.begin(), m_architectures.end(), [&](const auto& choice) {
        return choice.draft && (before ? choice.draft == before
                                       : draftPlace(*m_parts.session, *m_parts.drafts, *choice.draft) == m_wantedDraft);
    });
    if (found != m_architectures.end()) {
        m->architecture->setCurrentIndex(static_cast<int>(found - m_architectures.begin()));
        m_wantedDraft = nullptr;
    } else if (!m_wantedDraft.is_null()) {
        m->architecture->setCurrentIndex(-1);
    } else if (before) { // it left with its session: weights chosen for it fit nothing else
        m->start->setCurrentIndex(0);
    }
    revalidateSoon();
}

std::optional<DraftKey> LaunchForm::chosenDraft() const {
    const int index = m->architecture->currentIndex();
    return index >= 0 && static_cast<std::size_t>(index) < m_architectures.size()
               ? m_architectures[static_cast<std::size_t>(index)].draft
               : std::nullopt;
}

/// The files of a run are called after it, which is read after a start, and which may be renamed.
void LaunchForm::followRunTitles() {
    QStringList titles;
    for (const QString& file : m_openedArchitectures + m_openedRecipes)
        if (const widgets::RunItem* run = m_parts.store->find(toPath(file).parent_path()))
            titles << widgets::runTitle(*run);
    if (titles == std::exchange(m_runTitles, titles))
        return;
    fillArchitectures();
    fillRecipes();
}

void LaunchForm::fillRecipes() {
    refill(m->recipe, m_recipes, recipeChoices(m_openedRecipes, m_parts.store->runs()), tr("Open a file…"));
}

void LaunchForm::fillStarts() {
    const std::optional<StartChoice> before = start() ? std::optional(*start()) : std::nullopt;
    // A model that has opened may have another name than its folder; it is the same choice.
    const auto isSame = [&](const StartChoice& choice) {
        return before && choice.kind == before->kind && choice.checkpoint == before->checkpoint &&
               normalised(choice.path) == normalised(before->path);
    };
    auto fresh = startChoices(*m_parts.session, m_parts.store->runs(), m_openedModels, m_branches);
    // One that is gone stays, and the form says so: nobody wants random weights in its place.
    if (before && !before->argument().empty() && std::none_of(fresh.begin(), fresh.end(), isSame))
        fresh.push_back(*before);
    refill(m->start, m_starts, std::move(fresh), tr("Open a model folder…"));
    const auto same = std::find_if(m_starts.begin(), m_starts.end(), isSame);
    if (same != m_starts.end()) {
        const QSignalBlocker blocker(m->start);
        m->start->setCurrentIndex(static_cast<int>(same - m_starts.begin()));
    }
    if (m_parts.store->isReady())
        if (const fs::path run = std::exchange(m_wantedRun, {}); !run.empty())
            chooseStart(StartChoice::Kind::Resume, run);
    revalidateSoon();
}

/// A model that was located elsewhere is the same choice.
void LaunchForm::followModel(ModelId id, const fs::path& from) {
    const OpenModel* model = m_parts.session->models()->find(id);
    if (!model)
        return;
    const QString before = toQString(from), now = toQString(model->folder);
    if (m_wantedDraft == nlohmann::json{{"model", before.toStdString()}})
        m_wantedDraft["model"] = now.toStdString();
    std::replace(m_openedModels.begin(), m_openedModels.end(), before, now);
    for (std::size_t i = 0; i < m_starts.size(); ++i)
        if (StartChoice& choice = m_starts[i]; choice.checkpoint.empty() && normalised(choice.path) == from) {
            choice.path = model->folder;
            m->start->setItemData(static_cast<int>(i), choice.key());
        }
    fillArchitectures();
    fillStarts();
}

void LaunchForm::chooseDraft(DraftKey key) {
    fillArchitectures();
    for (std::size_t i = 0; i < m_architectures.size(); ++i)
        if (m_architectures[i].draft == key)
            m->architecture->setCurrentIndex(static_cast<int>(i));
    revalidate();
}

bool LaunchForm::chooseArchitecture(const fs::path& file) {
    const fs::path wanted = normalised(file);
    const auto place = [&] {
        return std::find_if(m_architectures.begin(), m_architectures.end(), [&](const auto& choice) {
            return !choice.draft && normalised(choice.file) == wanted;
        });
    };
    if (place() == m_architectures.end()) {
        m_openedArchitectures.prepend(toQString(wanted));
        fillArchitectures();
    }
    if (place() != m_architectures.end())
        m->architecture->setCurrentIndex(static_cast<int>(place() - m_architectures.begin()));
    revalidate();
    return !mistakes().contains(QStringLiteral("architecture"));
}

bool LaunchForm::chooseRecipe(const fs::path& file) {
    const fs::path wanted = normalised(file);
    const auto place = [&] {
        return std::find_if(m_recipes.begin(), m_recipes.end(),
                            [&](const RecipeChoice& choice) { return normalised(choice.file) == wanted; });
    };
    if (place() == m_recipes.end()) {
        m_openedRecipes.prepend(toQString(wanted));
        fillRecipes();
    }
    m->recipe->setCurrentIndex(static_cast<int>(place() - m_recipes.begin()));
    loadRecipe();
    revalidate();
    return m_recipeMistake.isEmpty();
}

QStringList LaunchForm::recipeNames() const {
    QStringList names;
    for (const RecipeChoice& choice : m_recipes)
        names << choice.name;
    return names;
}

int LaunchForm::recipeIndex() const {
    return isOpenEntry(m->recipe, m_recipes) ? -1 : m->recipe->currentIndex();
}

void LaunchForm::chooseRecipeAt(int index) {
    if (index >= 0 && static_cast<std::size_t>(index) < m_recipes.size())
        chooseRecipe(m_recipes[static_cast<std::size_t>(index)].file);
}

bool LaunchForm::chooseStart(StartChoice::Kind kind, const fs::path& path) {
    const fs::path wanted = path.empty() ? path : normalised(path);
    const auto place = [&] {
        return std::find_if(m_starts.begin(), m_starts.end(), [&](const StartChoice& choice) {
            return choice.kind == kind && choice.checkpoint.empty() && (wanted.empty() || normalised(choice.path) == wanted);
        });
    };
    if (place() == m_starts.end() && kind != StartChoice::Kind::Resume) {
        m_openedModels.prepend(toQString(wanted));
        fillStarts();
    }
    const bool found = place() != m_starts.end();
    if (found)
        m->start->setCurrentIndex(static_cast<int>(place() - m_starts.begin()));
    revalidate();
    return found;
}

void LaunchForm::startFresh() {
    m_wantedRun.clear();
    m->start->setCurrentIndex(0); // random weights
    revalidate();
}

void LaunchForm::chooseBranch(const CheckpointName& checkpoint, const fs::path& data, std::uint64_t seed) {
    const RunPaths run{checkpoint.run};
    chooseArchitecture(run.architecture());
    chooseRecipe(run.recipe());
    m_values->takeAllBack(); // what was changed was for another run
    setSeeds(QString::number(seed));
    if (!data.empty())
        setData(data);
    chooseCheckpoint(StartChoice::Kind::Whole, checkpoint);
}

void LaunchForm::chooseCheckpoint(StartChoice::Kind kind, const CheckpointName& checkpoint) {
    std::erase(m_branches, checkpoint);
    m_branches.insert(m_branches.begin(), checkpoint);
    fillStarts();
    const auto place = std::find_if(m_starts.begin(), m_starts.end(), [&](const StartChoice& choice) {
        return choice.kind == kind && choice.path == checkpoint.run && choice.checkpoint == checkpoint.which;
    });
    m->start->setCurrentIndex(static_cast<int>(place - m_starts.begin()));
    revalidate();
}

void LaunchForm::setData(const fs::path& folder) {
    const fs::path before = std::exchange(m_data, folder.is_absolute() ? normalised(folder) : folder); // refused as it was typed
    m_makingFailure.clear();
    const QSignalBlocker blocker(m->data);
    m->data->setText(toQString(m_data));
    m->data->setToolTip(toQString(m_data)); // a long path shows its end, which tells corpora apart
    if (m_data == before) // who names it again may have changed it
        readDataAgain();
    else
        readData();
    revalidate();
}

void LaunchForm::setDividedData(const fs::path& folder) {
    m_values->takeBack(QStringLiteral("data.trainSplit"));
    m_values->takeBack(QStringLiteral("data.validationSplit"));
    setData(folder);
}

void LaunchForm::setSeeds(const QString& text) {
    m->seeds->setText(text);
    revalidate();
}

const StartChoice* LaunchForm::start() const {
    const int index = m->start->currentIndex();
    return index >= 0 && static_cast<std::size_t>(index) < m_starts.size()
               ? &m_starts[static_cast<std::size_t>(index)]
               : nullptr;
}

} // namespace headroom::app
