// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/paths.h"
#include "app/runs/launch.h"
#include "core/runs/run_folder.h"
#include "tests/support/written_files.h"

#include <QTemporaryDir>

namespace headroom::testing {

/// A folder that goes with the test: runs, recipes, a corpus of two words.
class TrainWorkshop {
public:
    std::filesystem::path path() const { return app::toPath(m_folder.path()); }
    std::filesystem::path runs() const { return path() / "runs"; }
    static std::filesystem::path resource(const char* name) {
        return std::filesystem::path(HEADROOM_SOURCE_DIR "/resources") / name;
    }
    static Recipe smoke() { return readRecipe(resource("recipes/smoke.json")); }
    static Architecture tiny() { return readArchitecture(resource("recipes/smoke.architecture.json")); }

    std::filesystem::path text(const std::filesystem::path& name, const std::string& bytes) const {
        const auto file = path() / name;
        writeFile(file, bytes);
        return file;
    }
    /// A run as `train` leaves it.
    std::filesystem::path run(const std::string& id, RunState state = RunState::Finished,
                              std::uint64_t seed = 1, double loss = 2) const {
        const auto folder = runs() / id;
        text(std::filesystem::path("runs") / id / "architecture.json", canonicalText(tiny()));
        text(std::filesystem::path("runs") / id / "recipe.json", canonicalText(smoke()));
        text(
            std::filesystem::path("runs") / id / "events.jsonl",
            R"({"event": "step", "update": 40, "time": 1, "loss": 2.5, "framesPerSecond": 900, "secondsLeft": 8})"
            "\n");
        RunInfo info;
        info.id = id;
        info.state = state;
        info.created = "2026-11-21T10:00:0" + std::to_string(seed % 10) + "Z";
        info.seed = seed;
        info.data = "/corpora/demo";
        info.update = 40;
        info.maxUpdates = 120;
        info.best = {{"update", 40}, {"loss", loss}, {"wer", 30.0}, {"bleu", 5.0}};
        writeRun(folder, info);
        return folder;
    }
    app::Launch launch(std::vector<std::uint64_t> seeds = {1}) const {
        app::Launch launch;
        launch.architecture = tiny();
        launch.recipe = smoke();
        launch.recipeFile = resource("recipes/smoke.json");
        launch.data = path() / "corpus";
        launch.seeds = std::move(seeds);
        launch.runs = runs();
        return launch;
    }
    /// Recordings with a text beside each: the plainest folder that can be trained on. One split, "all".
    std::filesystem::path corpus(int utterances = 3) const {
        for (int i = 0; i < utterances; ++i) {
            const std::string name = "corpus/u" + std::to_string(i);
            text(name + ".txt", "word");
            text(name + ".wav", "RIFF");
        }
        return path() / "corpus";
    }

private:
    QTemporaryDir m_folder;
};

} // namespace headroom::testing
