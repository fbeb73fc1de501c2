// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/alignment/phone_tasks.h"

#include "core/alignment/phones.h"
#include "core/alignment/text_grid.h"
#include "core/audio/audio_file.h"
#include "core/corpus/corpus.h"
#include "core/errors/display_name.h"
#include "core/tensors/atomic_file.h"
#include "core/time/clocks.h"
#include "training/alignment/aligner_record.h"
#include "training/corpus/sentence_pieces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPhones = "phones";
constexpr const char* kFrames = "phone_frames";
constexpr const char* kSilence = "SIL";

/// Both texts of one utterance.
struct PhoneTexts {
    std::string phones, frames;
};

std::int64_t framesOf(const Utterance& utterance) {
    if (utterance.frames)
        return utterance.frames->value();
    const auto samples = static_cast<std::int64_t>(loadRecording(utterance.audio).samples.size());
    return FrameClock().frameCount(Samples(samples), kModelSampleRate).value();
}

void append(std::string& text, const std::string& label) {
    text += (text.empty() ? "" : " ") + label;
}

/// Throws Error with the sentence why not.
PhoneTexts textsOf(const Utterance& utterance, const std::vector<std::string>& labels) {
    if (utterance.alignment.empty())
        throw Error("corpus.noAlignments", "there is no alignment");
    const std::int64_t frames = framesOf(utterance);
    const FrameClock clock;
    const auto name = displayName(utterance.alignment);
    const auto alignment =
        alignmentFrom(readTextGrid(utterance.alignment), clock.centre(Frames(frames)) + clock.length(), name);
    PhoneTexts texts;
    std::vector<int> classes;
    for (const auto& phone : alignment.phones) {
        const auto found = phoneClass(phone.label);
        if (!found)
            throw Error("alignment.phone", "its phone \"" + phone.label + "\" belongs to no class");
        classes.push_back(*found);
        if (*found != kSilenceClass)
            append(texts.phones, labels[static_cast<std::size_t>(*found)]);
    }
    if (texts.phones.empty())
        throw Error("alignment.noPhones", "its alignment has no phone");
    std::size_t at = 0;
    for (std::int64_t frame = 0; frame < frames; ++frame) {
        const auto centre = clock.centre(Frames(frame)).value();
        while (at < classes.size() && alignment.phones[at].end.value() <= centre)
            ++at;
        const bool inside = at < classes.size() && alignment.phones[at].start.value() <= centre;
        append(texts.frames, labels[static_cast<std::size_t>(inside ? classes[at] : kSilenceClass)]);
    }
    return texts;
}

/// What goes with a model of these tasks, but for what is measured with it. The priors are those of `frames`.
AlignerRecord recordOf(const std::string& corpus, const std::vector<Utterance>& frames,
                       const SentencePieces& pieces) {
    std::map<std::string, double> counts;
    double total = 0;
    for (const auto& utterance : frames) {
        std::istringstream each(utterance.text);
        for (std::string label; each >> label; ++total)
            ++counts[label];
    }
    AlignerRecord record;
    record.name = "phone model of " + corpus;
    const std::string mark = "\u2581"; // in front of every whole word
    std::istringstream lines(pieces.vocabulary);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(mark)) {
            const auto label = line.substr(mark.size(), line.find('\t') - mark.size());
            if (label == kSilence)
                record.silence = static_cast<int>(record.labels.size());
            record.labels.push_back(label);
            record.logPriors.push_back(
                std::log((counts[label] + 1) / (total + static_cast<double>(phoneModelLabels().size()))));
        }
    record.firstLabel = pieces.size - static_cast<int>(record.labels.size());
    return record;
}

} // namespace

std::vector<std::string> phoneModelLabels() {
    std::vector<std::string> labels(kPhoneClasses.begin(), kPhoneClasses.end());
    labels.emplace_back(kSilence);
    return labels;
}

PhoneTasksSummary addPhoneTasks(const fs::path& path) {
    const Corpus corpus = Corpus::open(path);
    if (corpus.kind() != Corpus::Kind::Tables)
        throw Error("corpus.notTables", displayName(path) + " has no corpus.json to add tasks to.",
                    {{"file", displayName(path)}});
    const auto labels = phoneModelLabels();
    auto document = corpus.document();
    PhoneTasksSummary summary;
    const auto pieces = wholeWordPieces(labels);
    std::vector<CorpusTask> tasks;
    for (const char* name : {kPhones, kFrames}) {
        const auto spoken = document.languages.empty() ? std::string() : document.languages.front();
        tasks.push_back({name, spoken, spoken});
        std::erase_if(document.tasks, [&](const CorpusTask& task) { return task.name == name; });
    }
    for (const auto& split : document.splits) {
        std::vector<Utterance> phones, frames;
        for (Utterance utterance : corpus.utterances(split, "asr")) {
            try {
                auto texts = textsOf(utterance, labels);
                utterance.text = std::move(texts.phones);
                phones.push_back(utterance);
                utterance.text = std::move(texts.frames);
                frames.push_back(std::move(utterance));
            } catch (const Error& error) {
                constexpr std::int64_t kSaid = 20;
                if (summary.leftOutCount++ < kSaid)
                    summary.leftOut.push_back(utterance.id + " was left out: " + error.what() + ".");
            }
        }
        if (phones.empty())
            throw Error("corpus.noAlignments",
                        displayName(path) + ": no utterance of " + split + " can be used" +
                            (summary.leftOut.empty() ? "." : "; " + summary.leftOut.back()),
                        {{"split", split}});
        writeCorpusTable(corpus.folder(), split, tasks[0], phones);
        writeCorpusTable(corpus.folder(), split, tasks[1], frames);
        summary.utterances[split] = static_cast<std::int64_t>(phones.size());
        if (split == document.splits.front())
            writeAtomically(corpus.folder() / "aligner.json",
                            alignerRecordText(recordOf(document.name, frames, pieces)), "corpus.unwritable");
    }
    for (const auto& task : tasks) {
        const auto model = corpus.folder() / corpusTokenizerName(task.name);
        writeAtomically(model, pieces.model, "corpus.unwritable");
        writeAtomically(fs::path(model).replace_extension(".vocab"), pieces.vocabulary, "corpus.unwritable");
        document.tasks.push_back(task);
    }
    writeCorpusDocument(corpus.folder() / "corpus.json", document);
    return summary;
}

} // namespace headroom::training
