// SPDX-License-Identifier: GPL-3.0-or-later
// What opening a large corpus costs: the first time, and the second, from the index. The corpus is made in a
// temporary folder, laid out as LibriSpeech (a folder for each chapter), with empty recordings: opening reads
// none.
//
//     headroom-benchmark-corpus [utterances = 300000]
#include "core/corpus/corpus.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace headroom;
namespace fs = std::filesystem;

namespace {

constexpr int kPerChapter = 50;

double secondsOf(const fs::path& folder, std::size_t& utterances) {
    const auto start = std::chrono::steady_clock::now();
    const Corpus corpus = Corpus::open(folder);
    utterances = corpus.tables().front().utterances.size();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void makeCorpus(const fs::path& folder, int utterances) {
    CorpusDocument document;
    document.name = "large";
    document.languages = {"en"};
    document.splits = {"train"};
    document.tasks = {{"asr", "en", "en"}};
    fs::create_directories(folder);
    writeCorpusDocument(folder / "corpus.json", document);
    std::ofstream table(folder / "train_asr.tsv");
    table << "id\taudio\tn_frames\ttgt_text\tspeaker\n";
    for (int i = 0; i < utterances; ++i) {
        const std::string chapter =
            "audio/" + std::to_string(i / kPerChapter / 40) + "/" + std::to_string(i / kPerChapter);
        if (i % kPerChapter == 0)
            fs::create_directories(folder / chapter);
        const std::string name = chapter + "/" + std::to_string(i) + ".flac";
        std::ofstream(folder / name).put('x');
        table << i << '\t' << name << '\t' << 1200 + i % 400 << '\t';
        for (int word = 0; word < 34; ++word)
            table << (word ? " " : "") << "word" << (i * 7 + word * 13) % 9000;
        table << "\tspeaker" << i / kPerChapter / 40 << '\n';
    }
}

} // namespace

int main(int count, char** arguments) {
    const int utterances = count > 1 ? std::atoi(arguments[1]) : 300'000;
    const fs::path place =
        fs::temp_directory_path() / ("headroom-benchmark-corpus-" + std::to_string(::getpid()));
    ::setenv("XDG_CACHE_HOME", (place / "cache").c_str(), 1);
    makeCorpus(place / "corpus", utterances);
    std::size_t first = 0, second = 0;
    const double reading = secondsOf(place / "corpus", first);
    const double indexed = secondsOf(place / "corpus", second);
    std::printf("%zu utterances: %.2f s the first time, %.2f s the second, ratio %.1f\n", first, reading,
                indexed, reading / indexed);
    fs::remove_all(place);
    return first == second ? 0 : 1;
}
