// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/place_checker.h"

#include "app/jobs/worker_location.h"

#include <nlohmann/json.hpp>

namespace headroom::app {

using nlohmann::json;

PlaceChecker::PlaceChecker(QObject* parent) : QObject(parent) {
    m_process.setStandardInputFile(QProcess::nullDevice());
    connect(&m_process, &QProcess::finished, this, &PlaceChecker::end);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT finished(
                false, {},
                tr("%1 could not be started: %2.").arg(m_process.program(), m_process.errorString()));
    });
}

PlaceChecker::~PlaceChecker() {
    m_process.disconnect(this);
    cancel();
    m_process.waitForFinished(2000);
}

void PlaceChecker::start(const QString& place, Work work) {
    cancel();
    m_process.waitForFinished(2000);
    m_cancelled = false;
    const WorkerLocation worker = findWorker();
    if (worker.program.isEmpty()) {
        Q_EMIT finished(false, {}, worker.sentence);
        return;
    }
    m_process.start(worker.program,
                    {QStringLiteral("places"),
                     work == Work::Install ? QStringLiteral("install") : QStringLiteral("test"), place,
                     QStringLiteral("--json")});
}

void PlaceChecker::cancel() {
    m_cancelled = true;
    if (isRunning())
        m_process.kill();
}

QList<Check> PlaceChecker::checksIn(const QByteArray& answer) {
    QList<Check> checks;
    const json document = json::parse(answer.begin(), answer.end(), nullptr, false);
    if (!document.is_object() || !document.value("checks", json()).is_array())
        return checks;
    const auto text = [](const json& object, const char* key) {
        const json value = object.is_object() ? object.value(key, json()) : json();
        return value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
    };
    for (const json& line : document["checks"]) {
        const QString state = text(line, "state");
        checks << Check{state == QLatin1String("passed")   ? Check::State::Passed
                        : state == QLatin1String("remark") ? Check::State::Remark
                        : state == QLatin1String("failed") ? Check::State::Failed
                                                           : Check::State::Unknown,
                        text(line, "what"), text(line, "value"), text(line, "sentence")};
    }
    return checks;
}

void PlaceChecker::end() {
    if (m_cancelled)
        return;
    const QList<Check> checks = checksIn(m_process.readAllStandardOutput());
    bool usable = !checks.isEmpty();
    QString sentence;
    for (const Check& check : checks) {
        usable = usable && check.state != Check::State::Failed;
        if (sentence.isEmpty() || (check.state == Check::State::Failed))
            if (!check.toolTip.isEmpty())
                sentence = check.toolTip;
    }
    if (checks.isEmpty())
        sentence = QString::fromUtf8(m_process.readAllStandardError()).trimmed().section(u'\n', -1);
    else if (sentence.isEmpty())
        sentence = tr("Everything that a run needs is there.");
    Q_EMIT finished(usable, checks, sentence);
}

} // namespace headroom::app
