// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/data/examples.h"

#include "core/audio/audio_file.h"
#include "core/audio/audio_name.h"
#include "core/corpus/corpus_document.h"
#include "core/corpus/feature_archive.h"
#include "core/errors/count_text.h"
#include "core/model_folders/language_adapter.h"
#include "core/tensors/sha256.h"
#include "core/time/clocks.h"
#include "training/data/left_out.h"

#include <algorithm>

namespace headroom::training {

namespace {

std::int64_t framesOf(const Utterance& utterance) {
    if (utterance.frames)
        return utterance.frames->value();
    if (const AudioName name = audioName(utterance.audio); name.holdsFeatures())
        return archivedShape(name).frames;
    const auto samples = static_cast<std::int64_t>(loadRecording(utterance.audio).samples.size());
    return FrameClock().frameCount(Samples(samples), kModelSampleRate).value();
}

std::string blankless(const std::string& text) {
    const auto start = text.find_first_not_of(" \t\r\n");
    return start == std::string::npos ? std::string()
                                      : text.substr(start, text.find_last_not_of(" \t\r\n") + 1 - start);
}

} // namespace

std::int64_t inputFrames(const Architecture::FrontEnd& frontEnd, std::int64_t frames) {
    return frontEnd.framesIn(FrameClock().step() * static_cast<double>(frames)).value();
}

int checkTokenIds(const Tokenizer& tokenizer, const std::filesystem::path& file) {
    const auto refuse = [&](const std::string& what) {
        throw Error("data.tokenizer", file.string() + what, {{"file", file.string()}});
    };
    // Labels of a CTC output, those of a language among them, or TokenRules say what starts and ends a text.
    if (file.extension() == ".json" || file.extension() == ".yaml" || !languageOfAdapter(file).empty())
        return tokenizer.unknownId();
    if (!tokenizer.hasSpeechToTextIds())
        refuse(" does not use ids 1 and 2 for <pad> and </s>, as the models require.");
    for (int id = 0; id < tokenizer.size(); ++id)
        if (tokenizer.piece(id) == "<unk>")
            return id;
    refuse(" has no piece <unk>.");
    return -1;
}

ExampleSet readExamples(const Corpus& corpus, const Recipe& recipe, const std::string& split,
                        bool forTraining, const Tokenizer& tokenizer, int unknownId,
                        const std::shared_ptr<const TextForm>& form, const SourcePieces* source) {
    ExampleSet set;
    LeftOut leftOut;
    UnknownText unknown(unknownId), unknownSource(source ? source->unknownId : unknownId);
    const Tokenizer& reader = source ? source->tokenizer : tokenizer;
    const SplitLimits bySplit = recipe.data.limits();
    const LengthLimits& limits = forTraining ? bySplit.training : bySplit.validation;
    for (const Utterance& utterance : corpus.utterances(split, recipe.task)) {
        Example example;
        example.id = utterance.id;
        example.text = blankless(utterance.text);
        if (example.text.empty()) {
            leftOut.add("there is no text", utterance.id);
            continue;
        }
        const bool isText = utterance.audio.empty();
        if (isText)
            example.source = reader.encode(blankless(utterance.sourceText));
        example.target = tokenizer.encode(example.text);
        example.audio = utterance.audio;
        example.frames = isText ? static_cast<std::int64_t>(std::max(example.source.size(), example.target.size())) + 1
                                : framesOf(utterance);
        if (leftOut.addIfOutside(limits, example.frames, isText ? "tokens" : "frames", utterance.id))
            continue;
        if (form->window > 0 && example.frames > form->window) {
            leftOut.add("longer than the " + grouped(form->window) + " frames that the model reads",
                        utterance.id);
            continue;
        }
        example.form = form;
        example.perFrame = recipe.task == kFrameLabelTask;
        if (example.perFrame && static_cast<std::int64_t>(example.target.size()) != example.frames)
            throw Error("data.frameLabels",
                        utterance.id + " has " + grouped(static_cast<std::int64_t>(example.target.size())) + " labels for " +
                            grouped(example.frames) + " frames.",
                        {{"id", utterance.id}});
        if (!example.perFrame && static_cast<std::int64_t>(example.target.size()) > form->longest) {
            leftOut.add("its text has more than " + grouped(form->longest) + " tokens",
                        utterance.id);
            continue;
        }
        if (unknown.isIn(example.target))
            unknown.add(utterance.id, example.text);
        else if (unknownSource.isIn(example.source))
            unknown.add(utterance.id, utterance.sourceText);
        set.examples.push_back(std::move(example));
    }
    if (forTraining)
        unknown.judge(recipe.data, split, set.notes);
    if (const auto stored = std::count_if(set.examples.begin(), set.examples.end(),
                                          [](const Example& one) { return audioName(one.audio).holdsFeatures(); });
        stored > 0)
        set.notes.push_back(counted(stored, "utterance") + " of “" + split +
                            (stored == 1 ? "” is" : "” are") +
                            " stored features: dither and the times of frames are those of the program that made them.");
    for (auto& sentence : leftOut.sentences(split))
        set.notes.push_back(std::move(sentence));
    if (set.examples.empty()) {
        const std::string table = corpusTableName(split, recipe.task);
        std::string reason = set.notes.empty() ? "" : set.notes.front();
        for (const CorpusProblem& problem : corpus.problems())
            if (reason.empty() && problem.file == table && (problem.leftOut || problem.line <= 1))
                reason = problem.sentence;
        const bool hasTables = corpus.kind() == Corpus::Kind::Tables;
        const auto where = hasTables ? corpus.folder() / table : corpus.folder();
        throw Error("data.empty",
                    where.string() + " has no utterance for “" + split + "”, task " + recipe.task +
                        (reason.empty() ? "." : ": " + reason),
                    {{"split", split}, {"task", recipe.task}, {"file", table}});
    }
    return set;
}

void checkReadable(const ExampleSet& set, const Architecture::FrontEnd& frontEnd, const std::string& model) {
    const bool readsText = frontEnd.reads == InputKind::Text;
    for (const Example& example : set.examples)
        if (example.audio.empty() != readsText)
            throw Error("data.kind", model + (readsText ? " reads text, and " : " reads recordings, and ") + example.id +
                                         (readsText ? " is a recording. Choose a task of parallel text."
                                                    : " is parallel text. Choose a task with recordings."),
                        {{"id", example.id}});
}

std::string hashOf(const std::vector<const ExampleSet*>& sets) {
    Sha256 hash;
    const auto add = [&](const std::string& text) {
        const std::string field = std::to_string(text.size()) + ":" + text;
        hash.add(std::as_bytes(std::span(field.data(), field.size())));
    };
    for (const ExampleSet* set : sets)
        for (const Example& example : set->examples) {
            add(example.id);
            add(example.audio.filename().string());
            std::error_code ignored;
            if (example.source.empty())
                add(std::to_string(std::filesystem::file_size(audioName(example.audio).file, ignored)));
            add(std::to_string(example.frames));
            std::string ids;
            for (const int id : example.source)
                ids += std::to_string(id) + " ";
            for (const int id : example.target)
                ids += std::to_string(id) + " ";
            add(ids);
        }
    return hash.hex();
}

} // namespace headroom::training
