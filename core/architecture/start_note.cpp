// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/start_note.h"

#include "core/architecture/other_positions.h"

#include <cstddef>

namespace headroom {

namespace {

void add(std::string& note, const std::string& sentence) {
    note += (note.empty() || sentence.empty() ? "" : " ") + sentence;
}

/// "Encoder layers 7 and 8 of the start model are left out, because this architecture has 6." `part`: "Encoder layer".
std::string leftOut(const std::string& part, std::size_t theirs, std::size_t ours) {
    if (theirs <= ours)
        return {};
    const bool isOne = theirs == ours + 1;
    const std::string first = std::to_string(ours + 1), last = std::to_string(theirs);
    return part + (isOne ? " " : "s ") + (isOne ? last : first + (theirs == ours + 2 ? " and " : "–") + last) + " of the start model " +
           (isOne ? "is" : "are") + " left out, because this architecture has " + std::to_string(ours) + ".";
}

std::size_t layersOf(const Architecture::Decoder& decoder) {
    return static_cast<std::size_t>(decoder.layers);
}

} // namespace

std::string noteOnStart(const Architecture& model, const Architecture& architecture, bool encoderOnly) {
    if (model.languageModel && architecture.languageModel)
        return leftOut("Layer", static_cast<std::size_t>(model.languageModel->layers), static_cast<std::size_t>(architecture.languageModel->layers));
    std::string note = leftOut("Encoder layer", model.encoder.layers.size(), architecture.encoder.layers.size());
    if (!encoderOnly && model.decoder && architecture.decoder)
        add(note, leftOut("Decoder layer", layersOf(*model.decoder), layersOf(*architecture.decoder)));
    if (!encoderOnly && !model.ctc && architecture.ctc)
        add(note, "The CTC output starts from random weights, because the start model has none.");
    add(note, noteOnPositions(model, architecture, encoderOnly));
    return note;
}

} // namespace headroom
