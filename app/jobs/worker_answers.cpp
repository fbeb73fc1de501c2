// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/worker_answers.h"

#include "app/jobs/attention_maps.h"
#include "core/architecture/language_layers.h"
#include "core/matrix/thumbnail.h"
#include "core/tensors/text_array.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace headroom::app {

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& what) {
    throw Error("worker.badAnswer", "The worker's answer cannot be used: " + what + ".", {{"what", what}});
}

/// A message as its values; what is wrong with it becomes "worker.badAnswer".
template <class Message>
Message readMessage(const json& document) {
    try {
        return Message::from(document);
    } catch (const Error& mistake) {
        std::string sentence = mistake.what();
        sentence.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence.front())));
        refuse(sentence.substr(0, sentence.size() - 1)); // its full stop
    }
}

QStringList toList(const std::vector<std::string>& texts) {
    QStringList list;
    for (const std::string& text : texts)
        list << QString::fromStdString(text);
    return list;
}

Tensor take(NamedTensors& arrays, const std::string& name, DType dtype, std::size_t dimensions) {
    const auto found = arrays.find(name);
    if (found == arrays.end())
        refuse("the array " + name + " is missing");
    if (found->second.dtype != dtype || found->second.shape.size() != dimensions)
        refuse("the array " + name + " is no " + dtypeName(dtype) + " of " + std::to_string(dimensions) +
               " dimensions");
    return std::move(found->second);
}

Matrix<float> toMatrix(const Tensor& tensor) {
    return {static_cast<std::size_t>(tensor.shape[0]), static_cast<std::size_t>(tensor.shape[1]),
            toFloats(tensor.view())};
}

/// [H, N, N] head by head.
std::vector<Matrix<float>> headsOf(const Tensor& tensor) {
    const auto values = toFloats(tensor.view());
    const auto rows = static_cast<std::size_t>(tensor.shape[1]),
               columns = static_cast<std::size_t>(tensor.shape[2]);
    const auto cells = static_cast<std::ptrdiff_t>(rows * columns);
    std::vector<Matrix<float>> heads;
    for (auto first = values.begin(); first != values.end(); first += cells)
        heads.emplace_back(rows, columns, std::vector<float>(first, first + cells));
    return heads;
}

/// The maps of all heads where they came: one array, or one for each head where one is of another width.
std::shared_ptr<const AttentionMaps> readAttention(NamedTensors& arrays, const std::string& prefix,
                                                   std::size_t heads, std::int64_t size,
                                                   const Architecture::Layer* kinds) {
    ReceivedHeads received;
    received.raw.resize(heads);
    const auto nameOf = [&](std::size_t head, const char* what) {
        return prefix + "head." + std::to_string(head + 1) + "." + what;
    };
    if (arrays.contains(prefix + "attention")) {
        const Tensor together = take(arrays, prefix + "attention", DType::F32, 3);
        if (together.shape[0] != static_cast<std::int64_t>(heads) || together.shape[1] != size ||
            together.shape[2] != size)
            refuse("the attention does not have the layer's " + std::to_string(size) + " tokens");
        received.applied = headsOf(together);
    } else if (arrays.contains(nameOf(0, "attention"))) {
        for (std::size_t head = 0; head < heads; ++head)
            received.applied.push_back(toMatrix(take(arrays, nameOf(head, "attention"), DType::F32, 2)));
    } else {
        return nullptr;
    }
    for (std::size_t head = 0; head < heads; ++head)
        if (arrays.contains(nameOf(head, "raw_attention")))
            received.raw[head] = toMatrix(take(arrays, nameOf(head, "raw_attention"), DType::F32, 2));
    return attentionMaps(std::move(received), size, kinds);
}

/// Rows [first, first + rows) of each map.
std::vector<Matrix<float>> rowsOf(std::vector<Matrix<float>> maps, std::int64_t first, std::size_t rows) {
    std::vector<Matrix<float>> kept;
    for (const Matrix<float>& map : maps) {
        const auto from = map.values().begin() + first * static_cast<std::ptrdiff_t>(map.columns());
        kept.emplace_back(rows, map.columns(),
                          std::vector<float>(from, from + static_cast<std::ptrdiff_t>(rows * map.columns())));
    }
    return kept;
}

using Maps = std::vector<std::shared_ptr<const MaxPyramid>>;

/// The attention of one block of every decoder layer, the rows of the pieces.
void readBlock(const protocol::WordsResult& answer, NamedTensors& arrays, bool isSelf, std::vector<Maps>& maps,
               Maps& means) {
    const std::size_t pieces = answer.pieces.size();
    const std::int64_t rows = answer.firstRow + static_cast<std::int64_t>(pieces);
    const std::int64_t columns = isSelf ? rows : answer.tokens;
    for (int layer = 1; layer <= answer.layers; ++layer) {
        const std::string name =
            "decoder.layer." + std::to_string(layer) + (isSelf ? ".self.attention" : ".cross.attention");
        auto& ofLayer = maps.emplace_back();
        auto& mean = means.emplace_back();
        if (isSelf && !arrays.contains(name))
            continue;
        const Tensor together = take(arrays, name, DType::F32, 3);
        if (answer.firstRow < 0 || together.shape[0] < 1 || (!isSelf && together.shape[0] != answer.heads) || together.shape[1] != rows || together.shape[2] != columns ||
            columns < 1)
            refuse("the array " + name + " does not have a row for each piece and a column for each token");
        const auto heads = rowsOf(headsOf(together), answer.firstRow, pieces);
        mean = std::make_shared<const MaxPyramid>(meanOfHeads(heads));
        for (const Matrix<float>& head : heads)
            ofLayer.push_back(std::make_shared<const MaxPyramid>(head));
    }
}

/// The first `count` texts of decoder.input_pieces.
QStringList promptOf(NamedTensors& arrays, std::int64_t count) {
    QStringList prompt;
    const Tensor pieces = take(arrays, "decoder.input_pieces", DType::U8, 2);
    if (count < 0 || pieces.shape[0] < count)
        refuse("the array decoder.input_pieces does not have a row for each token of the prompt");
    for (const std::string& piece : arrayTexts(pieces.view()))
        if (prompt.size() < count)
            prompt << QString::fromStdString(piece);
    return prompt;
}

std::optional<SpokenWords::Span> spanOf(const protocol::WordsResult::Span& span, Seconds start) {
    if (!std::isfinite(span.start) || !std::isfinite(span.end) || span.end < span.start)
        return std::nullopt;
    return SpokenWords::Span{start + Seconds(span.start), start + Seconds(span.end)};
}

} // namespace

SpokenWords readWords(const json& result, NamedTensors arrays, const TokenClock& clock, Seconds start) {
    const auto answer = readMessage<protocol::WordsResult>(result);
    SpokenWords words;
    words.text = QString::fromStdString(answer.text).trimmed(); // Whisper begins with a space
    words.clock = clock;
    words.alignmentHeads = answer.alignmentHeads;
    words.headsAreNamed = answer.headsAreNamed;
    words.attentionReason = QString::fromStdString(answer.attentionReason);
    words.ctcReason = QString::fromStdString(answer.ctcReason);
    words.inputs = answer.inputs;
    words.firstRow = answer.firstRow;
    const auto piecesOf = [](const std::vector<protocol::WordsResult::Piece>& sent) {
        std::vector<SpokenWords::Piece> pieces;
        for (const auto& piece : sent)
            pieces.push_back({piece.id, QString::fromStdString(piece.text), piece.logProbability, piece.ends});
        return pieces;
    };
    words.pieces = piecesOf(answer.pieces);
    for (const auto& word : answer.words)
        words.words.push_back({QString::fromStdString(word.label), static_cast<int>(word.first),
                               static_cast<int>(word.end), spanOf(word.attention, start), spanOf(word.ctc, start)});
    for (const auto& one : answer.hypotheses) {
        auto& hypothesis = words.hypotheses.emplace_back();
        hypothesis.score = one.score;
        for (const auto& word : one.words)
            hypothesis.words.push_back({QString::fromStdString(word.label), spanOf(word.time, start), static_cast<int>(word.first), static_cast<int>(word.end)});
        hypothesis.pieces = piecesOf(one.pieces);
    }
    if (answer.layers > 0)
        words.prompt = promptOf(arrays, answer.firstRow + 1);
    readBlock(answer, arrays, false, words.cross, words.means);
    readBlock(answer, arrays, true, words.self, words.selfMeans);
    if (arrays.contains("ctc.probabilities")) {
        const Tensor map = take(arrays, "ctc.probabilities", DType::F32, 2);
        if (map.shape[0] > static_cast<std::int64_t>(answer.pieces.size()) || map.shape[1] != answer.tokens)
            refuse("the array ctc.probabilities does not have a row for each piece and a column for each token");
        if (map.shape[0] > 0)
            words.ctc = std::make_shared<const MaxPyramid>(toMatrix(map));
    }
    return words;
}

DecoderLayerState readWordMixing(const json& result, NamedTensors arrays, const SpokenWords& words, WordsBlock block,
                                 bool checked) {
    const auto answer = readMessage<protocol::WordMixingResult>(result);
    const std::size_t pieces = words.pieces.size();
    DecoderLayerState layer;
    layer.checked = checked;
    layer.rowSumError = answer.rowSumError;
    layer.rebuildError = answer.rebuildError;
    layer.gramError = answer.gramError;
    layer.reason = QString::fromStdString(answer.reason);
    for (const auto& one : answer.measures) {
        MeasuredWords& measured = layer.measures[one.name];
        measured.reason = QString::fromStdString(one.reason);
        measured.milliseconds = one.milliseconds;
        if (!one.reason.empty())
            continue;
        const std::string name = (block == WordsBlock::Self ? "self.mixing." : "cross.mixing.") + one.name;
        const Tensor map = take(arrays, name, DType::F32, 2);
        const std::int64_t rows = words.firstRow + static_cast<std::int64_t>(pieces);
        if (words.firstRow < 0 || map.shape[0] != rows || map.shape[1] < 1 || (block == WordsBlock::Self && map.shape[1] != rows))
            refuse("the array " + name + " does not have a row for each piece");
        measured.map = std::make_shared<const MaxPyramid>(rowsOf({toMatrix(map)}, words.firstRow, pieces).front());
    }
    return layer;
}

protocol::ModelHandle modelHandle(const json& result) {
    if (!result.is_object() || !result.contains("model"))
        refuse("the result of openModel needs the field “model”");
    return result["model"];
}

ModelDescription readModelDescription(const json& result, const QString& folder) {
    const auto opened = readMessage<protocol::OpenModelResult>(result);
    ModelDescription info;
    info.name = QString::fromStdString(opened.name);
    info.architecture = withLanguageLayers(parseArchitecture(opened.architecture.dump(), folder.toStdString()));
    info.clock = TokenClock::affine(Seconds(opened.clockOffset), Seconds(opened.clockStep), opened.clockBands);
    info.maxSourceFrames = opened.maxSourceFrames;
    info.parameters = opened.parameters;
    info.tensors = opened.tensors;
    info.storedAs = QString::fromStdString(opened.storedAs);
    info.hash = QString::fromStdString(opened.hash);
    info.loaded = toList(opened.report.loaded);
    info.missing = toList(opened.report.missing);
    info.unexpected = toList(opened.report.unexpected);
    for (const auto& wrong : opened.report.wrongShape)
        info.wrongShape << QString::fromStdString(wrong.name);
    info.assumed = toList(opened.report.assumed);
    return info;
}

protocol::AnalyseResult readAnalyseResult(const json& result) {
    return readMessage<protocol::AnalyseResult>(result);
}

std::optional<QString> transcriptOf(const json& result) {
    try {
        return QString::fromStdString(protocol::TranscribeResult::from(result).text);
    } catch (const Error&) {
        return std::nullopt;
    }
}

int layerNumber(const json& values) {
    try {
        return protocol::LayerReady::from(values).layer;
    } catch (const Error&) {
        return 0;
    }
}

namespace {

constexpr std::int64_t kMostTokens = 1 << 15; ///< a map of them has 4 GiB

std::shared_ptr<const MaxPyramid> readContributions(const Tensor& contributions, const LayerResult& layer) {
    if (contributions.shape[0] < 1 || contributions.shape[1] != contributions.shape[0])
        refuse("the contributions of layer " + std::to_string(layer.layer) + " are not square");
    if (contributions.shape[0] != layer.tokens)
        refuse("the head relevance of layer " + std::to_string(layer.layer) + " is not one row per token");
    return std::make_shared<const MaxPyramid>(toMatrix(contributions));
}

std::shared_ptr<const MaxPyramid> readThumbnail(const Matrix<float>& thumbnail, int layer, std::int64_t tokens) {
    try {
        if (tokens <= kMostTokens)
            return std::make_shared<const MaxPyramid>(enlarged(thumbnail, static_cast<std::size_t>(tokens)));
    } catch (const Error&) {
    }
    refuse("the thumbnail of layer " + std::to_string(layer) + " does not belong to a map of " + std::to_string(tokens) + " tokens");
}

} // namespace

LayerResult readLayer(const json& values, NamedTensors arrays, const Architecture::Layer* kinds) {
    const auto ready = readMessage<protocol::LayerReady>(values);
    LayerResult layer;
    layer.layer = ready.layer;
    const std::string prefix = "layer." + std::to_string(layer.layer) + ".";
    const Tensor relevance = take(arrays, prefix + "head_relevance", DType::F32, 2);
    const std::int64_t size = relevance.shape[0];
    layer.headRelevance = toMatrix(relevance);
    layer.tokens = size;
    layer.reason = QString::fromStdString(ready.reason);
    if (layer.reason.isEmpty()) {
        if (arrays.contains(prefix + "thumbnail"))
            layer.thumbnail = readThumbnail(toMatrix(take(arrays, prefix + "thumbnail", DType::F32, 2)), layer.layer, size);
        else
            layer.contributions = readContributions(take(arrays, prefix + "contributions", DType::F32, 2), layer);
        const Tensor profile = take(arrays, prefix + "contribution_profile", DType::F64, 1);
        if (profile.shape[0] != 2 * size - 1)
            refuse("the profile of layer " + std::to_string(layer.layer) + " does not have 2N − 1 numbers");
        layer.profile = DiagonalProfile(toDoubles(profile.view()));
    }
    const Tensor heads = take(arrays, prefix + "attention_profile", DType::F64, 2);
    if (heads.shape[1] != 2 * size - 1)
        refuse("an attention profile of layer " + std::to_string(layer.layer) +
               " does not have 2N − 1 numbers");
    const auto sums = toDoubles(heads.view());
    for (std::int64_t head = 0; head < heads.shape[0]; ++head) {
        const auto first = sums.begin() + head * heads.shape[1];
        std::vector<double> one(first, first + heads.shape[1]);
        // A head without an N × N map (strided keys) has no profile: NaN on the wire.
        layer.attentionProfiles.push_back(std::isnan(one.front()) ? DiagonalProfile()
                                                                  : DiagonalProfile(std::move(one)));
    }
    layer.attention = readAttention(arrays, prefix, static_cast<std::size_t>(heads.shape[0]), size, kinds);
    layer.d1 = ready.d1;
    layer.ccd = ready.ccd;
    layer.rebuildError = ready.rebuildError;
    layer.gramError = ready.gramError;
    layer.rowSumError = ready.rowSumError;
    return layer;
}

MixedMap readMixedMap(const json& values, NamedTensors arrays, const std::string& name) {
    const auto ready = readMessage<protocol::LayerReady>(values);
    const auto found = ready.mixing.find(name);
    if (found == ready.mixing.end())
        refuse("layer " + std::to_string(ready.layer) + " does not have the measure " + name);
    MixedMap mixed;
    mixed.reason = QString::fromStdString(found->second);
    if (!mixed.reason.isEmpty())
        return mixed;
    const std::string array = "layer." + std::to_string(ready.layer) + ".mixing." + name;
    const Tensor map = take(arrays, array, DType::F32, 2);
    if (map.shape[0] < 1 || map.shape[0] != map.shape[1])
        refuse("the array " + array + " is not square");
    Matrix<float> matrix = toMatrix(map);
    mixed.profile = DiagonalProfile(matrix.view());
    mixed.map = std::make_shared<const MaxPyramid>(std::move(matrix));
    return mixed;
}

} // namespace headroom::app
