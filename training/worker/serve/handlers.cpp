// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/serve/handlers.h"

#include "core/architecture/language_layers.h"
#include "core/features/features.h"
#include "core/features/recording_length.h"
#include "core/matrix/thumbnail.h"
#include "core/text/tokenizer.h"
#include "models/layers/device_errors.h"
#include "models/networks/recording_limits.h"
#include "training/analysis/analysis_arrays.h"
#include "training/analysis/find_words.h"
#include "training/decoding/no_text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <type_traits>
#include <utility>

namespace headroom::training {

namespace {

/// Parameters that do not fit the method: −32602.
class BadParams : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The layers that were asked for; empty: all.
std::vector<int> layersOf(const protocol::Analyse& params, std::size_t layerCount) {
    for (const int layer : params.layers)
        if (static_cast<std::size_t>(layer) > layerCount)
            throw BadParams("The field “layers” of the request analyse must be a list of whole numbers from 1 to " +
                            std::to_string(layerCount) + ".");
    return params.layers;
}

std::vector<float> samplesOf(const Request& request) {
    const auto found = request.arrays.find("samples");
    if (found == request.arrays.end())
        throw BadParams("The request " + request.method + " needs the array samples.");
    const auto& tensor = found->second;
    if (tensor.dtype != DType::F32 || tensor.shape.size() != 1)
        throw BadParams("The array samples must be one-dimensional f32, 16 kHz mono.");
    auto samples = toFloats(tensor.view());
    if (!std::all_of(samples.begin(), samples.end(), [](float sample) { return std::isfinite(sample); }))
        throw BadParams("The array samples contains numbers that are not finite.");
    return samples;
}

/// What a model reads: of a recording the features, of a text its tokens.
struct ModelSource {
    Matrix<float> features;
    std::vector<std::string> pieces; ///< of a text: the label of each token
    std::string warning;             ///< of a text: the characters that the model does not know
};

ModelSource sourceOf(const Request& request, const models::ModelInfo& model, const std::string& text) {
    if (model.architecture.frontEnd.reads != InputKind::Text)
        return {models::featuresOf(model, samplesOf(request)), {}, {}};
    if (text.empty())
        throw BadParams("The request " + request.method + " needs the field “source”, because the model reads text.");
    if (model.sourceTokenizer.empty())
        throw Error("model.noTokenizer", "The model " + model.name + " has no tokenizer, so it cannot read text.");
    const Tokenizer tokenizer(model.sourceTokenizer);
    Matrix<float> source = sourceFeatures(model.architecture, tokenizer.encode(text));
    std::vector<std::string> pieces = sourcePieces(tokenizer, source);
    return {std::move(source), std::move(pieces), unknownCharactersSentence(tokenizer, text, model.name)};
}

protocol::OpenModelResult::Report reportOf(const models::LoadReport& report) {
    protocol::OpenModelResult::Report found{report.loaded, report.missing, report.unexpected, {}, report.assumed};
    for (const auto& wrong : report.wrongShape)
        found.wrongShape.push_back({wrong.name, wrong.expected, wrong.found});
    return found;
}

std::vector<protocol::AlignResult::Label> labelsOf(const std::vector<Interval>& tier) {
    std::vector<protocol::AlignResult::Label> labels;
    for (const Interval& interval : tier)
        labels.push_back({interval.start.value(), interval.end.value(), interval.label});
    return labels;
}

} // namespace

const std::map<std::string, Handlers::Method>& Handlers::methods() {
    const auto method = []<class Message, class Result>(Result (Handlers::*perform)(const Request&, const Message&)) {
        return std::pair<const std::string, Method>(Message::kMethod, [perform](Handlers& handlers, const Request& request) {
            const Result result = (handlers.*perform)(request, Message::from(request.params));
            if constexpr (std::is_same_v<Result, nlohmann::json>)
                return result;
            else
                return result.toJson();
        });
    };
    static const std::map<std::string, Method> all{method(&Handlers::openModel), method(&Handlers::closeModel), method(&Handlers::analyse),
                                                   method(&Handlers::transcribe), method(&Handlers::words), method(&Handlers::wordMixing),
                                                   method(&Handlers::align)};
    return all;
}

void Handlers::run(const Request& request) {
    try {
        if (request.stop)
            throw models::Cancelled();
        m_outgoing.result(request.id, methods().at(request.method)(*this, request));
    } catch (const models::Cancelled&) {
        m_outgoing.error(request.id, ErrorCode::Cancelled,
                         request.superseded ? "The request was superseded by a newer one."
                                        : "The request was cancelled.",
                         request.superseded ? "superseded" : "cancelled");
    } catch (const BadParams& problem) {
        m_outgoing.error(request.id, ErrorCode::InvalidParams, problem.what(), "protocol.badParameters");
    } catch (const Error& error) {
        if (error.code() == "protocol.badField")
            m_outgoing.error(request.id, ErrorCode::InvalidParams, error.what(), "protocol.badParameters",
                             error.values());
        else
            m_outgoing.error(request.id, ErrorCode::BadInput, error.what(), error.code(), error.values());
    } catch (const std::exception& problem) {
        if (models::isOutOfMemory(problem))
            m_outgoing.error(request.id, ErrorCode::BadInput, models::outOfMemorySentence(), "memory.exhausted");
        else if (models::isDeviceLost(problem))
            m_outgoing.error(request.id, ErrorCode::BadInput, models::deviceLostSentence(problem), "device.lost");
        else
            m_outgoing.error(request.id, ErrorCode::Internal,
                             std::string("Internal error in the worker: ") + problem.what(), "internal");
    }
}

protocol::OpenModelResult Handlers::openModel(const Request& request, const protocol::OpenModel& params) {
    auto opened = models::SpeechModel::openToAnalyse(params.folder);
    if (request.stop)
        throw models::Cancelled();
    const auto& info = opened->info();
    protocol::OpenModelResult result;
    result.model = ++m_lastModel;
    result.name = info.name;
    result.architecture = nlohmann::json::parse(canonicalText(info.architecture));
    result.clockOffset = info.clock.offset().value();
    result.clockStep = info.clock.step().value();
    result.clockBands = info.clock.bands();
    result.maxSourceFrames = info.maxSourceFrames;
    result.parameters = info.parameters;
    result.tensors = info.tensors;
    result.storedAs = info.storedAs;
    result.hash = info.weightsHash;
    result.report = reportOf(info.report);
    m_models.emplace(m_lastModel, std::move(opened));
    return result;
}

nlohmann::json Handlers::closeModel(const Request&, const protocol::CloseModel& params) {
    model(params.model); // an unknown handle is an error
    m_models.erase(params.model.get<std::int64_t>());
    return nlohmann::json::object();
}

protocol::AnalyseResult Handlers::analyse(const Request& request, const protocol::Analyse& params) {
    const auto started = std::chrono::steady_clock::now();
    auto& network = model(params.model);
    models::AnalysisOptions options;
    options.keepAttention = params.attention;
    options.explain = params.explain;
    for (const std::string& name : params.mixing)
        options.mixing.measures.push_back(mixingMeasure(name));
    if (!params.units.empty())
        options.mixing.units = [&params, clock = network.info().clock](std::int64_t tokens) {
            std::vector<Interval> intervals;
            for (const auto& [start, end] : params.units)
                intervals.push_back({Seconds(start), Seconds(end), {}});
            return tokenUnits(intervals, clock, tokens);
        };
    options.mixing.spread = !params.units.empty();
    options.layers = layersOf(params, network.info().architecture.encoder.layers.size());
    progress(request, "features", 0, 1);
    const ModelSource source = sourceOf(request, network.info(), params.source);
    const Matrix<float>& features = source.features;
    progress(request, "features", 1, 1);

    const auto total = static_cast<std::int64_t>(
        options.layers.empty() ? network.info().architecture.encoder.layers.size() : options.layers.size());
    std::int64_t done = 0;
    progress(request, "encoder", 0, total);
    const auto result = network.analyse(
        features, options,
        [&](models::LayerAnalysis&& layer) {
            if (request.stop)
                throw models::Cancelled();
            if (layer.contributions.rows() > kThumbnailSide && std::ranges::count(params.small, layer.layer) > 0) {
                m_outgoing.array(request.id, "layer." + std::to_string(layer.layer) + ".thumbnail",
                                 tensorOf(thumbnailOf(layer.contributions)).view());
                layer.contributions = {};
            }
            for (const auto& [name, tensor] : layerArrays(layer))
                m_outgoing.array(request.id, name, tensor.view());
            protocol::LayerReady ready = layerReady(layer);
            ready.request = request.id;
            m_outgoing.notify(ready);
            progress(request, "encoder", ++done, total);
        },
        &request.stop);

    protocol::AnalyseResult answer;
    answer.sourcePieces = source.pieces;
    answer.warning = source.warning;
    answer.frames = framesIn(network.info().architecture.frontEnd.input(), features).value();
    answer.tokens = result.tokens;
    if (params.transcribe && !network.info().tokenizer.empty()) {
        if (request.stop)
            throw models::Cancelled();
        progress(request, "decoder", 0, 1);
        std::vector<int> ids;
        answer.text = transcript(network, features, ids);
        answer.hasText = true;
        progress(request, "decoder", 1, 1);
    }
    if (request.stop)
        throw models::Cancelled();
    if (params.states) {
        m_outgoing.array(request.id, "features", tensorOf(features).view());
        m_outgoing.array(request.id, "encoder_output", tensorOf(result.encoderOutput).view());
    }
    answer.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
    return answer;
}

protocol::TranscribeResult Handlers::transcribe(const Request& request, const protocol::Transcribe& params) {
    auto& network = model(params.model);
    refuseWithoutText(network.info(), network.info().name);
    const ModelSource source = sourceOf(request, network.info(), params.source);
    protocol::TranscribeResult answer;
    progress(request, "decoder", 0, 1);
    answer.text = transcript(network, source.features, answer.ids);
    progress(request, "decoder", 1, 1);
    if (request.stop)
        throw models::Cancelled();
    return answer;
}

Handlers::WordSource Handlers::wordSource(const Request& request, const protocol::ModelHandle& handle, const std::string& source) {
    auto& network = model(handle);
    Matrix<float> features = sourceOf(request, network.info(), source).features;
    progress(request, "decoder", 0, 1);
    return {network, std::move(features),
            [this, id = request.id](const std::string& name, const TensorView& array) { m_outgoing.array(id, name, array); }};
}

protocol::WordsResult Handlers::words(const Request& request, const protocol::Words& params) {
    const auto [network, features, send] = wordSource(request, params.model, params.source);
    auto answer = params.nBest > 1 ? findBestWords(network, features, params.nBest, send, &request.stop, params.explain)
                                   : findWords(network, features, params.text, send, &request.stop, params.explain);
    progress(request, "decoder", 1, 1);
    if (request.stop)
        throw models::Cancelled();
    return answer;
}

protocol::WordMixingResult Handlers::wordMixing(const Request& request, const protocol::WordMixing& params) {
    const auto [network, features, send] = wordSource(request, params.model, params.source);
    auto answer = measureWords(network, features, params, send, &request.stop);
    progress(request, "decoder", 1, 1);
    return answer;
}

protocol::AlignResult Handlers::align(const Request& request, const protocol::Align& params) {
    const auto samples = samplesOf(request);
    if (!m_aligner) {
        const auto folder = builtInAlignerFolder();
        if (folder.empty())
            throw Error("aligner.missing", "The built-in aligner is not installed with the worker.");
        m_aligner = Aligner::open(folder);
    }
    const auto duration = kModelSampleRate.duration(Samples(static_cast<std::int64_t>(samples.size())));
    const auto found =
        m_aligner->align(modelFeatures(samples), duration, spokenPhones(params.text));
    if (request.stop)
        throw models::Cancelled();
    protocol::AlignResult answer;
    answer.words = labelsOf(found.alignment.words);
    answer.phones = labelsOf(found.alignment.phones);
    answer.origin = found.alignment.origin;
    answer.confidence = found.confidence;
    for (const auto& warning : found.alignment.warnings)
        answer.warnings.push_back({warning.code, warning.sentence});
    return answer;
}

models::SpeechModel& Handlers::model(const protocol::ModelHandle& handle) {
    const auto found =
        handle.is_number_integer() ? m_models.find(handle.get<std::int64_t>()) : m_models.end();
    if (found == m_models.end())
        throw BadParams("No model is open under the handle " + handle.dump() + ".");
    return *found->second;
}

std::string Handlers::transcript(models::SpeechModel& network, const Matrix<float>& features,
                                 std::vector<int>& ids) const {
    ids = network.greedy(features);
    return Tokenizer(network.info().tokenizer).decode(ids);
}

void Handlers::progress(const Request& request, const char* stage, std::int64_t done, std::int64_t total) {
    m_outgoing.notify(protocol::RequestProgress{request.id, stage, done, total});
}

} // namespace headroom::training
