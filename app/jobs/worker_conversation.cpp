// SPDX-License-Identifier: GPL-3.0-or-later
// What WorkerProcess says and hears: core/protocol/README.md.
#include "app/jobs/worker_process.h"

#include <QCoreApplication>
#include <QPointer>

namespace headroom::app {

namespace {

using nlohmann::json;

constexpr int kNotInitialized = static_cast<int>(protocol::ErrorCode::NotInitialized);
constexpr int kCancelled = static_cast<int>(protocol::ErrorCode::Cancelled);
constexpr int kInternal = static_cast<int>(protocol::ErrorCode::Internal);

json valueOf(const json& object, const char* key) {
    return object.is_object() && object.contains(key) ? object.at(key) : json();
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
    } else if (m_state == State::Starting || (m_state == State::Stopping && m_startAgain)) {
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
            protocol::notificationMessage(protocol::Cancel::kMethod, protocol::Cancel{id}.toJson())));
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
    write(protocol::encodeMessage(protocol::requestMessage(id, request.method, request.parameters)));
}

void WorkerProcess::write(const std::string& bytes) {
    if (m_process)
        m_process->write(bytes.data(), static_cast<qint64>(bytes.size()));
}

void WorkerProcess::greet() {
    Request hello(protocol::Initialize{protocol::kVersion,
                                       "headroom " + QCoreApplication::applicationVersion().toStdString()});
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
    try {
        const auto worker = protocol::InitializeResult::from(reply.result);
        m_identity.protocol = worker.protocol;
        m_identity.version = QString::fromStdString(worker.version);
        m_identity.build = QString::fromStdString(worker.build);
        m_identity.threads = worker.threads;
        m_identity.memoryBytes = static_cast<double>(worker.memoryBytes);
        for (const auto& device : worker.devices)
            m_identity.devices << QString::fromStdString(device.name + ": " + device.description);
    } catch (const Error& mistake) {
        giveUp(tr("The worker's first answer cannot be used: %1").arg(QString::fromUtf8(mistake.what())));
        return;
    }
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
    const bool carriesArrays = message["method"] != protocol::RequestProgress::kMethod;
    const auto notified = open->second.request.notified; // a copy: it may cancel, stop, or ask again
    notified(message["method"].get<std::string>(), parameters,
             carriesArrays ? std::exchange(open->second.arrays, {}) : NamedTensors());
}

void WorkerProcess::takeAnswer(const json& message) {
    auto read = protocol::readAnswer(message);
    if (!read)
        return;
    const auto open = m_open.find(read->id);
    if (open == m_open.end())
        return;
    WorkerReply reply;
    reply.arrays = std::move(open->second.arrays);
    if (read->failure) {
        reply.errorCode = read->failure->code;
        reply.sentence = QString::fromStdString(read->failure->sentence);
        reply.code = QString::fromStdString(read->failure->dataCode);
        reply.values = std::move(read->failure->values);
    } else {
        reply.result = std::move(read->result);
    }
    answer(read->id, reply);
}

void WorkerProcess::answer(RequestId id, const WorkerReply& reply) {
    const auto finished = std::move(m_open.at(id).request.finished);
    m_open.erase(id);
    if (!isBusy()) // whoever goes on in `finished` says with what
        m_activity.clear();
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
