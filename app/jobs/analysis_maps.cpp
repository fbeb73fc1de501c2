// SPDX-License-Identifier: GPL-3.0-or-later
// Models that are maps from elsewhere: read here, on the thread pool; no worker takes part.
#include "app/documents/items/paths.h"
#include "app/jobs/analysis_running.h"
#include "app/jobs/analysis_service.h"
#include "app/jobs/foreign_layers.h"
#include "app/jobs/in_background.h"
#include "core/audio/audio_name.h"

#include <QElapsedTimer>

namespace headroom::app {

namespace {

struct ReadMaps {
    std::vector<LayerResult> layers;
    Tokens tokens{0};
    TokenClock clock;
    double milliseconds = 0;
    QString mistake, code;
};

ReadMaps readMaps(const std::filesystem::path& file, int layers, int only) {
    ReadMaps read;
    QElapsedTimer timer;
    timer.start();
    try {
        const ForeignMaps maps(file);
        read.tokens = Tokens(maps.tokens());
        read.clock = maps.clock();
        if (maps.layers() != layers)
            throw Error("maps.layer",
                        toQString(file.filename()).toStdString() + " has " + std::to_string(maps.layers()) +
                            " layers; the first file has " + std::to_string(layers) + ".");
        for (int number = 1; number <= layers; ++number)
            if (only == 0 || number == only)
                read.layers.push_back(foreignLayer(maps, number, only != 0));
    } catch (const Error& error) {
        read.mistake = QString::fromUtf8(error.what());
        read.code = QString::fromStdString(error.code());
    } catch (const std::exception& failure) {
        read.mistake = QString::fromUtf8(failure.what());
    }
    read.milliseconds = static_cast<double>(timer.elapsed());
    return read;
}

/// The part of a recording that tokens of this clock are of. A front end leaves a few tokens' time over at both ends.
std::optional<Part> coveredPart(const TokenClock& clock, Tokens tokens, Seconds duration) {
    const Seconds slack = clock.step() * 3.0, step = clock.cellStep();
    const Seconds start = clock.cellStart(Tokens(0)), end = clock.cellStart(tokens - Tokens(1)) + step;
    if (start <= slack && end >= duration - slack)
        return std::nullopt;
    return Part{std::max(start, Seconds(0)), std::min(end, duration)};
}

QString causeOfLateTokens(AnalysisKey key) {
    return QStringLiteral("late tokens, ") + causeOf(key.model) + causeOf(key.utterance);
}

} // namespace

void AnalysisService::openMaps(const OpenModel& model) {
    m_opening.insert(model.id);
    const auto open = [folder = model.folder] { return openForeignModel(folder); };
    buildInBackground(this, open, [this, id = model.id](const Built<ForeignModel>& opened) {
        m_opening.erase(id);
        schedule();
        if (m_outdated.erase(id) > 0)
            return; // it is opened again, if it is still there
        if (!opened.mistake.isEmpty())
            return m_session->setModelFailed(id, opened.mistake);
        m_maps[id] = opened.value.files;
        m_session->setModelOpened(id, opened.value.info);
        offerMaps(id);
    });
}

QString AnalysisService::causeOfMaps(ModelId id) {
    return QStringLiteral("maps without a recording, ") + causeOf(id);
}

/// One file whose name no recording has: which one it belongs to is for the user to say.
void AnalysisService::offerMaps(ModelId id) {
    const auto& files = m_maps.at(id);
    if (files.size() != 1 || !m_session->currentUtterance())
        return;
    const ModelList* models = m_session->models();
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        if (mapsOf({m_session->utterances()->at(row).id, id}))
            return;
    m_session->messages()->post(
        Severity::Warning,
        tr("No open recording matches %1: none is called %2.")
            .arg(models->find(id)->name, QString::fromStdString(files.begin()->first)),
        tr("Use it for the current recording"), [session = m_session, id, causes = QStringList{causeOfMaps(id), causeOf(id)}] {
            if (const OpenUtterance* chosen = session->currentUtterance(); chosen && !chosen->isText)
                session->assignMaps(id, chosen->id);
            else
                session->messages()->post(Severity::Warning, tr("First select the recording that these maps belong to."), {}, {}, causes);
        },
        {causeOfMaps(id), causeOf(id)});
}

bool AnalysisService::areOfOneRecording(ModelId maps) const {
    const auto files = m_maps.find(maps);
    return files != m_maps.end() && files->second.size() == 1;
}

void AnalysisService::readMapsAgain(ModelId id) {
    for (int row = 0; row < m_session->utterances()->count(); ++row) { // what is wrong now is said again
        const AnalysisKey key{m_session->utterances()->at(row).id, id};
        forgetFailure(key);
        m_session->messages()->settle(causeOfLateTokens(key));
    }
    std::erase_if(m_layersRefused, [&](const LayerWish& wish) { return wish.key.model == id; });
    m_cache.remove(id);
    std::erase_if(m_profiles, [&](const auto& entry) { return entry.first.model == id; });
    m_session->messages()->settle(causeOfMaps(id));
    if (m_maps.contains(id))
        offerMaps(id);
    schedule();
    Q_EMIT resultChanged(m_session->currentUtteranceId(), id);
}

std::optional<std::filesystem::path> AnalysisService::mapsOf(AnalysisKey key) const {
    const auto files = m_maps.find(key.model);
    const OpenUtterance* utterance = std::as_const(*m_session).utterances()->find(key.utterance);
    if (files == m_maps.end() || !utterance)
        return std::nullopt;
    if (const OpenModel* model = m_session->models()->find(key.model); model && model->mapsOf == key.utterance && files->second.size() == 1)
        return files->second.begin()->second;
    auto file = files->second.find(utterance->name.toStdString()); // a part of a file is called by its name only
    if (file == files->second.end() && !utterance->file.empty() && audioName(utterance->file).isWhole())
        file = files->second.find(utterance->file.stem().string());
    return file == files->second.end() ? std::nullopt : std::optional(file->second);
}

void AnalysisService::beginMaps(const Request& asked) {
    const OpenModel& model = *m_session->models()->find(asked.key.model);
    const OpenUtterance& utterance = *m_session->utterances()->find(asked.key.utterance);
    AnalysisResult& result = resultOf(asked.key);
    m_transcribed.insert(asked.key); // maps have no words
    const auto file = mapsOf(asked.key);
    if (!file) {
        result.state = AnalysisResult::State::Failed;
        result.code = QStringLiteral("maps.missing");
        // A single file says which utterance it belongs to; a folder may get the missing one.
        const auto& files = m_maps.at(model.id);
        result.sentence = files.size() == 1 ? tr("These imported maps belong to %1. There are none for %2.")
                                                  .arg(QString::fromStdString(files.begin()->first), utterance.shownName())
                                            : tr("The folder %1 does not contain %2.npz, the imported maps of %3. Add this file to the folder; it is "
                                                 "then opened automatically.")
                                                  .arg(toQString(model.folder), utterance.name, utterance.shownName());
        setProgress({});
        Q_EMIT resultChanged(asked.key.utterance, asked.key.model);
        return schedule();
    }
    m_session->messages()->settle(causeOfMaps(model.id)); // they have a recording now
    auto running = std::make_shared<Running>();
    running->asked = asked;
    running->part = utterance.part;
    running->answered = true; // nothing is with the worker
    running->layers = {asked.layer > 0 ? asked.layer : 1};
    if (asked.kind == Request::Kind::Analyse) {
        result.layers.resize(static_cast<std::size_t>(model.layerCount()));
        for (std::size_t i = 0; i < result.layers.size(); ++i)
            result.layers[i].layer = static_cast<int>(i) + 1;
        result.state = AnalysisResult::State::Working;
        result.sentence.clear();
        result.code.clear();
    }
    m_running = running;
    setProgress({tr("Loading the maps of %1").arg(utterance.shownName()), 0, 0, asked.key.utterance, asked.key.model});
    Q_EMIT resultChanged(asked.key.utterance, asked.key.model);
    const auto load = [file = *file, layers = model.layerCount(), only = asked.layer] {
        return readMaps(file, layers, only);
    };
    const auto origin = [name = toQString(file->filename()), duration = utterance.duration()](const ReadMaps& read) {
        const LateTokens late = lateTokens(name.toStdString(), read.clock, read.tokens.value(), duration);
        return std::pair(AnalysisResult::Imported{name, coveredPart(read.clock, read.tokens, duration), late.count},
                         QString::fromStdString(late.sentence));
    };
    buildInBackground(this, load, [this, running, origin](Built<ReadMaps>& built) {
        ReadMaps* const read = &built.value;
        if (running->abandoned)
            return;
        m_running = nullptr;
        const AnalysisKey key = running->asked.key;
        const int layer = running->asked.layer;
        AnalysisResult* landed = m_cache.find(key);
        const LayerWish wish{key, layer};
        m_layersWanted.erase(wish);
        if (landed && !read->mistake.isEmpty()) {
            if (layer > 0)
                m_layersRefused.insert(wish);
            fail(*landed, read->code, read->mistake);
        } else if (landed && layer > 0) {
            LayerResult& place = landed->layers[static_cast<std::size_t>(layer) - 1];
            place.attention = read->layers.front().attention;
            place.attentionAsked = false;
            if (!place.attention)
                m_layersRefused.insert(wish);
        } else if (landed) {
            landed->tokens = read->tokens;
            landed->clock = read->clock;
            const auto [imported, warning] = origin(*read);
            landed->imported = imported;
            const QString cause = causeOfLateTokens(key);
            m_session->messages()->settle(cause);
            if (!warning.isEmpty())
                m_session->messages()->post(Severity::Warning, warning, {}, {}, {cause, causeOf(key.model), causeOf(key.utterance)});
            landed->layers = std::move(read->layers);
            landed->state = AnalysisResult::State::Ready;
            landed->milliseconds = read->milliseconds;
            keepProfiles(*landed);
            dropBackgroundMaps(key);
        }
        trim(key);
        Q_EMIT resultChanged(key.utterance, key.model);
        schedule();
    });
}

} // namespace headroom::app
