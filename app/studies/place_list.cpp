// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/place_list.h"

#include "core/alignment/label_at.h"
#include "core/alignment/readers.h"
#include "core/audio/audio_name.h"
#include "core/tensors/npy.h"
#include "core/tensors/sha256.h"
#include "widgets/look/translate.h"

#include <QStringList>

#include <map>
#include <optional>
#include <span>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

std::vector<StudyPlace> placesOf(const PlacesQuery& query) {
    const fs::path file = StudyPaths{query.study->folder}.places();
    const std::string name = std::to_string(query.model) + "." + query.set;
    const NpzReader reader(file);
    StudyArrays arrays;
    for (const char* part : {"_utterance", "_query", "_key", "_value"})
        if (reader.has(name + part))
            arrays.emplace(name + part, reader.read(name + part));
    return PlaceSet::read(name, arrays, file.filename().string()).at(query.index);
}

} // namespace

std::string studyHash(const OpenUtterance& utterance) {
    const AudioName name = audioName(utterance.file);
    if (utterance.file.empty() || utterance.sha256.empty() || name.isWhole())
        return utterance.file.empty() ? std::string() : utterance.sha256;
    const std::string part = utterance.sha256 + name.suffix();
    return sha256OfBytes(std::as_bytes(std::span(part)));
}

PlaceList readPlaces(const PlacesQuery& query) {
    PlaceList list{query, {}, {}, {}};
    if (query.set.empty()) {
        list.sentence = tr("This study keeps no places. Studies of windows, heads, phones and probes do.");
        return list;
    }
    std::error_code ignored;
    if (!fs::exists(StudyPaths{query.study->folder}.places(), ignored)) {
        list.sentence = tr("This study has no saved places (%1 is missing).")
                            .arg(QString::fromStdString(StudyPaths{query.study->folder}.places().string()));
        return list;
    }
    std::vector<StudyPlace> places;
    try {
        places = placesOf(query);
    } catch (const std::exception& mistake) {
        list.sentence = QString::fromUtf8(mistake.what());
        return list;
    }
    const auto& utterances = query.study->document.utterances;
    std::map<int, std::optional<Alignment>> alignments;
    std::map<QString, std::size_t> origins; // in how many rows
    for (const StudyPlace& place : places) {
        if (place.utterance < 0 || static_cast<std::size_t>(place.utterance) >= utterances.size())
            continue;
        const StudyUtterance& utterance = utterances[static_cast<std::size_t>(place.utterance)];
        PlaceRow row;
        row.place = place;
        row.utterance = QString::fromStdString(utterance.id);
        row.text = QString::fromStdString(utterance.text);
        row.texts = {QString::fromStdString(utterance.transcript), QString::fromStdString(utterance.translation)};
        row.audio = fs::path(utterance.audio);
        row.alignment = fs::path(utterance.alignment);
        AudioName name = audioName(row.audio);
        row.hash = utterance.hash;
        row.isMissing = row.text.isEmpty() && !fs::exists(name.file, ignored);
        if (const auto moved = query.opened.find(utterance.hash); row.isMissing && moved != query.opened.end()) {
            row.audio = moved->second.audio;
            name = audioName(row.audio);
            row.isMissing = !fs::exists(name.file, ignored);
            if (!row.alignment.empty() && !moved->second.alignment.empty() && !fs::exists(row.alignment, ignored))
                row.alignment = moved->second.alignment;
        }
        if (const fs::path real = fs::canonical(name.file, ignored); !ignored && !row.isMissing)
            row.audio = AudioName{real, name.part, name.speed}.path();
        auto& alignment = alignments[place.utterance];
        if (!alignment && !utterance.alignment.empty())
            try {
                alignment = readAlignment(row.alignment, {utterance.id, utterance.audio}, Seconds(utterance.seconds));
            } catch (const std::exception&) {
                alignment.emplace(); // the places are known without words
            }
        if (alignment) {
            if (!alignment->origin.empty())
                ++origins[QString::fromStdString(alignment->origin)];
            const auto label = [](const std::vector<Interval>& tier, double seconds) {
                return QString::fromStdString(labelAt(tier, Seconds(seconds)));
            };
            row.hasWords = !alignment->words.empty();
            row.hasPhones = !alignment->phones.empty();
            row.queryWord = label(alignment->words, place.query);
            row.keyWord = label(alignment->words, place.key);
            row.queryPhone = label(alignment->phones, place.query);
            row.keyPhone = label(alignment->phones, place.key);
        }
        list.rows.push_back(std::move(row));
    }
    QStringList alignedBy;
    for (const auto& [origin, count] : origins) // of the others nobody says who made them
        alignedBy << (count == list.rows.size() ? origin
                                                : tr("%1: %2 of %3 places").arg(origin).arg(count).arg(list.rows.size()));
    list.alignedBy = alignedBy.join(QStringLiteral("; "));
    if (list.rows.empty())
        list.sentence = query.whyNone.isEmpty() ? tr("This study has no saved places for this number.") : query.whyNone;
    return list;
}

} // namespace headroom::app
