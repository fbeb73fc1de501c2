// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/design_texts.h"

#include "app/parts/number_text.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <QStringList>

namespace headroom::app {

namespace {

QString text(const std::string& word) {
    return QString::fromStdString(word);
}

QString convolutionsText(const Architecture::FrontEnd& frontEnd) {
    QStringList kernels, strides;
    for (std::size_t i = 0; i < frontEnd.kernels.size(); ++i) {
        kernels << QString::number(frontEnd.kernels[i]);
        strides << QString::number(frontEnd.strides[i]);
    }
    const auto all = [](const QStringList& numbers) { // "3", or "1, 2, 1, 2" where they differ
        return numbers.count(numbers.value(0)) == numbers.size() ? numbers.value(0)
                                                                 : numbers.join(QLatin1String(", "));
    };
    return tr("%1 × %2 kernel %3 stride %4")
        .arg(kernels.size())
        .arg(text(wordOf(frontEnd.kind)), all(kernels), all(strides));
}

/// "80 → 1024 → 256", "80 → 256, 256 planes → 256".
QString widthsText(const Architecture& architecture) {
    const auto& frontEnd = architecture.frontEnd;
    QString between = QString::number(frontEnd.channels);
    if (frontEnd.kind != FrontEndKind::Conv1d) {
        QStringList planes;
        for (const int one : frontEnd.planes)
            planes << QString::number(one);
        if (planes.count(planes.value(0)) == planes.size() && frontEnd.kind != FrontEndKind::Conv2d)
            planes = planes.mid(0, 1);
        between = (frontEnd.kind == FrontEndKind::Waveform ? tr("%1 channels") : tr("%1 planes"))
                      .arg(planes.join(QLatin1String(", ")));
    }
    return QStringLiteral("%1 → %2 → %3").arg(frontEnd.features).arg(between).arg(architecture.encoder.width);
}

} // namespace

QString frontEndText(const Architecture& architecture) {
    const auto& encoder = architecture.encoder;
    if (architecture.languageModel)
        return tr("The text, embedded, with %1 positions%2. Each token sees itself and those before it")
            .arg(text(wordOf(encoder.positions)), encoder.norm == NormPlace::Post ? tr(". Transformer, post-norm") : QString());
    if (architecture.frontEnd.kind == FrontEndKind::Text)
        return (architecture.frontEnd.vocabulary == 0
                    ? tr("Source text, embedded as the target, with %1 positions%2")
                    : tr("Source text, %1 pieces of its own, with %2 positions%3").arg(thousands(architecture.frontEnd.vocabulary)))
            .arg(text(wordOf(encoder.positions)), encoder.norm == NormPlace::Post ? tr(". Transformer, post-norm")
                                                                                  : QString());
    const Architecture::FrontEnd& frontEnd = architecture.frontEnd;
    QString front = frontEnd.kind == FrontEndKind::Patches
                        ? tr("patches of %1 frames × %1 mel bins, strides %2 and %3, %4 → %5")
                              .arg(frontEnd.kernels.front())
                              .arg(frontEnd.strides.front())
                              .arg(frontEnd.frequencyStride)
                              .arg(frontEnd.features)
                              .arg(encoder.width)
                    : architecture.frontEnd.kind == FrontEndKind::Linear
                        ? tr("linear, %1 → %2").arg(architecture.frontEnd.features).arg(encoder.width)
                        : tr("%1, %2").arg(convolutionsText(architecture.frontEnd), widthsText(architecture));
    if (architecture.frontEnd.norm == FrontEndNorm::Batch)
        front += tr(", BatchNorm");
    else if (architecture.frontEnd.norm == FrontEndNorm::Group)
        front += tr(", GroupNorm");
    else if (architecture.frontEnd.norm == FrontEndNorm::Layer)
        front += tr(", LayerNorm");
    const QString kind =
        encoder.convolution
            ? tr("Conformer, kernel %1 with %2")
                  .arg(encoder.convolution->kernel)
                  .arg(encoder.convolution->norm == ConvolutionNorm::Batch ? tr("BatchNorm") : tr("LayerNorm"))
        : encoder.branch
            ? tr("%1, gated branch of %2 units, kernel %3")
                  .arg(encoder.branch->mergeKernel > 0 ? tr("E-Branchformer") : tr("Branchformer"))
                  .arg(encoder.branch->units)
                  .arg(encoder.branch->kernel)
        : encoder.norm == NormPlace::Post ? tr("Transformer, post-norm")
                                 : QString();
    const double milliseconds = frontEnd.clock().step().value() * 1000;
    const QString every = frontEnd.reads == InputKind::Text ? tr("One token for each piece of the text")
                          : frontEnd.kind == FrontEndKind::Patches
                              ? tr("%1 every %2 ms").arg(widgets::counted(frontEnd.bands(), tr("1 token"), tr("%1 tokens"))).arg(milliseconds)
                              : tr("One token every %1 ms").arg(milliseconds);
    const QString result = tr("%1. %2, %3 positions")
                               .arg(front, every)
                               .arg(encoder.positions == Positions::None ? tr("no")
                                                                           : text(wordOf(encoder.positions)));
    QStringList parts{result};
    if (const auto& positional = encoder.positionalConvolution)
        parts << tr("Positional kernel %1").arg(positional->kernel);
    if (const auto& bias = encoder.relativeBias)
        parts << tr("Gated relative bias, %1 buckets").arg(bias->buckets);
    if (const auto& key = encoder.relativeKey)
        parts << tr("Relative keys up to %1 before and %2 after").arg(widgets::counted(key->left, tr("1 token"), tr("%1 tokens"))).arg(key->right);
    if (const auto& adapter = architecture.lengthAdapter)
        parts << (adapter->layers == 1 ? tr("Length adapter, %1 layer with stride %2")
                                       : tr("Length adapter, %1 layers with stride %2"))
                     .arg(adapter->layers)
                     .arg(adapter->stride);
    if (encoder.adapters > 0)
        parts << tr("Adapters of width %1").arg(encoder.adapters);
    if (!kind.isEmpty())
        parts << kind;
    return parts.join(QLatin1String(". "));
}

QString decoderText(const Architecture& architecture) {
    if (const auto& model = architecture.languageModel)
        return tr("Output over %1 pieces%2").arg(thousands(architecture.vocabulary), model->tiedEmbeddings ? tr(", tied") : QString());
    QString result = tr("None");
    if (const auto& decoder = architecture.decoder) {
        result = tr("%1, width %2. Self-attention %3, cross-attention %4. Vocabulary %5")
                     .arg(decoder->layers == 1 ? tr("1 layer") : tr("%1 layers").arg(decoder->layers))
                     .arg(decoder->width)
                     .arg(text(toText(decoder->selfAttention)), text(toText(decoder->crossAttention)),
                          thousands(architecture.vocabulary));
        if (decoder->tiedEmbeddings)
            result += tr(", tied");
    }
    if (architecture.ctc)
        result += tr(". CTC over %1").arg(thousands(*architecture.ctc));
    return result;
}

QString languageModelText(const Architecture& architecture) {
    const auto& model = *architecture.languageModel;
    return (model.layers == 1 ? tr("A language model: %1 LSTM layer of %2, %3 pieces%4. An LSTM has no heads to edit. Its cost is "
                                   "shown on the right.")
                              : tr("A language model: %1 LSTM layers of %2, %3 pieces%4. An LSTM has no heads to edit. Its cost is "
                                   "shown on the right."))
        .arg(model.layers)
        .arg(model.width)
        .arg(thousands(architecture.vocabulary), model.tiedEmbeddings ? tr(", embedding and output tied") : QString());
}

QString draftStaysSentence() {
    return tr("This is the draft of an open model. Close the model in Analyse.");
}

QString emptySentence() {
    return tr("No architecture yet. Open a model, or select a preset on the left and press Enter.");
}

} // namespace headroom::app
