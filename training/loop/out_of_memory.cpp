// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/out_of_memory.h"

#include "core/errors/count_text.h"
#include "models/layers/device.h"
#include "models/layers/device_errors.h"
#include "training/loop/checkpoint.h"

#include <c10/util/Logging.h>

#include <string>

namespace headroom::training {

void letRefusalsThrow() {
    FLAGS_caffe2_use_fatal_for_enforce = false;
}

OutOfMemory::OutOfMemory(const Batch& batch)
    : utterances(static_cast<std::int64_t>(batch.frames.size()))
    , longest(batch.longest) {}

namespace {

std::string lastCheckpoint(const RunPaths& run) {
    const auto files = checkpointFiles(run, true);
    return files.empty() ? std::string() : files.back().filename().string();
}

} // namespace

Error outOfMemory(const RunPaths& run, const Recipe& recipe, std::int64_t update, const OutOfMemory* batch) {
    const std::string last = lastCheckpoint(run);
    std::string sentence = "Out of memory at update " + grouped(update + 1);
    if (batch)
        sentence += ", in a batch of " + counted(batch->utterances, "utterance") + (batch->utterances == 1 ? " of " : " of up to ") + counted(batch->longest, "frame");
    sentence += last.empty() ? "; there is no checkpoint yet" : "; the last checkpoint is " + last;
    sentence += ". Lower data.maxBatchFrames (now " + std::to_string(recipe.data.maxBatchFrames) +
                ") and raise optimiser.accumulate (now " + std::to_string(recipe.optimiser.accumulate) +
                ") by the same factor. This trains the same model with less memory.";
    return Error("train.memory", sentence,
                 {{"update", update + 1},
                  {"checkpoint", last},
                  {"setting", "data.maxBatchFrames"},
                  {"maxBatchFrames", recipe.data.maxBatchFrames}});
}

Error deviceLost(const RunPaths& run, std::int64_t update, const std::exception& error) {
    const std::string last = lastCheckpoint(run), device = models::usedDeviceId();
    std::string sentence = models::deviceLostSentence(error) + " It was at update " + grouped(update + 1) + "; ";
    sentence += last.empty() ? "there is no checkpoint yet." : "the last checkpoint is " + last + ".";
    sentence += last.empty() ? " Start the run again when the device answers, or with another --device."
                             : " Resume the run when the device answers, or with another --device.";
    return Error("device.lost", sentence, {{"device", device}, {"update", update + 1}, {"checkpoint", last}});
}

} // namespace headroom::training
