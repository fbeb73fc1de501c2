// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/pieces_command.h"

#include <CLI/CLI.hpp>

namespace headroom::training {

CLI::App* declarePiecesArguments(CLI::App& corpus, PiecesOptions& options) {
    auto* command = corpus.add_subcommand(
        "pieces", "train the SentencePiece model of a corpus again, and report how it splits the texts");
    constexpr int kMostPieces = 100000;
    command->add_option("--data", options.data, "the corpus")->required();
    command->add_option("--task", options.task, "asr, st_de …; default: the first of the corpus");
    command->add_option("--model", options.model, "unigram, bpe, or char (every character a piece)")
        ->capture_default_str()
        ->check(CLI::IsMember(pieceModels()));
    command->add_option("--size", options.size, "maximum number of pieces")
        ->capture_default_str()
        ->check(CLI::Range(5, kMostPieces));
    command
        ->add_option("--coverage", options.coverage, "share of the characters that get a piece of their own")
        ->capture_default_str()
        ->check(CLI::Range(0.9, 1.0));
    command
        ->add_option(
            "--normalise", options.normalisation,
            "rule of SentencePiece: nmt_nfkc (as fairseq), nfkc, both with _cf in lower case, or identity")
        ->capture_default_str()
        ->check(CLI::IsMember(pieceNormalisations()));
    auto* joint = command->add_flag("--joint", options.joint, "one vocabulary for source and target texts");
    command
        ->add_flag("--separate", options.separate,
                   "parallel text: one vocabulary per language, for models with a separate source embedding")
        ->excludes(joint);
    command->add_option("--sizes", options.sizes, "also measure pieces per word at these sizes, such as 1000,2000")
        ->delimiter(',')
        ->check(CLI::Range(5, kMostPieces));
    command->add_option("--text", options.text, "a text to take apart; default: the first held-out sentence");
    command->add_flag("--trial", options.trial, "write nothing");
    return command;
}

} // namespace headroom::training
