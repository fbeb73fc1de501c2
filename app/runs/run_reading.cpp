// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_reading.h"

#include "app/documents/items/architecture_size.h"
#include "app/documents/items/paths.h"
#include "app/places/contact_text.h"
#include "app/runs/kept_names.h"
#include "app/runs/run_names.h"
#include "core/architecture/costs.h"
#include "core/architecture/usual_length.h"
#include "core/corpus/corpus_document.h"
#include "core/places/run_place.h"
#include "core/places/run_text.h"
#include "core/runs/checkpoint_name.h"
#include "core/runs/jobs.h"
#include "core/runs/kept_name.h"
#include "core/runs/recipe.h"
#include "core/runs/run_control.h"
#include "core/runs/start_from.h"
#include "core/tensors/sha256.h"
#include "core/text/tokenizer.h"
#include "widgets/look/translate.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFileInfo>
#include <QRegularExpression>

#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>

namespace headroom::app {

using nlohmann::json;
using widgets::RunItem;
using widgets::WaitingItem;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kTailBytes = 16384;
constexpr std::size_t kMostLayers = 500; // a damaged document must not make the window compute for minutes

/// Name, costs and the text that tells experiments apart.
QByteArray readArchitectureInto(RunItem& item, const fs::path& file) {
    try {
        const Architecture built = readArchitecture(file);
        item.name = QString::fromStdString(built.name);
        if (!built.decoder && !built.languageModel)
            item.lossMeasure += QStringLiteral(" without a decoder"); // CTC
        Architecture full = built;
        item.heads = layersAndHeads(built);
        if (built.encoder.layers.size() <= kMostLayers) {
            item.parameters = static_cast<double>(parameterCosts(built).parameters);
            for (auto& layer : full.encoder.layers)
                layer.heads = parseHeads(std::to_string(layer.headCount()) + " full");
            const std::int64_t frames = usualFrames(built);
            item.macShare = static_cast<double>(encoderCosts(built, frames).macs) /
                            static_cast<double>(encoderCosts(full, frames).macs);
        }
        return QByteArray::fromStdString(canonicalText(built));
    } catch (const Error&) {
        return {}; // the numbers stay unknown; the run itself is whole
    }
}

QByteArray readRecipeInto(RunItem& item, const fs::path& file, const std::vector<std::string>& changes = {}) {
    try {
        Recipe recipe = readRecipe(file);
        for (const std::string& change : changes)
            overrideRecipe(recipe, change);
        item.recipe = QString::fromStdString(recipe.name);
        item.task = QString::fromStdString(recipe.task);
        item.devSplit = QString::fromStdString(recipe.data.validationSplit);
        item.trainSplit = QString::fromStdString(recipe.data.trainSplit);
        item.decoded = recipe.validation.maxUtterances;
        item.lossMeasure += QStringLiteral(" smoothed %1 %2 %3")
                                .arg(recipe.loss.labelSmoothing)
                                .arg(QString::fromStdString(recipe.loss.smoothing))
                                .arg(recipe.loss.unigramCount);
        if (item.info.maxUpdates == 0)
            item.info.maxUpdates = recipe.length.maxUpdates;
        recipe.machine.seed = 0; // what seeds may differ in
        item.values = std::make_shared<const Recipe>(recipe);
        return QByteArray::fromStdString(canonicalText(recipe));
    } catch (const Error&) {
        return {};
    }
}

/// What runs of one experiment have in common; empty where the documents cannot be read.
QString experimentOf(const QByteArray& architecture, const QByteArray& recipe, const RunInfo& info) {
    if (architecture.isEmpty() || recipe.isEmpty())
        return {};
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const QByteArray& part :
         {architecture, recipe, QByteArray::fromStdString(info.data), QByteArray::fromStdString(info.startFrom)}) {
        hash.addData(part);
        hash.addData(QByteArray(1, '\0'));
    }
    return QString::fromLatin1(hash.result().toHex());
}

/// Returns the hash of the tokenizer of a run; empty if unknown.
QString piecesOfRun(const RunItem& item) {
    try {
        const RunText text = textOfRun(item.folder);
        const fs::path& from = text.vocabulary();
        const fs::path corpus = fs::is_directory(text.data) ? text.data : text.data.parent_path(); // it may be named by its document
        const fs::path file = from == text.data ? corpus / corpusTokenizerName(item.task.toStdString()) : tokenizerIn(from);
        return fs::is_regular_file(file) ? QString::fromStdString(sha256OfFile(file)) : QString();
    } catch (const std::exception&) {
        return {}; // the run can be listed without it
    }
}

/// As `train` writes it into run.json: a checkpoint by the folder that is made of it.
std::string startOfRun(const std::string& startFrom) {
    StartFrom start = StartFrom::parse(startFrom);
    try {
        if (const auto checkpoint = checkpointNamed(start.model.string())) {
            start.model = checkpoint->run / "branches" / checkpoint->file().stem();
            return start.text();
        }
    } catch (const Error&) {
        // The run will say that it is not there.
    }
    return startFrom;
}

void readEventsInto(RunItem& item) {
    const std::string tail = tailOf(RunPaths{item.folder}.events(), kTailBytes);
    item.update = item.info.update;
    std::size_t start = 0;
    for (std::size_t end; (end = tail.find('\n', start)) != std::string::npos; start = end + 1) {
        const json event = json::parse(tail.begin() + static_cast<std::ptrdiff_t>(start),
                                       tail.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
        if (!event.is_object())
            continue;
        const auto number = [&](const char* key, double& value) {
            if (const auto found = event.find(key); found != event.end() && found->is_number())
                value = found->get<double>();
        };
        const json kind = event.value("event", json());
        // A run that fails says so with the update of its last checkpoint, which is not as far as it came.
        if (const auto update = event.find("update"); update != event.end() && update->is_number_integer())
            item.update = std::max(update->get<std::int64_t>(), kind == toText(RunState::Failed) ? item.update : std::int64_t(0));
        if (kind == "step") {
            number("loss", item.loss);
            number("framesPerSecond", item.framesPerSecond);
            number("secondsLeft", item.secondsLeft);
        }
    }
}

void readPlaceInto(RunItem& item) {
    try {
        if (const auto place = readRunPlace(item.folder)) {
            item.place = QString::fromStdString(place->place.name);
            const bool watched = FileLock::isLocked(RunPaths{item.folder}.lock());
            const bool lost = place->contact == RunPlace::Contact::Lost, waits = place->contact == RunPlace::Contact::Waiting;
            std::error_code ignored;
            item.hasScript = fs::exists(runScriptFile(item.folder), ignored);
            item.waits = watched && (waits || (lost && item.info.state != RunState::Running));
            item.lost = lost || (waits && !watched);
            item.waited = waits && !watched;
            item.contact = contactText(*place, PlacedThing::Run);
            takePathsHere(*place, item.info);
        }
    } catch (const Error& mistake) {
        item.contact = QString::fromUtf8(mistake.what());
    }
}

} // namespace

RunStamp stampOf(const fs::path& folder) {
    RunStamp stamp;
    struct stat about {};
    const RunPaths paths{folder};
    const auto changed = [&about] { return about.st_mtim.tv_sec * 1000000000LL + about.st_mtim.tv_nsec; };
    if (::stat(paths.run().c_str(), &about) == 0)
        stamp.run = changed();
    for (const fs::path& file : {paths.name(), startedAsFile(folder), paths.control(), runPlaceFile(folder)})
        if (stamp.run != 0 && ::stat(file.c_str(), &about) == 0) // two files may have been written in the same tick
            stamp.run = static_cast<std::int64_t>(static_cast<std::uint64_t>(stamp.run) * 31U +
                                                  static_cast<std::uint64_t>(changed()));
    if (::stat(paths.events().c_str(), &about) == 0)
        stamp.events = about.st_size;
    return stamp;
}

std::string tailOf(const fs::path& file, std::size_t bytes) {
    std::string text;
    std::FILE* stream = std::fopen(file.c_str(), "rbe");
    if (!stream)
        return text;
    std::fseek(stream, 0, SEEK_END);
    const long size = std::ftell(stream);
    const long from = std::max(0L, size - static_cast<long>(bytes));
    std::fseek(stream, from, SEEK_SET);
    text.resize(static_cast<std::size_t>(std::max(0L, size - from)));
    text.resize(std::fread(text.data(), 1, text.size(), stream));
    std::fclose(stream);
    if (from > 0)
        text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
    return text;
}

RunItem readRunItem(const fs::path& folder) {
    RunItem item;
    item.folder = folder;
    item.info = readRun(folder);
    if (item.info.state == RunState::Interrupted) // nobody wrote when it ended
        item.info.ended = utcOfChange(RunPaths{folder}.events());
    item.info.id = folder.filename().string(); // a folder may have been renamed
    const QByteArray architecture = readArchitectureInto(item, RunPaths{folder}.architecture());
    const QByteArray recipe = readRecipeInto(item, RunPaths{folder}.recipe());
    readEventsInto(item);
    readPlaceInto(item);
    item.lossMeasure.prepend(piecesOfRun(item));
    if (item.name.isEmpty())
        item.name = toQString(folder.filename());
    item.called = keptName(folder);
    item.given = givenName(folder);
    item.data = toQString(normalised(fs::path(item.info.data)).filename());
    item.isPaused = item.info.state == RunState::Running && controlOf(folder) == RunControl::Pause;
    std::error_code ignored;
    item.hasModel = fs::exists(RunPaths{folder}.model() / "model.safetensors", ignored);
    item.weights = weightsOfModel(RunPaths{folder}.model());
    item.group = experimentOf(architecture, recipe, item.info);
    if (item.group.isEmpty()) // an experiment of its own: it can be chosen and compared all the same
        item.group = toQString(folder);
    return item;
}

std::optional<RunItem> readJobItem(const fs::path& file, const fs::path& runs) {
    try {
        auto item = readJobItem(readJob(file), runs);
        if (item)
            item->info.created = QFileInfo(toQString(file)).lastModified().toUTC().toString(Qt::ISODate).toStdString();
        return item;
    } catch (const Error&) {
        return std::nullopt; // the queue will say the same when it comes to it
    }
}

std::optional<RunItem> readJobItem(const Job& job, const fs::path& runs) {
    try {
        if (job.resume || job.watch || job.evaluation)
            return std::nullopt;
        const auto at = [&](const fs::path& path) { return (path.is_absolute() ? path : runs / path).lexically_normal(); };
        RunItem item;
        item.folder = at(job.run);
        item.info.seed = job.seed.value_or(0);
        item.info.data = at(job.data).string();
        item.info.startFrom = job.startFrom.empty() ? std::string() : startOfRun(at(job.startFrom).string());
        item.data = toQString(normalised(fs::path(item.info.data)).filename());
        const QByteArray architecture = readArchitectureInto(item, at(job.architecture));
        const QByteArray recipe = readRecipeInto(item, at(job.recipe), job.set);
        item.group = experimentOf(architecture, recipe, item.info);
        item.called = keptName(item.folder);
        return item.group.isEmpty() ? std::nullopt : std::optional(std::move(item));
    } catch (const Error&) {
        return std::nullopt; // the queue will say the same when it comes to it
    }
}

void readContact(RunItem& item) {
    readPlaceInto(item);
}

} // namespace headroom::app
