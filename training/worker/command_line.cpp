// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/command_line.h"

#include "core/errors/error.h"
#include "models/layers/device_errors.h"
#include "training/devices/devices.h"
#include "training/worker/arguments/align_arguments.h"
#include "training/worker/arguments/bench_arguments.h"
#include "training/worker/arguments/decoding_arguments.h"
#include "training/worker/arguments/device_arguments.h"
#include "training/worker/arguments/evaluate_arguments.h"
#include "training/worker/arguments/experiment_arguments.h"
#include "training/worker/arguments/not_empty.h"
#include "training/worker/arguments/run_arguments.h"
#include "training/worker/arguments/shipped_file.h"
#include "training/worker/arguments/study_arguments.h"
#include "training/worker/commands.h"
#include "training/worker/corpus_import_command.h"
#include "training/worker/documents/train_documents.h"
#include "training/worker/experiment_command.h"
#include "training/worker/figures_command.h"
#include "training/worker/pieces_command.h"
#include "training/worker/places_command.h"
#include "training/worker/suggest_command.h"
#include "training/worker/train_at_place.h"
#include "training/worker/train_ranks.h"
#include "training/worker/work_at_place.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cmath>
#include <functional>
#include <iostream>

namespace headroom::training {

namespace {

/// Runs a command and turns what it throws into a sentence and a status.
int run(bool json, const std::function<void(Console&)>& command) {
    Console console(json);
    try {
        command(console);
    } catch (const std::exception& mistake) {
        console.problem(dynamic_cast<const Error*>(&mistake) ? mistake.what()
                        : models::isOutOfMemory(mistake)     ? models::outOfMemorySentence()
                        : models::isDeviceLost(mistake)      ? models::deviceLostSentence(mistake)
                                                             : std::string("Internal error in the worker: ") + mistake.what() + ".");
    }
    return console.finish();
}

struct Arguments {
    bool json = false;
    FeaturesOptions features;
    AnalyseOptions analyse;
    TranscribeOptions transcribe;
    TranslateOptions translate;
    TrainOptions train;
    EvaluateOptions evaluate;
    bool elsewhere = false; ///< the command is done at another place
    QueueOptions queue;
    StudyOptions study;
    FiguresOptions figures;
    SpeakOptions speak;
    CorpusOptions corpus;
    CorpusImportOptions imported;
    CorpusSummaryOptions summary;
    PiecesOptions pieces;
    AlignOptions align;
    AlignmentsOptions alignments;
    ScoreOptions score;
    ImportOptions source;
    std::filesystem::path described;
    std::string device = "cpu", wantedDevice; ///< the one that was chosen, and the word for it
    int wantedRanks = 0;                      ///< as takeRanksOfRun() returns it
    PlacesOptions places;
    BenchOptions bench;
    ExperimentOptions experiment;
    SuggestOptions suggest;
};

/// --json, and what the command does with a console.
void declareWork(CLI::App* command, Arguments& arguments, std::function<int()>& chosen,
                 std::function<void(Console&)> work) {
    command->add_flag("--json", arguments.json, "print one JSON document to standard output");
    command->callback([&, work] { chosen = [&, work] { return run(arguments.json, work); }; });
}

/// Done here, or at another place.
void chooseWhere(const PlacedWork& work, const CLI::App* command, Arguments& arguments, std::function<int()>& chosen,
                 const bool& json, const std::function<void(Console&)>& here) {
    chosen = [=, &json] { return run(json, here); };
    if ((arguments.elsewhere = isAtPlace(work)))
        chosen = [=, &json] { return run(json, [&](Console& console) { workAtPlace(work, *command, console); }); };
}

void declareAnalyse(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto* command = app.add_subcommand("analyse", "analyse what each layer attends to: NAME.npz per recording, and summary.json");
    auto& options = arguments.analyse;
    command->add_option("--model", options.model, "model folder")->required();
    orShippedArchitecture(command->add_option("--draft", options.draft, "architecture file: the model with its heads, untrained"));
    command->add_option("AUDIO", options.audio, "recordings; text files for a model that reads text, or a language model")->required();
    command->add_option("--out", options.out, "folder for the results")->required();
    command->add_flag("--maps", options.maps, "also write attention maps");
    command->add_flag("--states", options.states, "also write the vectors between the encoder's layers");
    command->add_flag("--decoder", options.decoder, "also analyse the decoder's self- and cross-attention, on the greedy output");
    command->add_option("--language", options.language, "spoken language, for a model with an adapter per language "
                                                        "(MMS), or with --decoder for one that is told the language (Whisper)")->check(notEmpty());
    command->add_option("--mixing", options.mixing, "other measures of mixing; separated by commas");
    command
        ->add_option("--units", options.units,
                     "unit of these measures, whose values are zeroed together: tokens, phones or words; "
                     "phones and words need an alignment beside the recording")
        ->capture_default_str()
        ->check(CLI::IsMember({"tokens", "phones", "words"}));
    command
        ->add_option("--pooling", options.pooling, "how a unit's value follows from its tokens: mean or maximum")
        ->capture_default_str()
        ->check(CLI::IsMember({"mean", "maximum"}));
    command->footer(mixingHelp());
    command->add_option("--from", options.from, "start of the part to analyse, in seconds");
    command->add_option("--to", options.to, "end of the part, in seconds");
    command->add_flag("--json", arguments.json, "also print summary.json to standard output");
    command->callback([&, command] {
        if (!std::isfinite(options.from.value_or(0)) || !std::isfinite(options.to.value_or(0)))
            throw CLI::ValidationError("--from, --to", "times must be finite numbers of seconds");
        if (options.from.value_or(0) < 0)
            throw CLI::ValidationError("--from", "a recording starts at 0 s");
        if (options.to && *options.to <= options.from.value_or(0))
            throw CLI::ValidationError("--to", "the part must end after it starts");
        for (const char* of : {"--units", "--pooling"})
            if (options.mixing.empty() && command->count(of) > 0)
                throw CLI::ValidationError(of, "needs --mixing");
        chosen = [&] { return run(arguments.json, [&](Console& console) { analyse(options, console); }); };
    });
}

void declareTranscribe(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    declareTranscribeArguments(app, arguments.transcribe, arguments.json)->callback([&] {
        checkTranscribeArguments(arguments.transcribe, arguments.json);
        chosen = [&] {
            return run(arguments.json, [&](Console& console) { transcribe(arguments.transcribe, console); });
        };
    });
}

void declareSpeak(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto* command = app.add_subcommand("speak", "speak a text with espeak-ng: X.wav, and X.TextGrid with words and phones");
    auto& options = arguments.speak;
    command->add_option("TEXT", options.text, "the text to speak")->required();
    command->add_option("--out", options.out, "X.wav")->required();
    command->add_option("--voice", options.voice, "name of an espeak-ng voice")->capture_default_str();
    command->add_option("--rate", options.rate, "words per minute")
        ->capture_default_str()
        ->check(CLI::Range(80, 440));
    command->add_option("--pitch", options.pitch, "0 to 99")->capture_default_str()->check(CLI::Range(0, 99));
    declareWork(command, arguments, chosen, [&](Console& console) { speak(options, console); });
}

void declareCorpus(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto* command = app.add_subcommand(
        "corpus", "make a corpus for training, or read one in place; without KIND, the kind is detected");
    command->require_subcommand(0, 1);
    declareImportArguments(*command, arguments.imported, arguments.json, [&] {
        chosen = [&] {
            return run(arguments.json,
                       [&](Console& console) { importCorpusCommand(arguments.imported, console); });
        };
    });
    auto& options = arguments.corpus;
    auto* demo = declareDemoArguments(*command, options, arguments.json);
    demo->callback([&] {
        chosen = [&] { return run(arguments.json, [&](Console& console) { corpus(options, console); }); };
    });
    auto* phones = command->add_subcommand(
        "phones", "add the tasks phones and phone_frames to a corpus with alignments");
    phones->add_option("--data", options.out, "the corpus")->required();
    declareWork(phones, arguments, chosen, [&](Console& console) { corpusPhones(options.out, console); });
    declareWork(declarePiecesArguments(*command, arguments.pieces), arguments, chosen,
                [&](Console& console) { corpusPieces(arguments.pieces, console); });
    auto* summary = command->add_subcommand(
        "summary", "report hours, speakers, lengths, words and defects of a corpus, and what a recipe leaves out");
    summary->add_option("--data", arguments.summary.data, "the corpus")->required();
    summary->add_option("--task", arguments.summary.task, "asr, st_de …; default: the recipe's, else asr");
    orShippedRecipe(summary->add_option("--recipe", arguments.summary.recipe, "a recipe: its limits of length are applied"));
    declareWork(summary, arguments, chosen, [&](Console& console) { corpusSummary(arguments.summary, console); });
}

void declareAlignments(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto* command = app.add_subcommand("alignments", "check every alignment of a corpus, or convert them");
    auto& options = arguments.alignments;
    command->add_option("--data", options.data, "corpus")->required();
    command->add_option("--out", options.out, "folder for ID.TextGrid");
    command->add_option("--map", options.map, "phone map: a file, or arpabet, timit, ipa, espeak");
    declareWork(command, arguments, chosen, [&](Console& console) { alignments(options, console); });
}

void declareAlign(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto& options = arguments.align;
    auto* command = declareAlignArguments(app, options);
    command->add_flag("--json", arguments.json, "print one JSON document to standard output");
    command->callback([&] {
        checkAlignArguments(options);
        chosen = [&] { return run(arguments.json, [&](Console& console) { align(options, console); }); };
    });
}

void declareScore(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto* command = app.add_subcommand("score", "score hypotheses against references, line by line");
    auto& options = arguments.score;
    command->add_option("--reference", options.reference,
        "a text file with one sentence per line, or a .trn transcript")->required();
    command->add_option("--hypothesis", options.hypotheses,
        "likewise; with several, paired tests compare the others with the first")->required();
    command->add_option("--metric", options.metrics,
        "wer, wer-plain, wer-sclite, cer-sclite, bleu, multi-bleu, compound-bleu, chrf, ter; separated by commas")
        ->delimiter(',')
        ->capture_default_str()
        ->check(CLI::IsMember(metricNames()));
    command->add_option("--by", options.by, "errors by length, by speaker, or both")
        ->delimiter(',')
        ->check(CLI::IsMember({"length", "speaker"}));
    command->add_option("--utterances", options.utterances,
        "--by speaker of text files: table with the columns id and speaker; default: utterances.tsv beside the reference");
    command->add_flag("--interval", options.intervals, "95 % intervals from 1,000 bootstrap resamples");
    command->add_option("--test", options.test, "paired test of BLEU, chrF and TER: randomisation, bootstrap")
        ->capture_default_str()
        ->check(CLI::IsMember({"randomisation", "bootstrap"}));
    command->add_flag("--case-sensitive", options.caseSensitive, "wer-sclite, cer-sclite: as sclite -s");
    command->add_option("--glm", options.glm, "wer-sclite, cer-sclite: mapping rules for .trn transcripts, as csrfilt.sh applies them");
    command->add_option("--report", options.report, "folder for sclite's NAME.sys, NAME.raw and NAME.pra");
    command->add_flag("--json", arguments.json, "print one JSON document to standard output");
    command->callback([&] {
        chosen = [&] { return run(arguments.json, [&](Console& console) { score(options, console); }); };
    });
}

void declareModels(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto* importing =
        app.add_subcommand("import", "convert a Hugging Face or fairseq model to a model folder");
    auto& source = arguments.source;
    importing
        ->add_option("SOURCE", source.source,
                     "a folder, or a file of weights with its other files beside it")
        ->required();
    importing->add_option("--out", source.out, "the new model folder")->required();
    importing->add_option("--format", source.format, "output format: headroom or hugging-face")
        ->capture_default_str()
        ->check(CLI::IsMember(importFormats()));
    importing->add_option("--tokenizer", source.tokenizer,
                          "a SentencePiece model to use instead of the one beside SOURCE");
    declareWork(importing, arguments, chosen, [&](Console& console) { importModel(arguments.source, console); });
    auto* describing = app.add_subcommand("describe", "print parameters, MACs, attention memory by length");
    orShippedArchitecture(describing->add_option("ARCHITECTURE_OR_MODEL", arguments.described, "an architecture file or a model folder"))
        ->required();
    declareWork(describing, arguments, chosen, [&](Console& console) { describe(arguments.described, console); });
}

void declareTraining(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto& options = arguments.train;
    auto* training = declareTrainArguments(app, options, arguments.json);
    training->callback([&, training] {
        checkTrainArguments(*training, options);
        arguments.elsewhere = isAtPlace(options);
        chosen = [&] { return run(arguments.json, [&](Console& console) { trainModel(options, arguments.wantedDevice, arguments.wantedRanks, console); }); };
    });
    auto* evaluating = declareEvaluateArguments(app, arguments.evaluate);
    evaluating->add_flag("--json", arguments.json, "print one JSON document to standard output");
    evaluating->callback([&, evaluating, &evaluation = arguments.evaluate] {
        checkDecodingArguments(evaluation.decoding, evaluation.windows);
        evaluation.device = arguments.device;
        chooseWhere({evaluation.place, evaluation.out, false, "evaluation.json", evaluationRequestOf(evaluation), evaluating->count("--device") > 0, evaluation.leaves}, evaluating, arguments, chosen, arguments.json,
                    [&](Console& console) { evaluation.device = arguments.device, evaluate(evaluation, console); });
    });
    declareQueueArguments(app, arguments.queue)->callback([&] {
        chosen = [&] { return run(arguments.json, [&](Console& console) { queue(arguments.queue, console); }); };
    });
}

void declareExperiment(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto& options = arguments.experiment;
    auto* command = declareExperimentArguments(app, options);
    command->add_flag("--json", arguments.json, "print one JSON document to standard output");
    command->callback([&] {
        checkExperimentArguments(options);
        chosen = [&] {
            options.device = arguments.device;
            return run(arguments.json, [&](Console& console) { experiment(options, console); });
        };
    });
}

void declareStudy(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto& options = arguments.study;
    auto* command = declareStudyArguments(app, options);
    command->callback([&, command] {
        checkStudyArguments(options);
        chooseWhere({options.place, options.out.empty() ? options.resumed : options.out, options.resume, "study.json"}, command,
                    arguments, chosen, options.json, [&](Console& console) { study(options, console); });
    });
}

void declareFigures(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto& options = arguments.figures;
    declareFiguresArguments(app, options)->callback([&] {
        chosen = [&] { return run(options.json, [&](Console& console) { figuresOfStudy(options, console); }); };
    });
}

void declareSelfTests(CLI::App& app, Arguments& arguments, std::function<int()>& chosen) {
    auto* checking = app.add_subcommand("check", "compare every kernel with its reference: PASS or FAIL");
    declareWork(checking, arguments, chosen, [&](Console& console) { check(arguments.device, console); });
    auto& options = arguments.bench;
    auto* benchmark = declareBenchArguments(app, options);
    benchmark->add_flag("--json", arguments.json, "print one JSON document to standard output");
    benchmark->callback([&] {
        checkBenchArguments(options);
        chosen = [&] { return run(arguments.json, [&](Console& console) { bench(options, console); }); };
    });
    auto* listing = app.add_subcommand("devices", "list the CPU and the GPUs: name, memory, what is missing");
    declareWork(listing, arguments, chosen, devices);
    auto* serving = app.add_subcommand("serve", "serve the window on standard input and output");
    serving->add_option("--place", arguments.places.place.name, "let the worker at this place answer; see `places`");
    serving->callback([&, serving] {
        arguments.elsewhere = !arguments.places.place.name.empty() && arguments.places.place.name != kThisMachine;
        chosen = [&, named = serving->count("--device") > 0] { return serve(arguments.places.place.name, named ? arguments.device : std::string()); };
    });
}

} // namespace

int runWorker(int argc, char** argv) {
    CLI::App app("headroom-worker: everything that needs tensors, for the window and the command line");
    app.set_version_flag("--version", "headroom-worker " HEADROOM_VERSION);
    app.require_subcommand(1);
    Arguments arguments;
    std::function<int()> chosen;
    declareWork(declareFeaturesArguments(app, arguments.features), arguments, chosen,
                [&](Console& console) { features(arguments.features, console); });
    declareSpeak(app, arguments, chosen);
    declareCorpus(app, arguments, chosen);
    declareAlignments(app, arguments, chosen);
    declareAlign(app, arguments, chosen);
    declareScore(app, arguments, chosen);
    declareAnalyse(app, arguments, chosen);
    declareTranscribe(app, arguments, chosen);
    declareTranslateArguments(app, arguments.translate, arguments.json)->callback([&] {
        checkDecodingArguments(arguments.translate.decoding);
        chosen = [&] { return run(arguments.json, [&](Console& console) { translate(arguments.translate, console); }); };
    });
    declareModels(app, arguments, chosen);
    declareTraining(app, arguments, chosen);
    declareStudy(app, arguments, chosen);
    declareExperiment(app, arguments, chosen);
    declareWork(declareSuggestArguments(app, arguments.suggest), arguments, chosen,
                [&](Console& console) { suggest(arguments.suggest, console); });
    declareFigures(app, arguments, chosen);
    declareSelfTests(app, arguments, chosen);
    declarePlaces(app, arguments.places, [&](std::function<void(Console&)> work) {
        chosen = [&, work] { return run(arguments.places.json, work); };
    });
    declareDevice(app, arguments.device);
    // The parser alone would say that a command is missing.
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands([&](CLI::App* one) { return one->check_name(argv[1]); }).empty()) {
        std::cerr << "Unknown command “" << argv[1] << "”. Run with --help for the list." << std::endl;
        return 2;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::RequiredError& error) { // perhaps for want of what is not known: a misspelt option or command
        const auto unknown = app.remaining(true);
        app.exit(unknown.empty() ? static_cast<const CLI::ParseError&>(error) : CLI::ExtrasError(unknown));
        return 2;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2; // prints the help or what is wrong
    }
    // What cannot be used is refused before anything is done.
    const auto choose = [&](Console& console) {
        const bool trains = app.got_subcommand("train");
        if (trains)
            arguments.wantedRanks = takeRanksOfRun(arguments.train, computeDevices);
        if (trains && arguments.train.device == "all")
            takeAllGpus(arguments.train, computeDevices());
        if (trains)
            arguments.device = arguments.train.device.empty() ? deviceOfRecipe(arguments.train) : arguments.train.device;
        if (app.got_subcommand("study"))
            arguments.device = deviceOfStudy(arguments.study);
        const auto place = trains ? placeOf(arguments.train) : std::nullopt;
        arguments.wantedDevice = arguments.device;
        arguments.device = useChosenDevice(arguments.device, app.got_subcommand("check"), place ? place->local : -1);
        if (const std::string note = translationNoteAt(place, chosenDevice()); !note.empty())
            console.note(note);
    };
    const int refused = arguments.elsewhere ? 0 : run(false, choose);
    return refused ? refused : chosen();
}

} // namespace headroom::training
