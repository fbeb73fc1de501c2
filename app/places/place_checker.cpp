// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/place_checker.h"

#include "app/documents/items/paths.h"

#include <nlohmann/json.hpp>

namespace headroom::app {

using nlohmann::json;

PlaceChecker::PlaceChecker(QObject* parent) : QObject(parent) {
    connect(&m_task, &WorkerTask::ended, this, &PlaceChecker::show);
}

void PlaceChecker::test(const Place& place) {
    beginUnlisted(place, Work::Test);
}

void PlaceChecker::install(const Place& place) {
    beginUnlisted(place, Work::Install);
}

void PlaceChecker::beginUnlisted(const Place& place, Work work) {
    const std::filesystem::path file = toPath(m_folder.filePath(QStringLiteral("places.json")));
    writePlaces(file, {place});
    begin(QString::fromStdString(place.name), work, {QStringLiteral("HEADROOM_PLACES=") + toQString(file)});
}

void PlaceChecker::removeWorker(const QString& place) {
    begin(place, Work::Remove, {});
}

void PlaceChecker::begin(const QString& place, Work work, const QStringList& environment) {
    cancel();
    m_work = work;
    QStringList words{QStringLiteral("places"), work == Work::Test ? QStringLiteral("test") : QStringLiteral("install"), place,
                      QStringLiteral("--json")};
    if (work == Work::Remove)
        words << QStringLiteral("--remove");
    m_task.start(words, environment);
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
    QString failed;
    for (const json& line : document["checks"]) {
        const QString state = text(line, "state");
        checks << Check{state == QLatin1String("passed")   ? Check::State::Passed
                        : state == QLatin1String("remark") ? Check::State::Remark
                        : state == QLatin1String("failed") ? Check::State::Failed
                                                           : Check::State::Unknown,
                        text(line, "what"), text(line, "value"), text(line, "sentence")};
        if (checks.back().state == Check::State::Failed && failed.isEmpty())
            failed = checks.back().name;
        if (checks.back().state == Check::State::Unknown && !failed.isEmpty()) // it cannot be asked before that is mended
            checks.back().value = tr("after %1").arg(failed);
    }
    return checks;
}

void PlaceChecker::show(const WorkerTask::End& end) {
    const QList<Check> checks = checksIn(end.output);
    bool usable = !checks.isEmpty();
    QString sentence;
    for (const Check& check : checks) {
        usable = usable && check.state != Check::State::Failed;
        if (sentence.isEmpty() || (check.state == Check::State::Failed))
            if (!check.toolTip.isEmpty())
                sentence = check.toolTip;
    }
    if (checks.isEmpty())
        sentence = end.sentence;
    else if (sentence.isEmpty() && m_work == Work::Remove)
        sentence = tr("The worker was removed. Runs, data and models are kept there.");
    else if (sentence.isEmpty())
        sentence = tr("Everything that a run needs is there.");
    Q_EMIT finished(usable, checks, sentence);
}

} // namespace headroom::app
