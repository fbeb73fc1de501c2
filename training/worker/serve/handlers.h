// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "models/networks/speech_model.h"
#include "training/analysis/find_words.h"
#include "training/alignment/aligner.h"
#include "training/worker/serve/outgoing.h"
#include "training/worker/serve/request.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace headroom::training {

/// Performs the requests on the open models. Used only by the thread of requests.
class Handlers {
public:
    explicit Handlers(Outgoing& outgoing) : m_outgoing(outgoing) {}

    static bool knows(const std::string& method) { return methods().contains(method); }
    /// Performs the request and responds with a result or an error; never throws.
    void run(const Request& request);

private:
    using Method = std::function<nlohmann::json(Handlers&, const Request&)>;
    static const std::map<std::string, Method>& methods(); ///< every request that can be performed, by its name

    // Each performs one request and returns its result; throws what run() makes an error answer of.
    protocol::OpenModelResult openModel(const Request& request, const protocol::OpenModel& params);
    nlohmann::json closeModel(const Request& request, const protocol::CloseModel& params);
    protocol::AnalyseResult analyse(const Request& request, const protocol::Analyse& params);
    protocol::TranscribeResult transcribe(const Request& request, const protocol::Transcribe& params);
    /// What the words of a request are found with.
    struct WordSource {
        models::SpeechModel& network;
        Matrix<float> features;
        ArraySink send;
    };
    WordSource wordSource(const Request& request, const protocol::ModelHandle& handle, const std::string& source);
    protocol::WordsResult words(const Request& request, const protocol::Words& params);
    protocol::WordMixingResult wordMixing(const Request& request, const protocol::WordMixing& params);
    protocol::AlignResult align(const Request& request, const protocol::Align& params);

    models::SpeechModel& model(const protocol::ModelHandle& handle);
    std::string transcript(models::SpeechModel& model, const Matrix<float>& features,
                           std::vector<int>& ids) const;
    void progress(const Request& request, const char* stage, std::int64_t done, std::int64_t total);

    Outgoing& m_outgoing;
    std::map<std::int64_t, std::unique_ptr<models::SpeechModel>> m_models;
    std::int64_t m_lastModel = 0;
    std::unique_ptr<Aligner> m_aligner; ///< the built-in one, opened on first use
};

/// The result of `initialize`.
protocol::InitializeResult describeWorker();

} // namespace headroom::training
