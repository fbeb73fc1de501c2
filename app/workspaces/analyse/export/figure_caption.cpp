// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/export/figure_caption.h"

#include "app/parts/map_names.h"
#include "app/parts/number_text.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "widgets/look/translate.h"
#include "widgets/matrix/matrix_view.h"


namespace headroom::app {

namespace {

constexpr int kHashDigits = 12;

QString formula(MapSource source, const OpenModel& model) {
    if (source.isMixing())
        return mapTitle(source) + QStringLiteral(", ") + mapFormula(source);
    if (source.isContributions()) {
        const QString norm =
            model.info->architecture.encoder.norm == NormPlace::Pre ? tr("pre-LN") : tr("post-LN");
        return tr("Contributions C_ij = ‖T_ij‖₂, %1, rows summing to 1 (Alastruey et al. 2022, Eq. 5)")
            .arg(norm);
    }
    if (source.kind == MapSource::Kind::HeadMean)
        return tr("Attention weights A_ij as applied, mean over heads");
    return (source.raw ? tr("Attention weights A_ij of head %1 before relaxation")
                       : tr("Attention weights A_ij of head %1 as applied"))
        .arg(source.head);
}

QString modelText(const OpenModel& model) {
    const QString hash = model.info->hash.left(kHashDigits);
    return hash.isEmpty() ? model.name : tr("%1 (SHA-256 %2)").arg(model.name, hash);
}

/// `heads`: of the model that the map is of; the band shows those of the draft.
QString windowText(const widgets::WindowBand& band, const std::vector<HeadGroup>& heads) {
    const int window = band.shownWindow();
    if (!band.kinds().isEmpty())
        return band.kinds() == otherKinds(heads) ? tr(" Heads: %1.").arg(band.kinds())
                                                 : tr(" The draft, not this map, has %1 here.").arg(band.kinds());
    if (window <= 0 || !band.isBandVisible())
        return {};
    return tr(" Lines: window w = %1, CL %2.").arg(window).arg(decimals(band.lossOf(window), 3));
}

std::vector<HeadGroup> ownHeads(const OpenModel& model, int layer) {
    const auto& layers = model.info->architecture.encoder.layers;
    return layer >= 1 && layer <= static_cast<int>(layers.size()) ? layers[static_cast<std::size_t>(layer) - 1].heads
                                                                 : std::vector<HeadGroup>();
}

} // namespace

QString figureCaption(const Session& session, const AnalysisService& analysis,
                      const widgets::LayerMatrixView& matrix) {
    const Utterance* utterance = session.currentUtterance();
    const OpenModel* model = session.currentModel();
    const AnalysisResult* result = analysis.current();
    if (!utterance)
        return {};
    QString recording = tr("Recording: %1, %2.").arg(utterance->name, secondsInList(utterance->duration()));
    if (utterance->alignment && !utterance->alignment->origin.empty())
        recording += tr(" Alignment: %1.").arg(QString::fromStdString(utterance->alignment->origin));
    if (!model || !model->info || !result || !analysis.currentMap())
        return recording;
    QString colours = tr(" Colours: 0 to %1").arg(decimals(matrix.range().high, 3));
    if (matrix.gamma() != 1)
        colours += tr(", γ %1").arg(decimals(matrix.gamma(), 2));
    colours += matrix.hideDiagonal() ? tr(", main diagonal left out.") : QStringLiteral(".");
    return tr("%1; layer %2 of %3, N = %4 tokens.")
               .arg(formula(session.mapSource(), *model))
               .arg(session.currentLayer())
               .arg(modelText(*model))
               .arg(result->tokens.value()) +
           windowText(*matrix.band(), ownHeads(*model, session.currentLayer())) + colours + QLatin1Char(' ') + recording;
}

} // namespace headroom::app
