// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/difference.h"

#include "core/architecture/head_grid.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"


#include <algorithm>

namespace headroom::app {

namespace {

QString numbers(const std::vector<int>& values) {
    QStringList texts;
    for (const int value : values)
        texts << QString::number(value);
    return texts.join(QStringLiteral(", "));
}

/// Lines "NAME BEFORE → NOW" for every member that differs.
class Lines {
public:
    void add(const QString& name, const QString& before, const QString& now) {
        if (before != now)
            m_lines << QStringLiteral("%1 %2 → %3").arg(name, before, now);
    }
    void add(const QString& name, qint64 before, qint64 now) {
        add(name, QString::number(before), QString::number(now));
    }
    template <class Choice>
        requires std::is_enum_v<Choice>
    void add(const QString& name, Choice before, Choice now) {
        add(name, QString::fromStdString(wordOf(before)), QString::fromStdString(wordOf(now)));
    }
    void add(const QString& name, double before, double now) {
        add(name, widgets::shortNumberText(before), widgets::shortNumberText(now));
    }
    void add(const QString& name, bool before, bool now) {
        add(name, before ? tr("yes") : tr("no"), now ? tr("yes") : tr("no"));
    }
    QStringList lines() const { return m_lines; }

private:
    QStringList m_lines;
};

/// "12"; "4–12" where layers differ; "none" without layers.
QString headsOfLayers(const Architecture& one) {
    const auto& layers = one.encoder.layers;
    if (layers.empty())
        return tr("none");
    const auto [least, most] = std::minmax_element(
        layers.begin(), layers.end(), [](const auto& a, const auto& b) { return a.headCount() < b.headCount(); });
    const QString first = QString::number(least->headCount());
    return least->headCount() == most->headCount() ? first : first + u'–' + QString::number(most->headCount());
}

QStringList others(const Architecture& before, const Architecture& now) {
    Lines lines;
    lines.add(tr("front end"), before.frontEnd.kind, now.frontEnd.kind);
    lines.add(tr("features"), qint64(before.frontEnd.features), qint64(now.frontEnd.features));
    const auto channels = [](const Architecture::FrontEnd& one) {
        return one.kind == FrontEndKind::Conv1d ? QString::number(one.channels) : numbers(one.planes);
    };
    lines.add(tr("channels"), channels(before.frontEnd), channels(now.frontEnd));
    lines.add(tr("norm of the front end"), before.frontEnd.norm, now.frontEnd.norm);
    lines.add(tr("activation of the front end"), before.frontEnd.activation, now.frontEnd.activation);
    lines.add(tr("projection of the front end"), before.frontEnd.projection, now.frontEnd.projection);
    lines.add(tr("bias of the front end"), before.frontEnd.bias, now.frontEnd.bias);
    lines.add(tr("norm before the projection"), before.frontEnd.projectionNorm, now.frontEnd.projectionNorm);
    lines.add(tr("normalised input"), before.frontEnd.normalised, now.frontEnd.normalised);
    lines.add(tr("scaled by √width"), before.frontEnd.scaled, now.frontEnd.scaled);
    lines.add(tr("padding of the front end"), before.frontEnd.padded, now.frontEnd.padded);
    lines.add(tr("stacked frames"), qint64(before.frontEnd.stacked), qint64(now.frontEnd.stacked));
    lines.add(tr("filled up with"), before.frontEnd.paddingValue, now.frontEnd.paddingValue);
    lines.add(tr("pre-emphasis"), before.frontEnd.preEmphasis, now.frontEnd.preEmphasis);
    const auto cmvn = [](const Architecture& one) { return one.frontEnd.cmvn ? tr("global") : tr("of each utterance"); };
    lines.add(tr("CMVN"), cmvn(before), cmvn(now));
    if (before.frontEnd.cmvn && now.frontEnd.cmvn && *before.frontEnd.cmvn != *now.frontEnd.cmvn)
        lines.add(tr("CMVN"), tr("global"), tr("other global"));
    const auto window = [](const Architecture& one) {
        const EspnetFrames& found = one.frontEnd.frames;
        return tr("%1 of %2, hop %3").arg(found.window).arg(found.transform).arg(found.hop);
    };
    lines.add(tr("samples of a frame"), window(before), window(now));
    lines.add(tr("kernels"), numbers(before.frontEnd.kernels), numbers(now.frontEnd.kernels));
    lines.add(tr("strides"), numbers(before.frontEnd.strides), numbers(now.frontEnd.strides));
    lines.add(tr("stride in frequency"), qint64(before.frontEnd.frequencyStride), qint64(now.frontEnd.frequencyStride));
    lines.add(tr("class tokens"), qint64(before.frontEnd.classTokens), qint64(now.frontEnd.classTokens));
    lines.add(tr("frames of the window"), qint64(before.frontEnd.windowFrames), qint64(now.frontEnd.windowFrames));
    lines.add(tr("encoder"), before.encoder.kind, now.encoder.kind);
    const auto convolution = [](const Architecture& one) {
        const auto& found = one.encoder.convolution;
        return found ? tr("kernel %1, %2, %3 norm%4")
                           .arg(found->kernel)
                           .arg(QString::fromStdString(wordOf(found->activation)), QString::fromStdString(wordOf(found->norm)),
                                (found->causal ? tr(", causal") : QString()) + (found->bias ? QString() : tr(", no bias")) +
                                    (found->depthwiseBias ? tr(", depthwise bias") : QString()))
                     : tr("none");
    };
    lines.add(tr("convolution"), convolution(before), convolution(now));
    const auto branch = [](const Architecture& one) {
        const auto& found = one.encoder.branch;
        return found ? tr("%1 units, kernel %2, merge %3").arg(found->units).arg(found->kernel).arg(found->mergeKernel)
                     : tr("none");
    };
    lines.add(tr("gated branch"), branch(before), branch(now));
    lines.add(tr("layers"), qint64(before.encoder.layers.size()), qint64(now.encoder.layers.size()));
    lines.add(tr("heads of a layer"), headsOfLayers(before), headsOfLayers(now));
    lines.add(tr("width"), qint64(before.encoder.width), qint64(now.encoder.width));
    lines.add(tr("feed-forward"), qint64(before.encoder.feedForward), qint64(now.encoder.feedForward));
    lines.add(tr("norm"), before.encoder.norm, now.encoder.norm);
    lines.add(tr("positions"), before.encoder.positions, now.encoder.positions);
    const auto positional = [](const Architecture& one) {
        const auto& found = one.encoder.positionalConvolution;
        return found ? tr("kernel %1, %2, %3, %4, %5 norm%6")
                           .arg(found->kernel)
                           .arg(widgets::counted(found->groups, tr("1 group"), tr("%1 groups")), widgets::counted(found->layers, tr("once"), tr("%1 times")),
                                QString::fromStdString(wordOf(found->activation)), QString::fromStdString(wordOf(found->norm)),
                                found->weightNorm ? tr(", weight norm") : QString())
                     : tr("none");
    };
    lines.add(tr("positional convolution"), positional(before), positional(now));
    const auto bias = [](const Architecture& one) {
        const auto& found = one.encoder.relativeBias;
        return found ? tr("%1 buckets up to %2").arg(found->buckets).arg(found->maxDistance) : tr("none");
    };
    lines.add(tr("relative bias"), bias(before), bias(now));
    const auto key = [](const Architecture& one) {
        const auto& found = one.encoder.relativeKey;
        return found ? tr("%1 before, %2 after").arg(found->left).arg(found->right) : tr("none");
    };
    lines.add(tr("relative keys"), key(before), key(now));
    const auto lengthAdapter = [](const Architecture& one) {
        const auto& found = one.lengthAdapter;
        return found ? tr("%1, kernel %2, stride %3, width %4, %5, feed-forward %6, %7")
                           .arg(widgets::counted(found->layers, tr("1 layer"), tr("%1 layers")))
                           .arg(found->kernel)
                           .arg(found->stride)
                           .arg(found->width)
                           .arg(widgets::counted(found->heads, tr("1 head"), tr("%1 heads")))
                           .arg(found->feedForward)
                           .arg(QString::fromStdString(wordOf(found->activation)))
                     : tr("none");
    };
    lines.add(tr("length adapter"), lengthAdapter(before), lengthAdapter(now));
    lines.add(tr("input"), before.frontEnd.reads, now.frontEnd.reads);
    lines.add(tr("adapters"), qint64(before.encoder.adapters), qint64(now.encoder.adapters));
    lines.add(tr("activation"), before.encoder.activation, now.encoder.activation);
    lines.add(tr("query, key, value bias"), before.encoder.queryKeyValueBias, now.encoder.queryKeyValueBias);
    lines.add(tr("key bias"), before.encoder.keyBias, now.encoder.keyBias);
    lines.add(tr("bias of W_O"), before.encoder.outputBias, now.encoder.outputBias);
    lines.add(tr("feed-forward bias"), before.encoder.feedForwardBias, now.encoder.feedForwardBias);
    lines.add(tr("norm before layer 1"), before.encoder.inputNorm, now.encoder.inputNorm);
    lines.add(tr("norm after the last layer"), before.encoder.normsOutput(), now.encoder.normsOutput());
    lines.add(tr("ε of the norms"), before.encoder.normEpsilon, now.encoder.normEpsilon);
    lines.add(tr("half a feed-forward at the end"), before.intermediateFeedForward, now.intermediateFeedForward);
    lines.add(tr("dropout"), before.encoder.dropout, now.encoder.dropout);
    lines.add(tr("attention dropout"), before.encoder.attentionDropout, now.encoder.attentionDropout);
    lines.add(tr("activation dropout"), before.encoder.activationDropout.value_or(before.encoder.dropout),
              now.encoder.activationDropout.value_or(now.encoder.dropout));
    const bool bothDecode = before.decoder && now.decoder; // then the cross-attention has a line of its own: a draft changes it
    const auto decoder = [bothDecode](const Architecture& one) {
        return one.decoder
                   ? (one.decoder->layers == 1 ? tr("%1 layer, width %2, feed-forward %3, %4%5%6")
                                               : tr("%1 layers, width %2, feed-forward %3, %4%5%6"))
                         .arg(one.decoder->layers)
                         .arg(one.decoder->width)
                         .arg(one.decoder->feedForward)
                         .arg(QString::fromStdString(toText(one.decoder->selfAttention)),
                              bothDecode ? QString() : tr(", cross %1").arg(QString::fromStdString(toText(one.decoder->crossAttention))),
                              (one.decoder->norm == NormPlace::Post ? tr(", post-norm") : QString()) +
                                  (one.decoder->tiedEmbeddings ? tr(", tied") : QString()))
                   : tr("none");
    };
    lines.add(tr("decoder"), decoder(before), decoder(now));
    if (bothDecode) {
        lines.add(tr("cross-attention"), QString::fromStdString(toText(before.decoder->crossAttention)),
                  QString::fromStdString(toText(now.decoder->crossAttention)));
        lines.add(tr("activation of the decoder"), before.decoder->activation, now.decoder->activation);
        lines.add(tr("positions of the decoder"), before.decoder->positions, now.decoder->positions);
        lines.add(tr("longest text"), qint64(before.decoder->places), qint64(now.decoder->places));
        lines.add(tr("embeddings scaled by √width"), before.decoder->scaledEmbeddings, now.decoder->scaledEmbeddings);
        lines.add(tr("key bias of the decoder"), before.decoder->keyBias, now.decoder->keyBias);
    }
    const auto languageModel = [](const Architecture& one) {
        return one.languageModel
                   ? (one.languageModel->layers == 1 ? tr("%1, %2 layer of %3") : tr("%1, %2 layers of %3"))
                         .arg(QString::fromStdString(wordOf(one.languageModel->kind)))
                         .arg(one.languageModel->layers)
                         .arg(one.languageModel->width)
                   : tr("none");
    };
    lines.add(tr("language model"), languageModel(before), languageModel(now));
    if (before.languageModel && now.languageModel) {
        lines.add(tr("tied embeddings"), before.languageModel->tiedEmbeddings, now.languageModel->tiedEmbeddings);
        if (now.encoder.layers.empty()) // else they are those of the encoder
            lines.add(tr("dropout"), before.languageModel->dropout, now.languageModel->dropout);
    }
    lines.add(tr("blank of CTC"), qint64(before.ctcBlank), qint64(now.ctcBlank));
    lines.add(tr("CTC"), qint64(before.ctc.value_or(0)), qint64(now.ctc.value_or(0)));
    lines.add(tr("vocabulary of the source"), qint64(before.frontEnd.vocabulary), qint64(now.frontEnd.vocabulary));
    lines.add(tr("vocabulary"), qint64(before.vocabulary), qint64(now.vocabulary));
    return lines.lines();
}

int changedHeads(const std::vector<HeadGroup>& before, const std::vector<HeadGroup>& now) {
    const auto was = cellsOf(before), is = cellsOf(now);
    int changed = 0;
    for (std::size_t head = 0; head < std::max(was.size(), is.size()); ++head)
        changed += head >= was.size() || head >= is.size() || was[head].text != is[head].text ? 1 : 0;
    return changed;
}

} // namespace

Difference differenceOf(const Architecture& baseline, const Architecture& architecture) {
    Difference difference;
    difference.other = others(baseline, architecture);
    if (baseline.decoder && architecture.decoder)
        if (const auto &was = baseline.decoder->crossAttention, &is = architecture.decoder->crossAttention; was != is)
            difference.cross = {kCrossAttention, was, is, changedHeads(was, is)};
    const auto &before = baseline.encoder.layers, &now = architecture.encoder.layers;
    if (baseline.languageModel.has_value() != architecture.languageModel.has_value() || before.empty() ||
        now.empty())
        return difference; // one of both has no layers of heads to compare
    for (std::size_t i = 0; i < std::max(before.size(), now.size()); ++i) {
        Difference::Layer layer;
        layer.number = int(i) + 1;
        if (i < before.size())
            layer.before = before[i].heads;
        if (i < now.size())
            layer.now = now[i].heads;
        layer.changedHeads = changedHeads(layer.before, layer.now);
        difference.heads += std::max(headCount(layer.before), headCount(layer.now));
        difference.changedHeads += layer.changedHeads;
        difference.changedLayers += layer.changedHeads > 0 ? 1 : 0;
        if (!layer.now.empty() && layer.now.front().kind == HeadKind::Reuse)
            ++difference.reusingLayers;
        difference.layers.push_back(std::move(layer));
    }
    return difference;
}

QString Difference::sentence() const {
    QStringList parts;
    if (changedHeads > 0)
        parts << (changedHeads == 1 ? tr("%1 of %2 differs in %3") : tr("%1 of %2 differ in %3"))
                     .arg(QString::number(changedHeads), widgets::counted(heads, tr("1 head"), tr("%1 heads")),
                          widgets::counted(changedLayers, tr("1 layer"), tr("%1 layers")));
    if (reusingLayers > 0)
        parts << widgets::counted(reusingLayers, tr("1 layer reuses a map"), tr("%1 layers reuse maps"));
    parts += other;
    return parts.isEmpty() ? tr("No difference") : parts.join(QStringLiteral(", "));
}

QString Difference::brief() const {
    QStringList parts;
    if (changedHeads > 0)
        parts << widgets::counted(changedHeads, tr("1 head"), tr("%1 heads"));
    if (!other.empty())
        parts << (changedHeads > 0 ? widgets::counted(other.size(), tr("1 other difference"), tr("%1 other differences"))
                                   : widgets::counted(other.size(), tr("1 difference"), tr("%1 differences")));
    return parts.join(QStringLiteral(", "));
}

QString Difference::asText() const {
    QStringList lines = other;
    for (const Layer& layer : layers)
        if (layer.changedHeads > 0)
            lines << tr("layer %1: %2 → %3")
                         .arg(layer.number)
                         .arg(layer.before.empty() ? tr("none")
                                                   : QString::fromStdString(toText(layer.before)),
                              layer.now.empty() ? tr("none") : QString::fromStdString(toText(layer.now)));
    return lines.isEmpty() ? tr("No difference") + QLatin1Char('\n')
                           : lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace headroom::app
