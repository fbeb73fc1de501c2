// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/launch_sources.h"

#include "app/documents/items/names_apart.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/parts/number_text.h"
#include "app/settings/resource_folders.h"
#include "app/workspaces/train/launch_facts.h"
#include "app/workspaces/train/start_fit.h"
#include "core/errors/display_name.h"
#include "core/places/run_text.h"
#include "core/runs/recipe.h"
#include "core/runs/run_folder.h"
#include "widgets/look/translate.h"
#include "widgets/run_monitor/run_words.h"

#include <algorithm>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

constexpr int kMostRuns = 8; // of finished runs, and of those that can be resumed

std::vector<fs::path> jsonFiles(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// 0: what somebody begins with; 2: the recipe of the built-in aligner, which is no speech model to begin with.
int rankOf(const fs::path& file) {
    const QString stem = toQString(file.filename()).section(u'.', 0, 0);
    return stem == QLatin1String("demo") ? 0 : stem == QLatin1String("aligner") ? 2 : 1;
}

/// "Sant et al. 2022" of "Sant et al. 2022, Table 1": half of the papers have a "Baseline".
QString paperOf(const Architecture& architecture) {
    const QString first = QString::fromStdString(architecture.source).section(u',', 0, 0).trimmed();
    return first.contains(QLatin1String(" et al. ")) ? first : QString();
}

/// Of the copy in a run's folder, which has the same file name in each.
QString ofTheRun(const std::string& name, const fs::path& file, const std::vector<widgets::RunItem>& runs) {
    const auto run = std::ranges::find(runs, file.parent_path(), &widgets::RunItem::folder);
    return QStringLiteral("%1, of %2").arg(QString::fromStdString(name), run == runs.end() ? QStringLiteral("the run") : QStringLiteral("“%1”").arg(widgets::runTitle(*run)));
}

bool isArchitectureName(const fs::path& file) {
    return toQString(file.filename()).endsWith(QLatin1String(".architecture.json"));
}

/// What is called as everywhere keeps its name: drafts, open models, runs. A file or folder that is called as one of these or as another
/// file is named by the end of its folder, too.
template <class Choice, class FolderOf, class IsFile>
void tellFilesApart(std::vector<Choice>& choices, FolderOf folderOf, IsFile isFile) {
    std::vector<QString> names;
    std::vector<fs::path> folders;
    for (const Choice& choice : choices) {
        names.push_back(choice.name);
        folders.push_back(folderOf(choice));
    }
    const std::vector<QString> apart = namesApart(names, folders);
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (isFile(choices[i]) && !apart[i].isEmpty())
            choices[i].name = apart[i];
}

} // namespace

QString ArchitectureChoice::key() const {
    return draft ? QStringLiteral("%1 %2").arg(static_cast<int>(draft->model)).arg(draft->document) : toQString(file);
}

QString RecipeChoice::key() const {
    return toQString(file);
}

QString StartChoice::key() const {
    return QStringLiteral("%1 %2 %3").arg(static_cast<int>(kind)).arg(QString::fromStdString(checkpoint), toQString(path));
}

std::vector<ArchitectureChoice> architectureChoices(const Drafts& drafts, const QStringList& opened, const std::vector<widgets::RunItem>& runs) {
    std::vector<ArchitectureChoice> choices;
    for (const DraftKey& key : drafts.keys())
        choices.push_back({drafts.shownName(key), key, {}});
    const auto addFile = [&](const fs::path& file) {
        QString name = toQString(file.stem());
        try {
            const Architecture architecture = readArchitecture(file);
            name = QString::fromStdString(architecture.name);
            std::error_code ignored;
            if (const RunPaths run{file.parent_path()}; file == run.architecture() && fs::exists(run.recipe(), ignored))
                name = ofTheRun(architecture.name, file, runs);
            else if (isArchitectureName(file)) // else "demo" stands there twice, as the opened model and as this
                name = QStringLiteral("%1 (from its recipe)").arg(name);
            else if (const QString paper = paperOf(architecture); !paper.isEmpty())
                name += QStringLiteral(", ") + paper;
        } catch (const Error&) {
            // Chosen all the same, the form says what is wrong with it.
        }
        choices.push_back({name, std::nullopt, file});
    };
    for (const QString& file : opened)
        addFile(toPath(file));
    std::vector<fs::path> own;
    for (const fs::path& file : jsonFiles(resourceFolder() / "recipes"))
        if (isArchitectureName(file))
            own.push_back(file);
    for (const fs::path& file : jsonFiles(resourceFolder() / "architectures"))
        own.push_back(file);
    std::stable_sort(own.begin(), own.end(),
                     [](const fs::path& left, const fs::path& right) { return rankOf(left) < rankOf(right); });
    for (const fs::path& file : own)
        addFile(file);
    tellFilesApart(
        choices, [](const ArchitectureChoice& one) { return one.file.parent_path(); }, [](const ArchitectureChoice& one) { return !one.draft; });
    return choices;
}

fs::path architectureOfRecipe(const fs::path& recipe) {
    return recipe.parent_path() / (recipe.stem().string() + ".architecture.json");
}

nlohmann::json draftPlace(const Session& session, const Drafts& drafts, DraftKey key) {
    if (const OpenModel* model = session.models()->find(key.model))
        return {{"model", toQString(model->folder).toStdString()}};
    return {{"document", drafts.name(key).toStdString()}};
}

std::vector<RecipeChoice> recipeChoices(const QStringList& opened, const std::vector<widgets::RunItem>& runs) {
    std::vector<RecipeChoice> choices;
    for (const QString& path : opened) {
        const fs::path file = toPath(path);
        QString name = toQString(file.stem());
        try {
            if (file == RunPaths{file.parent_path()}.recipe())
                name = ofTheRun(readRecipe(file).name, file, runs);
        } catch (const Error&) {
            // Chosen all the same, the form says what is wrong with it.
        }
        choices.push_back({name, file});
    }
    // The demo's, then the shortest: who trains for the first time wants to see something today.
    std::vector<std::pair<std::int64_t, RecipeChoice>> own;
    for (const fs::path& file : jsonFiles(resourceFolder() / "recipes")) {
        if (isArchitectureName(file))
            continue;
        try {
            const Recipe recipe = readRecipe(file);
            own.emplace_back(recipe.length.maxUpdates * recipe.data.maxBatchFrames,
                             RecipeChoice{QString::fromStdString(recipe.name), file});
        } catch (const Error&) {
            own.emplace_back(0, RecipeChoice{toQString(file.stem()), file});
        }
    }
    std::stable_sort(own.begin(), own.end(),
                     [](const auto& left, const auto& right) {
                         return std::pair(rankOf(left.second.file), left.first) <
                                std::pair(rankOf(right.second.file), right.first);
                     });
    const auto openedHere = choices.size();
    for (auto& [cost, choice] : own)
        choices.push_back(std::move(choice));
    const auto isOpened = [&](const RecipeChoice& one) { return static_cast<std::size_t>(&one - choices.data()) < openedHere; };
    tellFilesApart(choices, [](const RecipeChoice& one) { return one.file.parent_path(); }, isOpened);
    return choices;
}

namespace {

/// Weights to start from: of an open model, of a folder that was opened here, or the result of a run.
struct StartModel {
    enum class From { OpenModel, Folder, Run } from;
    QString name;
    fs::path folder;
};

/// Every result of a run is in a folder "model", and so is the demo: named by its run or its document.
QString nameOfFolder(const fs::path& folder, const std::vector<widgets::RunItem>& runs) {
    for (const widgets::RunItem& run : runs)
        if (normalised(RunPaths{run.folder}.model()) == normalised(folder))
            return widgets::runTitle(run);
    const auto document = architectureOfModel(folder);
    return QString::fromStdString(document && !document->name.empty() ? document->name : folderName(folder)); // of a snapshot not its hash
}

/// Each once: an open model, a folder that was chosen, or the result of a run, under its first name.
std::vector<StartModel> startModels(const Session& session, const std::vector<widgets::RunItem>& runs, const QStringList& opened) {
    using From = StartModel::From;
    std::vector<StartModel> models;
    const auto add = [&](From from, const QString& name, const fs::path& folder) {
        if (std::ranges::none_of(models, [&](const StartModel& one) { return normalised(one.folder) == normalised(folder); }))
            models.push_back({from, name, folder});
    };
    for (int row = 0; row < session.models()->count(); ++row)
        if (const OpenModel& model = session.models()->at(row); model.state == OpenState::Ready && !model.maps)
            add(From::OpenModel, model.name, model.folder);
    for (const QString& folder : opened)
        add(From::Folder, nameOfFolder(toPath(folder), runs), toPath(folder));
    int finished = 0;
    for (const widgets::RunItem& run : runs)
        if (run.info.state == RunState::Finished && run.hasModel && finished++ < kMostRuns)
            add(From::Run, widgets::runTitle(run), RunPaths{run.folder}.model());
    tellFilesApart(
        models, [](const StartModel& one) { return placeOfModel(one.folder, one.name); }, [](const StartModel& one) { return one.from == From::Folder; });
    for (StartModel& model : models)
        if (const OpenModel* open = model.from == From::OpenModel ? session.models()->of(model.folder) : nullptr)
            model.name = open->shownName();
    return models;
}

} // namespace

std::string StartChoice::argument() const {
    const std::string start = checkpoint.empty() ? path.string() : CheckpointName{path, checkpoint}.text();
    switch (kind) {
    case Kind::Encoder:
        return StartFrom{start, true}.text();
    case Kind::Whole:
        return start;
    default:
        return {};
    }
}

fs::path StartChoice::vocabularyModel() const {
    if (kind != Kind::Whole)
        return {};
    if (checkpoint.empty())
        return path;
    try {
        return textOfRun(path).vocabulary();
    } catch (const Error&) {
        return path; // what is missing is said when it starts
    }
}

QString mistakeOf(const StartChoice& start) {
    if (start.argument().empty())
        return {};
    const QString name = QString::fromStdString(folderName(start.path));
    std::error_code ignored;
    if (!fs::exists(start.path, ignored))
        return tr("%1 is no longer in %2. Choose other weights.").arg(name, toQString(start.path.parent_path()));
    if (start.checkpoint.empty())
        return isModelFolder(start.path) ? QString() : tr("%1 is not a model folder: it has neither architecture.json nor weights.").arg(name);
    try {
        (void)CheckpointName{start.path, start.checkpoint}.file();
        return {};
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
}

std::vector<StartChoice> startChoices(const Session& session, const std::vector<widgets::RunItem>& runs,
                                      const QStringList& opened, const std::vector<CheckpointName>& branches) {
    using Kind = StartChoice::Kind;
    std::vector<StartChoice> choices{{Kind::Nothing, QStringLiteral("Random weights"), {}}};
    const auto add = [&](const QString& name, const fs::path& path, const std::string& checkpoint = {}) {
        choices.push_back({Kind::Whole, QStringLiteral("%1, whole model").arg(name), path, checkpoint});
        choices.push_back({Kind::Encoder, QStringLiteral("%1, encoder only").arg(name), path, checkpoint});
    };
    const std::vector<StartModel> models = startModels(session, runs, opened);
    for (const StartModel& model : models)
        if (model.from != StartModel::From::Run)
            add(model.name, model.folder);
    for (const CheckpointName& one : branches) {
        const auto run = std::find_if(runs.begin(), runs.end(), [&](const widgets::RunItem& item) { return item.folder == one.run; });
        add(QStringLiteral("%1, checkpoint %2")
                .arg(run == runs.end() ? toQString(one.run.filename()) : widgets::runTitle(*run), QString::fromStdString(one.which)),
            one.run, one.which);
    }
    for (const StartModel& model : models)
        if (model.from == StartModel::From::Run)
            add(model.name, model.folder);
    int resumable = 0;
    for (const widgets::RunItem& run : runs)
        if (canResume(run.info.state) && resumable++ < kMostRuns)
            choices.push_back(
                {Kind::Resume,
                 QStringLiteral("Resume %1, update %2").arg(widgets::runTitle(run), thousands(run.info.update)),
                 run.folder});
    return choices;
}

} // namespace headroom::app
