// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/framing.h"
#include "tests/training/worker/worker_program.h"

#include <QElapsedTimer>
#include <QProcess>

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace headroom::testing {

/// The window's side of the conversation.
class Conversation {
public:
    explicit Conversation(const QStringList& arguments = {"serve"}, const QString& program = kWorker) {
        m_process.start(program, arguments);
        m_process.waitForStarted(120000);
    }
    ~Conversation() {
        if (m_process.state() != QProcess::NotRunning)
            m_process.kill();
        m_process.waitForFinished();
    }

    void write(const std::string& bytes) {
        m_process.write(bytes.data(), static_cast<qint64>(bytes.size()));
        m_process.waitForBytesWritten(120000);
    }
    void request(int id, const std::string& method, const nlohmann::json& params = nlohmann::json::object()) {
        write(protocol::encodeMessage(
            {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}));
    }
    void notify(const std::string& method, const nlohmann::json& params = nlohmann::json::object()) {
        write(protocol::encodeMessage({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}));
    }
    void samples(int id, double seconds) {
        const auto values = sound(seconds);
        write(protocol::encodeArray(id, "samples",
                                    Tensor::of<float>({std::int64_t(values.size())}, values).view()));
    }

    /// Reads until the answer to `id`; what comes before is kept.
    nlohmann::json answer(const nlohmann::json& id) {
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 300000) {
            while (auto frame = m_reader.next()) {
                if (auto* array = std::get_if<protocol::ArrayFrame>(&*frame)) {
                    arrays[array->request][array->name] = std::move(array->tensor);
                    continue;
                }
                auto message = std::get<nlohmann::json>(*frame);
                if (!message.contains("id"))
                    notifications.push_back(std::move(message));
                else if (message["id"] == id)
                    return message;
                else
                    others.push_back(std::move(message));
            }
            if (!m_process.waitForReadyRead(120000) && m_process.state() == QProcess::NotRunning)
                break;
            m_reader.push(m_process.readAllStandardOutput().toStdString());
        }
        return {};
    }
    nlohmann::json call(int id, const std::string& method,
                        const nlohmann::json& params = nlohmann::json::object()) {
        request(id, method, params);
        return answer(id);
    }
    nlohmann::json initialize() {
        return call(1, "initialize", {{"protocol", protocol::kVersion}, {"client", "test"}});
    }
    int openModel() {
        initialize();
        return call(2, "openModel", {{"folder", kModel.toStdString()}})["result"]["model"].get<int>();
    }
    /// −1: it did not end by itself.
    int status() {
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(120000))
            return -1;
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    void closeInput() { m_process.closeWriteChannel(); }
    std::string log() { return m_process.readAllStandardError().toStdString(); }

    std::map<std::int64_t, std::map<std::string, Tensor>> arrays;
    std::vector<nlohmann::json> notifications, others;

private:
    QProcess m_process;
    protocol::FrameReader m_reader;
};

} // namespace headroom::testing
