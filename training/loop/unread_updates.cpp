// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/unread_updates.h"

#include "core/errors/count_text.h"
#include "core/errors/error.h"
#include "training/loop/checkpoint.h"

#include <utility>

namespace headroom::training {

void UnreadUpdates::add(UpdateOutcome outcome, std::int64_t update) {
    const bool onDevice = outcome.pending != nullptr;
    if (m_outcomes.empty())
        m_first = update;
    m_outcomes.push_back(std::move(outcome));
    if (!onDevice)
        read();
}

void UnreadUpdates::read() {
    auto outcomes = std::exchange(m_outcomes, {});
    try {
        readOutcomes(outcomes, m_ctcWeight, m_ranks);
    } catch (const NotFinite& found) {
        throw notFinite(found, m_first + found.outcome);
    }
    for (const UpdateOutcome& outcome : outcomes)
        m_meter.add(outcome);
}

Error UnreadUpdates::notFinite(const NotFinite& found, std::int64_t update) const {
    std::string ids;
    nlohmann::json list = nlohmann::json::array();
    for (const std::int64_t index : found.examples) {
        const std::string& id = m_examples[static_cast<std::size_t>(index)].id;
        ids += (ids.empty() ? "" : ", ") + id;
        list.push_back(id);
    }
    const auto files = checkpointFiles(m_paths, true);
    const std::string good = files.empty() ? "there is no checkpoint yet"
                                           : "the last good checkpoint is " + files.back().filename().string();
    return Error("train.notFinite",
                 std::string("The ") + found.what + " of update " + grouped(update + 1) +
                     " is not a finite number; " + good + ". The utterances were " + ids + ".",
                 {{"update", update + 1}, {"utterances", list}});
}

} // namespace headroom::training
