// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/start_fit.h"

#include "core/architecture/layer_rules.h"
#include "widgets/look/translate.h"

namespace headroom::app {

namespace {

/// "width 128, not 96" for the first pair that differs.
QString firstDifference(std::initializer_list<std::tuple<QString, int, int>> sizes) {
    for (const auto& [what, theirs, ours] : sizes)
        if (theirs != ours)
            return tr("its %1 is %2, and this architecture's is %3").arg(what).arg(theirs).arg(ours);
    return {};
}

} // namespace

std::optional<Architecture> architectureOfModel(const std::filesystem::path& model) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(model / "architecture.json", ignored))
        return std::nullopt;
    try {
        return readArchitecture(model / "architecture.json");
    } catch (const std::exception&) {
        return std::nullopt; // opening the model says what is wrong
    }
}

QString whyNotFrom(const Architecture& model, const Architecture& architecture, bool encoderOnly) {
    if (model.languageModel || architecture.languageModel)
        return {};
    const auto &theirs = model.encoder, &ours = architecture.encoder;
    if (const QString encoder =
            firstDifference({{tr("width"), theirs.width, ours.width},
                             {tr("feed-forward width"), theirs.feedForward, ours.feedForward}});
        !encoder.isEmpty())
        return encoder;
    if (model.frontEnd.kind != architecture.frontEnd.kind ||
        model.frontEnd.channels != architecture.frontEnd.channels ||
        model.frontEnd.features != architecture.frontEnd.features ||
        model.frontEnd.kernels != architecture.frontEnd.kernels)
        return tr("its front end differs");
    if (theirs.layers.size() < ours.layers.size())
        return tr("it has %1 encoder layers, and this architecture has %2")
            .arg(theirs.layers.size())
            .arg(ours.layers.size());
    if (const std::string heads = headsWithoutWeights(theirs.layers, ours.layers); !heads.empty())
        return QString::fromStdString(heads);
    if (encoderOnly || !architecture.decoder)
        return {};
    if (!model.decoder)
        return tr("it has no decoder");
    if (model.decoder->layers < architecture.decoder->layers)
        return tr("it has %1 decoder layers, and this architecture has %2")
            .arg(model.decoder->layers)
            .arg(architecture.decoder->layers);
    return firstDifference({{tr("decoder width"), model.decoder->width, architecture.decoder->width},
                            {tr("decoder's feed-forward width"), model.decoder->feedForward,
                             architecture.decoder->feedForward}});
}

} // namespace headroom::app
