// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/phones/phone_content.h"
#include "widgets/look/translate.h"


#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::PhonePair;
using widgets::PhoneRelation;

namespace {

constexpr auto kCells = std::size_t(kPhoneClassCount) * std::size_t(kPhoneClassCount);

double elementOf(const std::vector<double>& values, int number) {
    return number >= 1 && std::size_t(number) <= values.size() ? values[std::size_t(number - 1)]
                                                               : double(NAN);
}

} // namespace

std::pair<int, int> LayerRange::in(int count) const {
    switch (kind) {
    case Kind::One:
        return {layer, layer};
    case Kind::LowerHalf:
        return {1, std::max(int(lastOfLowerHalf(count)) + 1, 1)};
    case Kind::UpperHalf:
        return {std::min(int(lastOfLowerHalf(count)) + 2, count), count};
    case Kind::All:
        break;
    }
    return {1, count};
}

Matrix<double> PhoneContent::head(int layer, int number) const {
    if (layer < 1 || layer > layers || number < 1 || number > heads)
        return {};
    if (!isStudy()) {
        const LayerMetrics* known =
            std::size_t(layer) <= metrics.size() ? metrics[std::size_t(layer - 1)].get() : nullptr;
        return known && std::size_t(number) <= known->heads.size() ? known->heads[std::size_t(number - 1)].par
                                                                   : Matrix<double>();
    }
    const auto first =
        par->values.begin() + std::ptrdiff_t(std::size_t((layer - 1) * heads + number - 1) * kCells);
    std::vector<double> cells(first, first + std::ptrdiff_t(kCells));
    if (std::all_of(cells.begin(), cells.end(), [](double value) { return std::isnan(value); }))
        return {}; // a head without an N × N map, or none
    return Matrix<double>(kPhoneClassCount, kPhoneClassCount, std::move(cells));
}

std::vector<int> PhoneContent::missing(const PhoneChoice& choice) const {
    std::vector<int> layersWithout;
    if (isStudy())
        return layersWithout;
    const auto [first, last] = choice.layers.in(layers);
    for (int layer = first; layer <= last; ++layer)
        if (std::size_t(layer) > metrics.size() || !metrics[std::size_t(layer - 1)])
            layersWithout.push_back(layer);
    return layersWithout;
}

PhoneRelation PhoneContent::map(const PhoneChoice& choice) const {
    PhoneRelation shown;
    if (layers == 0 || !missing(choice).empty())
        return shown;
    const auto [first, last] = choice.layers.in(layers);
    std::vector<Matrix<double>> maps;
    for (int layer = first; layer <= last; ++layer)
        for (int number = 1; number <= heads; ++number)
            if (choice.head == 0 || choice.head == number)
                maps.push_back(head(layer, number));
    shown.par = meanPhoneAttention(maps);
    if (!isStudy())
        return shown;
    shown.counts = counts;
    shown.reference = reference;
    if (choice.head != 0) // coverage was measured of the mean over the heads
        return shown;
    const auto cover = [&](const std::vector<double>& values, const std::vector<double>& interval, int layer) {
        shown.coverage = elementOf(values, layer);
        shown.coverageLow = elementOf(interval, 2 * layer - 1);
        shown.coverageHigh = elementOf(interval, 2 * layer);
    };
    if (choice.layers.kind == LayerRange::Kind::One)
        cover(coverage, coverageInterval, choice.layers.layer);
    else if (first == 1)
        cover(accumulated, accumulatedInterval, last);
    return shown;
}

std::optional<std::pair<int, int>> PhoneContent::strongest(const PhoneChoice& choice, PhonePair cell) const {
    std::optional<std::pair<int, int>> found;
    double most = -1;
    const auto [first, last] = choice.layers.in(layers);
    for (int layer = first; layer <= last; ++layer)
        for (int number = 1; number <= heads; ++number) {
            if (choice.head != 0 && choice.head != number)
                continue;
            const Matrix<double> one = head(layer, number);
            const double value =
                one.empty() ? NAN : one(std::size_t(cell.attending), std::size_t(cell.attended));
            if (value > most) {
                most = value;
                found = std::pair(layer, number);
            }
        }
    return found;
}

namespace {

/// Of "model 2", a model of the study itself, or "/studies/phones-1".
QString referenceName(const OpenStudy& study, const QString& reference) {
    bool isNumber = false;
    const int number = reference.startsWith(QLatin1String("model ")) ? reference.section(QLatin1Char(' '), 1).toInt(&isNumber) : 0;
    return isNumber && number >= 1 && number <= study.modelCount() ? QString::fromStdString(study.document.models[std::size_t(number - 1)].name)
                                                                   : reference.section(QLatin1Char('/'), -1);
}

} // namespace

PhoneContent studyPhoneContent(const OpenStudyPtr& study, int number) {
    PhoneContent content;
    if (!study || number < 1 || number > study->modelCount())
        return content;
    auto par = std::make_shared<const OpenStudy::Numbers>(study->numbers(number, "par"));
    const bool fits = par->shape.size() == 4 && par->shape[2] == kPhoneClassCount &&
                      par->shape[3] == kPhoneClassCount &&
                      par->values.size() == std::size_t(par->shape[0]) * std::size_t(par->shape[1]) * kCells;
    if (!fits)
        return content;
    content.model = QString::fromStdString(study->document.models[std::size_t(number - 1)].name);
    content.layers = int(par->shape[0]);
    content.heads = int(par->shape[1]);
    content.par = std::move(par);
    content.utterances = study->measuredCount();
    const OpenStudy::Numbers counts = study->numbers(number, "par_count");
    if (counts.values.size() == kCells) {
        content.counts = Matrix<std::int32_t>(kPhoneClassCount, kPhoneClassCount);
        std::transform(counts.values.begin(), counts.values.end(), content.counts.values().begin(),
                       [](double value) { return std::int32_t(value); });
    }
    content.coverage = study->numbers(number, "coverage").values;
    content.accumulated = study->numbers(number, "accumulated_coverage").values;
    content.coverageInterval = study->numbers(number, "coverage_interval").values;
    content.accumulatedInterval = study->numbers(number, "accumulated_coverage_interval").values;
    const auto& settings = study->document.settings;
    content.pooled = settings.is_object() && settings.value("mode", nlohmann::json()) == "pooled";
    const auto reference = settings.find("reference");
    if (reference != settings.end() && reference->is_string() && !content.coverage.empty())
        content.reference = referenceName(*study, QString::fromStdString(reference->get<std::string>()));
    return content;
}

StudyTable phonePairsTable(const PhoneRelation& map, const QString& title, const QString& caption) {
    StudyTable table;
    table.name = "par";
    table.title = title.toStdString();
    table.caption = caption.toStdString();
    table.columns = {{"attending", tr("Attending").toStdString(), "", 0, true},
                     {"attended", tr("Attended").toStdString(), "", 0, true},
                     {"par", "PAR", "", 3, false}};
    if (!map.counts.empty())
        table.columns.push_back({"utterances", tr("Utterances").toStdString(), "", 0, false});
    if (map.par.empty())
        return table;
    for (const int row : phoneOrder())
        for (const int column : phoneOrder()) {
            const auto p = std::size_t(row), q = std::size_t(column);
            if (std::isnan(map.par(p, q)))
                continue;
            table.rows.push_back({widgets::phoneName(row).toStdString(),
                                  widgets::phoneName(column).toStdString(), map.par(p, q)});
            if (!map.counts.empty())
                table.rows.back().emplace_back(double(map.counts(p, q)));
        }
    return table;
}

} // namespace headroom::app
