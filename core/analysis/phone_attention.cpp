// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/phone_attention.h"
#include "core/statistics/undefined.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace headroom {

namespace {

constexpr double kSmallestDenominator = 1e-12;
constexpr std::size_t kClasses = kPhoneClasses.size();

using PerClass = std::array<double, kClasses>;

/// A contiguous run of one class: it is contiguous in memory too, in every row of the map.
struct Run {
    std::size_t first = 0, last = 0; ///< tokens of the whole sequence
    std::size_t phoneClass = 0;
    double size() const { return static_cast<double>(last - first + 1); }
};

std::vector<Run> runsOf(const SpokenTokens& spoken) {
    std::vector<Run> runs;
    for (std::size_t kept = 0; kept < spoken.tokens.size(); ++kept) {
        const auto token = static_cast<std::size_t>(spoken.tokens[kept]);
        if (kept == 0 || spoken.runs[kept] != spoken.runs[kept - 1])
            runs.push_back({token, token, static_cast<std::size_t>(spoken.classes[kept])});
        else
            runs.back().last = token;
    }
    return runs;
}

double sumOver(const float* row, const Run& run) {
    double sum = 0;
    for (std::size_t token = run.first; token <= run.last; ++token)
        sum += static_cast<double>(row[token]);
    return sum;
}

void mustHold(MatrixView<const float> map, const SpokenTokens& spoken) {
    if (map.rows() != map.columns() ||
        (!spoken.tokens.empty() && spoken.tokens.back() >= static_cast<std::int64_t>(map.rows())))
        throw std::invalid_argument(
            "Phone attention needs the whole map, as many rows and columns as tokens.");
}

void mustBePhoneMap(const Matrix<double>& par) {
    if (par.rows() != kClasses || par.columns() != kClasses)
        throw std::invalid_argument("A phone attention map has 36 rows and 36 columns.");
}

/// The columns of a row with the largest numbers, at most `largest`, largest first; undefined ones never.
std::vector<std::size_t> largestColumns(std::span<const double> row, int largest) {
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < row.size(); ++column)
        if (!std::isnan(row[column]))
            columns.push_back(column);
    std::stable_sort(columns.begin(), columns.end(),
                     [&](std::size_t one, std::size_t other) { return row[one] > row[other]; });
    columns.resize(std::min(columns.size(), static_cast<std::size_t>(largest)));
    return columns;
}

/// `classOf`: label → class, or nothing.
template <class ClassOf>
std::vector<int> tokenClasses(std::span<const Interval> phones, const TokenClock& clock, std::int64_t tokens,
                              const ClassOf& classOf) {
    // Intervals without a length hold no moment, not even their own.
    std::vector<const Interval*> spans;
    for (const Interval& phone : phones)
        if (phone.start < phone.end)
            spans.push_back(&phone);
    std::vector<int> classes;
    classes.reserve(static_cast<std::size_t>(std::max<std::int64_t>(tokens, 0)));
    for (std::int64_t token = 0; token < tokens; ++token) {
        const Seconds centre = clock.centre(Tokens(token));
        const auto behind =
            std::upper_bound(spans.begin(), spans.end(), centre,
                             [](Seconds time, const Interval* interval) { return time < interval->start; });
        const bool inside = behind != spans.begin() && centre < (*(behind - 1))->end;
        classes.push_back(inside ? classOf((*(behind - 1))->label).value_or(kUnknownPhone) : kSilenceClass);
    }
    return classes;
}

} // namespace

std::vector<int> tokenPhones(std::span<const Interval> phones, const TokenClock& clock, std::int64_t tokens) {
    return tokenClasses(phones, clock, tokens, phoneClass);
}

std::vector<int> tokenPhones(std::span<const Interval> phones, const PhoneMap& map, const TokenClock& clock,
                             std::int64_t tokens) {
    return tokenClasses(phones, clock, tokens,
                        [&map](const std::string& label) { return map.classOf(label); });
}

SpokenTokens spokenTokens(std::span<const int> phones) {
    SpokenTokens spoken;
    int run = -1;
    for (std::size_t token = 0; token < phones.size(); ++token) {
        if (phones[token] < 0 || phones[token] >= kSilenceClass)
            continue;
        if (token == 0 || phones[token] != phones[token - 1])
            ++run;
        spoken.tokens.push_back(static_cast<std::int64_t>(token));
        spoken.classes.push_back(phones[token]);
        spoken.runs.push_back(run);
    }
    return spoken;
}

Matrix<float> spokenMap(MatrixView<const float> map, const SpokenTokens& spoken) {
    mustHold(map, spoken);
    const std::size_t side = spoken.tokens.size();
    Matrix<float> result(side, side);
    for (std::size_t i = 0; i < side; ++i) {
        const float* row = map.data() + static_cast<std::size_t>(spoken.tokens[i]) * map.columns();
        double total = 0;
        for (const std::int64_t token : spoken.tokens)
            total += static_cast<double>(row[token]);
        for (std::size_t j = 0; j < side; ++j)
            result(i, j) = total > 0 ? static_cast<float>(static_cast<double>(row[spoken.tokens[j]]) / total)
                                     : std::numeric_limits<float>::quiet_NaN();
    }
    return result;
}

Matrix<float> withoutEmptyRows(Matrix<float> map) {
    for (float& value : map.values())
        if (!(value >= 0))
            value = 0;
    return map;
}

Matrix<double> phoneAttention(MatrixView<const float> map, const SpokenTokens& spoken) {
    mustHold(map, spoken);
    const std::vector<Run> runs = runsOf(spoken);
    const auto length = static_cast<double>(spoken.size());
    PerClass columns{}; // |C_q|
    for (const Run& run : runs)
        columns[run.phoneClass] += run.size();

    Matrix<double> sums(kClasses, kClasses); // Σ_i A_ij by class; the diagonal: Σ_i of Eq. 5's inner mean
    PerClass rows{}, rowsWithPartner{};      // |C_p| of the rows that count; those that Eq. 5 counts
    for (const Run& own : runs) {
        const double partners = columns[own.phoneClass] - own.size(); // |C_p ∖ E(i)|
        for (std::size_t query = own.first; query <= own.last; ++query) {
            const float* row = map.data() + query * map.columns();
            PerClass byClass{};
            double total = 0;
            for (const Run& run : runs) {
                const double sum = sumOver(row, run);
                total += sum;
                if (&run != &own)
                    byClass[run.phoneClass] += sum;
            }
            if (!(total > 0))
                continue;
            rows[own.phoneClass] += 1;
            for (std::size_t q = 0; q < kClasses; ++q)
                if (q != own.phoneClass)
                    sums(own.phoneClass, q) += byClass[q] / total;
            if (partners > 0) {
                rowsWithPartner[own.phoneClass] += 1;
                sums(own.phoneClass, own.phoneClass) += byClass[own.phoneClass] / total / partners;
            }
        }
    }

    Matrix<double> par(kClasses, kClasses, kUndefined);
    for (std::size_t p = 0; p < kClasses; ++p) {
        for (std::size_t q = 0; q < kClasses; ++q)
            if (p != q && rows[p] > 0 && columns[q] > 0)
                par(p, q) = length / (rows[p] * columns[q]) * sums(p, q);
        if (rowsWithPartner[p] > 0)
            par(p, p) = length / rowsWithPartner[p] * sums(p, p);
    }
    return par;
}

PhoneAttentionMean::PhoneAttentionMean()
    : m_sums(kClasses, kClasses)
    , m_weights(kClasses, kClasses)
    , m_counts(kClasses, kClasses) {}

void PhoneAttentionMean::add(const Matrix<double>& par) {
    mustBePhoneMap(par);
    for (std::size_t p = 0; p < kClasses; ++p)
        for (std::size_t q = 0; q < kClasses; ++q)
            add(p, q, par(p, q));
}

void PhoneAttentionMean::add(std::size_t p, std::size_t q, double value, double weight) {
    if (std::isnan(value))
        return;
    m_sums(p, q) += weight * value;
    m_weights(p, q) += weight;
    ++m_counts(p, q);
}

Matrix<double> PhoneAttentionMean::mean() const {
    Matrix<double> result(kClasses, kClasses, kUndefined);
    for (std::size_t cell = 0; cell < result.values().size(); ++cell)
        if (m_weights.values()[cell] > 0)
            result.values()[cell] = m_sums.values()[cell] / m_weights.values()[cell];
    return result;
}

Matrix<double> meanPhoneAttention(std::span<const Matrix<double>> maps) {
    PhoneAttentionMean mean;
    bool any = false;
    for (const Matrix<double>& map : maps)
        if (!map.empty()) {
            mean.add(map);
            any = true;
        }
    return any ? mean.mean() : Matrix<double>();
}

double phoneAttentionCoverage(const Matrix<double>& par, const Matrix<double>& reference, int largest) {
    mustBePhoneMap(par);
    mustBePhoneMap(reference);
    if (largest < 1)
        throw std::invalid_argument("Coverage looks at one column at least.");
    double sum = 0;
    int rows = 0;
    for (std::size_t p = 0; p < kClasses; ++p) {
        double covered = 0;
        int cells = 0;
        for (const std::size_t q : largestColumns(reference.row(p), largest)) {
            if (std::isnan(par(p, q)))
                continue;
            const double wanted = std::max(reference(p, q), kSmallestDenominator);
            covered += std::min(std::max(par(p, q), kSmallestDenominator) / wanted, 1.0);
            ++cells;
        }
        if (cells == 0)
            continue;
        sum += covered / cells;
        ++rows;
    }
    return rows > 0 ? sum / rows : kUndefined;
}

std::vector<double> accumulatedCoverage(std::span<const Matrix<double>> layers,
                                        const Matrix<double>& reference, int largest) {
    PhoneAttentionMean soFar;
    std::vector<double> coverage;
    for (const Matrix<double>& layer : layers) {
        soFar.add(layer);
        coverage.push_back(phoneAttentionCoverage(soFar.mean(), reference, largest));
    }
    return coverage;
}

} // namespace headroom
