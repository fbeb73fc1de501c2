// SPDX-License-Identifier: GPL-3.0-or-later
// The Data view in the middle of Train, and the demo corpus that the form asks for.
#include "app/documents/items/paths.h"
#include "app/documents/items/saved_message.h"
#include "app/documents/session.h"
#include "app/parts/dock.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/corpus_maker.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/data/import_dialog.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/corpus/language_tasks.h"
#include "core/runs/task_kind.h"

#include <QAction>
#include <QStackedWidget>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

QString causeOfNotes(const fs::path& corpus) {
    return QStringLiteral("notes on corpus ") + toQString(normalised(corpus));
}

/// The task of a recipe that shall learn what Data shows: a language model stays one, of the texts of that task.
std::string taskToTrain(const std::string& trained, const std::string& shown, const Corpus& corpus) {
    if (!isLanguageTask(trained))
        return shown;
    const std::string learnt = trained == "lm" ? textTaskOf(corpus) : trained.substr(std::string_view("lm_").size());
    return learnt == shown ? trained : "lm_" + shown;
}

} // namespace

void TrainWorkspace::connectData() {
    connect(m_actions->data, &QAction::toggled, this, &TrainWorkspace::showData);
    connect(m_data, &DataView::said, this, &TrainWorkspace::say);
    connect(m_data, &DataView::noted, this, &TrainWorkspace::noteOnCorpus);
    connect(m_data, &DataView::corpusRead, this, [this](const fs::path& folder) { // its files may have changed since the form read it
        settleNotes(folder);
        if (folder == m_form->data())
            m_form->readDataAgain();
    });
    connect(m_data, &DataView::exported, this, [this](const QString& folder) { announceSaved(m_parts.session->messages(), folder); });
    connect(m_data, &DataView::wanted, this, [this] {
        switchAction()->trigger();
        m_actions->data->setChecked(true);
    });
    connect(m_data, &DataView::shownChanged, this, [this] {
        if (m_actions->data->isChecked())
            Q_EMIT shownChanged();
    });
    connect(m_form, &LaunchForm::holdOutRequested, this, [this](const fs::path& corpus) {
        ImportDialog* dialog = m_data->askHoldOut(corpus);
        connect(dialog, &ImportDialog::imported, m_form, [this](const fs::path& folder) {
            m_actions->data->setChecked(false); // back to the form, from where it was asked for
            m_form->setDividedData(folder);
        });
        dialog->open();
    });
    connect(m_data, &DataView::recipeChosen, m_form, &LaunchForm::chooseRecipeAt);
    connect(m_form->values(), &RecipeModel::recipeChanged, this, [this] {
        if (m_actions->data->isChecked())
            showRecipesInData();
    });
    connect(m_data, &DataView::trainRequested, this,
            [this](const fs::path& folder, const LengthLimits& limits, const std::string& task) {
                m_actions->data->setChecked(false);
                m_formDock->show();
                m_form->setData(folder);
                // Copied: writing the task changes the form's recipe. The limits of one that reads text are tokens.
                const std::string trained = m_form->values()->recipe().task;
                const std::string wanted = taskToTrain(trained, task, *m_data->current()->corpus);
                if (wanted != trained)
                    m_form->values()->write(QStringLiteral("task"), QString::fromStdString(wanted));
                if (readsText(trained))
                    return m_form->focusFirst();
                m_form->values()->write(QStringLiteral("data.minFrames"), QString::number(limits.least));
                m_form->values()->write(QStringLiteral("data.maxFrames"), QString::number(limits.most));
                m_form->focusFirst();
            });
}

/// What an import says of the corpus that it made. What was said of an earlier one in its place goes.
void TrainWorkspace::noteOnCorpus(const fs::path& corpus, const QString& sentence) {
    const CorpusVersion version = versionOfCorpus(corpus, {});
    if (const auto before = m_noted.find(normalised(corpus)); before != m_noted.end() && before->second != version)
        m_parts.session->messages()->settle(causeOfNotes(corpus));
    m_noted[normalised(corpus)] = version;
    post(Severity::Warning, sentence, {}, {}, causeOfNotes(corpus));
}

/// The notes of an import are of its time: they go once the corpus was changed and has no defect.
void TrainWorkspace::settleNotes(const fs::path& corpus) {
    const auto noted = m_noted.find(normalised(corpus));
    if (noted == m_noted.end() || !m_data->current()->summary.defects.empty() || noted->second == versionOfCorpus(corpus, {}))
        return;
    m_noted.erase(noted);
    m_parts.session->messages()->settle(causeOfNotes(corpus));
}

void TrainWorkspace::showRecipesInData() {
    const Recipe &recipe = m_form->values()->recipe(), &base = m_form->values()->base();
    m_data->setRecipeSplits(recipe.data.trainSplit, recipe.data.validationSplit);
    m_data->setRecipes(m_form->recipeNames(), m_form->recipeIndex(), base.data.limits(), recipe.data.limits(), recipe.task);
}

/// Data needs the room of the panels; they come back as they were.
void TrainWorkspace::showData(bool shown) {
    if (shown == (m_middle->currentWidget() == m_data))
        return;
    if (!shown && !switchAction()->isChecked()) { // in another workspace nobody sees it: it was asked for, not closed
        m_actions->data->setChecked(true);
        switchAction()->trigger();
        return;
    }
    if (!shown) {
        m_middle->setCurrentWidget(m_curves);
        restoreLayout(std::exchange(m_aroundCurves, {}));
        Q_EMIT shownChanged();
        return;
    }
    switchAction()->trigger(); // Find action finds Data in every workspace
    m_aroundCurves = Workspace::savedLayout();
    for (Dock* dock : {m_formDock, m_queueDock, m_runsDock, m_logDock})
        dock->hide();
    if (!m_form->data().empty())
        m_data->addCorpus(m_form->data());
    for (const QString& folder : m_parts.settings->offeredCorpora())
        m_data->addCorpus(toPath(folder));
    showRecipesInData();
    m_middle->setCurrentWidget(m_data);
    m_data->begin();
    Q_EMIT shownChanged();
}

QByteArray TrainWorkspace::savedLayout() const {
    return m_aroundCurves.isEmpty() ? Workspace::savedLayout() : m_aroundCurves;
}

/// One that is there is chosen. One that was chosen and will not do stays where it is, and another is made beside it.
void TrainWorkspace::makeDemoCorpus(bool text) {
    const auto kind = text ? DemoCorpus::Text : DemoCorpus::Speech;
    const fs::path usual = demoCorpusFolder(kind);
    fs::path folder = usual;
    std::error_code ignored;
    for (int number = 2; fs::exists(folder, ignored); ++number) {
        if (folder != m_form->data())
            return m_form->setData(folder);
        folder = usual;
        folder += "-" + std::to_string(number);
    }
    m_maker->start(folder, kind);
}

} // namespace headroom::app
