// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/cost_report.h"

#include "app/parts/number_text.h"
#include "widgets/look/number_text.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

std::optional<EncoderCosts> countedCosts(const Architecture& architecture, std::int64_t tokens) {
    try {
        return encoderCosts(architecture, framesForTokens(architecture, tokens));
    } catch (const Error&) {
        return std::nullopt;
    }
}

} // namespace

std::int64_t framesForTokens(const Architecture& architecture, std::int64_t tokens) {
    const std::int64_t bands = architecture.languageModel ? 1 : architecture.frontEnd.bands();
    std::int64_t frames = std::max<std::int64_t>((tokens + bands - 1) / bands, 1);
    if (architecture.languageModel)
        return frames;
    const auto& frontEnd = architecture.frontEnd;
    for (std::size_t i = frontEnd.kernels.size(); i-- > 0;) {
        const std::int64_t read = frontEnd.kernels[i] - 2 * frontEnd.padding(i); // besides the padding
        frames = (frames - 1) * frontEnd.strides[i] + std::max<std::int64_t>(read, 1);
    }
    return frames;
}

std::optional<std::int64_t> fixedTokens(const Architecture& architecture) {
    if (architecture.languageModel || !architecture.frontEnd.input().window())
        return std::nullopt;
    const auto costs = countedCosts(architecture, 1);
    return costs ? std::optional(costs->tokens) : std::nullopt;
}

CostReport costReport(const Architecture& architecture, std::int64_t tokens) {
    CostReport report;
    try {
        report.parameters = parameterCosts(architecture);
        report.encoder = encoderCosts(architecture, framesForTokens(architecture, tokens));
    } catch (const Error& error) {
        report.sentence = QString::fromUtf8(error.what());
    }
    return report;
}

std::vector<PartRow> partRows(const CostReport& report) {
    std::vector<PartRow> rows;
    if (!report.parameters)
        return rows;
    for (const char* part : {"front end", "attention", "convolutions", "feed-forward"}) // in this order
        rows.push_back({QString::fromLatin1(part)});
    const auto row = [&](const std::string& part) -> PartRow& {
        const auto name = QString::fromStdString(part == "projections" ? std::string("attention") : part);
        for (PartRow& one : rows)
            if (one.name == name)
                return one;
        rows.push_back({name});
        return rows.back();
    };
    for (const PartCost& part : report.parameters->parts) {
        row(part.part).parameters += part.count;
        row(part.part).parameterShare = double(part.count) / double(report.parameters->parameters);
    }
    if (report.encoder)
        for (const PartCost& part : report.encoder->macParts) {
            row(part.part).macs += part.count;
            row(part.part).macShare += double(part.count) / double(report.encoder->macs);
        }
    // Heads that compress their keys have their parameters under attention; so are their MACs. The row is for Conformers.
    if (PartRow& convolutions = row("convolutions"); convolutions.parameters == 0 && convolutions.macs > 0) {
        const PartRow moved = std::exchange(convolutions, {convolutions.name});
        row("attention").macs += moved.macs;
        row("attention").macShare += moved.macShare;
    }
    rows.erase(std::remove_if(rows.begin(), rows.end(),
                              [](const PartRow& one) { return one.parameters == 0 && one.macs == 0; }),
               rows.end());
    return rows;
}

std::vector<LayerShare> layerShares(const Architecture& architecture, const Architecture& baseline,
                                    std::int64_t tokens) {
    std::vector<LayerShare> costs(architecture.encoder.layers.size());
    const auto now = countedCosts(architecture, tokens), before = countedCosts(baseline, tokens);
    if (!now || !before)
        return costs;
    for (std::size_t i = 0; i < costs.size() && i < before->layers.size(); ++i) {
        const double whole = double(before->layers[i].macs);
        costs[i].macs = double(now->layers[i].macs) / whole;
        costs[i].attention = double(now->layers[i].attentionMacs) / whole;
    }
    return costs;
}

CostCurve costCurve(const Architecture& architecture, std::int64_t longest, int steps) {
    CostCurve curve;
    const auto fixed = fixedTokens(architecture);
    for (int step = 0; step <= steps; ++step) {
        const auto length = std::max<std::int64_t>(1, std::min(longest, fixed.value_or(longest)) * step / steps);
        const auto costs = countedCosts(architecture, length);
        if (!costs)
            return {};
        curve.tokens.push_back(double(fixed ? length : costs->tokens));
        curve.macs.push_back(double(costs->macs));
        curve.mapBytes.push_back(double(costs->attentionMapBytes));
    }
    return curve;
}

std::optional<std::int64_t> floorMacs(const Architecture& architecture, std::int64_t tokens) {
    const auto costs = countedCosts(architecture, tokens);
    return costs ? std::optional(costs->macs - costs->attentionMacs) : std::nullopt;
}

QString countText(std::int64_t count) {
    const double value = double(count);
    const double size = std::abs(value);
    if (size >= 1e12)
        return decimals(value / 1e12, 2) + widgets::kNarrowSpace + QLatin1Char('T');
    if (size >= 1e9)
        return decimals(value / 1e9, size >= 1e10 ? 1 : 2) + widgets::kNarrowSpace + QLatin1Char('G');
    if (size >= 1e6)
        return decimals(value / 1e6, 2) + widgets::kNarrowSpace + QLatin1Char('M');
    return thousands(count);
}

QString percentChange(double now, double before) {
    if (!(before > 0))
        return kUnknown;
    const double change = (now - before) / before * 100;
    const QString percent = widgets::kNarrowSpace + QStringLiteral("%");
    if (now == before)
        return QStringLiteral("±0") + percent;
    // What changed a little is not said to be unchanged.
    if (std::abs(change) < 0.005)
        return (change > 0 ? QStringLiteral("+") : QStringLiteral("−")) + QStringLiteral("<0.01") + percent;
    return (change > 0 ? QStringLiteral("+") : QString()) + decimals(change, std::abs(change) < 0.05 ? 2 : 1) + percent;
}

QString bytesText(std::int64_t bytes) {
    return decimalBytes(double(bytes));
}

namespace {
struct AxisUnit {
    double size;
    QString name;
};

/// `usual`, unless the highest value is less than a tenth of it, or has more than four digits in it.
QString scale(std::vector<double>& now, std::vector<double>& baseline, const AxisUnit& small, const AxisUnit& usual, const AxisUnit& large) {
    double highest = 0;
    for (const auto* values : {&now, &baseline})
        for (const double value : *values)
            highest = std::max(highest, value);
    const AxisUnit& unit = highest > 0 && highest < 0.1 * usual.size ? small : highest >= 1e4 * usual.size ? large : usual;
    for (auto* values : {&now, &baseline})
        for (double& value : *values)
            value /= unit.size;
    return unit.name;
}
} // namespace

QString scaleCounts(std::vector<double>& now, std::vector<double>& baseline) {
    return scale(now, baseline, {1e6, QStringLiteral("M")}, {1e9, QStringLiteral("G")}, {1e12, QStringLiteral("T")});
}

QString scaleBytes(std::vector<double>& now, std::vector<double>& baseline) {
    return scale(now, baseline, {1e3, QStringLiteral("kB")}, {1e6, QStringLiteral("MB")}, {1e9, QStringLiteral("GB")});
}

} // namespace headroom::app
