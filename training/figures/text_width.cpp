// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/scene.h"

#include <algorithm>
#include <cstddef>

namespace headroom::figures {

namespace {

// Advance widths of Noto Sans in thousandths of the size; those that it lacks of Noto Sans Math.
// clang-format off
constexpr std::array<std::uint16_t, 95> kRegularAscii{260, 269, 408, 646, 572, 831, 732, 225, 300, 300, 551, 572, 268, 322, 268, 372, 572, 572, 572, 572, 572, 572, 572, 572, 572, 572, 268, 268, 572, 572, 572, 434, 899, 639, 650, 632, 730, 556, 519, 728, 741, 339, 273, 619, 524, 907, 760, 781, 605, 781, 622, 549, 556, 731, 600, 930, 586, 566, 572, 329, 372, 329, 572, 444, 281, 561, 615, 480, 615, 564, 344, 615, 618, 258, 258, 534, 258, 935, 618, 605, 615, 615, 413, 479, 361, 618, 508, 786, 529, 510, 470, 380, 551, 380, 572};
constexpr std::array<std::uint16_t, 96> kRegularLatin{260, 269, 572, 572, 572, 572, 551, 513, 580, 832, 357, 509, 572, 322, 832, 500, 428, 572, 350, 350, 281, 623, 655, 268, 225, 350, 376, 509, 745, 771, 781, 434, 639, 639, 639, 639, 639, 639, 881, 632, 556, 556, 556, 556, 339, 339, 339, 339, 730, 760, 781, 781, 781, 781, 781, 572, 781, 731, 731, 731, 731, 566, 605, 631, 561, 561, 561, 561, 561, 561, 864, 480, 564, 564, 564, 564, 258, 258, 258, 258, 605, 618, 605, 605, 605, 605, 605, 572, 605, 618, 618, 618, 618, 510, 615, 510};
constexpr std::array<std::uint16_t, 57> kRegularGreek{639, 650, 524, 581, 556, 572, 741, 781, 339, 619, 608, 907, 760, 555, 781, 731, 605, 0, 570, 556, 566, 804, 586, 804, 782, 339, 566, 615, 483, 618, 346, 613, 615, 631, 518, 604, 483, 484, 618, 595, 346, 534, 542, 623, 547, 477, 605, 659, 605, 484, 617, 479, 613, 725, 551, 761, 782};
constexpr std::array<std::uint16_t, 95> kBoldAscii{260, 286, 472, 646, 572, 901, 750, 266, 339, 339, 545, 572, 285, 322, 285, 413, 572, 572, 572, 572, 572, 572, 572, 572, 572, 572, 285, 285, 572, 572, 572, 477, 897, 690, 672, 637, 740, 560, 549, 724, 765, 389, 331, 664, 565, 943, 813, 796, 628, 796, 660, 551, 579, 756, 650, 967, 667, 624, 579, 331, 413, 331, 572, 411, 362, 604, 633, 514, 633, 591, 387, 633, 657, 305, 305, 620, 305, 982, 657, 619, 633, 633, 454, 497, 434, 657, 569, 856, 578, 569, 488, 394, 551, 394, 572};
constexpr std::array<std::uint16_t, 96> kBoldLatin{260, 286, 572, 572, 572, 572, 551, 486, 607, 832, 383, 615, 572, 322, 832, 500, 428, 572, 379, 379, 362, 660, 655, 285, 205, 379, 388, 615, 830, 874, 845, 477, 690, 690, 690, 690, 690, 690, 952, 637, 560, 560, 560, 560, 389, 389, 389, 389, 740, 813, 796, 796, 796, 796, 796, 572, 796, 756, 756, 756, 756, 624, 628, 711, 604, 604, 604, 604, 604, 604, 917, 514, 591, 591, 591, 591, 305, 305, 305, 305, 619, 657, 619, 619, 619, 619, 619, 572, 619, 657, 657, 657, 657, 569, 633, 569};
constexpr std::array<std::uint16_t, 57> kBoldGreek{690, 672, 561, 658, 560, 579, 765, 796, 389, 664, 650, 943, 813, 571, 796, 745, 628, 0, 593, 579, 624, 860, 667, 876, 786, 389, 624, 647, 555, 657, 407, 645, 647, 660, 568, 619, 555, 498, 657, 618, 407, 620, 615, 660, 595, 498, 619, 739, 618, 498, 653, 538, 645, 792, 592, 837, 863};
// clang-format on
struct Width {
    char32_t letter;
    std::uint16_t width;
};
constexpr Width kOthers[] = {
    {0x0303, 0},   {0x2009, 166}, {0x2013, 500}, {0x2014, 1000}, {0x2018, 175}, {0x2019, 175}, {0x201c, 359},
    {0x201d, 359}, {0x2026, 791}, {0x202f, 166}, {0x2032, 232},  {0x2044, 130}, {0x2190, 794}, {0x2192, 794},
    {0x2208, 699}, {0x2211, 677}, {0x2212, 572}, {0x221a, 605},  {0x221e, 739}, {0x2248, 572}, {0x2260, 572},
    {0x2264, 572}, {0x2265, 572}, {0x2308, 404}, {0x2309, 404},  {0x230a, 404}, {0x230b, 404}};
constexpr std::uint16_t kUnknown = 600;

template <std::size_t N>
bool within(const std::array<std::uint16_t, N>&, char32_t letter, char32_t first) {
    return letter >= first && letter < first + N;
}

std::uint16_t widthOf(char32_t letter, bool bold) {
    const auto& ascii = bold ? kBoldAscii : kRegularAscii;
    const auto& latin = bold ? kBoldLatin : kRegularLatin;
    const auto& greek = bold ? kBoldGreek : kRegularGreek;
    if (within(ascii, letter, 0x20))
        return ascii[letter - 0x20];
    if (within(latin, letter, 0xa0))
        return latin[letter - 0xa0];
    if (within(greek, letter, 0x391))
        return greek[letter - 0x391];
    const auto* found = std::find_if(std::begin(kOthers), std::end(kOthers),
                                     [&](const Width& w) { return w.letter == letter; });
    return found == std::end(kOthers) ? kUnknown : found->width;
}

/// The letter at `at`, which moves behind it; a byte that begins none counts as one unknown letter.
char32_t nextLetter(const std::string& text, std::size_t& at) {
    const auto first = static_cast<unsigned char>(text[at++]);
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    char32_t letter = more == 3 ? first & 7u : more == 2 ? first & 15u : more == 1 ? first & 31u : first;
    for (int k = 0; k < more && at < text.size(); ++k)
        letter = (letter << 6) | (static_cast<unsigned char>(text[at++]) & 63u);
    return letter;
}

} // namespace

double textWidth(const std::vector<TextRun>& words, double size, bool bold) {
    double width = 0;
    for (const TextRun& run : words) {
        double thousandths = 0;
        for (std::size_t at = 0; at < run.text.size();)
            thousandths += widthOf(nextLetter(run.text, at), bold);
        width += thousandths / 1000 * size * (run.script == Script::Normal ? 1 : kScriptSize);
    }
    return width;
}

} // namespace headroom::figures
