// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

/// Removes the stress digit after a vowel: "AH0" → "AH".
std::string_view withoutStress(std::string_view phone);

/// Returns whether a label stands for silence: "", sil, sp, spn, pau, <sil>, <eps>, SIL …
bool isSilence(std::string_view label);

/// The 36 classes of Shim et al. 2022, Table 1, in their order: ARPABET without stress, {AA, AO} as AA, {OW,
/// OY} as O, {SH, ZH} as SH.
inline constexpr std::array<std::string_view, 36> kPhoneClasses{
    "AA", "AE", "AW", "AY", "AH", "EH", "ER", "EY", "IY", "IH", "O",  "UH", "UW", "L", "R",  "M", "N", "NG",
    "B",  "D",  "DH", "G",  "K",  "P",  "T",  "F",  "CH", "SH", "TH", "S",  "Z",  "V", "JH", "W", "Y", "HH"};
/// The class after the last, used by the probe: silence.
inline constexpr int kSilenceClass = 36;
/// Of a label that counts as nothing, on purpose.
inline constexpr int kLeftOut = -1;

/// Returns 0–35, kSilenceClass, or `nullopt` for a label that is not an ARPABET phone. Stress and case are
/// ignored.
std::optional<int> phoneClass(std::string_view label);

/// Converts espeak-ng's name of a phone event of an English voice, a mnemonic ("aI", "i@3") or IPA ("aɪ"), to
/// ARPABET.
/// - Returns one phone, or two separated by a space if an event contains two ("@L" → "AH L"); "sil" for a
///   pause; an empty text for an unknown name.
/// - Vowels are those of American dictionaries.
/// - `rColoured`: whether a vowel includes its r, as in en-us ("A@" → "AA R"). If false, the vowel stands
///   alone, for voices without r or with a separate r event (en-gb-scotland).
std::string arpabetFromEspeak(std::string_view name, bool rColoured = true);

} // namespace headroom
