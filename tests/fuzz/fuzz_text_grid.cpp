// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/text_grid.h"
#include "tests/fuzz/fuzz_target.h"

#include <string_view>

using namespace headroom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto grid = parseTextGrid({reinterpret_cast<const char*>(data), size}, "fuzz.TextGrid");
        for (const auto& tier : grid.tiers) {
            for (const auto& interval : tier.intervals)
                require(interval.start <= interval.end, "an interval does not end before it starts");
            for (std::size_t index = 1; index < tier.intervals.size(); ++index)
                require(tier.intervals[index - 1].end <= tier.intervals[index].start,
                        "intervals do not overlap");
        }
        alignmentFrom(grid, Seconds(1), "fuzz.TextGrid");
        ++accepted;
    } catch (const Error& error) {
        require(error.code().starts_with("alignment."), "bad text is alignment.…");
    }
    return 0;
}

std::vector<std::string> fuzzSeeds() {
    const std::string longFormat =
        "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\nxmin = 0 \nxmax = 1.5 \ntiers? <exists> "
        "\nsize = 2 \n"
        "item []: \n    item [1]:\n        class = \"IntervalTier\" \n        name = \"words\" \n        "
        "xmin = 0 \n"
        "        xmax = 1.5 \n        intervals: size = 2 \n        intervals [1]:\n            xmin = 0 \n"
        "            xmax = 0.7 \n            text = \"say \"\"it\"\"\" \n        intervals [2]:\n           "
        " xmin = 0.7 \n"
        "            xmax = 1.5 \n            text = \"\" \n    item [2]:\n        class = \"TextTier\" \n"
        "        name = \"clicks\" \n        xmin = 0 \n        xmax = 1.5 \n        points: size = 1 \n"
        "        points [1]:\n            number = 0.5 \n            mark = \"x\" \n";
    const std::string shortFormat =
        "File type = \"ooTextFile\"\r\nObject class = \"TextGrid\"\r\n\r\n0\r\n1\r\n<exists>\r\n1\r\n"
        "\"IntervalTier\"\r\n\"phones\"\r\n0\r\n1\r\n1\r\n0\r\n1\r\n\"AH0\"\r\n";
    std::string wide = "\xff\xfe"; // UTF-16, little-endian
    for (const char c : shortFormat)
        wide += {c, '\0'};
    return {longFormat, shortFormat, "\xef\xbb\xbf" + longFormat, wide};
}
