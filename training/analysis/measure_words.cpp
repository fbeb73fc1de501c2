// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/analysis/analysis_arrays.h"
#include "training/analysis/find_words.h"

namespace headroom::training {

protocol::WordMixingResult measureWords(models::SpeechModel& model, const Matrix<float>& features,
                                        const protocol::WordMixing& asked, const ArraySink& array,
                                        const models::CancelFlag* cancel) {
    models::AnalysisOptions options;
    options.keepContributions = false;
    options.explain = asked.checks;
    options.layers = {asked.layer};
    options.blocks = asked.self ? models::DecoderBlocks::Self : models::DecoderBlocks::Cross;
    for (const std::string& name : asked.measures)
        options.mixing.measures.push_back(mixingMeasure(name));
    protocol::WordMixingResult result;
    model.analyseDecoder(
        features, asked.inputs, options,
        [&](models::DecoderLayerAnalysis&& layer) {
            const models::LayerAnalysis& block = asked.self ? layer.self : layer.cross;
            result.rowSumError = block.rowSumError;
            result.rebuildError = block.rebuildError;
            result.gramError = block.gramError;
            result.reason = block.reason;
            for (const MixingMap& mixing : block.mixing) {
                const std::string name = nameOf(mixing.measure);
                result.measures.push_back({name, mixing.reason, mixing.reason.empty() ? mixing.seconds * 1000 : kUndefined});
                if (!mixing.map.empty())
                    array((asked.self ? "self.mixing." : "cross.mixing.") + name, tensorOf(mixing.map).view());
            }
        },
        cancel);
    return result;
}

} // namespace headroom::training
