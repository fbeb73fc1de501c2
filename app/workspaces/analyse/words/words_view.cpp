// SPDX-License-Identifier: GPL-3.0-or-later
// What the session's view keeps of the words.
#include "app/parts/actions.h"
#include "app/parts/view_values.h"
#include "app/workspaces/analyse/words/word_measures.h"
#include "app/workspaces/analyse/words/words_controller.h"

#include <QAction>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace headroom::app {

namespace {

/// The values of TextChoice in a session.
constexpr std::array<const char*, 3> kTextNames{"heard", "given", "best"};

} // namespace

void WordsController::saveView(nlohmann::json& view) const {
    const WordsChoice choice = m_panel->choice();
    view["words"] = {{"text", kTextNames[static_cast<std::size_t>(choice.text)]},
                     {"layer", choice.layer},
                     {"head", choice.head},
                     {"measure", choice.measure},
                     {"block", choice.block == WordsBlock::Self ? "self" : "cross"}};
    view["wordsShown"] = m_shown;
}

void WordsController::restoreView(const nlohmann::json& view) {
    restoreChoice(view);
    const bool shown = truthIn(view, "wordsShown", false), self = m_panel->choice().block == WordsBlock::Self;
    m_parts.actions->words->setChecked(shown && !self);
    m_parts.actions->decoderView->setChecked(shown && self);
}

void WordsController::restoreChoice(const nlohmann::json& view) {
    const nlohmann::json words = view.value("words", nlohmann::json());
    WordsChoice choice;
    const auto name = std::ranges::find(kTextNames, stringIn(words, "text").value_or(std::string()));
    choice.text = name == kTextNames.end() ? TextChoice::Heard : static_cast<TextChoice>(name - kTextNames.begin());
    choice.layer = static_cast<int>(std::clamp(numberIn(words, "layer", 0), 0.0, 1000.0));
    choice.head = static_cast<int>(std::clamp(numberIn(words, "head", 0), double(kContributions), 1000.0));
    choice.block = stringIn(words, "block") == "self" ? WordsBlock::Self : WordsBlock::Cross;
    const std::string measure = stringIn(words, "measure").value_or(std::string());
    for (const MixingMeasure& one : wordMeasures())
        if (nameOf(one) == measure && (one.rollout || one.kind != Mixing::Attention))
            choice.measure = measure;
    m_panel->setChoice(choice);
    refreshSoon();
}

} // namespace headroom::app
