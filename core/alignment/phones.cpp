// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phones.h"

#include <algorithm>
#include <cctype>

namespace headroom {

namespace {

struct Group {
    std::string_view arpabet; ///< "r" in lower case: only where the voice colours its vowels
    std::string_view names;   ///< between blanks: mnemonics, then IPA
};

/// Every phoneme of espeak-ng 1.51's English tables (en, en-us, en-us-nyc, en-rp, en-n, en-sc, en-wi, en-wm)
/// and what they inherit, and the IPA names of their events.
constexpr Group kGroups[] = {
    {"sil", " _ _: _! _:: _^_ _X1 _| _;_ || "},
    {"AA", " A: A# A~ 0 0# 02 ɑː ɑ ɑ̃ ɒ aː a: "},
    {"AA r", " A@ ɑːɹ ɑə "},
    {"AE", " a a/ aa æ ɛə "},
    {"AH", " @ @- @2 @5 @# a# a#2 a2 V ə ɐ ʌ "},
    {"AH L", " @L l- əl l̩ "},
    {"AH M", " m- m̩ "},
    {"AH N", " n- n̩ "},
    {"AH NG", " N- ŋ̩ "},
    {"AO", " O: O O2 O~ ɔː ɔ ɔ̃ "},
    {"AO r", " O@ o@ oːɹ ɔːɹ oə ɔə "},
    {"AW", " aU aʊ æʊ ʌʉ "},
    {"AW ER", " aU@ aʊɚ aʊə "},
    {"AY", " aI aI2 aɪ "},
    {"AY ER", " aI3 aɪɚ "},
    {"AY AH", " aI@ aɪə "},
    {"EH", " E E# E2 e e# ɛ "},
    {"EH r", " e@ ɛɹ eə "},
    {"ER", " 3 3: IR VR Y ɚ ɜ ɜː əɹ ʌɹ əɪ "},
    {"EY", " eI EI e: eɪ ei eː "},
    {"IH", " I I2 I# I2# ɪ ᵻ "},
    {"IH r", " i@3 ɪɹ "},
    {"IY", " i i: iː "},
    {"IY AH", " i@ iə "},
    {"OW", " oU oU# o o: eU oʊ oː əʊ əu ʌʊ "},
    {"OY", " OI oI ɔɪ oɪ "},
    {"UH", " U ʊ ʉ "},
    {"UH r", " U@ ʊə ʊɹ ʉɹ "},
    {"UW", " u: u y iU uː ʉː "},
    {"UW IY", " uI "},
    {"B", " b "},
    {"CH", " tS tS; tʃ "},
    {"D", " d d# d[ "},
    {"DH", " D ð "},
    {"F", " f "},
    {"G", " g Q Q^ Q\" ɡ "},
    {"HH", " h C "},
    {"JH", " dZ dZ; J dʒ "},
    {"K", " k c q x X "},
    {"L", " l l/ l/2 l/3 l^ l. l# L L/ ɬ ɫ "},
    {"M", " m "},
    {"N", " n n. n^ "},
    {"NG", " N ŋ "},
    {"P", " p "},
    {"R", " r r- r/ r. r\" R R2 R3 ɹ "},
    {"S", " s "},
    {"SH", " S S; s. s; ʃ "},
    {"T", " t t# t2 ? ɾ ʔ "},
    {"T S", " ts "},
    {"TH", " T t[ θ t̪ "},
    {"V", " v v# B "},
    {"W", " w w# w2 ʍ "},
    {"Y", " j J^ ; ʲ "},
    {"Z", " z z# z/2 "},
    {"ZH", " Z Z; z. z; ʒ "},
};

std::string upper(std::string_view text) {
    std::string result(text);
    for (auto& c : result)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return result;
}

} // namespace

std::string_view withoutStress(std::string_view phone) {
    if (phone.size() > 1 && phone.back() >= '0' && phone.back() <= '2')
        phone.remove_suffix(1);
    return phone;
}

bool isSilence(std::string_view label) {
    constexpr std::array<std::string_view, 10> kLabels{"",    "SIL",   "SP",    "SPN",     "PAU",
                                                       "NSN", "<SIL>", "<EPS>", "SILENCE", "H#"};
    return std::find(kLabels.begin(), kLabels.end(), upper(label)) != kLabels.end();
}

std::optional<int> phoneClass(std::string_view label) {
    if (isSilence(label))
        return kSilenceClass;
    const auto plain = upper(withoutStress(label));
    if (plain == "O") // a class of the paper, no phone
        return std::nullopt;
    std::string_view merged = plain;
    if (plain == "AO")
        merged = "AA";
    else if (plain == "OW" || plain == "OY")
        merged = "O";
    else if (plain == "ZH")
        merged = "SH";
    const auto* const found = std::find(kPhoneClasses.begin(), kPhoneClasses.end(), merged);
    if (found == kPhoneClasses.end())
        return std::nullopt;
    return static_cast<int>(found - kPhoneClasses.begin());
}

std::string arpabetFromEspeak(std::string_view name, bool rColoured) {
    if (name.empty() || name.find(' ') != std::string_view::npos)
        return {};
    const auto wanted = " " + std::string(name) + " ";
    for (const auto& group : kGroups) {
        if (group.names.find(wanted) == std::string_view::npos)
            continue;
        std::string result(group.arpabet);
        if (result.ends_with(" r"))
            result = rColoured ? upper(result) : result.substr(0, result.size() - 2);
        else if (result.ends_with(" ER") && !rColoured)
            result.replace(result.size() - 2, 2, "AH");
        return result;
    }
    return {};
}

} // namespace headroom
