// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus.h"
#include "core/errors/count_text.h"
#include "models/contributions/memory.h"
#include "training/loop/throughput.h"
#include "training/worker/commands.h"

#include <cstdio>

namespace headroom::training {

nlohmann::json benchTraining(const BenchOptions& options, Console& console) {
    ThroughputSetup setup;
    setup.architecture = readArchitecture(options.architecture);
    setup.recipe.data.maxBatchFrames = options.batchFrames;
    setup.recipe.data.unknownPieces = "keep";
    setup.recipe.machine.precision = options.precision;
    setup.recipe.loss.ctcWeight = options.ctcWeight;
    setup.threads = options.threads;
    setup.warmUp = options.warmUp;
    setup.updates = options.updates;
    setup.batches = options.batches;
    const Corpus corpus = Corpus::open(options.data);
    if (setup.architecture.frontEnd.kind == FrontEndKind::Text) {
        setup.recipe.task = "translate";
        setup.recipe.data.minFrames = 2; // tokens
    }
    const Tokenizer tokenizer(corpus.folder() / corpusTokenizerName(setup.recipe.task));
    const int unknown = checkTokenIds(tokenizer, corpus.folder() / corpusTokenizerName(setup.recipe.task));
    const int outputs =
        setup.architecture.decoder ? setup.architecture.vocabulary : setup.architecture.ctc.value_or(0);
    if (tokenizer.size() > outputs)
        throw Error("data.tokenizer", "The corpus " + options.data.string() + " has " +
                                          counted(tokenizer.size(), "piece") + ", more than the " +
                                          grouped(outputs) + " of " + options.architecture.string() +
                                          ".");
    const int sources = setup.architecture.frontEnd.vocabulary;
    const auto source = SourcePieces::of(sources > 0 ? corpus.folder() / corpusSourceTokenizerName(setup.recipe.task)
                                                     : std::filesystem::path());
    if (source && source->tokenizer.size() > sources)
        throw Error("data.tokenizer", "The corpus " + options.data.string() + " has " +
                                          counted(source->tokenizer.size(), "piece") + " of the source, more than the " +
                                          std::to_string(sources) + " of " + options.architecture.string() + ".");
    setup.examples = readExamples(corpus, setup.recipe, setup.recipe.data.trainSplit, true, tokenizer, unknown,
                                  plainTextForm(), source ? &*source : nullptr);
    const Throughput result = measureThroughput(setup);
    char text[256];
    std::snprintf(text, sizeof text,
                  "training: %s frames/s, %.2f s an update, %.2f s of processors, %.1f %% waiting for data, "
                  "%s at most, %s expected (%s, %s, batches of %s frames)",
                  grouped(static_cast<std::int64_t>(result.framesPerSecond())).c_str(),
                  result.seconds / static_cast<double>(result.updates),
                  result.processorSeconds / static_cast<double>(result.updates), 100 * result.waiting,
                  models::bytesText(result.peakBytes).c_str(),
                  models::bytesText(result.predictedBytes).c_str(), options.precision.c_str(),
                  counted(options.threads, "thread").c_str(), grouped(options.batchFrames).c_str());
    console.line(text);
    return {{"architecture", setup.architecture.name},
            {"data", options.data.string()},
            {"precision", options.precision},
            {"threads", options.threads},
            {"batchFrames", options.batchFrames},
            {"updates", result.updates},
            {"frames", result.frames},
            {"targetTokens", result.targetTokens},
            {"seconds", result.seconds},
            {"processorSeconds", result.processorSeconds},
            {"framesPerSecond", result.framesPerSecond()},
            {"waiting", result.waiting},
            {"loss", result.loss},
            {"peakBytes", result.peakBytes},
            {"predictedBytes", result.predictedBytes}};
}

} // namespace headroom::training
