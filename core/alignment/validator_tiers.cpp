// SPDX-License-Identifier: GPL-3.0-or-later
// The tiers against themselves, against each other, and against the sound.
#include "core/alignment/findings.h"
#include "core/alignment/phones.h"
#include "core/alignment/sound_fit.h"
#include "core/errors/count_text.h"
#include "core/errors/listed.h"
#include "core/statistics/quantiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace headroom {

namespace {

using Severity = Findings::Severity;
using In = Findings::Tier;

constexpr Seconds kLongPhone{1.0};
constexpr Seconds kWordTolerance{0.02}; // that a phone may reach beyond its word
constexpr double kMostUnknown = 0.25;   // share of the spoken time
// Measured on 204 right alignments of 15 phones and more and 1,218 exchanged ones (README.md). Fewer phones say
// nothing.
constexpr double kMostAgree = 2.0 / 3, kWrongScore = 0.95, kPoorScore = 1.0;
constexpr double kPoorFit = 0.45;
constexpr std::int64_t kFewPhones = 15;
constexpr double kShiftGain = 0.15, kShiftedFit = 0.5;
constexpr Seconds kLeastShift{0.1}, kShiftable{2.0};
constexpr double kLeastCoverage = 0.5;
constexpr Seconds kSpeechGap{0.3}, kSilentPhones{0.25};
constexpr double kQuieter = 12; // dB that the median of sound without phones may lie below that of speech (README.md)
constexpr double kSilentRecording = -70; // dB of its loud frames

std::string number(const char* format, double value) {
    std::array<char, 32> buffer;
    std::snprintf(buffer.data(), buffer.size(), format, value);
    const std::string text = buffer.data();
    return text.starts_with('-') ? "\u2212" + text.substr(1) : text;
}

/// With so many decimals that a value below `limit` is not rounded up to it.
std::string numberBelow(double limit, double value, int decimals) {
    std::array<char, 32> buffer;
    do
        std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    while (std::strtod(buffer.data(), nullptr) >= limit && ++decimals < 8);
    return number(("%." + std::to_string(decimals) + "f").c_str(), value);
}

struct Unknown {
    std::int64_t count = 0;
    Interval first;
};

void sayUnknown(const std::map<std::string, Unknown>& unknown, Seconds unknownTime, Seconds spokenTime,
                const PhoneMap& map, Findings& findings) {
    for (const auto& [label, one] : unknown) {
        const auto near = map.nearest(label);
        findings.add(Severity::Warning, "alignment.unknownPhone",
                     "“" + label + "” (" + counted(one.count, "time") + ") is not in the phone map “" +
                         map.title() + "”" + (near.empty() ? "" : "; similar labels: " + listedInQuotes(near)) + ".",
                     one.first.start, one.first.end, In::Phones, label);
    }
    const double share = unknownTime.value() / std::max(spokenTime.value(), 1e-9);
    if (share > kMostUnknown)
        findings.add(Severity::Error, "alignment.manyUnknown",
                     number("%.0f", 100 * share) + " % of the speech has labels that the map " + map.title() +
                         " does not contain. Use another map, or assign each label a class.",
                     unknown.begin()->second.first.start, unknown.begin()->second.first.end, In::Phones);
}

/// Calls `found` with the levels of every stretch of frames that are all true, as long as `least`, and with its times.
template <class Holds, class Found>
void stretches(const SoundLevels& levels, Seconds least, Holds holds, Found found) {
    const std::size_t n = levels.decibels.size();
    for (std::size_t start = 0; start < n; ++start) {
        if (!holds(start))
            continue;
        std::size_t end = start;
        while (end < n && holds(end))
            ++end;
        if (0.01 * static_cast<double>(end - start) >= least.value())
            found(std::span(levels.decibels).subspan(start, end - start), Seconds(levels.centre(start).value() - 0.005),
                  Seconds(levels.centre(end - 1).value() + 0.005));
        start = end;
    }
}

/// The edge of a label nearest `time` within 20 ms, else `time`: windows of 25 ms are coarser than labels, and a place a few
/// milliseconds early would lie in the label before.
Seconds atLabelEdge(Seconds time, const std::vector<Interval>& labels) {
    Seconds nearest = time, distance(0.02);
    for (const Interval& label : labels)
        for (const Seconds edge : {label.start, label.end})
            if (const Seconds away(std::abs((edge - time).value())); away < distance) {
                nearest = edge;
                distance = away;
            }
    return nearest;
}

/// Frames of speech; the closure of a stop within it counts.
std::vector<bool> speechFrames(const SoundLevels& levels) {
    constexpr std::size_t kClosure = 10;
    std::vector<bool> speech(levels.decibels.size(), false);
    std::optional<std::size_t> last;
    for (std::size_t frame = 0; frame < speech.size(); ++frame) {
        if (levels.decibels[frame] <= levels.speech)
            continue;
        const std::size_t from = last && frame - *last <= kClosure + 1 ? *last : frame;
        std::fill(speech.begin() + static_cast<std::ptrdiff_t>(from),
                  speech.begin() + static_cast<std::ptrdiff_t>(frame) + 1, true);
        last = frame;
    }
    return speech;
}

double medianOf(std::span<const double> levels) {
    return median({levels.begin(), levels.end()});
}

/// The median level of the frames above the least level of speech, labelled or not.
double speechLevel(const SoundLevels& levels) {
    std::vector<double> loud;
    std::copy_if(levels.decibels.begin(), levels.decibels.end(), std::back_inserter(loud),
                 [&](double level) { return level > levels.speech; });
    return median(std::move(loud));
}

/// Every origin of the built-in aligner begins as this one does.
bool isFromBuiltInAligner(const Alignment& alignment) {
    return alignment.origin.starts_with(kDoubtfulOrigin.substr(0, kDoubtfulOrigin.find(';')));
}

void sayFit(const SoundFit& fit, std::int64_t phones, bool isFromBuiltInAligner, Seconds duration, Findings& findings) {
    const auto shift = std::abs(fit.shift.value());
    const auto fits = number("%.2f", fit.fit);
    if (phones < kFewPhones)
        return;
    if (duration >= kShiftable && shift >= kLeastShift.value() && fit.shifted > fit.fit + kShiftGain &&
        fit.shifted >= kShiftedFit) {
        findings.add(Severity::Error, "alignment.shifted",
                     "The labels are shifted against the audio. Moved " + milliseconds(Seconds(shift)) +
                         (fit.shift > Seconds(0) ? " later" : " earlier") +
                         ", their correlation with loudness rises from " + fits + " to " +
                         number("%.2f", fit.shifted) +
                         " (at most 1). Correct the times in the file, or align anew.",
                     Seconds(0), duration, In::Phones);
        return;
    }
    const double score = fit.agreement + fit.fit / 2;
    const bool isWrong = fit.agreement < kMostAgree && score < kWrongScore;
    const bool isLow = fit.fit < kPoorFit;
    if (!isWrong && !isLow && score >= kPoorScore)
        return;
    // What was compared, what came out, which limit decided, what to do. The tool tip has the definitions.
    auto compared = "Where one phone follows another, the recording gets louder or quieter as the labels say in " +
                    (isWrong ? numberBelow(100 * kMostAgree, 100 * fit.agreement, 0) + " % of the cases, less than two thirds"
                             : number("%.0f", 100 * fit.agreement) + " % of the cases") +
                    " (by chance: half). The correlation of loudness and labels is " +
                    (isLow ? numberBelow(kPoorFit, fit.fit, 2) + ", below the limit of 0.45" : fits) + " (at most 1). ";
    if (isWrong)
        compared += "The share plus half the correlation is " + numberBelow(kWrongScore, score, 2) + ", below the limit of 0.95. ";
    else if (score < kPoorScore)
        compared += "The share plus half the correlation is " + numberBelow(kPoorScore, score, 2) + ", below the limit of 1. ";
    if (isWrong)
        findings.add(Severity::Error, "alignment.otherFile",
                     "Labels and audio do not match. " + compared +
                         (isFromBuiltInAligner ? "Play a few phones: where they are not what their labels say, check the text, or use a better aligner "
                                                 "than the built-in one."
                                               : "This is most likely the alignment of another recording: look for the right file, "
                                                 "or align anew."),
                     Seconds(0), duration, In::Phones);
    else
        findings.add(Severity::Warning, "alignment.poorFit",
                     "Labels and audio match only in part. " + compared +
                         "Play a few phones: if they are not what their labels say, " +
                         (isFromBuiltInAligner ? "check the text, or use a better aligner than the built-in one."
                                               : "this is the alignment of another recording."),
                     Seconds(0), duration, In::Phones);
}

} // namespace

void checkPhones(const Alignment& alignment, const PhoneMap& map, AlignmentReport& report,
                 Findings& findings) {
    if (alignment.phones.empty()) {
        findings.add(Severity::Error, "alignment.noPhones", "There is no tier of phones.", Seconds(0),
                     Seconds(0), In::Phones);
        return;
    }
    std::map<std::string, Unknown> unknown;
    std::set<int> classes;
    Seconds unknownTime, spokenTime;
    Interval firstSpoken;
    for (const auto& phone : alignment.phones) {
        ++report.labels[phone.label];
        const auto phoneClass = map.classOf(phone.label);
        if (phoneClass == kSilenceClass || isSpokenNoise(phone.label))
            continue;
        const auto length = phone.end - phone.start;
        if (report.phones++ == 0)
            firstSpoken = phone;
        spokenTime += length;
        if (phoneClass)
            classes.insert(*phoneClass);
        else if (!map.knows(phone.label)) {
            auto& one = unknown[phone.label];
            if (one.count++ == 0)
                one.first = phone;
            unknownTime += length;
        }
        if (length <= Seconds(0))
            findings.add(Severity::Warning, "alignment.zeroLength",
                         "“" + phone.label + "” at " + secondsText(phone.start) + " has no length.",
                         phone.start, phone.end, In::Phones, phone.label);
        else if (length > kLongPhone)
            findings.add(Severity::Warning, "alignment.longPhone",
                         placed(phone) + " is too long for a phone.", phone.start, phone.end,
                         In::Phones, phone.label);
    }
    if (report.phones == 0)
        findings.add(Severity::Error, "alignment.noSpeech", "All phones are silence.", Seconds(0), Seconds(0),
                     In::Phones);
    else if (classes.size() == 1)
        findings.add(Severity::Warning, "alignment.onePhone",
                     "Only “" + firstSpoken.label +
                         "” is spoken; how phones attend to each other is undefined here.",
                     firstSpoken.start, firstSpoken.end, In::Phones, firstSpoken.label);
    sayUnknown(unknown, unknownTime, spokenTime, map, findings);
}

void checkWords(const Alignment& alignment, Findings& findings) {
    std::size_t at = 0;
    const auto& phones = alignment.phones;
    const auto centre = [](const Interval& interval) { return (interval.start + interval.end) / 2; };
    const auto strays = [&](const Interval& phone) {
        if (!isSilence(phone.label))
            findings.add(Severity::Warning, "alignment.strayPhone", placed(phone) + " is in no word.",
                         phone.start, phone.end, In::Phones, phone.label);
    };
    for (const auto& word : alignment.words) {
        for (; at < phones.size() && centre(phones[at]) < word.start; ++at)
            strays(phones[at]);
        if (isSilence(word.label)) {
            for (; at < phones.size() && centre(phones[at]) < word.end; ++at)
                strays(phones[at]);
            continue;
        }
        std::int64_t inside = 0;
        for (; at < phones.size() && centre(phones[at]) < word.end; ++at) {
            const auto& phone = phones[at];
            if (isSilence(phone.label))
                continue;
            ++inside;
            const auto beyond = std::max(word.start - phone.start, phone.end - word.end);
            if (beyond > kWordTolerance)
                findings.add(Severity::Warning, "alignment.outsideWord",
                             placed(phone) + " extends " + milliseconds(beyond) + " beyond its word " +
                                 placed(word) + ".",
                             phone.start, phone.end, In::Phones, phone.label);
        }
        if (inside == 0 && word.label != "<unk>")
            findings.add(Severity::Warning, "alignment.wordWithoutPhones", placed(word) + " has no phones.",
                         word.start, word.end, In::Words, word.label);
    }
    for (; at < phones.size(); ++at)
        strays(phones[at]);
}

void checkSound(const Alignment& alignment, const PhoneMap& map, std::span<const float> samples,
                AlignmentReport& report, Findings& findings) {
    const auto levels = soundLevels(samples);
    if (levels.decibels.empty() || report.phones == 0)
        return;
    const Seconds duration(static_cast<double>(samples.size()) / kModelSampleRate.hertz());
    if (levels.loud < kSilentRecording) {
        findings.add(Severity::Error, "alignment.silentRecording",
                     "Phones are labelled, but the recording is silent: its loudest parts have " +
                         number("%.0f", levels.loud) + " dB.",
                     Seconds(0), duration, In::Phones);
        return;
    }
    const auto labels = sonority(alignment.phones, map, levels);
    const auto fit = soundFit(levels, alignment.phones, map);
    report.fit = fit.fit;
    if (!std::isnan(fit.fit))
        sayFit(fit, report.phones, isFromBuiltInAligner(alignment), duration, findings);
    std::int64_t speech = 0, covered = 0;
    for (std::size_t frame = 0; frame < labels.size(); ++frame) {
        speech += levels.decibels[frame] > levels.speech;
        covered += levels.decibels[frame] > levels.speech && labels[frame] != 0; // NaN: labelled too
    }
    if (speech > 0)
        report.coverage = static_cast<double>(covered) / static_cast<double>(speech);
    if (report.coverage < kLeastCoverage)
        findings.add(Severity::Error, "alignment.uncovered",
                     "Only " + number("%.0f", 100 * report.coverage) +
                         " % of the speech has a phone.",
                     Seconds(0), duration, In::Phones);
    const auto spoken = speechFrames(levels);
    const double leastMedian = speechLevel(levels) - kQuieter;
    stretches(
        levels, kSpeechGap, [&](std::size_t frame) { return labels[frame] == 0 && spoken[frame]; },
        [&](std::span<const double> sound, Seconds start, Seconds end) {
            if (medianOf(sound) < leastMedian)
                return;
            start = atLabelEdge(start, alignment.phones);
            end = atLabelEdge(end, alignment.phones);
            findings.add(Severity::Warning, "alignment.speechWithoutPhones",
                         "From " + secondsText(start) + " to " + secondsText(end) +
                             " the sound is as loud as speech, but has no phone. It may be noise.",
                         start, end, In::Phones);
        });
    stretches(
        levels, kSilentPhones,
        [&](std::size_t frame) { return labels[frame] > 0 && levels.decibels[frame] < levels.silence; },
        [&](std::span<const double>, Seconds start, Seconds end) {
            start = atLabelEdge(start, alignment.phones);
            end = atLabelEdge(end, alignment.phones);
            findings.add(Severity::Warning, "alignment.silentPhones",
                         "From " + secondsText(start) + " to " + secondsText(end) +
                             " phones are labelled where the recording is silent.",
                         start, end, In::Phones);
        });
}

} // namespace headroom
