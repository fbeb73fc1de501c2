// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts/drafts.h"
#include "core/runs/checkpoint_name.h"
#include "widgets/run_monitor/run_item.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>
#include <vector>

namespace headroom::app {

class Session;

/// One entry of “Architecture”: a draft of this session, or a file. A value.
struct ArchitectureChoice {
    QString name;
    std::optional<DraftKey> draft;
    std::filesystem::path file;
    QString key() const; ///< what it is, whatever it is called
    bool operator==(const ArchitectureChoice&) const = default;
};
/// Drafts first, then what comes with the program, then what was opened here. The architecture of one of `runs` is demo, of “window 13, seed 1”.
std::vector<ArchitectureChoice> architectureChoices(const Drafts& drafts, const QStringList& opened, const std::vector<widgets::RunItem>& runs);

/// The architecture that comes with a recipe of ours, NAME.architecture.json beside it; it need not be there.
std::filesystem::path architectureOfRecipe(const std::filesystem::path& recipe);

/// A draft as the next start of the program finds it again: {"model": FOLDER} or {"document": NAME}.
nlohmann::json draftPlace(const Session& session, const Drafts& drafts, DraftKey key);

struct RecipeChoice {
    QString name;
    std::filesystem::path file;
    QString key() const;
    bool operator==(const RecipeChoice&) const = default;
};
std::vector<RecipeChoice> recipeChoices(const QStringList& opened, const std::vector<widgets::RunItem>& runs);

/// One entry of “Start from”.
struct StartChoice {
    enum class Kind { Nothing, Encoder, Whole, Resume };
    Kind kind = Kind::Nothing;
    QString name;
    std::filesystem::path path; ///< the model, or the run to go on with
    std::string checkpoint{};   ///< of the run that `path` then is: "best", "last", "500"; empty: a model
    QString key() const;
    bool operator==(const StartChoice&) const = default;
    /// "MODEL:encoder", as `--start-from` takes it; empty for nothing.
    std::string argument() const;
    /// The model whose vocabulary writes the texts, or the corpus with which a checkpoint's run began; empty: the corpus' own does, as
    /// where only an encoder is taken. Reads the run's documents.
    std::filesystem::path vocabularyModel() const;
};
/// Why there are no weights of a model or a checkpoint to start from; empty: there are, or none are wanted. Blocks.
QString mistakeOf(const StartChoice& start);
/// Open models, checkpoints to branch from, results of finished runs, runs that can be resumed; the newest few of each.
std::vector<StartChoice> startChoices(const Session& session, const std::vector<widgets::RunItem>& runs,
                                      const QStringList& opened, const std::vector<CheckpointName>& branches = {});

} // namespace headroom::app
