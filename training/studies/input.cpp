// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/input.h"

#include "core/alignment/phones.h"
#include "core/alignment/readers.h"
#include "core/alignment/validator.h"
#include "core/audio/audio_file.h"
#include "core/audio/audio_name.h"
#include "core/errors/display_name.h"
#include "core/features/model_input.h"
#include "core/tensors/sha256.h"
#include "core/text/tokenizer.h"
#include "models/networks/recording_limits.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace headroom::training {

namespace {

void refuseSilence(const Recording& recording, const StudyUtterance& utterance) {
    if (recording.isSilent())
        throw Error("study.silent",
                    displayName(utterance.audio) + " contains only silence: nothing in it is above −80 dB.",
                    {{"file", displayName(utterance.audio)}});
}

/// The first error that matters; empty where there is none.
std::string reasonAgainst(const AlignmentReport& report, AlignmentUse use) {
    const auto ofPhonesAlone = [](const std::string& code) {
        return code == "alignment.noPhones" || code == "alignment.noSpeech" || code == "alignment.manyUnknown";
    };
    for (const AlignmentFinding& finding : report.findings)
        if (finding.severity == AlignmentFinding::Severity::Error &&
            !(use == AlignmentUse::Words && ofPhonesAlone(finding.code)))
            return finding.sentence;
    return {};
}

std::optional<Alignment> alignmentOf(const StudyUtterance& utterance, AlignmentUse use,
                                     const Recording& recording, Seconds duration, const PhoneMap& phones) {
    auto checked =
        readCheckedAlignment(utterance.alignment, {utterance.id, utterance.audio}, duration, phones, recording.samples);
    const std::string reason = reasonAgainst(checked.report, use);
    if (checked.alignment && reason.empty())
        return std::move(checked.alignment);
    if (use == AlignmentUse::IfThere)
        return {};
    throw Error("study.alignment",
                "The alignment of " + displayName(utterance.audio) + ": " + reason);
}

/// Maps from elsewhere may come without their recording; the row then names the maps themselves.
bool hasSound(const StudyUtterance& utterance) {
    std::error_code ignored;
    const auto audio = audioName(utterance.audio).file;
    return audio.extension() != ".npz" && std::filesystem::is_regular_file(audio, ignored);
}

/// The tokens of a sentence, as the model cuts it.
Matrix<float> featuresOfText(const StudyUtterance& utterance, LayerSource& source) {
    const models::SpeechModel* model = source.speechModel();
    if (!model || model->info().architecture.frontEnd.reads != InputKind::Text)
        throw Error("study.text", utterance.id + " is parallel text, which a speech model cannot read.");
    if (model->info().sourceTokenizer.empty())
        throw Error("model.noTokenizer", model->info().name + " has no tokenizer, so it cannot read text.");
    return textFeatures(Tokenizer(model->info().sourceTokenizer).encode(utterance.text));
}

std::string linesOf(const std::vector<Interval>& tier) {
    std::string text;
    for (const Interval& interval : tier)
        text +=
            nlohmann::json{interval.start.value(), interval.end.value(), validText(interval.label)}.dump() +
            "\n";
    return text;
}

} // namespace

std::string sentenceAbout(const StudyUtterance& utterance, const Error& error) {
    const std::string sentence = error.what();
    const auto name = utterance.text.empty() ? displayName(utterance.audio) : utterance.id;
    return sentence.find(name) != std::string::npos ? sentence : name + ": " + sentence;
}

bool hasLostAlignment(const StudyUtterance& utterance) {
    std::error_code ignored;
    return !utterance.alignment.empty() && !std::filesystem::is_regular_file(utterance.alignment, ignored);
}

std::optional<Alignment> alignmentAsWritten(const StudyUtterance& utterance) {
    constexpr Seconds kWhole{std::numeric_limits<double>::infinity()};
    if (utterance.alignment.empty())
        return {};
    try {
        return readAlignment(utterance.alignment, {utterance.id, utterance.audio}, kWhole);
    } catch (const Error&) { // said by who needs it
        return {};
    }
}

bool hasPhones(const Alignment& alignment) {
    return std::any_of(alignment.phones.begin(), alignment.phones.end(),
                       [](const Interval& phone) { return !isSilence(phone.label); });
}

std::string alignmentIdentity(const StudyUtterance& utterance, const std::optional<Alignment>& written) {
    const std::string rules = "rules " + std::to_string(kAlignmentRules) + "\n";
    if (!written)
        return sha256OfFile(utterance.alignment) + " " + validText(utterance.id) + " " + rules;
    std::string text = rules + "ends " + nlohmann::json(written->fileEnd.value()).dump() + "\nphones\n" +
                       linesOf(written->phones) + "words\n" + linesOf(written->words);
    for (const Warning& warning : written->warnings)
        text += warning.code + "\n";
    return sha256OfBytes(std::as_bytes(std::span(text)));
}

StudyInput loadInput(int index, const StudyUtterance& utterance, AlignmentUse use, LayerSource& source,
                     const PhoneMap& phones, double& seconds) {
    StudyInput input;
    input.utterance = index;
    input.document = &utterance;
    if (!utterance.text.empty()) {
        if (use == AlignmentUse::Required || use == AlignmentUse::Words)
            throw Error("study.alignment", utterance.id + " is text and has no alignment.");
        seconds = 0;
        input.features = featuresOfText(utterance, source);
        return input;
    }
    const bool aligned = use != AlignmentUse::None && !utterance.alignment.empty();
    Recording recording;
    if (source.needsFeatures() || (aligned && hasSound(utterance)))
        recording = loadRecording(utterance.audio);
    if (source.needsFeatures()) {
        seconds = recording.duration().value();
        refuseSilence(recording, utterance);
        const models::SpeechModel* model = source.speechModel(); // who needs features is one
        input.features = models::featuresOf(model->info(), recording.samples);
    } else {
        seconds = source.seconds(utterance);
    }
    if (aligned)
        input.alignment = alignmentOf(utterance, use, recording, Seconds(seconds), phones);
    else if (use == AlignmentUse::Required || use == AlignmentUse::Words)
        throw Error("study.alignment", displayName(utterance.audio) + " has no alignment.");
    return input;
}

bool readAlike(LayerSource& a, LayerSource& b) {
    const models::SpeechModel *first = a.speechModel(), *second = b.speechModel();
    if (!first || !second)
        return first == second;
    const ModelInput input = first->info().architecture.frontEnd.input();
    return &a == &b || (input.kind != InputKind::Text && input == second->info().architecture.frontEnd.input());
}

} // namespace headroom::training
