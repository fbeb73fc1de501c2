// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus.h"
#include "core/corpus/tab_separated.h"
#include "core/errors/error.h"
#include "tests/fuzz/fuzz_target.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <unistd.h>

using namespace headroom;
namespace fs = std::filesystem;

namespace {

/// A folder with one recording, in which the input is the manifest.
class Folder {
public:
    Folder() : m_path(fs::temp_directory_path() / ("fuzz-corpus-" + std::to_string(::getpid()))) {
        fs::create_directories(m_path);
        std::ofstream(m_path / "a.wav") << "RIFF";
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    const fs::path& with(std::string_view manifest) const {
        std::ofstream(m_path / "manifest.tsv", std::ios::binary) << manifest;
        return m_path;
    }

private:
    fs::path m_path;
};

void document(std::string_view text) {
    const auto once = corpusDocumentText(parseCorpusDocument(text, "fuzz.json"));
    require(corpusDocumentText(parseCorpusDocument(once, "again.json")) == once,
            "a document that was read is written as it is read again");
    ++accepted;
}

void table(std::string_view text) {
    TabSeparatedReader reader(text);
    while (const auto row = reader.next()) {
        // Behind a header: at a file's beginning a byte order mark is passed over.
        const auto file = "id\n" + tabSeparatedLine(row->fields);
        TabSeparatedReader again(file);
        again.next();
        const auto back = again.next();
        const bool empty = row->fields.size() == 1 && row->fields.front().empty(); // an empty line is no row
        require(empty || (back && back->fields == row->fields), "a row that is written reads as it was");
    }
    static const Folder folder;
    const Corpus corpus = Corpus::open(folder.with(text));
    for (const CorpusTable& one : corpus.tables()) {
        std::set<std::string> ids;
        for (const Utterance& utterance : one.utterances) {
            require(!utterance.id.empty() && ids.insert(utterance.id).second, "ids are unique and not empty");
            require(isText(utterance.text) && isText(utterance.speaker), "texts are UTF-8");
            require(fs::exists(utterance.audio), "a recording is there");
            ++accepted;
        }
    }
    for (const CorpusProblem& problem : corpus.problems())
        require(problem.code.starts_with("corpus.") && problem.sentence.size() > 10,
                "a problem has a code and a sentence");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        if (text.starts_with('{'))
            document(text);
        else
            table(text);
    } catch (const Error& error) {
        require(error.code().starts_with("corpus."), "what is wrong with a corpus is corpus.…");
    }
    return 0;
}

std::vector<std::string> fuzzSeeds() {
    return {
        R"({ "format": "headroom/corpus", "version": 1, "name": "demo", "about": "two", "sampleRate": 16000,
  "languages": ["en", "de"], "splits": ["train", "dev"],
  "tasks": [ { "name": "asr", "source": "en", "target": "en" }, { "name": "st_de", "source": "en", "target": "de" } ],
  "made": { "by": ["hand", 1.5, null, true] } })",
        "id\taudio\tn_samples\tsample_rate\ttext\ttranslation\talignment\tspeaker\n"
        "one\ta.wav\t16000\t16000\tIt is “so”.\tEs ist so.\t\tanna\n"
        "two\ta.wav\t\t\ta tab\\\tand a \\\\ in it\t\t\t\n",
        "id\taudio\r\none\ta.wav\r\n\r\ntwo\t../a.wav\r\none\ta.wav\r\n"};
}
