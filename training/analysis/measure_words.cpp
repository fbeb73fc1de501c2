// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/analysis/analysis_arrays.h"
#include "training/analysis/find_words.h"

namespace headroom::training {

protocol::WordMixingResult measureWords(models::SpeechModel& model, const Matrix<float>& features,
                                        const protocol::WordMixing& asked, const ArraySink& array,
                                        const models::CancelFlag* cancel) {
    models::AnalysisOptions options;
    options.keepContributions = false;
    options.layers = {asked.layer};
    for (const std::string& name : asked.measures)
        options.mixing.measures.push_back(mixingMeasure(name));
    protocol::WordMixingResult result;
    model.analyseDecoder(
        features, asked.inputs, options,
        [&](models::DecoderLayerAnalysis&& layer) {
            const models::LayerAnalysis& cross = layer.cross;
            result.rowSumError = cross.rowSumError;
            result.rebuildError = cross.rebuildError;
            result.gramError = cross.gramError;
            result.reason = cross.reason;
            for (const MixingMap& mixing : cross.mixing) {
                const std::string name = nameOf(mixing.measure);
                result.measures.push_back({name, mixing.reason, mixing.reason.empty() ? mixing.seconds * 1000 : kUndefined});
                if (!mixing.map.empty())
                    array("cross.mixing." + name, tensorOf(mixing.map).view());
            }
        },
        cancel);
    return result;
}

} // namespace headroom::training
