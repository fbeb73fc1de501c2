// SPDX-License-Identifier: GPL-3.0-or-later
// What CAD, Heads and Statistics show, as tables.
#include "app/workspaces/analyse/heads/head_content.h"
#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/translate.h"


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
    table.columns = {column("layer", tr("layer"), 0), column("head", tr("head"), 0)};
    if (kinds)
        table.columns.push_back(words("kind", tr("kind")));
    table.columns.push_back(column("cad", tr("CAD"), 3));
    if (intervals) {
        table.columns.push_back(column("low", tr("95 % from"), 3));
        table.columns.push_back(column("high", tr("to"), 3));
    }
    table.columns.push_back(words("side", tr("side")));
    for (int layer = 0; layer < content.layers(); ++layer)
        for (int head = 0; head < content.heads(); ++head) {
            const auto l = std::size_t(layer), h = std::size_t(head);
            const double cad = content.cad(l, h);
            std::vector<StudyCell> row{double(layer + 1), double(head + 1)};
            if (kinds)
                row.emplace_back(kindOf(content, layer, head));
            row.push_back(cell(cad));
            if (intervals) {
                row.push_back(cell(content.cadLow(l, h)));
                row.push_back(cell(content.cadHigh(l, h)));
            }
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
    table.columns = {column("layer", tr("layer"), 0)};
    for (int head = 1; head <= content.heads(); ++head)
        table.columns.push_back({"head" + std::to_string(head), text(tr("head %1").arg(head)), "", 3, false});
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
    table.columns = {column("layer", tr("layer"), 0),
                     column("head", tr("head"), 0),
                     words("kind", tr("kind")),
                     column("entropy", tr("entropy"), 2, "nats"),
                     column("distance", tr("distance"), 2, "tokens"),
                     column("maximum", tr("maximum"), 3),
                     column("silence", tr("on silence"), 3)};
    for (int layer = 0; layer < content.layers(); ++layer)
        for (int head = 0; head < content.heads(); ++head) {
            const auto l = std::size_t(layer), h = std::size_t(head);
            table.rows.push_back({double(layer + 1), double(head + 1), kindOf(content, layer, head),
                                  cell(content.entropy(l, h)), cell(content.meanDistance(l, h)),
                                  cell(content.maximum(l, h)), cell(content.onSilence(l, h))});
        }
    return table;
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
