// SPDX-License-Identifier: GPL-3.0-or-later
// What CAD, Heads and Statistics show, as tables.
#include "app/studies/study_layers.h"
#include "app/workspaces/analyse/heads/head_content.h"
#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/translate.h"


#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::HeadId;

namespace {

std::string text(const QString& words) {
    return words.toStdString();
}

StudyColumn column(const char* key, const QString& title, int decimals, const char* unit = "") {
    return {key, text(title), unit, decimals, false};
}

StudyColumn words(const char* key, const QString& title) {
    return {key, text(title), "", 0, true};
}

StudyCell cell(double value) {
    return std::isfinite(value) ? StudyCell(value) : StudyCell();
}

std::string kindOf(const HeadContent& content, int layer, int head) {
    if (std::size_t(layer) >= content.kinds.size())
        return {};
    const auto& kinds = content.kinds[std::size_t(layer)];
    return std::size_t(head) < kinds.size() ? text(widgets::nameOf(kinds[std::size_t(head)])) : std::string();
}

constexpr std::ptrdiff_t kHeadColumns = 2; ///< layer and head, in front in a study's tables of heads

/// A study lists the heads that there are. Null: not this one.
const std::vector<StudyCell>* rowOf(const StudyTable& study, HeadId head) {
    const auto is = [](const StudyCell& cell, int number) {
        const auto* value = std::get_if<double>(&cell);
        return value && *value == number + 1;
    };
    for (const auto& row : study.rows)
        if (row.size() >= std::size_t(kHeadColumns) && is(row[0], head.layer) && is(row[1], head.head))
            return &row;
    return nullptr;
}

/// The columns behind those of the head: what fits into a narrow panel is the means; each is followed by its spread in the study.
std::vector<std::size_t> meansFirst(const StudyTable& study) {
    std::vector<std::size_t> order;
    for (std::size_t i = kHeadColumns; i < study.columns.size(); ++i)
        order.push_back(i);
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return study.columns[i].key.ends_with("_mean"); });
    return order;
}

std::string caption(const HeadContent& content, const QString& of, const QString& what, const QString& note) {
    const QString end = note.isEmpty() ? QString() : QLatin1Char(' ') + note;
    const QString model =
        content.weights.isEmpty() ? content.model : tr("%1 (%2)").arg(content.model, content.weights);
    return text(tr("%1 %2, %3.").arg(what, model, of) + end);
}

} // namespace

StudyTable cadTable(const HeadContent& content, double split) {
    StudyTable table;
    table.name = "cad";
    table.title = text(tr("CAD of %1").arg(content.model));
    table.caption = caption(content, content.of, tr("Cumulative attention diagonality (Shim et al. 2022, Eq. 3) of"),
                            tr("Phonetic below %1.").arg(split) + QLatin1Char(' ') + content.cadNote);
    const bool intervals = !content.cadLow.empty(), kinds = !content.kinds.empty();
    table.columns = {column("layer", tr("Layer"), 0), column("head", tr("Head"), 0)};
    if (kinds)
        table.columns.push_back(words("kind", tr("Kind")));
    table.columns.push_back(column("cad", tr("CAD"), 3));
    if (intervals)
        for (const auto& more : {column("std", tr("σ"), 3), column("low", tr("95 % from"), 3), column("high", tr("to"), 3), column("n", tr("n"), 0)})
            table.columns.push_back(more);
    table.columns.push_back(words("side", tr("Side")));
    for (int layer = 0; layer < content.layers(); ++layer)
        for (int head = 0; head < content.heads(); ++head) {
            const auto l = std::size_t(layer), h = std::size_t(head);
            const double cad = content.cad(l, h);
            std::vector<StudyCell> row{double(layer + 1), double(head + 1)};
            if (kinds)
                row.emplace_back(kindOf(content, layer, head));
            row.push_back(cell(cad));
            if (intervals)
                for (const auto* more : {&content.cadDeviation, &content.cadLow, &content.cadHigh, &content.cadCount})
                    row.push_back(cell((*more)(l, h)));
            row.push_back(std::isfinite(cad)
                              ? StudyCell(text(cad < split ? tr("phonetic") : tr("linguistic")))
                              : StudyCell());
            table.rows.push_back(std::move(row));
        }
    return table;
}

StudyTable relevanceTable(const HeadContent& content) {
    StudyTable table;
    table.name = "relevance";
    table.title = text(tr("Head relevance of %1").arg(content.model));
    table.caption =
        caption(content, content.relevanceOf.isEmpty() ? content.of : content.relevanceOf,
                tr("Head relevance (Sant et al. 2022, Eq. 4) of"), content.relevanceNote);
    table.columns = {column("layer", tr("Layer"), 0)};
    for (int head = 1; head <= content.heads(); ++head)
        table.columns.push_back({"head" + std::to_string(head), text(tr("Head %1").arg(head)), "", 3, false});
    for (std::size_t layer = 0; layer < content.relevance.rows(); ++layer) {
        std::vector<StudyCell> row{double(layer + 1)};
        for (const double value : content.relevance.row(layer))
            row.push_back(cell(value));
        table.rows.push_back(std::move(row));
    }
    return table;
}

StudyTable statisticsTable(const HeadContent& content) {
    StudyTable table;
    table.name = "statistics";
    table.title = text(tr("Attention statistics of %1").arg(content.model));
    table.caption =
        caption(content, content.of, tr("Entropy, mean distance, largest weight and share on silence per row, of"),
                content.statisticsNote);
    table.columns = {column("layer", tr("Layer"), 0), column("head", tr("Head"), 0), words("kind", tr("Kind"))};
    if (const StudyTable& study = content.statisticsOfStudy; !study.rows.empty()) {
        const std::vector<std::size_t> order = meansFirst(study);
        for (const std::size_t i : order) {
            table.columns.push_back(study.columns[i]);
            if (StudyColumn& column = table.columns.back(); column.key.ends_with("_std"))
                column.title = text(tr("%1: %2").arg(QString::fromStdString(study.columns[i - 1].title), QString::fromStdString(column.title)));
        }
        for (int layer = 0; layer < content.layers(); ++layer)
            for (int head = 0; head < content.heads(); ++head) {
                std::vector<StudyCell> row{double(layer + 1), double(head + 1), kindOf(content, layer, head)};
                if (const auto* known = rowOf(study, {layer, head}))
                    for (const std::size_t i : order)
                        row.push_back((*known)[i]);
                row.resize(table.columns.size());
                table.rows.push_back(std::move(row));
            }
        return table;
    }
    for (const auto& more : {column("entropy", tr("Entropy"), 2, "nats"), column("distance", tr("Distance"), 2, "tokens"),
                             column("maximum", tr("Maximum"), 3), column("silence", tr("On silence"), 3)})
        table.columns.push_back(more);
    for (int layer = 0; layer < content.layers(); ++layer)
        for (int head = 0; head < content.heads(); ++head) {
            const auto l = std::size_t(layer), h = std::size_t(head);
            table.rows.push_back({double(layer + 1), double(head + 1), kindOf(content, layer, head),
                                  cell(content.entropy(l, h)), cell(content.meanDistance(l, h)),
                                  cell(content.maximum(l, h)), cell(content.onSilence(l, h))});
        }
    return table;
}

StudyTable relevanceEstimates(const HeadContent& content) {
    StudyTable table = content.headsOfStudy;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (i < std::size_t(kHeadColumns) || table.columns[i].key.starts_with("relevance"))
            kept.push_back(i);
    const auto keep = [&](auto& values) {
        std::remove_reference_t<decltype(values)> only;
        for (const std::size_t i : kept)
            only.push_back(values[i]);
        values = std::move(only);
    };
    for (auto& row : table.rows)
        keep(row);
    keep(table.columns);
    table.name = "relevance";
    return table;
}

QString relevanceEstimateText(const HeadContent& content, HeadId head) {
    const auto* row = rowOf(content.headsOfStudy, head);
    const auto shown = [&](const char* key) {
        const int at = columnOf(content.headsOfStudy, key);
        return at < 0 ? QString() : QString::fromStdString(shownText(content.headsOfStudy.columns[std::size_t(at)], (*row)[std::size_t(at)]));
    };
    return !row || shown("relevance_n").isEmpty()
               ? QString()
               : tr("Of single utterances: mean %1, σ %2, 95\u202f% interval %3 to %4, n = %5")
                     .arg(shown("relevance_mean"), shown("relevance_std"), shown("relevance_low"), shown("relevance_high"), shown("relevance_n"));
}

HeadId headOfRow(const HeadContent& content, int row) {
    return content.heads() > 0 ? HeadId{row / content.heads(), row % content.heads()} : HeadId{};
}

int rowOfHead(const HeadContent& content, HeadId head) {
    const bool inside =
        head.layer >= 0 && head.head >= 0 && head.layer < content.layers() && head.head < content.heads();
    return inside ? head.layer * content.heads() + head.head : -1;
}

} // namespace headroom::app
