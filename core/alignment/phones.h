// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

/// "AH0" → "AH": the stress that dictionaries write behind a vowel, taken off.
std::string_view withoutStress(std::string_view phone);

/// The labels aligners give to what is no phone: "", sil, sp, spn, pau, <sil>, <eps>, SIL …
bool isSilence(std::string_view label);

/// The 36 classes of Shim et al. 2022, Table 1, in their order: ARPABET without stress, {AA, AO} as AA, {OW,
/// OY} as O, {SH, ZH} as SH.
inline constexpr std::array<std::string_view, 36> kPhoneClasses{
    "AA", "AE", "AW", "AY", "AH", "EH", "ER", "EY", "IY", "IH", "O",  "UH", "UW", "L", "R",  "M", "N", "NG",
    "B",  "D",  "DH", "G",  "K",  "P",  "T",  "F",  "CH", "SH", "TH", "S",  "Z",  "V", "JH", "W", "Y", "HH"};
/// The class after the last, of the probe: silence.
inline constexpr int kSilenceClass = 36;

/// 0–35, kSilenceClass, or nothing for a label that is no ARPABET phone. Stress and case do not matter.
std::optional<int> phoneClass(std::string_view label);

/// What espeak-ng calls a phone event of an English voice, by mnemonic ("aI", "i@3") or in IPA ("aɪ"), as
/// ARPABET: one phone, or two with a blank between where one event holds two ("@L" → "AH L"); "sil" for a
/// pause; empty where the name is not known, so that the caller can say so. Vowels are those of the American
/// dictionaries. `rColoured`: r is heard in the vowel, as in en-us ("A@" → "AA R"); without it the vowel
/// stands alone, for voices without r there, or with an r event of its own (en-gb-scotland).
std::string arpabetFromEspeak(std::string_view name, bool rColoured = true);

} // namespace headroom
