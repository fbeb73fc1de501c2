// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/alignment/boundary_errors.h"

#include "core/alignment/phones.h"
#include "core/alignment/word_distance.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace headroom::training {

namespace {

/// What is compared of a tier: labels and where they start.
struct Sequence {
    std::vector<std::string> labels;
    std::vector<double> starts;
};

Sequence phonesOf(const Alignment& alignment) {
    Sequence result;
    for (const auto& phone : alignment.phones) {
        const auto found = phoneClass(phone.label);
        if (found == kSilenceClass)
            continue;
        // What belongs to no class stays as it is written, so that it matches only itself.
        result.labels.push_back(found ? std::string(kPhoneClasses.at(static_cast<std::size_t>(*found)))
                                      : phone.label);
        result.starts.push_back(phone.start.value());
    }
    return result;
}

Sequence wordsOf(const Alignment& alignment) {
    Sequence result;
    for (const auto& word : alignment.words) {
        if (isSilence(word.label))
            continue;
        std::string small = word.label;
        std::transform(small.begin(), small.end(), small.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        result.labels.push_back(small);
        result.starts.push_back(word.start.value());
    }
    return result;
}

void compare(const Sequence& ours, const Sequence& reference, std::vector<double>& differences) {
    for (const auto& [left, right] : matchingLabels(ours.labels, reference.labels))
        differences.push_back(ours.starts[left] - reference.starts[right]);
}

BoundaryErrors errorsOf(std::vector<double> differences) {
    BoundaryErrors errors;
    errors.count = static_cast<std::int64_t>(differences.size());
    for (auto& difference : differences)
        difference = 1000 * std::abs(difference);
    std::sort(differences.begin(), differences.end());
    const auto n = differences.size();
    if (n == 0) {
        errors.median = errors.ninetieth = errors.within20 = errors.within50 = std::nan("");
        return errors;
    }
    errors.median = (differences[(n - 1) / 2] + differences[n / 2]) / 2;
    errors.ninetieth = differences[static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(n))) - 1];
    const auto share = [&](double most) {
        const auto inside = std::upper_bound(differences.begin(), differences.end(), most + 1e-6);
        return static_cast<double>(inside - differences.begin()) / static_cast<double>(n);
    };
    errors.within20 = share(20);
    errors.within50 = share(50);
    return errors;
}

} // namespace

void BoundaryComparison::add(const Alignment& ours, const Alignment& reference) {
    ++m_utterances;
    compare(phonesOf(ours), phonesOf(reference), m_phones);
    compare(wordsOf(ours), wordsOf(reference), m_words);
}

BoundaryErrors BoundaryComparison::phones() const {
    return errorsOf(m_phones);
}
BoundaryErrors BoundaryComparison::words() const {
    return errorsOf(m_words);
}
double BoundaryComparison::phoneBias() const {
    return m_phones.empty() ? std::nan("")
                            : 1000 * std::accumulate(m_phones.begin(), m_phones.end(), 0.0) /
                                  static_cast<double>(m_phones.size());
}

} // namespace headroom::training
