// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/run_folder.h"
#include "training/loop/average_checkpoints.h"
#include "training/worker/commands.h"

#include <filesystem>
#include <system_error>

namespace headroom::training {

/// A checkpoint of the run whose model/ is to be evaluated, as a model folder in `out`. The folder goes with this.
class CheckpointModel {
public:
    /// Throws what averageCheckpoints() throws.
    explicit CheckpointModel(const EvaluateOptions& options) : m_model(options.model) {
        if (options.checkpoint.empty())
            return;
        const std::filesystem::path run = runOfModel(options.model);
        m_made = m_model = options.out / ("model-" + options.checkpoint);
        averageCheckpoints(run, 1, options.checkpoint == "best", m_model);
    }
    ~CheckpointModel() {
        std::error_code ignored;
        if (!m_made.empty())
            std::filesystem::remove_all(m_made, ignored);
    }
    CheckpointModel(const CheckpointModel&) = delete;
    CheckpointModel& operator=(const CheckpointModel&) = delete;
    const std::filesystem::path& folder() const { return m_model; }

private:
    std::filesystem::path m_model, m_made;
};

} // namespace headroom::training
