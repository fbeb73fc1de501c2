// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/run_folder.h"
#include "training/data/examples.h"
#include "training/loop/meter.h"
#include "training/loop/update.h"

#include <vector>

namespace headroom::training {

/// Updates whose numbers still lie on the device. They are read where a person or a file sees them, and before weights are
/// kept or measured, so that other updates wait for nothing. On the CPU every update is read at once. One thread.
class UnreadUpdates {
public:
    /// What read() needs for its sentences and results. Everything must outlive it. `ranks` may be null.
    UnreadUpdates(Meter& meter, const RunPaths& paths, const std::vector<Example>& examples, double ctcWeight, Ranks* ranks)
        : m_meter(meter)
        , m_paths(paths)
        , m_examples(examples)
        , m_ctcWeight(ctcWeight)
        , m_ranks(ranks) {}

    /// `update`: its number, from 0. Reads it, and those before, unless it lies on the device.
    void add(UpdateOutcome outcome, std::int64_t update);
    /// Adds them to the meter. With ranks, each calls it after the same update. Throws the Error of notFinite().
    void read();
    /// Returns Error "train.notFinite": what, of which update, whose, and the last good checkpoint.
    Error notFinite(const NotFinite& found, std::int64_t update) const;

private:
    Meter& m_meter;
    const RunPaths& m_paths;
    const std::vector<Example>& m_examples;
    const double m_ctcWeight;
    Ranks* const m_ranks;
    std::vector<UpdateOutcome> m_outcomes;
    std::int64_t m_first = 0; ///< the number of the first of them
};

} // namespace headroom::training
