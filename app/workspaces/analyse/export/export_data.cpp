// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/export/export_data.h"

#include "app/documents/paths.h"
#include "core/tensors/npy.h"
#include "core/tensors/text_array.h"

#include <QSaveFile>

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

QByteArray numberOf(double value, int digits) {
    return std::isnan(value) ? QByteArray("nan") : QByteArray::number(value, 'g', digits);
}

bool isOfText(const AnalysisResult& result) {
    return !result.source.isEmpty();
}

/// Of a token: the centre of its receptive field in seconds, of a text its number from 0, as `analyse` writes them.
double placeOf(const AnalysisResult& result, std::int64_t token) {
    return isOfText(result) ? double(token) : result.clock.centre(Tokens(token)).value();
}

template <class T>
void add(NpzWriter& writer, const std::string& name, std::vector<std::int64_t> shape,
         const std::vector<T>& values) {
    writer.add(name, Tensor::of<T>(std::move(shape), std::span<const T>(values)).view());
}

} // namespace

void writeCsv(const std::filesystem::path& file, const MaxPyramid& map, const AnalysisResult& result) {
    QByteArray text(isOfText(result) ? "query_token\\key_token" : "query_s\\key_s");
    const Matrix<float>& cells = map.level(0);
    const auto seconds = [&result](std::size_t token) { return numberOf(placeOf(result, std::int64_t(token)), 9); };
    for (std::size_t key = 0; key < cells.columns(); ++key)
        text += ',' + seconds(key);
    const bool named = isOfText(result) && std::size_t(result.sourcePieces.size()) == cells.rows();
    text += named ? ",piece\n" : "\n";
    for (std::size_t query = 0; query < cells.rows(); ++query) {
        text += seconds(query);
        for (const float value : cells.row(query))
            text += ',' + numberOf(value, 9);
        if (named)
            text += ",\"" + QString(result.sourcePieces[qsizetype(query)]).replace(u'"', QStringLiteral("\"\"")).toUtf8() + '"';
        text += '\n';
    }
    QSaveFile out(toQString(file));
    if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size() || !out.commit())
        throw Error("export.unwritable",
                    file.string() + " could not be written: " + out.errorString().toStdString() + ".");
}

namespace {

/// As `analyse` writes them: in one array, or head by head where one's keys are compressed.
void addAttention(NpzWriter& writer, const AttentionMaps& attention, const std::string& prefix,
                  std::int64_t tokens) {
    const bool together = std::all_of(attention.compressed.begin(), attention.compressed.end(),
                                      [](const Matrix<float>& map) { return map.empty(); });
    const auto nameOf = [&](std::size_t head, const char* what) {
        return prefix + "head." + std::to_string(head + 1) + "." + what;
    };
    std::vector<float> maps;
    for (std::size_t head = 0; head < attention.heads.size(); ++head) {
        const Matrix<float>& own = attention.heads[head].level(0);
        if (together) {
            maps.insert(maps.end(), own.values().begin(), own.values().end());
            continue;
        }
        const Matrix<float>& map = attention.compressed[head].empty() ? own : attention.compressed[head];
        add(writer, nameOf(head, "attention"), {tokens, std::int64_t(map.columns())}, map.values());
    }
    if (together)
        add(writer, prefix + "attention", {std::int64_t(attention.heads.size()), tokens, tokens}, maps);
    for (std::size_t head = 0; head < attention.raw.size();
         ++head) // drawn over compressed keys: not as computed
        if (!attention.raw[head].empty() && attention.compressed[head].empty())
            add(writer, nameOf(head, "raw_attention"), {tokens, tokens},
                attention.raw[head].level(0).values());
}

} // namespace

void writeNpz(const std::filesystem::path& file, const AnalysisResult& result, int number) {
    const LayerResult* layer = result.layer(number);
    if (!layer || !layer->isReady() || (layer->thumbnail && !layer->contributions))
        throw Error("export.notReady", "Layer " + std::to_string(number) + " was not read yet.");
    const std::string prefix = "layer." + std::to_string(number) + ".";
    const std::int64_t tokens = result.tokens.value();
    NpzWriter writer(file);
    std::vector<double> seconds;
    for (std::int64_t token = 0; token < tokens; ++token)
        seconds.push_back(placeOf(result, token));
    add(writer, "token_seconds", {tokens}, seconds);
    if (isOfText(result)) {
        std::vector<std::string> pieces;
        for (const QString& piece : result.sourcePieces)
            pieces.push_back(piece.toStdString());
        writer.add("source_pieces", textArray(pieces).view());
    }
    if (layer->contributions) {
        add(writer, prefix + "contributions", {tokens, tokens}, layer->contributions->level(0).values());
        add(writer, prefix + "contribution_profile", {2 * tokens - 1}, layer->profile.sums());
    }
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
    if (layer->attention)
        addAttention(writer, *layer->attention, prefix, tokens);
    writer.close();
}

} // namespace headroom::app
