// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/serve/handlers.h"

#include "core/features/features.h"
#include "core/text/tokenizer.h"
#include "training/analysis/analysis_arrays.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

namespace headroom::training {

namespace {

/// Parameters that do not fit the method: −32602.
class BadParams : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

const nlohmann::json& parameter(const Job& job, const char* name) {
    const auto found = job.params.find(name);
    if (found == job.params.end())
        throw BadParams("The request " + job.method + " needs the parameter " + name + ".");
    return *found;
}

bool flag(const Job& job, const char* name) {
    const auto found = job.params.find(name);
    if (found == job.params.end())
        return false;
    if (!found->is_boolean())
        throw BadParams("The parameter " + std::string(name) + " must be true or false.");
    return found->get<bool>();
}

std::vector<int> layersOf(const Job& job, std::size_t layerCount) {
    const auto found = job.params.find("layers");
    if (found == job.params.end())
        return {};
    std::vector<int> layers;
    const auto fits = [&](const nlohmann::json& layer) {
        return layer.is_number_unsigned() && layer.get<std::uint64_t>() >= 1 &&
               layer.get<std::uint64_t>() <= layerCount;
    };
    if (!found->is_array() || !std::all_of(found->begin(), found->end(), fits))
        throw BadParams("The parameter layers is a list of numbers from 1 to " + std::to_string(layerCount) +
                        ".");
    for (const auto& layer : *found)
        layers.push_back(layer.get<int>());
    return layers;
}

std::vector<float> samplesOf(const Job& job) {
    const auto found = job.arrays.find("samples");
    if (found == job.arrays.end())
        throw BadParams("The request " + job.method + " needs the array samples.");
    const auto& tensor = found->second;
    if (tensor.dtype != DType::F32 || tensor.shape.size() != 1)
        throw BadParams("The array samples must be one-dimensional f32, 16 kHz mono.");
    auto samples = toFloats(tensor.view());
    if (!std::all_of(samples.begin(), samples.end(), [](float sample) { return std::isfinite(sample); }))
        throw BadParams("The array samples contains numbers that are not finite.");
    return samples;
}

nlohmann::json reportOf(const models::LoadReport& report) {
    auto wrongShape = nlohmann::json::array();
    for (const auto& wrong : report.wrongShape)
        wrongShape.push_back({{"name", wrong.name}, {"expected", wrong.expected}, {"found", wrong.found}});
    return {{"loaded", report.loaded},
            {"missing", report.missing},
            {"unexpected", report.unexpected},
            {"wrongShape", std::move(wrongShape)},
            {"assumed", report.assumed}};
}

} // namespace

bool Handlers::knows(const std::string& method) {
    return method == "openModel" || method == "closeModel" || method == "analyse" || method == "transcribe" ||
           method == "align";
}

void Handlers::run(const Job& job) {
    try {
        if (job.stop)
            throw models::Cancelled();
        if (job.method == "openModel")
            m_outgoing.result(job.id, openModel(job));
        else if (job.method == "closeModel")
            m_outgoing.result(job.id, closeModel(job));
        else if (job.method == "analyse")
            m_outgoing.result(job.id, analyse(job));
        else if (job.method == "align")
            m_outgoing.result(job.id, align(job));
        else
            m_outgoing.result(job.id, transcribe(job));
    } catch (const models::Cancelled&) {
        m_outgoing.error(job.id, RpcError::Cancelled,
                         job.superseded ? "The request was superseded by a newer one."
                                        : "The request was cancelled.",
                         job.superseded ? "superseded" : "cancelled");
    } catch (const BadParams& problem) {
        m_outgoing.error(job.id, RpcError::InvalidParams, problem.what(), "protocol.badParameters");
    } catch (const Error& error) {
        m_outgoing.error(job.id, RpcError::BadInput, error.what(), error.code(), error.values());
    } catch (const std::bad_alloc&) {
        m_outgoing.error(job.id, RpcError::BadInput, "The worker ran out of memory.",
                         "memory.exhausted");
    } catch (const std::exception& problem) {
        m_outgoing.error(job.id, RpcError::Internal,
                         std::string("Internal error in the worker: ") + problem.what(), "internal");
    }
}

nlohmann::json Handlers::openModel(const Job& job) {
    const auto& folder = parameter(job, "folder");
    if (!folder.is_string())
        throw BadParams("The parameter folder must be text.");
    auto opened = models::SpeechModel::open(folder.get<std::string>());
    if (job.stop)
        throw models::Cancelled();
    const auto& info = opened->info();
    nlohmann::json result{
        {"model", ++m_lastModel},
        {"name", info.name},
        {"architecture", nlohmann::json::parse(canonicalText(info.architecture))},
        {"clock", {{"offset", info.clock.offset().value()}, {"step", info.clock.step().value()}}},
        {"maxSourceFrames", info.maxSourceFrames},
        {"parameters", info.parameters},
        {"tensors", info.tensors},
        {"storedAs", info.storedAs},
        {"hash", info.weightsHash},
        {"report", reportOf(info.report)}};
    m_models.emplace(m_lastModel, std::move(opened));
    return result;
}

nlohmann::json Handlers::closeModel(const Job& job) {
    model(job); // an unknown handle is an error
    m_models.erase(job.params["model"].get<std::int64_t>());
    return nlohmann::json::object();
}

nlohmann::json Handlers::analyse(const Job& job) {
    const auto started = std::chrono::steady_clock::now();
    auto& network = model(job);
    models::AnalysisOptions options;
    options.keepAttention = flag(job, "attention");
    options.layers = layersOf(job, network.info().architecture.encoder.layers.size());
    const bool withText = flag(job, "transcribe");
    const auto samples = samplesOf(job);

    progress(job, "features", 0, 1);
    const auto features = modelFeatures(samples);
    progress(job, "features", 1, 1);

    const auto total = static_cast<std::int64_t>(
        options.layers.empty() ? network.info().architecture.encoder.layers.size() : options.layers.size());
    std::int64_t done = 0;
    progress(job, "encoder", 0, total);
    const auto result = network.analyse(
        features, options,
        [&](models::LayerAnalysis&& layer) {
            if (job.stop)
                throw models::Cancelled();
            for (const auto& [name, tensor] : layerArrays(layer))
                m_outgoing.array(job.id, name, tensor.view());
            auto params = layerSummary(layer);
            params["request"] = job.id;
            params["rowSumError"] =
                std::isfinite(layer.rowSumError) ? nlohmann::json(layer.rowSumError) : nlohmann::json();
            m_outgoing.notify("layer", std::move(params));
            progress(job, "encoder", ++done, total);
        },
        &job.stop);

    nlohmann::json answer{{"frames", result.frames}, {"tokens", result.tokens}};
    if (withText && !network.info().tokenizer.empty()) {
        if (job.stop)
            throw models::Cancelled();
        progress(job, "decoder", 0, 1);
        std::vector<int> ids;
        answer["text"] = transcript(network, features, ids);
        progress(job, "decoder", 1, 1);
    }
    if (job.stop)
        throw models::Cancelled();
    m_outgoing.array(job.id, "features", tensorOf(features).view());
    m_outgoing.array(job.id, "encoder_output", tensorOf(result.encoderOutput).view());
    answer["milliseconds"] =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
    return answer;
}

nlohmann::json Handlers::transcribe(const Job& job) {
    auto& network = model(job);
    if (network.info().tokenizer.empty())
        throw Error("model.noTokenizer", "The model " + network.info().name +
                                             " has no SentencePiece model, so its output has no text.");
    const auto samples = samplesOf(job);
    std::vector<int> ids;
    progress(job, "decoder", 0, 1);
    const auto text = transcript(network, modelFeatures(samples), ids);
    progress(job, "decoder", 1, 1);
    if (job.stop)
        throw models::Cancelled();
    return {{"text", text}, {"ids", ids}};
}

nlohmann::json Handlers::align(const Job& job) {
    const auto& text = parameter(job, "text");
    if (!text.is_string())
        throw BadParams("The parameter text must be text.");
    const auto samples = samplesOf(job);
    if (!m_aligner) {
        const auto folder = builtInAlignerFolder();
        if (folder.empty())
            throw Error("aligner.missing", "The built-in aligner is not installed with the worker.");
        m_aligner = Aligner::open(folder);
    }
    const auto duration = kModelSampleRate.duration(Samples(static_cast<std::int64_t>(samples.size())));
    const auto found =
        m_aligner->align(modelFeatures(samples), duration, spokenPhones(text.get<std::string>()));
    if (job.stop)
        throw models::Cancelled();
    const auto tier = [](const std::vector<Interval>& intervals) {
        auto rows = nlohmann::json::array();
        for (const auto& interval : intervals)
            rows.push_back({interval.start.value(), interval.end.value(), interval.label});
        return rows;
    };
    auto warnings = nlohmann::json::array();
    for (const auto& warning : found.alignment.warnings)
        warnings.push_back({{"code", warning.code}, {"sentence", warning.sentence}});
    return {
        {"words", tier(found.alignment.words)},
        {"phones", tier(found.alignment.phones)},
        {"origin", found.alignment.origin},
        {"confidence", std::isfinite(found.confidence) ? nlohmann::json(found.confidence) : nlohmann::json()},
        {"warnings", std::move(warnings)}};
}

models::SpeechModel& Handlers::model(const Job& job) {
    const auto& handle = parameter(job, "model");
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

void Handlers::progress(const Job& job, const char* stage, std::int64_t done, std::int64_t total) {
    m_outgoing.notify("progress", {{"request", job.id}, {"stage", stage}, {"done", done}, {"total", total}});
}

} // namespace headroom::training
