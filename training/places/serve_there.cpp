// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/serve_there.h"

#include "core/errors/display_name.h"
#include "core/protocol/framing.h"
#include "core/protocol/messages.h"
#include "core/protocol/rpc.h"
#include "core/protocol/sounds.h"
#include "core/tensors/sha256.h"
#include "core/tensors/write_all.h"
#include "training/places/advice.h"
#include "training/places/connection.h"
#include "training/places/copy_there.h"
#include "training/places/worker_start.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <iostream>
#include <map>
#include <poll.h>
#include <unistd.h>

namespace headroom::training {

namespace {

using nlohmann::json;

constexpr int kSshEndedServe = 255;
constexpr std::size_t kMostBanner = 1u << 16;

class ServeRelay {
public:
    ServeRelay(const Place& place, const std::string& device, int input, int output)
        : m_place(place)
        , m_input(input)
        , m_output(output)
        , m_process(wordsAt(place, workerAt(place, {"serve", "--device", device}))) {
        ::signal(SIGPIPE, SIG_IGN);
    }

    int run() {
        for (;;) {
            const bool open = m_process.read(std::chrono::milliseconds(1000), m_inputEnded ? -1 : m_input);
            passBack();
            if (m_gone)
                return 1;
            if (m_process.status() && !open)
                return end();
            if (m_process.status() && m_process.out().empty()) { // ssh's connection may keep the streams
                m_process.read(std::chrono::milliseconds(0));
                passBack();
                return end();
            }
            if (!m_inputEnded)
                passOn();
        }
    }

private:
    int end() {
        const int status = *m_process.status();
        const std::string& said = m_process.err();
        if (status == kSshEndedServe && m_place.isRemote())
            std::cerr << problemOf(m_place, said).what() << std::endl;
        else if (const std::string why = m_begun ? std::string() : whyNoWorker(m_place, said); !why.empty())
            std::cerr << "headroom-worker does not start at " << m_place.name << ". " << why << std::endl;
        else
            std::cerr << validText(said) << std::endl;
        return m_inputEnded && status == 0 ? 0 : 1;
    }

    /// From there. A greeting of the login shell is passed over.
    void passBack() {
        std::string& bytes = m_process.out();
        if (!m_begun) {
            const auto start = bytes.find("Content-");
            if (start == std::string::npos) {
                if (bytes.size() > kMostBanner)
                    bytes.clear();
                return;
            }
            bytes.erase(0, start);
            m_begun = true;
        }
        if (!m_met)
            meet(bytes);
        writeBack(bytes);
        bytes.clear();
    }
    /// Looks for the answer to `initialize`, the first that comes: it says which version there is.
    void meet(std::string_view bytes) {
        m_answers.push(bytes);
        while (auto frame = m_answers.next()) {
            const json* message = std::get_if<json>(&*frame);
            const json result = message && message->is_object() ? message->value("result", json()) : json();
            if (!result.is_object())
                continue;
            m_met = true;
            return checkWorkerVersion(m_place, result.value("version", json()).is_string() ? result["version"].get<std::string>() : std::string());
        }
    }
    void writeBack(std::string_view bytes) { m_gone = m_gone || !writeAll(m_output, bytes); }

    /// From the window: whole frames.
    void passOn() {
        pollfd waiting{m_input, POLLIN, 0};
        while (::poll(&waiting, 1, 0) > 0) {
            std::array<char, 1 << 16> bytes;
            const ssize_t count = ::read(m_input, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0) {
                m_inputEnded = true;
                m_process.closeInput();
                return;
            }
            m_reader.push({bytes.data(), static_cast<std::size_t>(count)});
            while (auto frame = m_reader.next())
                if (auto* array = std::get_if<protocol::ArrayFrame>(&*frame))
                    takeArray(std::move(*array));
                else
                    takeMessage(std::get<json>(*frame));
        }
    }
    void takeArray(protocol::ArrayFrame&& frame) {
        if (frame.name == "samples") // until it is known whether it is there
            m_samples[frame.request] = std::move(frame.tensor);
        else
            m_process.write(protocol::encodeArray(frame.request, frame.name, frame.tensor.view()));
    }
    void takeMessage(json message) {
        const json id = message.value("id", json());
        const json params = message.value("params", json());
        const json folder = params.is_object() ? params.value("folder", json()) : json();
        std::error_code ignored; // what is no folder here is refused by the worker there
        if (message.value("method", json()) == protocol::OpenModel::kMethod && folder.is_string() &&
            std::filesystem::is_directory(folder.get<std::string>(), ignored)) {
            try {
                static const std::atomic<bool> never{false};
                message["params"]["folder"] = copyThere(
                    m_place, folder.get<std::string>(), "models", [](double, const std::string&) {}, never);
            } catch (const Error& error) {
                return writeBack(protocol::encodeMessage(
                    protocol::failureMessage(id, {static_cast<int>(protocol::ErrorCode::BadInput),
                                                  error.what(), error.code(), error.values()})));
            }
        }
        if (id.is_number_integer())
            if (const auto found = m_samples.find(id.get<std::int64_t>()); found != m_samples.end()) {
                const std::string hash = sha256OfBytes(std::as_bytes(std::span(found->second.bytes)));
                if (m_sounds.remember(hash, found->second.bytes.size()))
                    m_process.write(protocol::encodeArray(found->first, "samples", found->second.view()));
                if (params.is_object())
                    message["params"][protocol::kSoundKey] = hash;
                m_samples.erase(found);
            }
        m_process.write(protocol::encodeMessage(message));
    }

    Place m_place;
    int m_input, m_output;
    ChildProcess m_process;
    protocol::FrameReader m_reader, m_answers; ///< from the window; from there, until it is known who answers
    std::map<std::int64_t, Tensor> m_samples; ///< by request
    protocol::SoundList m_sounds;
    bool m_begun = false, m_met = false, m_inputEnded = false, m_gone = false;
};

} // namespace

int serveThere(const Place& place, const std::string& device, int input, int output) {
    runAt(place, {"true"}); // a sentence, rather than a worker that ended
    Place host = place;
    if (host.kind == Place::Kind::Slurm && host.device != "cpu") { // the login host, outside any job
        host.kind = Place::Kind::Ssh;
        host.device = "auto";
    }
    return ServeRelay(place, device.empty() ? deviceOfProcess(host) : device, input, output).run();
}

} // namespace headroom::training
