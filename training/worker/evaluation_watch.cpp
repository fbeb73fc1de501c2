// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/evaluation_watch.h"

#include "core/runs/run_folder.h"
#include "training/worker/recordings.h"
#include "training/worker/termination.h"

namespace headroom::training {

namespace {
constexpr std::chrono::milliseconds kProgressPause{500};
} // namespace

EvaluationWatch::EvaluationWatch(EvaluationInfo info, bool found)
    : m_info(std::move(info)), m_begin(std::chrono::steady_clock::now()) {
    std::error_code ignored; // makeFolder() says what is wrong with it
    m_isNew = !std::filesystem::exists(m_info.folder, ignored);
    makeFolder(m_info.folder);
    m_lock = FileLock::tryTake(EvaluationPaths{m_info.folder}.lock(), "output.unwritable");
    if (!m_lock)
        throw Error("evaluation.inUse",
                    m_info.folder.string() + " is being written by another evaluation. Wait for it, or choose another folder.",
                    {{"folder", m_info.folder.string()}});
    if (!found)
        clearRequest(m_info.folder);
    catchTermination();
    write();
}

EvaluationWatch::~EvaluationWatch() {
    if (m_lock) { // an exception that nobody named: the progress stays, and reads as interrupted
        std::error_code ignored;
        if (m_goes) // under the lock: the next evaluation into it writes its own
            finished();
        m_lock.reset();
        std::filesystem::remove(EvaluationPaths{m_info.folder}.lock(), ignored);
        if (m_goes)
            std::filesystem::remove(m_info.folder, ignored);
    }
}

void EvaluationWatch::write() {
    m_written = std::chrono::steady_clock::now();
    m_info.seconds = std::chrono::duration<double>(m_written - m_begin).count();
    writeProgress(m_info);
}

void EvaluationWatch::progress(std::int64_t done, std::int64_t total) {
    m_decodes = true;
    m_info.done = done;
    m_info.total = total;
    if (terminationFlag().load() || requestOf(m_info.folder) == RunRequest::Stop)
        m_stop = true;
    if (std::chrono::steady_clock::now() - m_written > kProgressPause)
        write();
}

void EvaluationWatch::stopped() {
    m_info.state = EvaluationInfo::State::Stopped;
    clearRequest(m_info.folder);
    write();
}

void EvaluationWatch::failed(const std::string& sentence) {
    m_info.state = EvaluationInfo::State::Failed;
    m_info.error = sentence;
    write();
}

void EvaluationWatch::refused(const std::string& sentence) {
    if (m_isNew && !m_decodes)
        m_goes = true;
    else
        failed(sentence);
}

void EvaluationWatch::finished() {
    std::error_code ignored;
    std::filesystem::remove(EvaluationPaths{m_info.folder}.progress(), ignored);
    clearRequest(m_info.folder);
}

} // namespace headroom::training
