// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/losses/unigram.h"

namespace headroom::training {

std::optional<std::vector<double>> unigramOf(const std::vector<Example>& examples, std::int64_t vocabulary,
                                             const Recipe::Loss& loss) {
    if (loss.smoothing != "unigram")
        return std::nullopt;
    std::vector<double> shares(static_cast<std::size_t>(vocabulary), loss.unigramCount);
    for (const Example& example : examples) {
        for (const int label : example.target)
            ++shares.at(static_cast<std::size_t>(label));
        ++shares.at(static_cast<std::size_t>(example.form->rules.end));
    }
    double sum = 0;
    for (const double count : shares)
        sum += count;
    for (double& share : shares)
        share /= sum;
    return shares;
}

} // namespace headroom::training
