// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phone_map.h"
#include "core/alignment/readers.h"
#include "tests/fuzz/fuzz_target.h"

#include <cmath>
#include <string_view>

using namespace headroom;

namespace {

void inOrder(const std::vector<Interval>& intervals) {
    for (std::size_t index = 0; index < intervals.size(); ++index) {
        require(std::isfinite(intervals[index].start.value()) && std::isfinite(intervals[index].end.value()),
                "times are finite");
        require(intervals[index].start <= intervals[index].end, "an interval does not end before it starts");
        require(index == 0 || intervals[index - 1].end <= intervals[index].start, "intervals do not overlap");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const auto* name : {"fuzz.ctm", "fuzz.phn"})
        try {
            alignmentFormat(bytes, name);
            for (const auto& [utterance, listed] : parseAlignmentList(bytes, name)) {
                inOrder(listed.words);
                inOrder(listed.phones);
                require(!listed.error || (listed.words.empty() || listed.phones.empty()),
                        "a tier with a mistake is empty");
            }
            ++accepted;
        } catch (const Error& error) {
            require(error.code().starts_with("alignment."), "what is wrong with a list is alignment.…");
        }
    try {
        const auto map = PhoneMap::parse(bytes, "fuzz.tsv");
        require(PhoneMap::parse(map.text(), "again.tsv") == map,
                "a map that was read is written as it is read again");
        map.nearest(bytes.substr(0, 8));
        ++accepted;
    } catch (const Error& error) {
        require(error.code().starts_with("phones.") || error.code() == "alignment.badText",
                "what is wrong with a map is phones.…");
    }
    return 0;
}

std::vector<std::string> fuzzSeeds() {
    return {";; comment\nu1 1 0.10 0.30 HH 0.99\nu1 1 0.40 0.10 AH0\nu2 A 0 0.5 T\n",
            "utterance\tstart\tend\tlabel\nu\t0\t0.5\tAA\nu\t0.5\t1\tB\n",
            "Begin,End,Label,Type,Speaker\r\n0,1,\"let, \"\"us\"\"\",words,a\r\n0,0.5,L,phones,a\r\n",
            "84-1-0000 \",GO,,DO,\" \"0.490,0.890,1.270,1.380,1.490\"\n",
            "0 8000 h#\n8000 9600 sh\n9600 16000 iy\n",
            "0.000000\t0.500000\thello\n0.500000\t1.000000\tthere\n",
            "# mine\nlabel\tclass\nr\\\\\tR\n\\t\t-\nAO\tAA\n\tsil\n"};
}
