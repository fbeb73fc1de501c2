// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/start_fit.h"

#include "core/architecture/layer_rules.h"
#include "core/architecture/weight_shapes.h"
#include "core/corpus/language_tasks.h"
#include "core/runs/task_kind.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <map>

namespace headroom::app {

namespace {

/// "width 128, not 96" for the first pair that differs.
QString firstDifference(std::initializer_list<std::tuple<QString, int, int>> sizes) {
    for (const auto& [what, theirs, ours] : sizes)
        if (theirs != ours)
            return tr("its %1 is %2, and this architecture's is %3").arg(what).arg(theirs).arg(ours);
    return {};
}

QString shapeText(const std::vector<std::int64_t>& shape) {
    QStringList sizes;
    for (const std::int64_t size : shape)
        sizes << QString::number(size);
    return sizes.join(QStringLiteral(" × "));
}

QString ofLanguageModels(const Architecture::LanguageModel& theirs, const Architecture::LanguageModel& ours) {
    if (theirs.kind != ours.kind)
        return theirs.kind == LanguageModelKind::Lstm ? tr("it is an LSTM, but this architecture is a Transformer")
                                                      : tr("it is a Transformer, but this architecture is an LSTM");
    if (const QString sizes = firstDifference({{tr("width"), theirs.width, ours.width}, {tr("feed-forward width"), theirs.feedForward, ours.feedForward}});
        !sizes.isEmpty())
        return sizes;
    if (theirs.layers >= ours.layers)
        return {};
    return (theirs.layers == 1 ? tr("it has %1 layer, and this architecture has %2") : tr("it has %1 layers, and this architecture has %2"))
        .arg(theirs.layers)
        .arg(ours.layers);
}

/// What nobody thought of above: the tensors themselves, by the rule by which the worker takes them.
QString ofWeights(const Architecture& model, const Architecture& architecture, bool encoderOnly) {
    std::map<std::string, std::vector<std::int64_t>> theirs;
    for (WeightShape& weight : weightShapes(model))
        theirs[weight.name] = std::move(weight.shape);
    QString first;
    int more = 0;
    for (const WeightShape& weight : weightShapes(architecture)) {
        const auto source = startingWeight(weight.name, encoderOnly, [&](const std::string& name) { return theirs.contains(name); });
        const auto found = source ? theirs.find(*source) : theirs.end();
        if (!source || (found != theirs.end() && found->second == weight.shape))
            continue;
        if (!first.isEmpty())
            ++more;
        else if (found == theirs.end())
            first = tr("it has no tensor %1").arg(QString::fromStdString(*source));
        else
            first = tr("its tensor %1 is %2, and this architecture's is %3").arg(QString::fromStdString(*source), shapeText(found->second), shapeText(weight.shape));
    }
    return more == 0 ? first : more == 1 ? tr("%1, and 1 more tensor does not fit").arg(first) : tr("%1, and %2 more tensors do not fit").arg(first).arg(more);
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
    if (model.languageModel && !architecture.languageModel)
        return tr("it is a language model, but this architecture is not");
    if (!model.languageModel && architecture.languageModel)
        return tr("it is not a language model, but this architecture is");
    if (model.languageModel) {
        const QString sizes = ofLanguageModels(*model.languageModel, *architecture.languageModel);
        return sizes.isEmpty() ? ofWeights(model, architecture, encoderOnly) : sizes;
    }
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
        return tr("it has %1, and this architecture has %2")
            .arg(widgets::counted(std::ssize(theirs.layers), tr("1 encoder layer"), tr("%1 encoder layers")))
            .arg(ours.layers.size());
    if (const std::string heads = headsWithoutWeights(theirs.layers, ours.layers); !heads.empty())
        return QString::fromStdString(heads);
    const bool takesDecoder = !encoderOnly && architecture.decoder;
    if (takesDecoder && !model.decoder)
        return tr("it has no decoder");
    if (takesDecoder && model.decoder->layers < architecture.decoder->layers)
        return tr("it has %1, and this architecture has %2")
            .arg(widgets::counted(model.decoder->layers, tr("1 decoder layer"), tr("%1 decoder layers")))
            .arg(architecture.decoder->layers);
    if (takesDecoder)
        if (const QString decoder = firstDifference({{tr("decoder width"), model.decoder->width, architecture.decoder->width},
                                                     {tr("decoder's feed-forward width"), model.decoder->feedForward, architecture.decoder->feedForward}});
            !decoder.isEmpty())
            return decoder;
    return ofWeights(model, architecture, encoderOnly);
}

QString whyNotFor(const Architecture& architecture, const std::string& task) {
    const auto& language = architecture.languageModel;
    if (language.has_value() != isLanguageTask(task))
        return language ? tr("A language model needs a recipe with the task lm, but the task of this recipe is %1.").arg(QString::fromStdString(task))
                        : tr("The recipe trains a language model, but this architecture is not one.");
    if (const bool isOfText = architecture.frontEnd.reads == InputKind::Text; !language && isOfText != readsText(task))
        return isOfText ? tr("This architecture reads text, but the recipe trains on recordings (task %1).").arg(QString::fromStdString(task))
                        : tr("This architecture reads speech, but the recipe trains on parallel text (task %1).").arg(QString::fromStdString(task));
    return {};
}

} // namespace headroom::app
