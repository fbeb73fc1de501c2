// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "models/networks/speech_model.h"
#include "training/alignment/aligner.h"
#include "training/worker/serve/job.h"
#include "training/worker/serve/outgoing.h"

#include <map>
#include <memory>

namespace headroom::training {

/// Performs the requests on the open models. Used only by the job thread.
class Handlers {
public:
    explicit Handlers(Outgoing& outgoing) : m_outgoing(outgoing) {}

    static bool knows(const std::string& method);
    /// Performs the job and responds with a result or an error; never throws.
    void run(const Job& job);

private:
    // Each reads its parameters and gives its result; throws what run() makes an error answer of.
    nlohmann::json resultOf(const Job& job);
    protocol::OpenModelResult openModel(const Job& job, const protocol::OpenModel& request);
    nlohmann::json closeModel(const protocol::CloseModel& request);
    protocol::AnalyseResult analyse(const Job& job, const protocol::Analyse& request);
    protocol::TranscribeResult transcribe(const Job& job, const protocol::Transcribe& request);
    protocol::AlignResult align(const Job& job, const protocol::Align& request);

    models::SpeechModel& model(const protocol::ModelHandle& handle);
    std::string transcript(models::SpeechModel& model, const Matrix<float>& features,
                           std::vector<int>& ids) const;
    void progress(const Job& job, const char* stage, std::int64_t done, std::int64_t total);

    Outgoing& m_outgoing;
    std::map<std::int64_t, std::unique_ptr<models::SpeechModel>> m_models;
    std::int64_t m_lastModel = 0;
    std::unique_ptr<Aligner> m_aligner; ///< the built-in one, opened on first use
};

/// The result of `initialize`.
protocol::InitializeResult describeWorker();

} // namespace headroom::training
