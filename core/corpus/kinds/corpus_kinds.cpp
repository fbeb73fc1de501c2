// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/corpus_kinds.h"

#include "core/corpus/kinds/import_hints.h"
#include "core/corpus/kinds/source_reading.h"
#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <algorithm>
#include <array>

namespace headroom {

namespace {

constexpr std::array kKinds{
    CorpusKind{"headroom", "a corpus of Headroom: corpus.json with its tables, or manifest.tsv", looksLikeOwn,
               readOwn},
    CorpusKind{"librispeech", "LibriSpeech: SPLIT/SPEAKER/CHAPTER with *.trans.txt beside the FLAC files",
               looksLikeLibriSpeech, readLibriSpeech},
    CorpusKind{"timit", "TIMIT: TRAIN and TEST/DR*/SPEAKER with .TXT, .PHN and .WAV", looksLikeTimit,
               readTimit},
    CorpusKind{"aishell", "AISHELL-1: transcript/aishell_transcript*.txt and wav/SPLIT/SPEAKER",
               looksLikeAishell, readAishell},
    CorpusKind{"mtedx", "mTEDx, a pair such as es-en: data/SPLIT with txt/*.yaml and FLAC recordings",
               looksLikeMtedx, readMustC},
    CorpusKind{"must-c", "MuST-C 1–3, a pair such as en-de: data/SPLIT with txt/*.yaml, texts and wav",
               looksLikeMustC, readMustC},
    CorpusKind{"europarl-st",
               "Europarl-ST, a pair such as v1.1/en/de: SPLIT/segments.lst; audios converted to FLAC or "
               "WAV",
               looksLikeEuroparl, readEuroparl},
    CorpusKind{"covost",
               "CoVoST 2: covost_v2.SOURCE_TARGET*.tsv beside validated.tsv and clips of Common Voice",
               looksLikeCovost, readCovost},
    CorpusKind{"common-voice", "Common Voice, one language: train.tsv, dev.tsv, test.tsv and clips",
               looksLikeCommonVoice, readCommonVoice},
    CorpusKind{"fairseq", "fairseq S2T: SPLIT_TASK.tsv with id, audio, n_frames, tgt_text, over recordings",
               looksLikeFairseq, readFairseq},
    CorpusKind{"kaldi", "Kaldi or ESPnet data folders: wav.scp, text, segments, utt2spk, text.LANGUAGE",
               looksLikeKaldi, readKaldi},
    CorpusKind{"lhotse",
               "Lhotse: *recordings*.jsonl(.gz) with *supervisions*.jsonl(.gz), or *cuts*.jsonl(.gz)",
               looksLikeLhotse, readLhotse},
    CorpusKind{"nemo", "NeMo manifests: JSON lines with audio_filepath, text, offset, duration",
               looksLikeNemo, readNemo},
    CorpusKind{"hf", "Hugging Face audiofolder: metadata.csv or metadata.jsonl with file_name, in each split",
               looksLikeAudioFolder, readAudioFolder},
    CorpusKind{
        "parquet",
        "Hugging Face data set in Parquet, SPLIT-00000-of-00010.parquet with audio, text; needs --copy",
        looksLikeParquet, readParquet},
    CorpusKind{"arrow",
               "Hugging Face data set saved with save_to_disk, data-00000-of-00010.arrow with audio, text; needs "
               "--copy for recordings inside",
               looksLikeArrow, readArrow},
    CorpusKind{
        "csv",
        "tables .csv or .tsv with a header: audio, text; also id, speaker, split, start, end, duration",
        looksLikeColumns, readColumns},
    CorpusKind{
        "moses",
        "parallel text, two files aligned line by line: train.en and train.de, also Moses' NAME.en-de.en",
        looksLikeMoses, readMoses, true},
    CorpusKind{"tsv", "parallel text in tables: SPLIT.tsv of two columns, source and target",
               looksLikeParallelTable, readParallelTable, true},
    CorpusKind{"folder", "any folder of recordings with .txt or .TextGrid of the same stem",
               looksLikeRecordings, readOwn},
};

} // namespace

std::span<const CorpusKind> corpusKinds() {
    return kKinds;
}

const CorpusKind& corpusKind(std::string_view name) {
    const auto found =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& kind) { return kind.name == name; });
    if (found != kKinds.end())
        return *found;
    std::string known;
    for (const auto& kind : kKinds)
        known += (known.empty() ? "" : ", ") + std::string(kind.name);
    throw Error("corpus.noKind",
                "There is no kind of corpus “" + std::string(name) + "”; there are " + known + ".");
}

const CorpusKind& recogniseCorpusKind(const std::filesystem::path& folder) {
    for (const auto& kind : kKinds)
        if (kind.recognise(folder))
            return kind;
    const std::string archives = archivesIn(folder);
    throw Error("corpus.unknownKind",
                folder.string() +
                    " does not look like any kind of corpus that Headroom reads; " +
                    (archives.empty() ? "name the kind, or the folder that holds its tables."
                                      : "it holds archives (" + archives + "), which have to be unpacked first."),
                {{"file", displayName(folder)}});
}

} // namespace headroom
