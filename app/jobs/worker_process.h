// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/framing.h"
#include "core/protocol/messages.h"
#include "core/protocol/rpc.h"

#include <nlohmann/json.hpp>

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headroom::app {

using RequestId = std::int64_t;
using NamedTensors = std::map<std::string, Tensor>;

/// What a request came to.
struct WorkerReply {
    nlohmann::json result; ///< null where it failed
    NamedTensors arrays;   ///< those of the answer; not those already handed out with notifications
    int errorCode = 0;     ///< 0: fine; else JSON-RPC's (core/protocol/README.md)
    QString sentence;      ///< where it failed
    QString code;          ///< stable code, "model.tooLong"; "worker.stopped" where the worker died under it
    nlohmann::json values; ///< numbers of the sentence
    bool ok() const { return errorCode == 0; }
    bool wasCancelled() const;  ///< cancelled by us, or superseded
    bool workerStopped() const; ///< the worker ended before it answered
};

/// What the handshake said.
struct WorkerIdentity {
    int protocol = 0;
    QString version, build;
    QStringList devices; ///< "cpu: This machine, CPU"
    int threads = 0;
    double memoryBytes = 0;
};

/// One `headroom-worker serve` process: started, greeted, spoken to, stopped. Never blocks the window.
///
/// Requests may be made before the worker is ready, also while it stops to start again; they wait for the handshake. When the process dies,
/// stoppedUnexpectedly() gives the sentence for the user, every open request is answered with code "worker.stopped", and the
/// worker is started again, at most three times in a minute; then failed(). Who uses it sends its state again on started().
/// Standard error is a log: the last lines are kept for “Details”. Lives on the window's thread, where its callbacks run.
class WorkerProcess : public QObject {
    Q_OBJECT

public:
    enum class State {
        Stopped,  ///< not started, or stopped by us
        Starting, ///< process started, handshake open
        Ready,
        Stopping, ///< stop() was called, and the process has not ended yet
        Failed,   ///< cannot be started, speaks another version, or died too often; start() tries again
    };
    struct Options {
        QString program; ///< empty: findWorker()
        QStringList arguments{"serve"};
        int handshakeMilliseconds = 20000;
        int graceMilliseconds = 2000; ///< between the steps of stop()
        int restartsPerMinute = 3;
    };
    struct Request {
        Request() = default;
        /// `message`: a request of core/protocol/messages.h.
        template <class Message>
        explicit Request(const Message& message) : method(Message::kMethod)
                                                 , parameters(message.toJson()) {}
        std::string method;
        nlohmann::json parameters = nlohmann::json::object();
        std::vector<std::pair<std::string, Tensor>> arrays;
        std::function<void(WorkerReply)> finished; ///< exactly once, later, never from within request()
        /// `layer`, `progress` …; `arrays` are those that came since the last notification of this request.
        std::function<void(const std::string& method, const nlohmann::json& parameters, NamedTensors arrays)>
            notified;
    };

    explicit WorkerProcess(QObject* parent = nullptr);
    WorkerProcess(Options options, QObject* parent = nullptr);
    ~WorkerProcess()
        override; ///< kills a process that still runs (it holds nothing that is not here): milliseconds

    State state() const { return m_state; }
    QString sentence() const { return m_sentence; } ///< Failed: why
    const WorkerIdentity& identity() const { return m_identity; }
    QStringList logTail() const;
    qint64 processId() const; ///< 0 where none runs

    /// The place of core/places where models are computed; empty: this machine. Counts from the next start.
    void setPlace(const QString& place);
    const QString& place() const { return m_place; }
    /// What computes, as `serve --device` takes it; empty: the CPU. Counts from the next start.
    void setDevice(const QString& device);
    const QString& device() const { return m_device; }
    /// Starts it where it is Stopped or Failed (which forgets the counted restarts).
    void start();
    /// Closes its standard input, then sends SIGTERM, then SIGKILL, each if it has not ended after the grace time. stopped() follows.
    void stop();

    /// Sends a request. Never throws: if there is no worker, `finished` gets the reason.
    RequestId request(Request request);
    /// Asks the worker to stop a request; `finished` follows with wasCancelled(). Ignores an unknown id.
    void cancel(RequestId id);
    bool isBusy() const { return !m_open.empty() || !m_waiting.empty(); }

    /// What the worker is doing, such as “analysing layer 7”, for the sentence if it ends unexpectedly. Set by the one who sent the request.
    void setActivity(const QString& activity) { m_activity = activity; }

Q_SIGNALS:
    void stateChanged();
    void started(); ///< the handshake is done; also after a restart
    void stopped(); ///< by stop()
    /// Died; `sentence`: “The worker stopped while analysing layer 7: …”. It is being started again unless
    /// failed() follows.
    void stoppedUnexpectedly(const QString& sentence);
    void failed(const QString& sentence);

private:
    struct Open {
        Request request;
        NamedTensors arrays;
    };
    void setState(State state);
    void launch();
    void greet();
    void greeted(const WorkerReply& reply);
    void readOutput();
    void readLog();
    void take(protocol::Frame frame);
    void takeAnswer(const nlohmann::json& message);
    void takeNotification(const nlohmann::json& message);
    void send(RequestId id, const Request& request);
    void write(const std::string& bytes);
    void answer(RequestId id, const WorkerReply& reply);
    void answerAll(const QString& sentence);
    void processEnded();
    void restartOrGiveUp();
    void giveUp(const QString& sentence);
    void descend();
    QString endingSentence() const;

    Options m_options;
    State m_state = State::Stopped;
    QString m_sentence, m_activity;
    QString m_malformed; ///< what it sent that is not the protocol; it is being killed for it
    WorkerIdentity m_identity;
    QProcess* m_process = nullptr; ///< one object per process, so that nothing late is taken for the new one
    protocol::FrameReader m_frames;
    std::map<RequestId, Open> m_open;                    ///< sent, not answered
    std::deque<std::pair<RequestId, Request>> m_waiting; ///< wait for the handshake
    RequestId m_lastId = 0;
    QTimer m_handshakeTimer, m_ladderTimer;
    int m_rung = 0;
    bool m_startAgain = false; ///< start() came while it was on its way down
    QElapsedTimer m_clock;
    std::deque<qint64> m_restarts; ///< times of the last restarts, ms of m_clock
    std::deque<QString> m_log;     ///< the last lines of standard error
    QByteArray m_logLine;          ///< the line that is not whole yet
    QString m_place;
    QString m_device; ///< setDevice()
};

} // namespace headroom::app
