// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/peer_process.h"

#include "core/errors/error.h"
#include "training/processes/child_process.h"

namespace headroom::benchmarks {

PeerProcess::PeerProcess(const std::filesystem::path& python, const std::filesystem::path& script) {
    if (python.empty()) {
        m_problem = "no peer was asked for";
        return;
    }
    try {
        m_child = std::make_unique<training::ChildProcess>(
            std::vector<std::string>{python.string(), script.string()});
    } catch (const Error& error) {
        m_problem = error.what();
        return;
    }
    const nlohmann::json versions = line();
    if (answers())
        m_name = "transformers " + versions.value("transformers", std::string()) + ", torch " +
                 versions.value("torch", std::string()) + " (eager, SDPA)";
}

PeerProcess::~PeerProcess() = default;

nlohmann::json PeerProcess::ask(const std::string& question) {
    if (!answers())
        return nullptr;
    m_child->write(question + "\n");
    return line();
}

void PeerProcess::end() {
    m_child.reset();
}

nlohmann::json PeerProcess::line() {
    std::string& out = m_child->out();
    while (out.find('\n') == std::string::npos)
        if (!m_child->read(std::chrono::seconds(600))) {
            std::string said = m_child->err();
            while (said.ends_with('\n'))
                said.pop_back();
            m_problem = "The peer ended: " + said.substr(said.rfind('\n') + 1) +
                        ". --python names a Python that can import torch and transformers.";
            return nullptr;
        }
    const std::string text = out.substr(0, out.find('\n'));
    out.erase(0, text.size() + 1);
    return nlohmann::json::parse(text);
}

} // namespace headroom::benchmarks
