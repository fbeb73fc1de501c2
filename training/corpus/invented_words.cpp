// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/corpus/invented_words.h"

#include "training/corpus/noun_phrase.h"

#include <array>
#include <cctype>

namespace headroom::training {

namespace {

constexpr std::array kOnsets{"b",  "bl", "br", "ch", "ch", "cl", "cr",  "d",  "d", "dr", "f",  "f",  "fl",
                             "fr", "g",  "gl", "gr", "h",  "h",  "j",   "j",  "k", "l",  "l",  "m",  "m",
                             "n",  "n",  "p",  "p",  "pl", "pr", "qu",  "r",  "r", "s",  "s",  "sc", "sh",
                             "sh", "sl", "sm", "sn", "sp", "st", "str", "sw", "t", "t",  "th", "th", "thr",
                             "tr", "tw", "v",  "v",  "w",  "w",  "y",   "y",  "z", "z",  "spr"};
constexpr std::array kVowels{"a",  "e",  "i",  "o",  "u",  "a",  "e",  "i",  "o",  "ai", "ee", "oa", "oo",
                             "ou", "oi", "au", "ar", "er", "or", "ow", "ew", "ea", "oo", "oa", "oi", "ir"};
constexpr std::array kCodas{"",   "",   "b",  "ck", "d",   "ft", "g",  "l",  "ll", "m",  "mp",  "n",
                            "n",  "nd", "ng", "ng", "nk",  "nt", "p",  "r",  "s",  "sh", "sk",  "ss",
                            "st", "t",  "th", "th", "tch", "x",  "zz", "lt", "ld", "ff", "nce", "dge"};
constexpr std::array kEndings{"ing", "er",  "ed",  "y",    "est", "ion", "usion", "ision", "asure", "ful",
                              "age", "ish", "oid", "oyer", "ook", "ous", "able",  "ow",    "ity",   "ness"};
/// As real speech has them between its words.
constexpr std::array kSmallWords{"the",  "of",   "and",   "a",     "to",   "in",   "was",
                                 "his",  "with", "for",   "her",   "that", "this", "had",
                                 "from", "they", "would", "could", "as",   "at"};

std::string anyWord(Random& random) {
    std::string word;
    const auto syllables = 1 + random.below(2);
    for (std::int64_t i = 0; i < syllables; ++i) {
        if (i > 0 || random.below(6) > 0)
            word += oneOf(random, kOnsets);
        word += oneOf(random, kVowels);
        word += oneOf(random, kCodas);
    }
    if (random.below(4) == 0)
        word += oneOf(random, kEndings);
    return word;
}

/// "ix" would be spoken as a number, of more words than one.
std::string inventedWord(Random& random) {
    std::string word = anyWord(random);
    while (word.find_first_not_of("ivxlcdm") == std::string::npos)
        word = anyWord(random);
    return word;
}

} // namespace

std::string inventedSentence(Random& random) {
    std::string sentence;
    const auto words = 4 + random.below(5);
    for (std::int64_t i = 0; i < words; ++i) {
        const bool small = i + 1 < words && random.below(3) == 0;
        const std::string word = small ? oneOf(random, kSmallWords) : inventedWord(random);
        sentence += (i > 0 ? " " : "") + word;
    }
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    return sentence + ".";
}

} // namespace headroom::training
