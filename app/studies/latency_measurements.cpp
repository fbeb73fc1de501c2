// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/latency_measurements.h"

#include "app/documents/items/paths.h"
#include "app/studies/study_layers.h"
#include "app/studies/study_store.h"
#include "core/architecture/layer_rules.h"
#include "core/statistics/quantiles.h"
#include "core/studies/settings.h"
#include "core/tensors/atomic_file.h"

#include <QDateTime>
#include <QtConcurrent>

#include <algorithm>
#include <set>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

/// Times depend on these alone; names, sources and the decoder may differ.
bool sameEncoder(const Architecture& a, const Architecture& b) {
    return a.frontEnd == b.frontEnd && a.encoder == b.encoder;
}

/// What was measured: the document, or that of a model folder. nullopt: it is not there or was changed since.
std::optional<Architecture> measuredArchitecture(const fs::path& model, const fs::path& study) {
    const fs::path file = model.extension() == ".json" ? model : model / "architecture.json";
    std::error_code failure;
    const auto written = fs::last_write_time(file, failure);
    if (failure || written > fs::last_write_time(StudyPaths{study}.study(), failure) || failure)
        return std::nullopt;
    try {
        return readArchitecture(file);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

/// The study calls an architecture as its file, so "conv 5/2" has to look the same there.
std::string stemOf(const QString& name) {
    constexpr int kMostOfName = 200; // of the 255 that a file system takes
    constexpr QChar kDivisionSlash(0x2215);
    QString stem = name.trimmed();
    for (QChar& letter : stem)
        if (letter == u'/' || letter < u' ')
            letter = letter == u'/' ? kDivisionSlash : QChar(u'-');
    while (stem.startsWith(u'.'))
        stem.remove(0, 1);
    while (stem.toUtf8().size() > kMostOfName)
        stem.chop(1);
    return stem.isEmpty() ? "architecture" : stem.toStdString();
}

/// The most tokens that the worker times: a minute of sound, or the window that the front end always fills.
std::int64_t longestTokens(const Architecture::FrontEnd& frontEnd) {
    const std::int64_t frames = frontEnd.input().window().value_or(longestFrames(frontEnd));
    return frontEnd.clock().tokenCount(Frames(frames)).value();
}

} // namespace

LatencyByLength latencyByLength(const OpenStudy& study, int model, LatencyPart part) {
    const OpenStudy::Numbers lengths = study.numbers(model, "lengths"),
                             times = study.numbers(model, "milliseconds");
    if (lengths.isEmpty() || times.shape.size() != 3 || times.shape[1] != 3 ||
        times.shape[0] != static_cast<std::int64_t>(lengths.values.size()))
        return {};
    LatencyByLength found;
    found.tokens = lengths.values;
    for (std::int64_t length = 0; length < times.shape[0]; ++length) {
        std::vector<double> repeats;
        for (std::int64_t repeat = 0; repeat < times.shape[2]; ++repeat)
            repeats.push_back(times.at({length, static_cast<std::int64_t>(part), repeat}));
        const FiveNumbers five = fiveNumbers(repeats);
        found.median.push_back(five.median);
        found.lower.push_back(five.lower);
        found.upper.push_back(five.upper);
    }
    return found;
}

LatencyMeasurements::LatencyMeasurements(StudyStore* store, QObject* parent)
    : QObject(parent)
    , m_store(store) {
    connect(&m_reading, &QFutureWatcherBase::finished, this, [this] {
        m_isReading = false;
        for (const Read& one : m_reading.result())
            if (one.study)
                m_read[one.study->document.created + " " + one.folder.string()] = one;
        look();
        Q_EMIT changed();
    });
    connect(store, &StudyStore::changed, this, [this] {
        look();
        Q_EMIT changed();
    });
    look();
}

LatencyMeasurements::~LatencyMeasurements() {
    m_reading.disconnect(this);
    m_reading.waitForFinished();
}

void LatencyMeasurements::look() {
    std::set<fs::path> there;
    std::vector<fs::path> toRead;
    for (const StudyItem& item : m_store->items()) {
        // Times of another machine say nothing about this one.
        if (item.kind != StudyKind::Latency || item.state != StudyItem::State::Finished ||
            !item.place.isEmpty())
            continue;
        there.insert(item.folder);
        const auto seen = m_seen.find(item.folder);
        if (seen == m_seen.end() || seen->second != item.ended)
            toRead.push_back(item.folder);
    }
    std::erase_if(m_read, [&](const auto& one) { return there.count(one.second.folder) == 0; });
    std::erase_if(m_seen, [&](const auto& one) { return there.count(one.first) == 0; });
    if (toRead.empty() || m_isReading)
        return;
    m_isReading = true;
    for (const fs::path& folder : toRead)
        m_seen[folder] = m_store->find(folder)->ended;
    m_reading.setFuture(QtConcurrent::run([toRead] {
        std::vector<Read> found;
        for (const fs::path& folder : toRead)
            found.push_back(read(folder));
        return found;
    }));
}

LatencyMeasurements::Read LatencyMeasurements::read(const fs::path& folder) {
    Read one{folder, nullptr, {}};
    try {
        one.study = openStudy(folder);
    } catch (const std::exception&) {
        return one; // the list of studies says why
    }
    std::error_code ignored;
    const bool drafted = fs::exists(folder / "draft.json", ignored); // its models ran with other heads
    for (const StudyModel& model : one.study->document.models)
        one.models.push_back(drafted ? std::nullopt : measuredArchitecture(model.folder, folder));
    return one;
}

int LatencyMeasurements::modelOf(const Read& read, const Architecture& architecture) {
    for (std::size_t model = 0; model < read.models.size(); ++model)
        if (read.models[model] && sameEncoder(*read.models[model], architecture))
            return static_cast<int>(model) + 1;
    return 0;
}

LatencyMeasurements::Found LatencyMeasurements::find(const Architecture& architecture,
                                                     const Architecture& baseline) const {
    Found best;
    for (auto one = m_read.rbegin(); one != m_read.rend(); ++one) { // the newest first
        const Read& read = one->second;
        const int now = modelOf(read, architecture), before = modelOf(read, baseline);
        const auto worth = [](int nowModel, int baselineModel) {
            return 2 * (nowModel > 0) + (baselineModel > 0);
        };
        if (worth(now, before) <= worth(best.nowModel, best.baselineModel))
            continue;
        best = {};
        best.study = read.study;
        best.nowModel = now;
        best.baselineModel = before;
    }
    if (best.nowModel > 0)
        best.now = latencyByLength(*best.study, best.nowModel, LatencyPart::Total);
    if (best.baselineModel > 0)
        best.baseline = latencyByLength(*best.study, best.baselineModel, LatencyPart::Total);
    return best;
}

std::optional<double> LatencyMeasurements::Found::share(std::int64_t tokens) const {
    if (!study || nowModel == 0 || baselineModel == 0)
        return std::nullopt;
    const StudyTable* table = study->table("latency");
    const int other = nowModel == 1 ? baselineModel : nowModel; // speed-ups are against the first model
    if (!table || (nowModel != 1 && baselineModel != 1))
        return std::nullopt;
    if (nowModel == baselineModel)
        return std::nullopt; // the same encoder
    const std::size_t lengths = now.tokens.size();
    for (std::size_t length = 0; length < lengths; ++length)
        if (now.tokens[length] == static_cast<double>(tokens)) {
            const auto row = static_cast<int>(static_cast<std::size_t>(other - 1) * lengths + length);
            const auto speedUp = numberAt(*table, row, "speedup");
            if (!speedUp || !(*speedUp > 0))
                return std::nullopt;
            return nowModel == 1 ? *speedUp : 1 / *speedUp;
        }
    return std::nullopt;
}

QString LatencyMeasurements::whyNot(const Architecture& architecture) {
    if (architecture.languageModel)
        return tr("Only encoders are timed.");
    return {};
}

QString LatencyMeasurements::start(const Wanted& wanted) {
    StudyRequest request;
    request.kind = StudyKind::Latency;
    const QString when = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-ddThh-mm-ss"));
    request.folder = m_store->folder() / toPath(studyFolderName(when, request.kind, wanted.name));
    const fs::path documents = request.folder / "architectures"; // readStudy() finds them when it is renamed
    const bool same = sameEncoder(wanted.architecture, wanted.baseline);
    try {
        fs::create_directories(documents);
        const auto add = [&](const QString& name, const Architecture& architecture) {
            fs::path file = documents / (stemOf(name) + ".json");
            if (!request.models.empty() && request.models.front() == file)
                file = documents / (stemOf(name) + " 2.json");
            writeAtomically(file, canonicalText(architecture), "study.unwritable");
            request.models.push_back(file);
            request.modelNames << toQString(file.stem());
        };
        if (!same)
            add(wanted.baselineName, wanted.baseline);
        add(wanted.name, wanted.architecture);
    } catch (const std::exception& mistake) {
        return QString::fromUtf8(mistake.what());
    }
    const std::int64_t longest =
        std::min(longestTokens(wanted.architecture.frontEnd), longestTokens(wanted.baseline.frontEnd));
    const auto usual = readStudySettings(StudyKind::Latency, nlohmann::json::object())
                           .at("lengths")
                           .get<std::vector<std::int64_t>>();
    std::set<std::int64_t> lengths(usual.begin(), usual.end());
    lengths.insert(wanted.lengths.begin(), wanted.lengths.end());
    std::erase_if(lengths, [&](std::int64_t length) { return length < 1 || length > longest; });
    request.settings["lengths"] = std::vector<std::int64_t>(lengths.begin(), lengths.end());
    const QString sentence = m_store->start(request);
    if (sentence.isEmpty()) {
        m_started = request.folder;
        m_startedName = wanted.name;
        m_startedArchitecture = wanted.architecture;
    }
    return sentence;
}

const StudyItem* LatencyMeasurements::current() const {
    if (m_started.empty() || m_seen.count(m_started) > 0)
        return nullptr;
    return m_store->find(m_started);
}

bool LatencyMeasurements::currentIsOf(const Architecture& architecture) const {
    return current() && sameEncoder(m_startedArchitecture, architecture);
}

bool LatencyMeasurements::isMeasuring() const {
    const StudyItem* item = current();
    return item && item->runs();
}

QString LatencyMeasurements::stop() {
    return isMeasuring() ? m_store->stop(m_started) : QString();
}

} // namespace headroom::app
