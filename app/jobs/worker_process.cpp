// SPDX-License-Identifier: GPL-3.0-or-later
// The life of the process. The conversation: worker_conversation.cpp.
#include "app/jobs/worker_process.h"

#include "app/jobs/worker_location.h"

#include <csignal>
#include <QProcessEnvironment>

namespace headroom::app {

namespace {

constexpr qint64 kMinute = 60000;
constexpr std::size_t kLogLines = 200;
constexpr int kLongestLogLine = 4000;

/// A worker at rest needs no more memory than before: whoever kills it has another reason.
QString signalSentence(int number, bool isAtWork) {
    switch (number) {
    case SIGKILL:
        return isAtWork ? WorkerProcess::tr("killed, probably out of memory (signal 9)") : WorkerProcess::tr("killed (signal 9)");
    case SIGSEGV:
        return WorkerProcess::tr("invalid memory access (signal 11)");
    case SIGABRT:
        return WorkerProcess::tr("aborted (signal 6)");
    case SIGILL:
        return WorkerProcess::tr("instruction not supported by this processor (signal 4)");
    case SIGTERM:
        return WorkerProcess::tr("terminated by another program (signal 15)");
    default:
        return WorkerProcess::tr("terminated by signal %1").arg(number);
    }
}

} // namespace

WorkerProcess::WorkerProcess(QObject* parent) : WorkerProcess(Options(), parent) {}

WorkerProcess::WorkerProcess(Options options, QObject* parent)
    : QObject(parent)
    , m_options(std::move(options)) {
    m_handshakeTimer.setSingleShot(true);
    m_ladderTimer.setSingleShot(true);
    m_clock.start();
    connect(&m_ladderTimer, &QTimer::timeout, this, &WorkerProcess::descend);
    connect(&m_handshakeTimer, &QTimer::timeout, this, [this] {
        giveUp(tr("The worker did not respond within %1 s. Models cannot be opened.")
                   .arg(m_options.handshakeMilliseconds / 1000));
    });
}

WorkerProcess::~WorkerProcess() {
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process->kill();
    m_process->waitForFinished(2000);
}

void WorkerProcess::setState(State state) {
    if (m_state == state)
        return;
    m_state = state;
    Q_EMIT stateChanged();
}

qint64 WorkerProcess::processId() const {
    return m_process ? m_process->processId() : 0;
}

QStringList WorkerProcess::logTail() const {
    return QStringList(m_log.begin(), m_log.end());
}

void WorkerProcess::start() {
    if (m_state == State::Stopping) {
        m_startAgain = true;
        return;
    }
    if (m_state != State::Stopped && m_state != State::Failed)
        return;
    m_restarts.clear();
    m_log.clear();
    if (m_process) { // a worker that was given up and is still on its way down
        m_startAgain = true;
        setState(State::Stopping);
        return;
    }
    launch();
}

void WorkerProcess::setPlace(const QString& place) {
    if (m_place == place)
        return;
    m_place = place;
    Q_EMIT stateChanged();
}

void WorkerProcess::setDevice(const QString& device) {
    if (m_device == device)
        return;
    m_device = device;
    Q_EMIT stateChanged();
}

void WorkerProcess::launch() {
    QString program = m_options.program;
    if (program.isEmpty()) {
        const WorkerLocation location = findWorker();
        if (location.program.isEmpty()) {
            giveUp(location.sentence);
            return;
        }
        program = location.program;
    }
    m_sentence.clear();
    m_malformed.clear();
    m_activity.clear();
    m_logLine.clear();
    m_frames = protocol::FrameReader();
    m_rung = 0;
    m_process = new QProcess(this);
    QProcess* process = m_process;
    connect(process, &QProcess::readyReadStandardOutput, this, &WorkerProcess::readOutput);
    connect(process, &QProcess::readyReadStandardError, this, &WorkerProcess::readLog);
    connect(process, &QProcess::finished, this, &WorkerProcess::processEnded);
    connect(process, &QProcess::errorOccurred, this, [this, process, program](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return; // finished() follows
        m_process = nullptr;
        process->deleteLater();
        giveUp(
            tr("%1 could not be started: %2. Models cannot be opened.").arg(program, process->errorString()));
    });
    setState(State::Starting);
    if (m_options.handshakeMilliseconds > 0)
        m_handshakeTimer.start(m_options.handshakeMilliseconds);
    // The worker would start itself a second time to set this (training/worker/main.cpp): 0.14 s.
    auto environment = QProcessEnvironment::systemEnvironment();
    if (!environment.contains(QStringLiteral("OMP_WAIT_POLICY")))
        environment.insert(QStringLiteral("OMP_WAIT_POLICY"), QStringLiteral("PASSIVE"));
    process->setProcessEnvironment(environment);
    QStringList arguments = m_options.arguments;
    if (!m_place.isEmpty())
        arguments << QStringLiteral("--place") << m_place;
    if (!m_device.isEmpty())
        arguments << QStringLiteral("--device") << m_device;
    process->start(program, arguments);
    greet(); // QProcess keeps what is written until the program runs
}

void WorkerProcess::readLog() {
    if (!m_process)
        return;
    m_logLine += m_process->readAllStandardError();
    for (qsizetype end = m_logLine.indexOf('\n'); end >= 0; end = m_logLine.indexOf('\n')) {
        m_log.push_back(
            QString::fromUtf8(m_logLine.left(std::min<qsizetype>(end, kLongestLogLine))).trimmed());
        m_logLine.remove(0, end + 1);
        if (m_log.size() > kLogLines)
            m_log.pop_front();
    }
    if (m_logLine.size() > kLongestLogLine)
        m_logLine.truncate(kLongestLogLine);
}

void WorkerProcess::stop() {
    if (m_state == State::Stopping) {
        m_startAgain = false;
        answerAll(tr("The worker was stopped.")); // what waited for the one after it
        return;
    }
    m_handshakeTimer.stop();
    if (!m_process) {
        setState(State::Stopped);
        return;
    }
    setState(State::Stopping);
    answerAll(tr("The worker was stopped."));
    m_rung = 0;
    descend();
}

/// One rung: close standard input (a worker that listens ends by itself), terminate, kill.
void WorkerProcess::descend() {
    if (!m_process)
        return;
    switch (m_rung++) {
    case 0:
        m_process->closeWriteChannel();
        break;
    case 1:
        m_process->terminate();
        break;
    default:
        m_process->kill();
        return;
    }
    m_ladderTimer.start(m_options.graceMilliseconds);
}

void WorkerProcess::processEnded() {
    readOutput(); // the last words
    readLog();
    if (!m_process)
        return; // they were such that it was given up
    QString sentence = endingSentence();
    const bool wasGreeted = m_state == State::Ready;
    m_process->disconnect(this);
    m_process->deleteLater();
    m_process = nullptr;
    m_handshakeTimer.stop();
    m_ladderTimer.stop();
    if (m_state == State::Stopping || m_state == State::Failed) { // we wanted it so
        const bool again = m_startAgain;
        m_startAgain = false;
        if (m_state == State::Stopping)
            setState(State::Stopped);
        if (again)
            launch();
        else if (m_state == State::Stopped)
            Q_EMIT stopped();
        return;
    }
    if (!wasGreeted) {
        if (!m_log.empty())
            sentence += tr(" Last output: %1").arg(m_log.back());
        giveUp(sentence);
        return;
    }
    m_sentence = sentence;
    restartOrGiveUp();
}

QString WorkerProcess::endingSentence() const {
    const QString when = m_state == State::Starting ? tr("The worker stopped before it responded")
                         : m_activity.isEmpty()     ? tr("The worker stopped")
                                                    : tr("The worker stopped while %1").arg(m_activity);
    QString reason;
    if (!m_malformed.isEmpty())
        reason = m_malformed;
    else if (m_process->exitStatus() == QProcess::CrashExit)
        reason = signalSentence(m_process->exitCode(), isBusy());
    else
        reason = tr("exit status %1").arg(m_process->exitCode());
    return when + QStringLiteral(": ") + reason + QLatin1Char('.');
}

void WorkerProcess::restartOrGiveUp() {
    const qint64 now = m_clock.elapsed();
    while (!m_restarts.empty() && now - m_restarts.front() > kMinute)
        m_restarts.pop_front();
    const QString sentence = m_sentence;
    if (static_cast<int>(m_restarts.size()) >= m_options.restartsPerMinute) {
        giveUp(tr("%1 It stopped %2 times within a minute and will not restart automatically.")
                   .arg(sentence)
                   .arg(m_restarts.size() + 1));
        return;
    }
    m_restarts.push_back(now);
    // Starting first: whoever is told and asks at once must wait for the new worker, not speak to the dead
    // one.
    setState(State::Starting);
    Q_EMIT stoppedUnexpectedly(sentence); // before what follows from it
    answerAll(sentence);
    if (m_state == State::Starting && !m_process)
        launch();
}

void WorkerProcess::giveUp(const QString& sentence) {
    m_handshakeTimer.stop();
    m_sentence = sentence;
    setState(State::Failed);
    answerAll(sentence);
    if (m_process && m_rung == 0)
        descend();
    Q_EMIT failed(sentence);
}

} // namespace headroom::app
