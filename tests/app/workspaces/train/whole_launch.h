// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/train/launch_sources.h"
#include "app/workspaces/train/launch_values.h"
#include "tests/app/runs/train_workshop.h"

namespace headroom::testing {

/// A form that can be started; each test spoils one thing.
inline app::LaunchValues wholeLaunch() {
    app::LaunchValues values;
    values.architectureFile = TrainWorkshop::resource("recipes/smoke.architecture.json");
    values.architecture = readArchitecture(values.architectureFile);
    values.base = values.recipe = TrainWorkshop::smoke();
    values.recipeFile = TrainWorkshop::resource("recipes/smoke.json");
    values.data = "/corpus";
    app::DataFacts facts;
    facts.folder = values.data;
    facts.task = values.recipe.task;
    facts.trainSplit = values.recipe.data.trainSplit;
    facts.validationSplit = values.recipe.data.validationSplit;
    facts.train = 1200;
    facts.validation = 34;
    facts.lengths.assign(1200, 500);
    facts.validationLengths.assign(34, 500);
    facts.vocabulary = values.architecture->vocabulary;
    facts.unknown = app::VocabularyGaps{1234, 0, {}};
    values.facts = facts;
    values.seeds = QStringLiteral("1-3");
    values.runs = "/runs";
    values.disk = 1e12;
    values.worker.program = QStringLiteral("/usr/bin/headroom-worker");
    return values;
}

/// Of the first check whose name begins so.
inline app::Check::State checkState(const app::LaunchReport& report, const QString& name) {
    for (const app::Check& check : report.checks)
        if (check.name.startsWith(name))
            return check.state;
    return app::Check::State::Unknown;
}

} // namespace headroom::testing
