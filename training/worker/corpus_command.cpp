// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_summary.h"
#include "core/corpus/exports/export_corpus.h"
#include "core/corpus/kinds/corpus_kinds.h"
#include "core/corpus/kinds/import_corpus.h"
#include "core/errors/count_text.h"
#include "core/runs/recipe.h"
#include "core/tensors/atomic_file.h"
#include "core/text/tokenizer.h"
#include "core/time/rounded_time.h"
#include "training/alignment/phone_tasks.h"
#include "training/corpus/demo_corpus.h"
#include "training/corpus/demo_text.h"
#include "training/corpus/sentence_pieces.h"
#include "training/data/training_cmvn.h"
#include "training/worker/commands.h"
#include "training/worker/corpus_import_command.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>

namespace headroom::training {

namespace {

std::string minutesOf(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f min", roundedTime(seconds / 60, 1));
    return text.data();
}

constexpr std::size_t kShownProblems = 20;

void showProblems(const ImportedCorpus& made, const std::filesystem::path& out, Console& console) {
    for (std::size_t i = 0; i < made.problems.size() && i < kShownProblems; ++i)
        console.note(made.problems[i].sentence);
    if (made.problems.size() > kShownProblems)
        console.note("… and " +
                     counted(static_cast<std::int64_t>(made.problems.size() - kShownProblems), "more problem") +
                     ", listed in " + (out / "problems.tsv").string() + ".");
    for (const auto& note : made.notes)
        console.note(note);
}

/// The texts to learn pieces of: those of training splits. A single split of another name is the whole corpus.
std::vector<std::string> textsToLearn(const Corpus& corpus, const CorpusTask& task) {
    const auto& splits = corpus.document().splits;
    std::vector<std::string> texts;
    for (const auto& split : splits)
        if (split.starts_with("train") || splits.size() == 1)
            for (const auto& utterance : corpus.utterances(split, task.name))
                if (!utterance.text.empty()) {
                    texts.push_back(utterance.text);
                    if (task.isText) // parallel text has one vocabulary for both languages
                        texts.push_back(utterance.sourceText);
                }
    return texts;
}

/// fairseq's sizes for MuST-C and, of parallel text, for IWSLT14, where none is asked for.
int piecesFor(const CorpusTask& task, std::optional<int> asked) {
    return asked ? *asked : task.isText ? 10000 : task.isTranslation() ? 8000 : 5000;
}

/// "12 utterances, 3.4 min"; of parallel text "12 pairs".
std::string amountOf(const ImportedCorpus& made, std::int64_t utterances, double seconds) {
    return made.document.tasks.front().isText ? counted(utterances, "pair")
                                              : counted(utterances, "utterance") + ", " + hoursOf(seconds);
}

/// Copies the SentencePiece models that a corpus of ours has for a task, with their lists of pieces: its models and what was
/// exported of it were made with them. Returns the number of pieces; `nullopt` if it has none.
std::optional<int> keptPieces(const std::filesystem::path& from, const std::filesystem::path& out, const std::string& task) {
    std::error_code problem;
    if (!std::filesystem::exists(from / corpusTokenizerName(task), problem))
        return std::nullopt;
    for (const std::filesystem::path name : {corpusTokenizerName(task), corpusSourceTokenizerName(task)})
        for (const auto& file : {name, std::filesystem::path(name).replace_extension(".vocab")})
            if (std::filesystem::exists(from / file, problem)) {
                std::filesystem::copy_file(from / file, out / file, problem);
                if (problem)
                    throw Error("corpus.unwritable", (out / file).string() + " could not be written: " + problem.message() + ".",
                                {{"file", (out / file).string()}});
            }
    return Tokenizer(out / corpusTokenizerName(task)).size();
}

/// `from`: a corpus of ours, whose pieces are kept where no number is asked for; else empty. `notes`: what is said of them is added.
nlohmann::json learnPieces(const std::filesystem::path& from, const std::filesystem::path& out, std::optional<int> asked,
                           std::vector<std::string>& notes, Console& console) {
    auto sizes = nlohmann::json::object();
    if (asked == 0)
        return sizes;
    const auto corpus = Corpus::open(out, {}, Corpus::Wanted::Texts); // `out` gets another name, so no index of it is kept
    for (const auto& task : corpus.document().tasks) {
        if (const auto kept = asked || from.empty() ? std::nullopt : keptPieces(from, out, task.name)) {
            sizes[task.name] = *kept;
            console.line(task.name + ": " + counted(*kept, "piece") + " of " + from.string());
            continue;
        }
        const auto texts = textsToLearn(corpus, task);
        if (texts.empty()) {
            notes.push_back("No SentencePiece model was learnt for " + task.name +
                            ": there is no text in a split whose name begins with “train”.");
            console.note(notes.back());
            continue;
        }
        const auto learnt = learnSentencePieces(texts, piecesFor(task, asked));
        const auto model = out / corpusTokenizerName(task.name);
        writeAtomically(model, learnt.model, "corpus.unwritable");
        writeAtomically(std::filesystem::path(model).replace_extension(".vocab"), learnt.vocabulary,
                        "corpus.unwritable");
        sizes[task.name] = learnt.size;
        console.line(task.name + ": " + counted(learnt.size, "piece"));
        if (asked && learnt.size < *asked) {
            notes.push_back("The SentencePiece model for " + task.name + " has " + counted(learnt.size, "piece") + " instead of " +
                            grouped(*asked) + ", because the texts do not have more.");
            console.note(notes.back());
        }
    }
    return sizes;
}

/// Throws if the folder is a corpus that only `corpus KIND` reads.
void refuseOtherKind(const std::filesystem::path& data) {
    for (const auto& kind : corpusKinds())
        if (kind.name != "headroom" && kind.name != "folder" && kind.recognise(data)) {
            const std::string name(kind.name);
            throw Error("corpus.otherKind",
                        data.string() + " is a corpus of the kind " + name + ". Read it first (headroom-worker corpus " +
                            name + " --from " + data.string() + " --out D) and use D.",
                        {{"file", data.string()}, {"kind", name}});
        }
}

std::string decimal(const char* form, double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), form, value);
    return text.data();
}

std::string partText(const LeftOutFacts::Part& part, const std::string& why) {
    if (part.utterances == 0)
        return {};
    const std::string unusable = grouped(part.unusable) + " unusable"; // whose length only the table says
    return ", " + why + ": " + grouped(part.utterances) + " (" +
           (part.unusable == part.utterances ? unusable : hoursOf(part.seconds) + (part.unusable > 0 ? ", and " + unusable : "")) + ")";
}

void showSplits(const CorpusSummary& summary, const SplitLimits& limits, Console& console) {
    for (const auto& split : summary.splits) {
        console.line(split.name + ": " + counted(split.utterances, "utterance") + ", " +
                     hoursOf(split.seconds) + ", " +
                     counted(static_cast<std::int64_t>(split.speakers.size()), "speaker"));
        const auto left = leftOutBy(split, limits.of(split.name));
        const auto parts = partText(left.withoutText, "without text") + partText(left.tooShort, "too short") +
                           partText(left.tooLong, "too long") +
                           (left.stopping > 0 ? ", cannot be used: " + grouped(left.stopping) : "");
        console.line("  kept " + grouped(left.kept.utterances) + " (" + hoursOf(left.kept.seconds) + ")" +
                     parts);
        for (const auto& text : split.texts)
            if (text.words > 0)
                console.line("  " + text.language + ": " + decimal("%.2f", text.meanRate()) +
                             " words per second, " + counted(text.vocabulary.different, "different word"));
    }
}

void showVocabularies(const CorpusSummary& summary, Console& console) {
    for (const auto& one : summary.vocabularies) {
        std::string line = "words of training, " + one.language + ": " + grouped(one.different) + " different of " +
                           grouped(one.running);
        std::string unknown;
        for (const auto& [split, share] : one.unknown)
            unknown += (unknown.empty() ? "; not in training: " : ", ") + split + " " + decimal("%.1f %%", 100 * share);
        line += unknown;
        console.line(line);
    }
}

} // namespace

std::string hoursOf(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), seconds < 3600 ? "%.1f min" : "%.1f h",
                  roundedTime(seconds < 3600 ? seconds / 60 : seconds / 3600, 1));
    return text.data();
}

namespace {

void demoText(const CorpusOptions& options, Console& console) {
    DemoTextOptions demo;
    demo.out = options.out;
    demo.sentences = options.sentences;
    demo.seed = options.seed;
    const auto summary = makeDemoText(demo);
    std::int64_t pairs = 0;
    for (const auto& [name, count] : summary.splits) {
        pairs += count;
        console.line(name + ": " + counted(count, "pair"));
    }
    console.line(options.out.string() + ": " + counted(pairs, "pair") + " of sentences for each of two tasks, " +
                 counted(summary.words, "English word"));
    console.document({{"format", "headroom/corpus-summary"},
                      {"version", 1},
                      {"corpus", options.out.string()},
                      {"seed", options.seed},
                      {"pairs", pairs},
                      {"splits", summary.splits},
                      {"words", summary.words},
                      {"pieces", summary.pieces}});
}

} // namespace

void corpus(const CorpusOptions& options, Console& console) {
    if (options.text)
        return demoText(options, console);
    DemoCorpusOptions demo;
    demo.out = options.out;
    demo.minutes = options.minutes;
    demo.seed = options.seed;
    demo.processes = options.processes;
    demo.invented = options.invented;
    std::int64_t shown = 0;
    const auto summary = makeDemoCorpus(demo, [&](double done, double wanted) {
        // A word for each fortieth, not for each utterance.
        const auto step = static_cast<std::int64_t>(std::floor(40 * done / wanted));
        if (std::exchange(shown, step) != step)
            console.progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(std::ceil(wanted)),
                             "seconds spoken");
    });
    auto splits = nlohmann::json::object();
    double seconds = 0;
    std::int64_t utterances = 0;
    for (const auto& [name, split] : summary.splits) {
        splits[name] = {{"utterances", split.utterances}, {"seconds", split.seconds}};
        seconds += split.seconds;
        utterances += split.utterances;
        console.line(name + ": " + counted(split.utterances, "utterance") + ", " + minutesOf(split.seconds));
    }
    console.line(options.out.string() + ": " + counted(utterances, "utterance") + ", " + minutesOf(seconds) + ", " +
                 counted(summary.words, "English word") + ", " + counted(summary.voices, "voice"));
    console.document({{"format", "headroom/corpus-summary"},
                      {"version", 1},
                      {"corpus", options.out.string()},
                      {"seed", options.seed},
                      {"utterances", utterances},
                      {"seconds", seconds},
                      {"splits", splits},
                      {"words", summary.words},
                      {"voices", summary.voices},
                      {"pieces", summary.pieces}});
}

void importCorpusCommand(const CorpusImportOptions& options, Console& console) {
    std::int64_t shown = -1;
    const auto progress = [&](std::int64_t done, std::int64_t total) {
        const auto step = 20 * done / total;
        if (console.isTerminal() ? done % 100 == 0 || done == total : std::exchange(shown, step) != step)
            console.progress(done, total, "recordings");
    };
    auto pieces = nlohmann::json::object();
    std::vector<std::string> pieceNotes;
    auto made = importCorpus(options.request, progress, [&](const ImportedCorpus& unfinished, const std::filesystem::path& folder) {
        showProblems(unfinished, options.request.out, console);
        if (unfinished.kind == "kaldi" || unfinished.kind == "headroom")
            if (const std::string sentence = takeKaldiCmvn(options.request.from, folder); !sentence.empty())
                console.note(sentence);
        const bool keepsTexts = unfinished.kind == "headroom" && !options.request.lowercase;
        pieces = learnPieces(keepsTexts ? options.request.from : std::filesystem::path(), folder, options.pieces, pieceNotes, console);
    });
    made.notes.insert(made.notes.end(), pieceNotes.begin(), pieceNotes.end());
    double seconds = 0;
    std::int64_t utterances = 0;
    auto splits = nlohmann::json::object();
    for (const auto& [name, split] : made.splits) {
        splits[name] = {{"utterances", split.utterances}, {"seconds", split.seconds}};
        seconds += split.seconds;
        utterances += split.utterances;
        console.line(name + ": " + amountOf(made, split.utterances, split.seconds));
    }
    console.line(options.request.out.string() + ": " + made.kind + ", " + amountOf(made, utterances, seconds) +
                 (made.leftOut > 0 ? ", " + counted(made.leftOut, "item") + " left out (see problems.tsv)" : ""));
    if (made.document.tasks.front().isText && !options.exports.empty())
        throw Error("corpus.noExport", options.request.out.string() +
                                           " is parallel text, which the tables of other toolkits for speech cannot hold. "
                                           "The corpus is whole; omit --export.");
    for (const auto& kind : options.exports) {
        exportCorpus(options.request.out, exportKind(kind), options.request.out / kind);
        console.line((options.request.out / kind).string() + ": " + std::string(exportKind(kind).about));
    }
    std::map<std::string, std::int64_t> problems;
    for (const auto& problem : made.problems)
        ++problems[problem.code];
    auto tasks = nlohmann::json::array();
    for (const auto& task : made.document.tasks)
        tasks.push_back(task.name);
    console.document({{"format", "headroom/corpus-import"},
                      {"version", 1},
                      {"corpus", options.request.out.string()},
                      {"kind", made.kind},
                      {"from", options.request.from.string()},
                      {"utterances", utterances},
                      {"seconds", seconds},
                      {"splits", splits},
                      {"tasks", tasks},
                      {"leftOut", made.leftOut},
                      {"problems", problems},
                      {"notes", made.notes},
                      {"exports", options.exports},
                      {"pieces", pieces}});
}

Corpus openTranscribed(const std::filesystem::path& data, Console* console) {
    std::int64_t shown = 0;
    const auto progress = [&](std::int64_t done, std::int64_t total) {
        constexpr std::int64_t kWorthShowing = 10'000'000, kMegabyte = 1'000'000;
        if (!console || total < kWorthShowing || done - shown < total / 10)
            return;
        shown = done;
        console->progress(done / kMegabyte, total / kMegabyte, "MB of tables");
    };
    try {
        auto opened = Corpus::open(data, progress);
        const auto isSilent = [](const CorpusTable& table) {
            return std::ranges::all_of(table.utterances, [](const Utterance& each) { return each.text.empty(); });
        };
        if (opened.kind() == Corpus::Kind::Recordings && std::ranges::all_of(opened.tables(), isSilent))
            refuseOtherKind(data);
        return opened;
    } catch (const Error& error) {
        if (error.code() == "corpus.notACorpus")
            refuseOtherKind(data);
        throw;
    }
}

void corpusPhones(const std::filesystem::path& data, Console& console) {
    const auto summary = addPhoneTasks(data);
    for (const auto& sentence : summary.leftOut)
        console.note(sentence);
    for (const auto& [split, utterances] : summary.utterances)
        console.line(split + ": " + counted(utterances, "utterance") + " with phones");
    console.document({{"format", "headroom/phone-tasks"},
                      {"version", 1},
                      {"corpus", data.string()},
                      {"tasks", {"phones", "phone_frames"}},
                      {"utterances", summary.utterances},
                      {"leftOut", summary.leftOutCount}});
}

void corpusSummary(const CorpusSummaryOptions& options, Console& console) {
    Recipe recipe;
    if (!options.recipe.empty())
        recipe = readRecipe(options.recipe);
    const SplitLimits limits = recipe.data.limits();
    const auto corpus = openTranscribed(options.data, &console);
    const std::string task = !options.task.empty() ? options.task : options.recipe.empty() ? "" : recipe.task;
    std::int64_t shown = 0;
    const auto summary = summariseCorpus(corpus, task, [&](std::int64_t done, std::int64_t total) {
        if (done > 0 && total > 0 && done - shown >= total / 10) {
            shown = done;
            console.progress(done, total, "utterances");
        }
        return true;
    });
    console.line(options.data.string() + ": " + summary->name + ", task " + summary->task + ", " +
                 counted(summary->utterances(), "utterance") + ", " + hoursOf(summary->seconds()));
    const bool validates = std::ranges::any_of(summary->splits, [&](const SplitFacts& one) { return one.name == limits.validationSplit; });
    console.line("limits: " + grouped(limits.training.least) + " to " + grouped(limits.training.most) + " frames of 10 ms" +
                 (validates ? ", for validation (" + limits.validationSplit + ") to " + grouped(limits.validation.most) : "") +
                 (options.recipe.empty() ? "" : " (" + recipe.name + ")"));
    showSplits(*summary, limits, console);
    console.line("speakers in several splits: " +
                 grouped(static_cast<std::int64_t>(summary->sharedSpeakers.size())));
    showVocabularies(*summary, console);
    for (const auto& defect : summary->defects) {
        const auto number = static_cast<std::int64_t>(defect.utterances.size());
        console.line("defect, " + std::string(defectWord(defect.kind)) + ": " + defectTitle(defect.code) +
                     ", " + counted(number, "utterance") +
                     "; the first: " + defect.utterances.front().sentence);
    }
    auto document = toJson(*summary, limits);
    document["corpus"] = options.data.string();
    console.document(document);
}

} // namespace headroom::training
