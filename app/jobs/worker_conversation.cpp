// SPDX-License-Identifier: GPL-3.0-or-later
// What WorkerProcess says and hears: core/protocol/README.md.
#include "app/jobs/worker_process.h"

#include <QCoreApplication>
#include <QPointer>

namespace headroom::app {

namespace {

using nlohmann::json;

constexpr int kNotInitialized = -32001;
constexpr int kCancelled = -32800;
constexpr int kInternal = -32603;

json valueOf(const json& object, const char* key) {
    return object.is_object() && object.contains(key) ? object.at(key) : json();
}

QString textOf(const json& object, const char* key) {
    const json value = valueOf(object, key);
    return value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
}

double numberOf(const json& object, const char* key) {
    const json value = valueOf(object, key);
    return value.is_number() ? value.get<double>() : 0.0;
}

} // namespace

bool WorkerReply::wasCancelled() const {
    return errorCode == kCancelled;
}
bool WorkerReply::workerStopped() const {
    return code == QLatin1String("worker.stopped");
}

RequestId WorkerProcess::request(Request request) {
    const RequestId id = ++m_lastId;
    if (m_state == State::Ready) {
        send(id, request);
        m_open[id] = {std::move(request), {}};
    } else if (m_state == State::Starting) {
        m_waiting.emplace_back(id, std::move(request));
    } else {
        WorkerReply reply;
        reply.errorCode = kInternal;
        reply.code = QStringLiteral("worker.stopped");
        reply.sentence = m_sentence.isEmpty() ? tr("The worker is not running.") : m_sentence;
        QMetaObject::invokeMethod(
            this,
            [finished = std::move(request.finished), reply] {
                if (finished)
                    finished(reply);
            },
            Qt::QueuedConnection);
    }
    return id;
}

void WorkerProcess::cancel(RequestId id) {
    if (m_open.contains(id)) {
        write(protocol::encodeMessage(
            {{"jsonrpc", "2.0"}, {"method", "cancel"}, {"params", {{"request", id}}}}));
        return;
    }
    for (auto waiting = m_waiting.begin(); waiting != m_waiting.end(); ++waiting)
        if (waiting->first == id) {
            WorkerReply reply;
            reply.errorCode = kCancelled;
            reply.code = QStringLiteral("cancelled");
            const auto finished = std::move(waiting->second.finished);
            m_waiting.erase(waiting);
            QMetaObject::invokeMethod(
                this,
                [finished, reply] {
                    if (finished)
                        finished(reply);
                },
                Qt::QueuedConnection);
            return;
        }
}

void WorkerProcess::send(RequestId id, const Request& request) {
    for (const auto& [name, tensor] : request.arrays)
        write(protocol::encodeArray(id, name, tensor.view()));
    write(protocol::encodeMessage(
        {{"jsonrpc", "2.0"}, {"id", id}, {"method", request.method}, {"params", request.parameters}}));
}

void WorkerProcess::write(const std::string& bytes) {
    if (m_process)
        m_process->write(bytes.data(), static_cast<qint64>(bytes.size()));
}

void WorkerProcess::greet() {
    Request hello;
    hello.method = "initialize";
    hello.parameters = {{"protocol", protocol::kVersion},
                        {"client", "headroom " + QCoreApplication::applicationVersion().toStdString()}};
    hello.finished = [this](const WorkerReply& reply) { greeted(reply); };
    const RequestId id = ++m_lastId;
    send(id, hello);
    m_open[id] = {std::move(hello), {}};
}

void WorkerProcess::greeted(const WorkerReply& reply) {
    if (m_state != State::Starting || reply.workerStopped())
        return;
    m_handshakeTimer.stop();
    const json spoken = reply.ok() ? valueOf(reply.result, "protocol") : valueOf(reply.values, "protocol");
    if (reply.errorCode == kNotInitialized || (reply.ok() && spoken != protocol::kVersion)) {
        giveUp(
            tr("The worker uses protocol %1 and this window protocol %2. They are from different "
               "versions of Headroom. Install the same version of both.")
                .arg(spoken.is_number_integer() ? QString::number(spoken.get<int>()) : tr("version mismatch"))
                .arg(protocol::kVersion));
        return;
    }
    if (!reply.ok()) {
        giveUp(tr("The worker could not start: %1").arg(reply.sentence));
        return;
    }
    m_identity = {};
    m_identity.protocol = protocol::kVersion;
    m_identity.version = textOf(reply.result, "version");
    m_identity.build = textOf(reply.result, "build");
    m_identity.threads = static_cast<int>(numberOf(reply.result, "threads"));
    m_identity.memoryBytes = numberOf(reply.result, "memoryBytes");
    for (const json& device : valueOf(reply.result, "devices"))
        m_identity.devices << textOf(device, "name") + QStringLiteral(": ") + textOf(device, "description");
    setState(State::Ready);
    while (!m_waiting.empty() && m_state == State::Ready) {
        auto [id, request] = std::move(m_waiting.front());
        m_waiting.pop_front();
        send(id, request);
        m_open[id] = {std::move(request), {}};
    }
    Q_EMIT started();
}

void WorkerProcess::readOutput() {
    if (!m_process || !m_malformed.isEmpty())
        return;
    const QPointer<QProcess> process = m_process;
    const QByteArray bytes = m_process->readAllStandardOutput();
    try {
        m_frames.push({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        while (auto frame = m_frames.next()) {
            take(std::move(*frame));
            if (m_process != process)
                return; // what it said ended it
        }
    } catch (const Error& malformed) {
        // The stream cannot be read any further. processEnded() tells the user.
        m_malformed = tr("invalid protocol data (%1)").arg(QString::fromUtf8(malformed.what()));
        m_process->kill();
    }
}

void WorkerProcess::take(protocol::Frame frame) {
    if (auto* array = std::get_if<protocol::ArrayFrame>(&frame)) {
        if (const auto open = m_open.find(array->request); open != m_open.end())
            open->second.arrays[array->name] = std::move(array->tensor);
        return; // of a request that is over: worth nothing
    }
    const json& message = std::get<json>(frame);
    if (message.contains("method"))
        takeNotification(message);
    else
        takeAnswer(message);
}

void WorkerProcess::takeNotification(const json& message) {
    const json parameters = valueOf(message, "params");
    const json request = valueOf(parameters, "request");
    if (!message["method"].is_string() || !request.is_number_integer())
        return; // unknown to this window; a newer worker may say more
    const auto open = m_open.find(request.get<RequestId>());
    if (open == m_open.end() || !open->second.request.notified)
        return;
    const bool carriesArrays = message["method"] != "progress";
    const auto notified = open->second.request.notified; // a copy: it may cancel, stop, or ask again
    notified(message["method"].get<std::string>(), parameters,
             carriesArrays ? std::exchange(open->second.arrays, {}) : NamedTensors());
}

void WorkerProcess::takeAnswer(const json& message) {
    const json id = valueOf(message, "id");
    if (!id.is_number_integer())
        return;
    const auto open = m_open.find(id.get<RequestId>());
    if (open == m_open.end())
        return;
    WorkerReply reply;
    reply.arrays = std::move(open->second.arrays);
    const json error = valueOf(message, "error");
    if (error.is_object()) {
        const json code = valueOf(error, "code"), data = valueOf(error, "data");
        reply.errorCode = code.is_number_integer() && code != 0 ? code.get<int>() : kInternal;
        reply.sentence = textOf(error, "message");
        reply.code = textOf(data, "code");
        reply.values = valueOf(data, "values");
    } else {
        reply.result = valueOf(message, "result");
    }
    answer(id.get<RequestId>(), reply);
}

void WorkerProcess::answer(RequestId id, const WorkerReply& reply) {
    const auto finished = std::move(m_open.at(id).request.finished);
    m_open.erase(id);
    if (finished)
        finished(reply);
}

void WorkerProcess::answerAll(const QString& sentence) {
    WorkerReply reply;
    reply.errorCode = kInternal;
    reply.code = QStringLiteral("worker.stopped");
    reply.sentence = sentence;
    auto open = std::exchange(m_open, {});
    // What still waits for a handshake goes to the next worker, unless there will be none.
    auto waiting = m_state == State::Starting ? std::deque<std::pair<RequestId, Request>>()
                                              : std::exchange(m_waiting, {});
    for (auto& [id, request] : open)
        if (request.request.finished)
            request.request.finished(reply);
    for (auto& [id, request] : waiting)
        if (request.finished)
            request.finished(reply);
}

} // namespace headroom::app
