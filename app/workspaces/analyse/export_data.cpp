// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/export_data.h"

#include "app/documents/paths.h"
#include "core/tensors/npy.h"

#include <QSaveFile>

#include <cmath>

namespace headroom::app {

namespace {

QByteArray numberOf(double value, int digits) {
    return std::isnan(value) ? QByteArray("nan") : QByteArray::number(value, 'g', digits);
}

template <class T>
void add(NpzWriter& writer, const std::string& name, std::vector<std::int64_t> shape,
         const std::vector<T>& values) {
    writer.add(name, Tensor::of<T>(std::move(shape), std::span<const T>(values)).view());
}

} // namespace

void writeCsv(const std::filesystem::path& file, const MaxPyramid& map, const TokenClock& clock) {
    QByteArray text("query_s\\key_s");
    const Matrix<float>& cells = map.level(0);
    const auto seconds = [&clock](std::size_t token) {
        return numberOf(clock.centre(Tokens(std::int64_t(token))).value(), 9);
    };
    for (std::size_t key = 0; key < cells.columns(); ++key)
        text += ',' + seconds(key);
    text += '\n';
    for (std::size_t query = 0; query < cells.rows(); ++query) {
        text += seconds(query);
        for (const float value : cells.row(query))
            text += ',' + numberOf(value, 9);
        text += '\n';
    }
    QSaveFile out(toQString(file));
    if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size() || !out.commit())
        throw Error("export.unwritable",
                    file.string() + " could not be written: " + out.errorString().toStdString() + ".");
}

void writeNpz(const std::filesystem::path& file, const AnalysisResult& result, int number) {
    const LayerResult* layer = result.layer(number);
    if (!layer || !layer->isReady())
        throw Error("export.notReady", "Layer " + std::to_string(number) + " was not read yet.");
    const std::string prefix = "layer." + std::to_string(number) + ".";
    const std::int64_t tokens = result.tokens.value();
    NpzWriter writer(file);
    std::vector<double> seconds;
    for (std::int64_t token = 0; token < tokens; ++token)
        seconds.push_back(result.clock.centre(Tokens(token)).value());
    add(writer, "token_seconds", {tokens}, seconds);
    add(writer, prefix + "contributions", {tokens, tokens}, layer->contributions->level(0).values());
    add(writer, prefix + "contribution_profile", {2 * tokens - 1}, layer->profile.sums());
    std::vector<double> profiles;
    for (const DiagonalProfile& head : layer->attentionProfiles) {
        // NaN for heads without an N × N map.
        if (head.empty())
            profiles.insert(profiles.end(), std::size_t(2 * tokens - 1), NAN);
        else
            profiles.insert(profiles.end(), head.sums().begin(), head.sums().end());
    }
    const auto heads = std::int64_t(layer->attentionProfiles.size());
    if (heads > 0)
        add(writer, prefix + "attention_profile", {heads, 2 * tokens - 1}, profiles);
    if (!layer->headRelevance.empty())
        add(writer, prefix + "head_relevance",
            {std::int64_t(layer->headRelevance.rows()), std::int64_t(layer->headRelevance.columns())},
            layer->headRelevance.values());
    add(writer, prefix + "rebuild_error", {}, std::vector<float>{float(layer->rebuildError)});
    add(writer, prefix + "gram_error", {}, std::vector<float>{float(layer->gramError)});
    if (layer->attention) {
        std::vector<float> maps;
        for (const MaxPyramid& head : layer->attention->heads)
            maps.insert(maps.end(), head.level(0).values().begin(), head.level(0).values().end());
        add(writer, prefix + "attention", {std::int64_t(layer->attention->heads.size()), tokens, tokens},
            maps);
    }
    writer.close();
}

} // namespace headroom::app
