// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_item.h"

#include "app/documents/items/open_utterance.h"
#include "app/documents/items/paths.h"
#include "app/places/contact_text.h"
#include "app/runs/run_reading.h"
#include "app/studies/study_names.h"
#include "app/studies/study_settings.h"
#include "core/runs/file_lock.h"
#include "core/studies/settings_text.h"
#include "widgets/look/translate.h"

#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLogTailBytes = 4096;

/// Differs from version to version of a document: each is a file of its own, for two may be written in the same tick of the clock.
/// 0: there is none.
std::int64_t changeOf(const fs::path& file) {
    struct stat about {};
    if (::stat(file.c_str(), &about) != 0)
        return 0;
    const auto when = static_cast<std::uint64_t>(about.st_mtim.tv_sec) * 1000000000U + static_cast<std::uint64_t>(about.st_mtim.tv_nsec);
    return static_cast<std::int64_t>(when * 31U + about.st_ino);
}

/// A process that ended and that nobody waited for still has its number.
bool isAlive(qint64 process) {
    if (process <= 0 || ::kill(static_cast<pid_t>(process), 0) != 0)
        return false;
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string text((std::istreambuf_iterator<char>(stat)), {});
    const auto name = text.rfind(')');
    return name == std::string::npos || name + 2 >= text.size() || text[name + 2] != 'Z';
}

/// The last line that a process wrote; what it was called by is left out.
QString lastWords(const fs::path& folder) {
    QString last;
    for (const QString& line : QString::fromStdString(tailOf(studyLog(folder), kLogTailBytes)).split(u'\n'))
        if (!line.trimmed().isEmpty())
            last = line.trimmed();
    const QString prefix = QStringLiteral("headroom-worker: ");
    return last.startsWith(prefix) ? last.mid(prefix.size()) : last;
}

StudyItem::State stateOf(RunState state) {
    switch (state) {
    case RunState::Running:
        return StudyItem::State::Running;
    case RunState::Stopped:
        return StudyItem::State::Stopped;
    case RunState::Finished:
        return StudyItem::State::Finished;
    case RunState::Failed:
        return StudyItem::State::Failed;
    case RunState::Interrupted:
        break;
    }
    return StudyItem::State::Interrupted;
}

/// The first recording that was left out, why, and how many more there are; empty: none was.
QString leftOut(const QStringList& lines) {
    if (lines.isEmpty())
        return {};
    return lines.size() == 1 ? tr("Not measured: %1").arg(lines.first())
                             : tr("%1 not measured; the first: %2").arg(lines.size()).arg(lines.first());
}

/// Which utterance and why. Most sentences begin with the name of the recording.
QString whyNotMeasured(const StudyUtterance& utterance) {
    const QString id = QString::fromStdString(utterance.id), error = QString::fromStdString(utterance.error);
    const fs::path audio = toPath(QString::fromStdString(utterance.audio));
    const QString file = toQString(audio.filename());
    if (!utterance.text.empty()) { // its sentence begins with its id, and a text is called by its words
        const QString words = quotedText(QString::fromStdString(utterance.text));
        return error.startsWith(id) ? words + error.mid(id.size()) : tr("%1: %2").arg(words, error);
    }
    if (file.isEmpty() || !error.startsWith(file))
        return tr("%1: %2").arg(id, error);
    if (id == toQString(audio.stem()) || id == file)
        return error;
    return id.endsWith(u'/' + file) ? id + error.mid(file.size()) : tr("%1: %2").arg(id, error);
}

StudySnapshot::Read readFolder(const fs::path& folder) {
    StudySnapshot::Read read;
    read.changed = changeOf(StudyPaths{folder}.study());
    read.item.folder = folder;
    try {
        const Study study = readStudy(folder);
        read.written = study.state == RunState::Interrupted ? RunState::Running : study.state;
        read.item = itemOf(study, folder);
    } catch (const std::exception& mistake) {
        read.written = RunState::Failed;
        read.item.state = StudyItem::State::Unreadable;
        read.item.sentence = QString::fromUtf8(mistake.what());
    }
    return read;
}

/// Of a study that another machine computes.
void readPlaceInto(StudyItem& item) {
    try {
        if (const auto place = readRunPlace(item.folder)) {
            item.place = QString::fromStdString(place->place.name);
            item.contact = contactText(*place, PlacedThing::Study);
            item.lost = place->contact == RunPlace::Contact::Lost;
        }
    } catch (const std::exception&) {
        item.place.clear(); // damaged: the study itself can be read
    }
}

/// What changes without study.json being written: that it runs, and how far it is.
void follow(StudySnapshot::Read& read) {
    if (read.written != RunState::Running || read.item.state == StudyItem::State::Unreadable)
        return;
    const fs::path folder = read.item.folder;
    const auto saysRunning = [&] {
        if (changeOf(StudyPaths{folder}.study()) != read.changed)
            read = readFolder(folder); // it has ended since, or begun again
        return read.written == RunState::Running;
    };
    if (FileLock::isAbandoned(StudyPaths{folder}.lock(), saysRunning)) {
        read.item.state = StudyItem::State::Interrupted;
        readPlaceInto(read.item);
        read.item.lost = false; // nobody tries
        return;
    }
    if (read.written != RunState::Running)
        return;
    read.item.state = studyWasAskedToStop(folder) ? StudyItem::State::Stopping : StudyItem::State::Running;
    read.item.progress = readStudyProgress(folder);
    readPlaceInto(read.item);
}

StudyItem starting(const StartedStudy& started) {
    StudyItem item;
    item.folder = started.folder;
    item.kind = started.kind;
    item.models = started.models;
    item.state = StudyItem::State::Starting;
    readPlaceInto(item);
    if (!isAlive(started.process)) {
        item.state = StudyItem::State::Failed;
        item.sentence = lastWords(started.folder);
        if (item.sentence.isEmpty())
            item.sentence = tr("The study stopped before it started; the log is empty.");
    }
    return item;
}

} // namespace

QString StudyItem::name() const {
    return studyName(folder, kind, models) + apart;
}

bool StudyItem::canResume() const {
    const bool isTooSmall = utterances > 0 && utterances < leastAligned(kind);
    return state == State::Stopped || state == State::Interrupted ||
           (state == State::Failed && !created.isEmpty() && !isTooSmall);
}

bool StudyItem::operator==(const StudyItem& other) const {
    return folder == other.folder && state == other.state && kind == other.kind &&
           sentence == other.sentence && notMeasured == other.notMeasured && models == other.models && utterances == other.utterances &&
           measured == other.measured &&
           created == other.created && ended == other.ended && progress.done == other.progress.done &&
           progress.total == other.progress.total && progress.stage == other.progress.stage &&
           place == other.place && contact == other.contact && lost == other.lost && apart == other.apart && settings == other.settings && data == other.data &&
           split == other.split &&
           progress.secondsLeft == other.progress.secondsLeft && progress.cached == other.progress.cached;
}

StudyItem itemOf(const Study& study, const fs::path& folder) {
    StudyItem item;
    item.folder = folder;
    item.state = stateOf(study.state);
    item.kind = study.kind;
    if (study.state == RunState::Finished || study.state == RunState::Failed)
        item.notMeasured = notMeasured(study);
    item.sentence = study.state == RunState::Finished ? leftOut(item.notMeasured) : QString::fromStdString(study.error);
    item.utterances = static_cast<int>(study.utterances.size());
    item.measured = static_cast<int>(std::count_if(study.utterances.begin(), study.utterances.end(), [](const auto& one) { return one.error.empty(); }));
    for (const auto& [title, value] : settingWords(study.kind, study.settings))
        item.settings.emplace_back(QString::fromStdString(title), QString::fromStdString(value));
    item.data = toQString(toPath(QString::fromStdString(study.data)).filename());
    item.split = QString::fromStdString(study.split);
    item.created = QString::fromStdString(study.created);
    item.ended = QString::fromStdString(study.ended);
    for (const StudyModel& model : study.models)
        item.models << QString::fromStdString(model.name);
    return item;
}

QStringList notMeasured(const Study& study) {
    QStringList lines;
    for (const StudyUtterance& utterance : study.utterances)
        if (!utterance.error.empty())
            lines << whyNotMeasured(utterance);
    return lines;
}

QString notMeasuredText(const QStringList& lines) {
    constexpr qsizetype kMostLines = 20; // higher tooltips leave the screen
    if (lines.size() < 2)
        return leftOut(lines);
    const QString text = tr("Not measured:") + u'\n' + lines.mid(0, kMostLines).join(u'\n');
    return lines.size() <= kMostLines ? text : tr("%1\nand %2 more").arg(text).arg(lines.size() - kMostLines);
}

fs::path studyLog(const fs::path& folder) {
    return folder / "log.txt";
}

std::int64_t studyChanged(const fs::path& folder) {
    return changeOf(StudyPaths{folder}.study());
}

std::shared_ptr<const StudySnapshot> lookAtStudies(const fs::path& studies,
                                                   const std::vector<fs::path>& others,
                                                   const std::vector<StartedStudy>& started,
                                                   std::shared_ptr<const StudySnapshot> before) {
    auto snapshot = std::make_shared<StudySnapshot>();
    snapshot->studies = studies;
    std::vector<fs::path> folders = others;
    std::error_code ignored;
    for (fs::directory_iterator entry(studies, ignored), end; entry != end; entry.increment(ignored))
        folders.push_back(entry->path());
    for (const fs::path& folder : folders) {
        const std::int64_t changed = changeOf(StudyPaths{folder}.study());
        if (changed == 0 || snapshot->read.contains(folder))
            continue;
        auto known = before ? before->read.find(folder) : decltype(before->read.find(folder)){};
        StudySnapshot::Read read = before && known != before->read.end() && known->second.changed == changed
                                       ? known->second
                                       : readFolder(folder);
        follow(read);
        snapshot->items.push_back(read.item);
        snapshot->read.emplace(folder, std::move(read));
    }
    for (const StartedStudy& one : started) {
        const auto known = std::find_if(snapshot->items.begin(), snapshot->items.end(),
                                        [&](const StudyItem& item) { return item.folder == one.folder; });
        if (known == snapshot->items.end()) {
            if (fs::is_directory(one.folder, ignored))
                snapshot->items.push_back(starting(one));
        } else if (known->canResume() &&
                   (isAlive(one.process) || snapshot->read.at(one.folder).changed == one.changed)) {
            // Where it has written since and is gone, its own word holds: stopped is not failed.
            const StudyItem now = starting(one);
            known->state = now.state;
            known->sentence = now.sentence;
        }
    }
    // Names begin with the time they were made at, so they order those that have no document yet.
    std::sort(snapshot->items.begin(), snapshot->items.end(), [](const StudyItem& a, const StudyItem& b) {
        const bool now = a.created.isEmpty(), nowB = b.created.isEmpty();
        if (now != nowB)
            return now;
        return a.created != b.created ? a.created > b.created : a.folder > b.folder;
    });
    tellApart(snapshot->items);
    return snapshot;
}

} // namespace headroom::app
