// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/out_of_memory.h"

#include "training/loop/checkpoint.h"

#include <c10/util/Exception.h>
#include <c10/util/Logging.h>

#include <string>
#include <string_view>

namespace headroom::training {

void letRefusalsThrow() {
    FLAGS_caffe2_use_fatal_for_enforce = false;
}

bool isOutOfMemory(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const c10::OutOfMemoryError*>(&error))
        return true;
    const auto* torch = dynamic_cast<const c10::Error*>(&error);
    // The CPU's allocator has no type of error of its own.
    return torch && std::string_view(torch->what_without_backtrace()).find("DefaultCPUAllocator: ") !=
                        std::string_view::npos;
}

OutOfMemory::OutOfMemory(const Batch& batch)
    : utterances(static_cast<std::int64_t>(batch.frames.size()))
    , longest(batch.longest) {}

Error outOfMemory(const RunPaths& run, const Recipe& recipe, std::int64_t update, const OutOfMemory* batch) {
    const auto files = checkpointFiles(run, true);
    const std::string last = files.empty() ? std::string() : files.back().filename().string();
    std::string sentence = "Out of memory at update " + std::to_string(update + 1);
    if (batch)
        sentence += ", in a batch of " + std::to_string(batch->utterances) +
                    (batch->utterances == 1 ? " utterance of " : " utterances of up to ") +
                    std::to_string(batch->longest) + " frames";
    sentence += last.empty() ? "; there is no checkpoint yet" : "; the last checkpoint is " + last;
    sentence += ". Lower data.maxBatchFrames (now " + std::to_string(recipe.data.maxBatchFrames) +
                ") and raise optimiser.accumulate (now " + std::to_string(recipe.optimiser.accumulate) +
                ") by the same factor: this trains the same with less.";
    return Error("train.memory", sentence,
                 {{"update", update + 1},
                  {"checkpoint", last},
                  {"setting", "data.maxBatchFrames"},
                  {"maxBatchFrames", recipe.data.maxBatchFrames}});
}

} // namespace headroom::training
