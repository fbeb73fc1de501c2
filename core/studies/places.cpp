// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/places.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <tuple>

namespace headroom {

namespace {

/// Total, so that the order in which places come does not matter.
bool isStronger(const StudyPlace& left, const StudyPlace& right) {
    return std::tuple(-left.value, left.utterance, left.query, left.key) <
           std::tuple(-right.value, right.utterance, right.query, right.key);
}

/// The shortest number that is the same in single precision, which is what places.npz holds: 0.46, and not 0.46000000834465027.
double asWritten(float single) {
    std::array<char, 32> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), single);
    double number = single;
    std::from_chars(text.data(), written.ptr, number);
    return number;
}

constexpr StudyPlace kNone{-1, 0, 0, 0};

const Tensor& arrayOf(const StudyArrays& arrays, const std::string& name, const std::string& file) {
    const auto found = arrays.find(name);
    if (found == arrays.end())
        throw Error("study.value", file + " has no array “" + name + "”.", {{"file", file}, {"array", name}});
    return found->second;
}

} // namespace

PlaceSet::PlaceSet(std::vector<std::int64_t> extents, std::int64_t most)
    : m_extents(std::move(extents))
    , m_most(most) {
    std::size_t count = static_cast<std::size_t>(most);
    for (const auto extent : m_extents)
        count *= static_cast<std::size_t>(extent);
    m_places.assign(count, kNone);
}

std::size_t PlaceSet::offset(std::span<const std::int64_t> index) const {
    if (index.size() != m_extents.size())
        throw std::invalid_argument("an index of places has as many numbers as the set has extents");
    std::size_t result = 0;
    for (std::size_t i = 0; i < index.size(); ++i) {
        if (index[i] < 0 || index[i] >= m_extents[i])
            throw std::out_of_range("an index of places is outside its set");
        result = result * static_cast<std::size_t>(m_extents[i]) + static_cast<std::size_t>(index[i]);
    }
    return result * static_cast<std::size_t>(m_most);
}

void PlaceSet::offer(std::span<const std::int64_t> index, const StudyPlace& place) {
    if (m_most == 0 || std::isnan(place.value))
        return;
    const auto first = m_places.begin() + static_cast<std::ptrdiff_t>(offset(index));
    const auto end = first + static_cast<std::ptrdiff_t>(m_most);
    const auto at = std::find_if(
        first, end, [&](const StudyPlace& held) { return held.utterance < 0 || isStronger(place, held); });
    if (at == end)
        return;
    std::move_backward(at, end - 1, end);
    *at = place;
}

std::vector<StudyPlace> PlaceSet::at(std::span<const std::int64_t> index) const {
    const auto first = m_places.begin() + static_cast<std::ptrdiff_t>(offset(index));
    const auto end = first + static_cast<std::ptrdiff_t>(m_most);
    return {first, std::find_if(first, end, [](const StudyPlace& place) { return place.utterance < 0; })};
}

void PlaceSet::store(const std::string& name, StudyArrays& arrays) const {
    auto shape = m_extents;
    shape.push_back(m_most);
    std::vector<std::int32_t> utterances;
    utterances.reserve(m_places.size());
    for (const StudyPlace& place : m_places)
        utterances.push_back(place.utterance);
    arrays.insert_or_assign(name + "_utterance", Tensor::of<std::int32_t>(shape, utterances));
    const auto numbers = [&](const char* what, double StudyPlace::*member) {
        std::vector<float> values;
        values.reserve(m_places.size());
        for (const StudyPlace& place : m_places)
            values.push_back(static_cast<float>(place.*member));
        arrays.insert_or_assign(name + what, Tensor::of<float>(shape, values));
    };
    numbers("_query", &StudyPlace::query);
    numbers("_key", &StudyPlace::key);
    numbers("_value", &StudyPlace::value);
}

PlaceSet PlaceSet::read(const std::string& name, const StudyArrays& arrays, const std::string& file) {
    const Tensor& utterances = arrayOf(arrays, name + "_utterance", file);
    const auto fits = [&](const Tensor& tensor, DType type) {
        if (tensor.dtype != type || tensor.shape != utterances.shape || tensor.shape.empty())
            throw Error("study.value", file + ": the arrays of “" + name + "” do not fit together.",
                        {{"file", file}, {"set", name}});
    };
    fits(utterances, DType::I32);
    PlaceSet set;
    set.m_extents.assign(utterances.shape.begin(), utterances.shape.end() - 1);
    set.m_most = utterances.shape.back();
    const auto whole = toDoubles(utterances.view());
    set.m_places.assign(whole.size(), kNone);
    for (std::size_t i = 0; i < whole.size(); ++i)
        set.m_places[i].utterance = static_cast<int>(whole[i]);
    const auto numbers = [&](const char* what, double StudyPlace::*member) {
        const Tensor& tensor = arrayOf(arrays, name + what, file);
        fits(tensor, DType::F32);
        const auto values = toFloats(tensor.view());
        for (std::size_t i = 0; i < values.size(); ++i)
            set.m_places[i].*member = asWritten(values[i]);
    };
    numbers("_query", &StudyPlace::query);
    numbers("_key", &StudyPlace::key);
    numbers("_value", &StudyPlace::value);
    return set;
}

} // namespace headroom
