// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matrix/diagonal_profile.h"
#include "models/attention/local.h"
#include "models/attention/multi_head.h"
#include "models/checks/check_parts.h"
#include "models/kernels/contributions.h"
#include "models/kernels/device_operators.h"
#include "models/kernels/profiles.h"

#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom::models {
namespace {

/// The numbers of one case: a sharp map with a window, values and weights of ordinary size, all from one
/// seed.
struct ContributionCase {
    std::int64_t heads, tokens, headWidth;
    int window; // 0: full
    at::Tensor attention, values, outputWeight, residual;

    ContributionCase(std::int64_t h, std::int64_t n, std::int64_t w, int window_, at::ScalarType type)
        : heads(h)
        , tokens(n)
        , headWidth(w)
        , window(window_) {
        const auto generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(h * 1000 + n));
        const auto draw = [&](at::IntArrayRef shape) {
            return at::randn(shape, generator, at::kDouble).to(type);
        };
        const at::Tensor queries = draw({1, h, n, w}), keys = draw({1, h, n, w});
        const std::vector<int> windows(static_cast<std::size_t>(h), window_);
        attention = attentionMap(queries, keys, hiddenOutsideWindows(windows, n)).squeeze(0).contiguous();
        values = draw({h, n, w});
        outputWeight = draw({h * w, h * w}).div(std::sqrt(static_cast<double>(h * w)));
        residual = draw({n, h * w});
    }
    std::int64_t reach() const { return window == 0 ? tokens : window / 2; }
    std::string text() const {
        return std::to_string(heads) + (heads == 1 ? " head" : " heads") + ", N " + std::to_string(tokens) +
               (window ? ", local " + std::to_string(window) : "");
    }
};

const char* precisionOf(at::ScalarType type) {
    return type == at::kDouble ? "float64" : type == at::kBFloat16 ? "bfloat16" : "float32";
}

double contributionDifference(const ContributionCase& numbers, at::ScalarType type, c10::Device device) {
    const at::Tensor transformed = transformedValues(numbers.values, numbers.outputWeight).contiguous();
    const at::ScalarType sums = type == at::kDouble ? at::kDouble : at::kFloat;
    at::Tensor found = at::empty({numbers.tokens, numbers.tokens}, at::TensorOptions(sums).device(device));
    at::Tensor profile = at::empty({2 * numbers.tokens - 1}, at::TensorOptions(at::kDouble).device(device));
    if (type == at::kBFloat16) // on GPUs only, results in float
        device::contributions(numbers.attention.to(device), transformed.to(device), numbers.residual.to(device),
                              numbers.reach(), false, found, profile, std::nullopt);
    else
        contributions(numbers.attention.to(device), transformed.to(device), numbers.residual.to(device),
                      numbers.reach(), found, profile);
    profile = profile.cpu();
    std::vector<std::int64_t> rows(static_cast<std::size_t>(numbers.tokens));
    std::iota(rows.begin(), rows.end(), 0);
    const Matrix<double> expected =
        type == at::kBFloat16 // of u as it was rounded
            ? referenceContributions(numbers.attention, transformed, numbers.residual, ResidualPlace::Diagonal, rows)
            : referenceContributions(numbers.attention, numbers.values, numbers.outputWeight, numbers.residual, rows);
    const at::Tensor inDouble = found.cpu().to(at::kDouble);
    const auto* values = inDouble.const_data_ptr<double>();
    double difference = 0;
    for (std::size_t k = 0; k < expected.values().size(); ++k) {
        const double d = std::abs(values[k] - expected.values()[k]);
        difference = std::isnan(d) ? d : std::max(difference, d);
    }
    const DiagonalProfile expectedProfile{expected.view()};
    for (std::int64_t k = 0; k < profile.numel(); ++k) {
        // A diagonal's sum has up to N terms; per term the bound is the matrix's own.
        const double d = std::abs(profile.const_data_ptr<double>()[k] -
                                  expectedProfile.sums()[static_cast<std::size_t>(k)]);
        difference = std::isnan(d) ? d : std::max(difference, d / static_cast<double>(numbers.tokens));
    }
    return difference;
}

double profileDifference(const ContributionCase& numbers, c10::Device device) {
    const at::Tensor found = diagonalSums(numbers.attention.to(device), numbers.reach()).cpu();
    double difference = 0;
    for (std::int64_t h = 0; h < numbers.heads; ++h) {
        const at::Tensor map = numbers.attention.select(0, h);
        const auto n = static_cast<std::size_t>(numbers.tokens);
        const DiagonalProfile expected{MatrixView<const float>(map.const_data_ptr<float>(), n, n)};
        const auto* sums = found.select(0, h).const_data_ptr<double>();
        for (std::size_t k = 0; k < expected.sums().size(); ++k)
            difference = std::max(difference, std::abs(expected.sums()[k] - sums[k]));
    }
    return difference;
}

/// Local attention against the definition written out in double: softmax over the keys inside, nothing
/// elsewhere.
double localDifference(std::int64_t tokens, int window, c10::Device device) {
    constexpr std::int64_t kWidth = 16;
    const auto generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(tokens));
    const at::Tensor queries = at::randn({1, 1, tokens, kWidth}, generator, at::kFloat);
    const at::Tensor keys = at::randn({1, 1, tokens, kWidth}, generator, at::kFloat);
    const at::Tensor hidden = hiddenOutsideWindows({window}, tokens); // undefined: everything is seen
    const at::Tensor found =
        attentionMap(queries.to(device), keys.to(device), hidden.defined() ? hidden.to(device) : hidden).cpu();
    const auto* q = queries.const_data_ptr<float>();
    const auto* k = keys.const_data_ptr<float>();
    const auto* map = found.const_data_ptr<float>();
    double difference = 0;
    for (std::int64_t i = 0; i < tokens; ++i) {
        std::vector<double> weights(static_cast<std::size_t>(tokens), 0.0);
        double sum = 0;
        for (std::int64_t j = 0; j < tokens; ++j) {
            if (std::abs(i - j) > window / 2)
                continue;
            double score = 0;
            for (std::int64_t d = 0; d < kWidth; ++d)
                score += static_cast<double>(q[i * kWidth + d]) * static_cast<double>(k[j * kWidth + d]);
            sum += weights[static_cast<std::size_t>(j)] =
                std::exp(score / std::sqrt(static_cast<double>(kWidth)));
        }
        for (std::int64_t j = 0; j < tokens; ++j) {
            const double d = std::abs(weights[static_cast<std::size_t>(j)] / sum -
                                      static_cast<double>(map[i * tokens + j]));
            difference = std::isnan(d) ? d : std::max(difference, d);
        }
    }
    return difference;
}

} // namespace

void checkContributions(c10::Device device, const CheckRows& rows) {
    const auto check = [&](std::int64_t heads, std::int64_t tokens, std::int64_t headWidth, int window, at::ScalarType type) {
        const ContributionCase numbers(heads, tokens, headWidth, window, type);
        rows(checkRow("contributions and profile, " + numbers.text(), precisionOf(type), type == at::kDouble ? 1e-12 : 1e-5,
                      [&] { return contributionDifference(numbers, type, device); }));
    };
    std::vector<at::ScalarType> types{at::kFloat, at::kDouble};
    if (device.is_cuda()) // a kernel of ours alone
        types.push_back(at::kBFloat16);
    for (const at::ScalarType type : types)
        for (const std::int64_t heads : {1, 2, 3, 4, 8})
            check(heads, 65, 16, 0, type);
    for (const at::ScalarType type : types) {
        for (const std::int64_t tokens : {1, 2, 7, 257})
            check(4, tokens, 64, 0, type);
        check(4, 130, 32, 17, type);
    }
    for (const ContributionCase& numbers :
         {ContributionCase(4, 257, 16, 0, at::kFloat), ContributionCase(4, 130, 16, 17, at::kFloat)})
        rows(checkRow("attention profiles, " + numbers.text(), "float32", 1e-9,
                      [&] { return profileDifference(numbers, device); }));
    for (const auto& [tokens, window] :
         std::vector<std::pair<std::int64_t, int>>{{1, 17}, {7, 17}, {65, 1}, {65, 5}, {130, 17}})
        rows(checkRow("local attention " + std::to_string(window) + ", N " + std::to_string(tokens), "float32", 1e-6,
                      [&, tokens = tokens, window = window] { return localDifference(tokens, window, device); }));
}

} // namespace headroom::models
