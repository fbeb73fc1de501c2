// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/export/export_data.h"

#include "app/documents/items/paths.h"
#include "core/tensors/npy.h"
#include "core/tensors/text_array.h"

#include <QSaveFile>

#include <algorithm>
#include <cmath>
#include <functional>

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

std::vector<std::string> utf8Of(const QStringList& pieces) {
    std::vector<std::string> texts;
    for (const QString& piece : pieces)
        texts.push_back(piece.toStdString());
    return texts;
}

template <class T>
void add(NpzWriter& writer, const std::string& name, std::vector<std::int64_t> shape,
         const std::vector<T>& values) {
    writer.add(name, Tensor::of<T>(std::move(shape), std::span<const T>(values)).view());
}

/// A number for each column and row; `pieces`: a last column, empty: none.
void writeTable(const std::filesystem::path& file, QByteArray text, const Matrix<float>& cells,
                const std::function<double(std::int64_t)>& ofColumn,
                const std::function<double(std::int64_t)>& ofRow, const QStringList& pieces) {
    for (std::size_t key = 0; key < cells.columns(); ++key)
        text += ',' + numberOf(ofColumn(std::int64_t(key)), 9);
    text += pieces.isEmpty() ? "\n" : ",piece\n";
    for (std::size_t query = 0; query < cells.rows(); ++query) {
        text += numberOf(ofRow(std::int64_t(query)), 9);
        for (const float value : cells.row(query))
            text += ',' + numberOf(value, 9);
        if (!pieces.isEmpty())
            text += ",\"" + QString(pieces[qsizetype(query)]).replace(u'"', QStringLiteral("\"\"")).toUtf8() +
                    '"';
        text += '\n';
    }
    QSaveFile out(toQString(file));
    if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size() || !out.commit())
        throw Error("export.unwritable",
                    file.string() + " could not be written: " + out.errorString().toStdString() + ".");
}

/// Places, and of a text the pieces.
void addSource(NpzWriter& writer, const AnalysisResult& result, std::int64_t tokens) {
    std::vector<double> seconds;
    for (std::int64_t token = 0; token < tokens; ++token)
        seconds.push_back(placeOf(result, token));
    add(writer, "token_seconds", {tokens}, seconds);
    if (isOfText(result))
        writer.add("source_pieces", textArray(utf8Of(result.sourcePieces)).view());
}

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

/// One matrix of several heads, [H, rows, columns].
void addHeads(NpzWriter& writer, const std::string& name,
              const std::vector<std::shared_ptr<const MaxPyramid>>& heads) {
    if (heads.empty())
        return;
    std::vector<float> values;
    for (const auto& head : heads)
        values.insert(values.end(), head->level(0).values().begin(), head->level(0).values().end());
    add(writer, name,
        {std::int64_t(heads.size()), std::int64_t(heads.front()->rows()),
         std::int64_t(heads.front()->columns())},
        values);
}

void addMap(NpzWriter& writer, const std::string& name, const MaxPyramid& map) {
    add(writer, name, {std::int64_t(map.rows()), std::int64_t(map.columns())}, map.level(0).values());
}

/// Attention, measures of mixing and errors of one block of a decoder layer.
void addBlock(NpzWriter& writer, const ShownWords& shown, WordsBlock block) {
    const bool isSelf = block == WordsBlock::Self;
    const std::string prefix =
        "decoder.layer." + std::to_string(shown.layer) + (isSelf ? ".self." : ".cross.");
    const auto& layers = isSelf ? shown.words->self : shown.words->cross;
    addHeads(writer, prefix + "attention", layers.at(std::size_t(shown.layer - 1)));
    const DecoderLayerState* known = shown.state ? shown.state->layer(shown.layer, block) : nullptr;
    if (!known)
        return;
    for (const auto& [name, measured] : known->measures)
        if (measured.map)
            addMap(writer, prefix + "mixing." + name, *measured.map);
    if (known->checked && known->reason.isEmpty()) {
        add(writer, prefix + "rebuild_error", {}, std::vector<float>{float(known->rebuildError)});
        add(writer, prefix + "gram_error", {}, std::vector<float>{float(known->gramError)});
    }
}

/// "value-zeroing of words" → "value-zeroing-of-words"
std::string withoutBlanks(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

void addBeside(NpzWriter& writer, const ShownBeside& beside) {
    addMap(writer, "a.map", *beside.a);
    addMap(writer, "b.map", *beside.b);
    if (beside.difference)
        addMap(writer, "a_minus_b", *beside.difference);
    std::vector<double> seconds;
    for (std::size_t token = 0; token < beside.b->columns(); ++token)
        seconds.push_back(placeOf(*beside.resultB, std::int64_t(token)));
    add(writer, "b.token_seconds", {std::int64_t(seconds.size())}, seconds);
    writer.add("a.name", textArray({beside.nameA}).view());
    writer.add("b.name", textArray({beside.nameB}).view());
}

QStringList piecesOf(const SpokenWords& words) {
    QStringList pieces;
    for (const SpokenWords::Piece& piece : words.pieces)
        pieces << piece.text;
    return pieces;
}

} // namespace

void writeCsv(const std::filesystem::path& file, const MaxPyramid& map, const AnalysisResult& result) {
    const auto place = [&result](std::int64_t token) { return placeOf(result, token); };
    const bool named = isOfText(result) && std::size_t(result.sourcePieces.size()) == map.rows();
    writeTable(file, isOfText(result) ? "query_token\\key_token" : "query_s\\key_s", map.level(0), place,
               place, named ? result.sourcePieces : QStringList());
}

void writeCsv(const std::filesystem::path& file, const ShownWords& shown, const AnalysisResult& result) {
    const auto number = [](std::int64_t piece) { return double(piece); };
    const auto place = [&result](std::int64_t token) { return placeOf(result, token); };
    const bool isSelf = shown.layer > 0 && shown.block == WordsBlock::Self;
    const char* corner = isSelf             ? "query_piece\\key_input"
                         : isOfText(result) ? "query_piece\\key_token"
                                            : "query_piece\\key_s";
    writeTable(file, corner, shown.map->level(0),
               isSelf ? std::function<double(std::int64_t)>(number) : place, number,
               piecesOf(*shown.words).mid(0, qsizetype(shown.map->rows())));
}

void writeNpz(const std::filesystem::path& file, const ShownWords& shown, const AnalysisResult& result) {
    const SpokenWords& words = *shown.words;
    NpzWriter writer(file);
    const bool isSelf = shown.layer > 0 && shown.block == WordsBlock::Self;
    const auto source = isSelf ? words.map(shown.layer, 0) : shown.map;
    addSource(writer, result, std::int64_t(source->columns()));
    writer.add("decoder.pieces", textArray(utf8Of(piecesOf(words))).view());
    if (shown.layer > 0) {
        const auto inputs = std::int64_t(words.inputs.size());
        add(writer, "decoder.inputs", {inputs},
            std::vector<std::int64_t>(words.inputs.begin(), words.inputs.end()));
        writer.add("decoder.input_pieces", textArray(utf8Of(words.inputLabels())).view());
        for (const WordsBlock block : {WordsBlock::Cross, WordsBlock::Self})
            addBlock(writer, shown, block);
    }
    if (words.ctc)
        addMap(writer, "ctc.probabilities", *words.ctc);
    writer.close();
}

void writeNpz(const std::filesystem::path& file, const AnalysisResult& result, int number, const ShownBeside* beside) {
    const LayerResult* layer = result.layer(number);
    if (!layer || !layer->isReady() || (layer->thumbnail && !layer->contributions))
        throw Error("export.notReady", "Layer " + std::to_string(number) + " was not read yet.");
    const std::string prefix = "layer." + std::to_string(number) + ".";
    const std::int64_t tokens = result.tokens.value();
    NpzWriter writer(file);
    addSource(writer, result, tokens);
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
    for (const auto& [name, mixed] : layer->mixing)
        if (mixed.map)
            addMap(writer, prefix + "mixing." + withoutBlanks(name), *mixed.map);
    if (beside)
        addBeside(writer, *beside);
    writer.close();
}

} // namespace headroom::app
