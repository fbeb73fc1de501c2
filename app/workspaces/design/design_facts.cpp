// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/design_facts.h"

#include "core/analysis/masked_loss.h"
#include "core/architecture/edits.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_raster.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

constexpr double kGamma = 0.5; // as the thumbnails in Analyse begin

/// Whether what was measured on the one says something about the other: everything but the kinds of heads.
bool areAlike(const Architecture& a, const Architecture& b) {
    const auto& left = a.encoder.layers;
    const auto& right = b.encoder.layers;
    return a.encoder.width == b.encoder.width && a.encoder.feedForward == b.encoder.feedForward &&
           a.frontEnd.reads == b.frontEnd.reads &&
           std::equal(
               left.begin(), left.end(), right.begin(), right.end(),
               [](const auto& one, const auto& other) { return one.headCount() == other.headCount(); });
}

} // namespace

ModelId DesignFacts::modelFor(const Drafts& drafts, DraftKey key) const {
    if (!drafts.has(key) || key.document == 0)
        return key.model;
    const Architecture& base = drafts.base(key);
    const auto isAlike = [&base](const OpenModel* model) {
        return model && model->info && areAlike(model->info->architecture, base);
    };
    const OpenModel* model = m_session->currentModel();
    if (isAlike(model))
        return model->id;
    for (int row = 0; row < m_session->models()->count(); ++row)
        if (const OpenModel& other = m_session->models()->at(row); isAlike(&other))
            return other.id;
    return model && model->info && model->layerCount() == drafts.grid(key).layerCount() ? model->id
                                                                                        : ModelId::None;
}

WindowSuggestions DesignFacts::suggestions(DraftKey key) const {
    return windowSuggestions(*m_session, *m_analysis, m_evidence, modelFor(*m_session->drafts(), key), key);
}

WindowSuggestions DesignFacts::lossSource(DraftKey key, const WindowSuggestions& suggested) const {
    if (suggested.why.isEmpty())
        return suggested;
    return windowSuggestions(*m_session, *m_analysis, nullptr, modelFor(*m_session->drafts(), key), key);
}

std::optional<double> DesignFacts::loss(const WindowSuggestions& utterances, int layer, const std::vector<HeadGroup>& heads) {
    const auto index = static_cast<std::size_t>(layer) - 1;
    const bool isFull = oneWindowOf(heads) == 0 && !seeNothingLater(heads);
    const double loss = isFull ? 0 : index < utterances.rows.size() ? utterances.rows[index].drawnLoss() : NAN;
    return std::isnan(loss) ? std::nullopt : std::optional(loss);
}

std::int64_t DesignFacts::tokens(ModelId model) const {
    const AnalysisResult* result = m_analysis->result(m_session->currentUtteranceId(), model);
    return result ? result->tokens.value() : 0;
}

QImage DesignFacts::map(ModelId model, int layer, QSize pixels) {
    const AnalysisResult* result = m_analysis->result(m_session->currentUtteranceId(), model);
    const LayerResult* found = result ? result->layer(layer) : nullptr;
    const auto shown = found ? found->picture({}) : nullptr;
    if (!shown)
        return {};
    Picture& picture = m_pictures[{model, layer}];
    if (picture.of.lock() == shown && picture.size == pixels)
        return picture.image;
    const auto span = [&] {
        const Seconds start = result->clock.cellStart(Tokens(0)),
                      end = result->clock.cellStart(result->tokens);
        return widgets::TimeSpan{start, end};
    }();
    const std::int64_t count = result->tokens.value();
    const auto rows = widgets::cellsOfPixels(span, pixels.height(), result->clock, count);
    const auto columns = widgets::cellsOfPixels(span, pixels.width(), result->clock, count);
    const widgets::ColourTable table(widgets::ColourMap::named(widgets::ColourMap::Name::Magma), kGamma,
                                     widgets::Theme::current().hiddenCell.rgb());
    picture = {shown, pixels,
               table.colour(widgets::sampleMap(*shown, rows, columns, true),
                            widgets::offDiagonalRange(shown->level(0).view()))};
    return picture.image;
}

} // namespace headroom::app
