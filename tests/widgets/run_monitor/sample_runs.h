// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/events.h"
#include "widgets/run_monitor/run_item.h"

#include <memory>

namespace headroom::testing {

inline widgets::RunItem sampleRun(const QString& name, std::uint64_t seed, RunState state, double loss = 2) {
    widgets::RunItem run;
    run.folder = std::filesystem::path("/runs") / (name.toStdString() + "-" + std::to_string(seed));
    run.info.id = run.folder.filename().string();
    run.info.state = state;
    run.info.seed = seed;
    run.info.created = "2026-11-21T10:3" + std::to_string(seed % 10) + ":00Z";
    run.info.maxUpdates = 100;
    run.info.update = 40;
    run.info.error = state == RunState::Failed ? "Out of memory at update 40." : "";
    run.info.best = {{"update", 40}, {"loss", loss}, {"wer", 10 * loss}};
    run.name = name;
    run.recipe = QStringLiteral("smoke");
    run.task = QStringLiteral("asr");
    run.group = name;
    run.parameters = 2e6;
    run.macShare = 0.5;
    run.update = 50;
    run.loss = loss;
    run.framesPerSecond = 20000;
    run.secondsLeft = 90;
    run.hasModel = state == RunState::Finished;
    return run;
}

/// An evaluation of speech recognition with the exported model.
inline widgets::EvaluatedScore sampleScore(const char* split, double wer, int order = 0) {
    widgets::EvaluatedScore score;
    score.split = QLatin1String(split);
    score.task = "asr";
    score.checkpoint = QStringLiteral("model");
    score.wer = wer;
    score.order = order;
    return score;
}

/// `count` step events with a loss of 1 / update, and a validation every tenth.
inline std::shared_ptr<const RunCurves> sampleCurves(int count, double offset = 0) {
    auto curves = std::make_shared<RunCurves>();
    for (int i = 1; i <= count; ++i) {
        curves->add({{"event", "step"},
                     {"update", i},
                     {"time", 1000.0 + i},
                     {"loss", offset + 1.0 / i},
                     {"learningRate", 1e-3}});
        if (i % 10 == 0)
            curves->add(
                {{"event", "validation"}, {"update", i}, {"time", 1000.0 + i}, {"wer", offset + 100.0 / i}});
    }
    return curves;
}

} // namespace headroom::testing
