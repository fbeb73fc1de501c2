// SPDX-License-Identifier: GPL-3.0-or-later
// What is chosen is read; from the fields to LaunchValues, and from what `validate` says about them back to the fields.
#include "app/documents/items/paths.h"
#include "app/documents/model_list.h"
#include "app/documents/session.h"
#include "app/jobs/worker_location.h"
#include "app/parts/availability.h"
#include "app/parts/breakable.h"
#include "app/parts/forms/opening_entry.h"
#include "app/parts/free_memory.h"
#include "app/parts/number_text.h"
#include "app/runs/run_store.h"
#include "app/workspaces/train/corpus_watch.h"
#include "app/workspaces/train/data/corpus_reader.h"
#include "app/workspaces/train/launch_form_private.h"
#include "app/workspaces/train/start_fit.h"
#include "core/architecture/trained_architecture.h"
#include "core/model_folders/hub_cache.h"
#include "core/runs/recipe.h"
#include "core/runs/run_folder.h"
#include "core/runs/task_kind.h"
#include "widgets/curves/plot_style.h"
#include "widgets/look/duration_text.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"

#include <QThread>
#include <QtConcurrent>

#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

constexpr int kMostOfTitle = 60; ///< units; of a run's title in the sentence at the foot

/// From its own document, or, of a model of another toolkit, from what the worker said when it opened it. A checkpoint has the CTC output
/// that training added to its run's.
std::optional<Architecture> startArchitecture(const StartChoice& start, const ModelList& open) {
    if (auto own = architectureOfModel(start.path)) {
        if (start.checkpoint.empty())
            return own;
        try {
            return trainedArchitecture(*own, readRecipe(RunPaths{start.path}.recipe()).loss.ctcWeight > 0);
        } catch (const Error&) { // the worker will say what is wrong with it
            return own;
        }
    }
    if (const OpenModel* one = open.of(start.path); one && one->info)
        return one->info->architecture;
    return std::nullopt;
}

} // namespace

void LaunchForm::openArchitecture() {
    const QString file = askPath({AppSettings::FolderOf::Architectures, tr("Open an architecture"), tr("Architecture (*.json)")});
    if (!file.isEmpty())
        chooseArchitecture(toPath(file));
}

void LaunchForm::openRecipe() {
    const QString file = askPath({AppSettings::FolderOf::Recipes, tr("Open a recipe"), tr("Recipe (*.json)")});
    if (!file.isEmpty())
        chooseRecipe(toPath(file));
}

void LaunchForm::openStart() {
    const QString folder = askPath({AppSettings::FolderOf::Models, tr("Open a model folder to start from")});
    if (!folder.isEmpty())
        chooseStart(StartChoice::Kind::Whole, modelFolderIn(toPath(folder)));
}

void LaunchForm::openData() {
    const QString folder = askPath({AppSettings::FolderOf::Corpora, tr("Open a corpus")});
    if (!folder.isEmpty())
        setData(toPath(folder));
}

void LaunchForm::loadRecipe() {
    m_recipeMistake.clear();
    const int index = m->recipe->currentIndex();
    if (index < 0 || static_cast<std::size_t>(index) >= m_recipes.size()) {
        m_recipeMistake = tr("No recipe. Open one.");
        return;
    }
    try {
        m_values->setBase(readRecipe(m_recipes[static_cast<std::size_t>(index)].file));
    } catch (const Error& mistake) {
        m_recipeMistake = QString::fromUtf8(mistake.what());
    }
    followRecipe();
}

/// The architecture that came with the recipe leaves with it; one that was chosen otherwise stays.
void LaunchForm::followRecipe() {
    const fs::path now = m_recipes[static_cast<std::size_t>(m->recipe->currentIndex())].file, before = std::exchange(m_loadedRecipe, now);
    const int chosen = m->architecture->currentIndex();
    if (before.empty() || before == now || chosen < 0 || static_cast<std::size_t>(chosen) >= m_architectures.size())
        return;
    const ArchitectureChoice& architecture = m_architectures[static_cast<std::size_t>(chosen)];
    std::error_code ignored;
    if (!architecture.draft && normalised(architecture.file) == normalised(architectureOfRecipe(before)) &&
        fs::exists(architectureOfRecipe(now), ignored))
        chooseArchitecture(architectureOfRecipe(now));
}

/// Reads the corpus where what is known is old, of another one, of other splits, or of another vocabulary; one at a time.
void LaunchForm::readData() {
    const fs::path model = vocabularyModel();
    const bool isKnown = m_facts && !m_isStale && m_facts->isOf(m_data, m_values->recipe()) && m_facts->start == model;
    if (m_data.empty() || !notFullText(m_data).isEmpty() || m_reading || isKnown)
        return;
    m_reading = true;
    m_isStale = false;
    m_reader.setFuture(QtConcurrent::run([data = m_data, recipe = m_values->recipe(), model] {
        const auto begun = fs::file_time_type::clock::now();
        DataFacts facts = readDataFacts(data, recipe, model);
        facts.version = versionOfCorpus(data, facts.files);
        const bool isOpened = !facts.files.empty(); // else it is not known on what the mistake depends
        if (!isOpened || facts.version.newest >= begun) // or while it was read: the next look reads it again
            facts.version = {};
        if (const QString sentence = facts.mistake.isEmpty() ? QString() : importFirstText(data); !sentence.isEmpty())
            facts.mistake = sentence; // no value of the recipe would help
        return facts;
    }));
}

void LaunchForm::readDataAgain() {
    m_isStale = !m_reading || (m_facts && m_facts->folder == m_data); // else it is being read for the first time
    readData();
}

void LaunchForm::takeData() {
    m_facts = m_reader.result();
    m_watch->follow(m_facts->folder, std::exchange(m_facts->files, {}), m_facts->version);
    m_reading = false;
    readData(); // something else may be wanted by now
    revalidate();
}

bool LaunchForm::isPending() const {
    return m_reading || m_watch->isPending();
}

/// Empty where it is the corpus that was chosen, too.
fs::path LaunchForm::vocabularyModel() const {
    const fs::path model = start() ? start()->vocabularyModel() : fs::path();
    return model.empty() || normalised(model) == m_data ? fs::path() : model;
}

LaunchValues LaunchForm::read() const {
    LaunchValues values;
    readArchitectureInto(values);
    values.base = m_values->base();
    values.recipe = m_values->recipe();
    values.recipeMistake = m_recipeMistake;
    values.resetNote = m_values->resetNote();
    if (const int index = m->recipe->currentIndex();
        index >= 0 && static_cast<std::size_t>(index) < m_recipes.size())
        values.recipeFile = m_recipes[static_cast<std::size_t>(index)].file;
    values.set = m_values->changes();
    values.wrongValues = m_values->mistakes();
    values.data = m_data;
    values.facts = m_facts;
    if (const StartChoice* from = start()) {
        values.start = *from;
        if (!from->argument().empty()) {
            values.startMistake = mistakeOf(*from);
            values.startVocabulary = vocabularyOf(from->path);
            values.vocabularyModel = vocabularyModel();
            values.startArchitecture = startArchitecture(*from, *m_parts.session->models());
        }
    }
    if (!m_wantedRun.empty()) // random weights stand in the field until then
        values.startMistake = tr("Loading runs…");
    values.seeds = m->seeds->text();
    values.runs = m_parts.store->folder();
    values.runsMistake = m_folderMistake;
    if (m_folderMistake.isEmpty())
        values.disk = freeDisk(values.runs);
    values.worker = findWorker();
    values.place = chosenPlace();
    values.device = chosenDevice();
    values.hold = m->hold->isVisibleTo(this) && m->hold->isChecked();
    values.allCheckpoints = m->allCheckpoints->isChecked();
    values.making = m_making;
    values.makingFailure = m_makingFailure;
    return values;
}

void LaunchForm::readArchitectureInto(LaunchValues& values) const {
    const int index = m->architecture->currentIndex();
    const ArchitectureChoice* choice = index >= 0 && static_cast<std::size_t>(index) < m_architectures.size()
                                           ? &m_architectures[static_cast<std::size_t>(index)]
                                           : nullptr;
    if (const auto model = m_wantedDraft.find("model"); !choice && m_wantedDraft.is_object() && model != m_wantedDraft.end()) {
        const OpenModel* one = m_parts.session->models()->of(toPath(QString::fromStdString(model->get<std::string>())));
        if (one && one->state == OpenState::Reading) { // chosen once it is open
            values.architectureWait = tr("Loading the model…");
            return;
        }
    }
    if (!choice || (choice->draft && !m_parts.drafts->has(*choice->draft))) {
        values.architectureMistake =
            m_wantedDraft.is_null()
                ? tr("Open a model, draw one in Design, or open a file.")
                : tr("%1 was chosen last and is not open. Open it, or choose an architecture.")
                      .arg(QString::fromStdString(m_wantedDraft.front().get<std::string>()));
        return;
    }
    if (!choice->draft) {
        values.architectureFile = choice->file;
        try {
            values.architecture = readArchitecture(choice->file);
        } catch (const Error& mistake) {
            values.architectureMistake = QString::fromUtf8(mistake.what());
        }
        return;
    }
    if (const auto& wrong = m_parts.drafts->grid(*choice->draft).mistakes(); !wrong.empty()) {
        values.architectureMistake = (wrong.front().layer == kCrossAttention ? tr("Cross-attention: %1.")
                                                                             : tr("Layer %1: %2.").arg(wrong.front().layer))
                                         .arg(QString::fromStdString(wrong.front().sentence));
        return;
    }
    try {
        values.architecture = m_parts.drafts->architecture(*choice->draft);
        // Named by what differs, so that two runs of one model are told apart everywhere.
        values.architecture->name = m_parts.drafts->nameWithChanges(*choice->draft).toStdString();
    } catch (const Error& mistake) {
        values.architecture.reset();
        values.architectureMistake = QString::fromUtf8(mistake.what());
    }
}

void LaunchForm::revalidate() {
    m_revalidation.stop();
    lookAtRunsFolder();
    for (QComboBox* field : {m->architecture, m->recipe, m->start})
        rememberChoice(field);
    readData(); // another start writes the texts with another vocabulary
    const LaunchValues values = read();
    const LaunchReport report = validate(values);
    m_launch = report.launch;
    showReport(report);
    m->dataRow->setToolTip(report.invalidRows);
    showValues(values);
    m->checks->setChecks(report.checks);
    showFoot(report, values.resumes());
    if (nlohmann::json view = viewOf(values); view != m_toldView) {
        m_toldView = std::move(view);
        Q_EMIT changed();
    }
}

/// What the fields themselves show of the values; what is resumed brings its own.
void LaunchForm::showValues(const LaunchValues& values) {
    for (QWidget* field :
         {static_cast<QWidget*>(m->architecture), static_cast<QWidget*>(m->recipe),
          static_cast<QWidget*>(m->data), static_cast<QWidget*>(m->seeds), static_cast<QWidget*>(m->batch),
          static_cast<QWidget*>(m->updates), static_cast<QWidget*>(m->values)})
        setAvailable(field, values.resumes() ? tr("A resumed run keeps its original value.") : QString());
    const bool needsText = needsParallelText(values.recipe);
    m->makeCorpus->setText(!m_making.isEmpty() ? tr("Cancel") : needsText ? tr("Make the demo text corpus") : tr("Make the demo corpus"));
    m->makeCorpus->setToolTip(needsText ? tr("Sentences of a small grammar in English and German. Makes 20,000 pairs.")
                                        : tr("Sentences of a small grammar, spoken by espeak-ng in many voices, with exact times. Makes 30 "
                                             "minutes of speech in about a minute."));
    const QString batch = readsText(values.recipe.task) ? tr("Batch, tokens") : tr("Batch, frames");
    m->batchRow->setLabel(batch);
    m->batch->setAccessibleName(batch);
    m->makeCorpus->setIcon(widgets::icon(m_making.isEmpty() ? QStringLiteral("audio") : QStringLiteral("close")));
    const bool isRead = m_facts && m_facts->folder == m_data, canBeDivided = isRead && !m_facts->splitToDivide.empty() && !values.resumes();
    m->holdOut->setVisible(canBeDivided);
    m->makeCorpus->setVisible(!m_making.isEmpty() || m_data.empty() || (isRead && !m_facts->mistake.isEmpty() && !canBeDivided));
    const auto showValue = [&](QLineEdit* line, QToolButton* back, const char* key) {
        for (int i = 0; i < m_values->rowCount(); ++i) {
            if (m_values->index(i, RecipeModel::Key).data().toString() != QLatin1String(key))
                continue;
            const QModelIndex value = m_values->index(i, RecipeModel::Value);
            bool isNumber = false;
            const qlonglong number = value.data().toString().toLongLong(&isNumber);
            const QString text = isNumber ? thousands(number) : value.data().toString();
            if (line->text() != text && (!line->hasFocus() || !line->isModified()))
                line->setText(text); // else the selection would go
            back->setVisible(value.data(RecipeModel::ChangedRole).toBool());
        }
    };
    showValue(m->batch, m->batchBack, kBatchKey);
    showValue(m->updates, m->updatesBack, kUpdatesKey);
    const int changes = m_values->changeCount();
    m->showValues->setText(changes == 0
                               ? tr("All %1 values").arg(m_values->rowCount())
                               : tr("All %1 values, %2 changed").arg(m_values->rowCount()).arg(changes));
    const auto memory = freeMemory();
    const QString threads = widgets::counted(QThread::idealThreadCount(), tr("1 thread"), tr("%1 threads"));
    m->place->setDetail(
        memory ? tr("%1, %2 free").arg(threads, decimalBytes(*memory)) : threads);
}

void LaunchForm::showFoot(const LaunchReport& report, bool resumes) {
    m->allCheckpoints->setVisible(!chosenPlace().isEmpty());
    QString sentence = report.sentence, whole;
    std::optional<CorpusExtent> corpus;
    if (m_launch && m_facts && m_facts->isOf(m_launch->data, m_launch->recipe) && !m_facts->lengths.empty())
        corpus = extentOf(m_facts->lengths, m_launch->recipe);
    showTimes(corpus);
    if (const auto time = m_launch ? estimateTime(m_parts.store->runs(), *m_launch, corpus) : std::nullopt) {
        const QString basis = tr("About %1 per seed, based on %2. "), duration = widgets::durationText(time->seconds);
        const QString run = widgets::elidedInMiddle(time->run, QFontMetricsF(widgets::Sizes::small()), kMostOfTitle * widgets::Sizes::unit());
        if (run != time->run)
            whole = (basis.arg(duration, time->run) + sentence).trimmed();
        sentence.prepend(basis.arg(duration, breakable(run)));
    }
    showSentence(sentence, whole);
    const auto runs = m_launch ? m_launch->seeds.size() : 1;
    m->startButton->setText(resumes     ? tr("Resume")
                            : runs == 1 ? tr("Start the run")
                                        : tr("Start %1 runs").arg(runs));
    setAvailable(m->startButton, resumes || m_launch ? QString() : sentence);
    setAvailable(m->copyButton, m_launch   ? QString()
                                : resumes ? tr("To copy the command of a resumed run, use its menu in Runs.")
                                           : sentence);
}

/// On every card how long a seed would take there, as far as runs that have finished there say it.
void LaunchForm::showTimes(const std::optional<CorpusExtent>& corpus) {
    const auto show = [&](PlaceCard* card, const QString& place, const QString& device) {
        if (!m_launch || !card->isEnabled())
            return card->setTime({}, {});
        Launch there = *m_launch;
        there.place = place.toStdString();
        there.device = device.toStdString();
        if (const auto time = estimateTime(m_parts.store->runs(), there, corpus))
            card->setTime(widgets::durationText(time->seconds),
                          tr("About %1 per seed, based on %2.").arg(widgets::durationText(time->seconds), time->run)); // a tool tip has the room
        else
            card->setTime({}, tr("No run of this size, with this data and these batches, has finished there yet, so the duration is unknown."));
    };
    show(m->place, {}, {});
    for (PlaceCard* card : m->devices)
        show(card, {}, card->property("device").toString());
    for (PlaceCard* card : m->otherPlaces)
        show(card, card->name(), {});
}

void LaunchForm::showMaking(const QString& progress, const QString& failure) {
    m_making = progress;
    m_makingFailure = failure;
    revalidate();
}

} // namespace headroom::app
