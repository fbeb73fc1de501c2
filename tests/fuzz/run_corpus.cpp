// SPDX-License-Identifier: GPL-3.0-or-later
// The ctest of a fuzz target: its seeds, and some thousands of their mutations, drawn with a fixed seed. With
// a folder as its argument it writes the seeds there instead, as libFuzzer's first corpus.
#include "tests/fuzz/fuzz_target.h"

#include <fstream>
#include <random>

namespace {

constexpr int kMutations = 4000;

class Mutator {
public:
    explicit Mutator(std::vector<std::string> seeds) : m_seeds(std::move(seeds)) {}

    std::string next() {
        std::string input = m_seeds[below(m_seeds.size())];
        for (auto count = 1 + below(4); count > 0; --count)
            mutate(input);
        return input;
    }

private:
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : m_random() % limit; }

    void mutate(std::string& input) {
        // Bytes and texts on which parsers of sizes, numbers and nesting stumble.
        static const std::vector<std::string> kTraps{std::string(4, '\xff'),
                                                     std::string(8, '\0'),
                                                     "-1",
                                                     "0",
                                                     "99999999999999999999",
                                                     "1e999",
                                                     "nan",
                                                     "\"",
                                                     "[[[[[[",
                                                     "{}",
                                                     "null",
                                                     "\r\n\r\n",
                                                     "\xef\xbb\xbf",
                                                     "18446744073709551615",
                                                     "9223372036854775807",
                                                     "4294967296"};
        const auto at = below(input.size() + 1);
        switch (below(8)) {
        case 0:
            if (!input.empty())
                input[below(input.size())] = static_cast<char>(m_random());
            break;
        case 1:
            if (!input.empty())
                input[below(input.size())] ^= static_cast<char>(1 << below(8));
            break;
        case 2:
            input.resize(at); // cut short
            break;
        case 3:
            input.erase(at, 1 + below(16));
            break;
        case 4:
            input.insert(at, kTraps[below(kTraps.size())]);
            break;
        case 5:
            input.insert(at, input.substr(below(input.size() + 1), below(64))); // repeat a piece
            break;
        case 6: { // another number
            const auto digit = input.find_first_of("0123456789", at);
            if (digit != std::string::npos)
                input.replace(digit, 1, kTraps[below(kTraps.size())]);
            break;
        }
        default: { // the tail of another seed
            const auto& other = m_seeds[below(m_seeds.size())];
            input.replace(at, std::string::npos, other.substr(below(other.size() + 1)));
        }
        }
    }

    std::vector<std::string> m_seeds;
    std::mt19937 m_random{20261121};
};

void run(const std::string& input) {
    // A copy of exactly this size, so that a sanitizer sees every byte read beyond it.
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

} // namespace

int main(int argc, char** argv) {
    const auto seeds = fuzzSeeds();
    if (argc > 1) {
        for (std::size_t index = 0; index < seeds.size(); ++index)
            std::ofstream(std::string(argv[1]) + "/seed-" + std::to_string(index), std::ios::binary)
                << seeds[index];
        return 0;
    }
    for (const auto& seed : seeds) {
        const auto before = accepted;
        run(seed);
        require(accepted > before, "a seed is valid");
        for (std::size_t length = 0; length < seed.size(); length += 1 + seed.size() / 200)
            run(seed.substr(0, length));
    }
    Mutator mutator(seeds);
    for (int index = 0; index < kMutations; ++index)
        run(mutator.next());
    std::printf("%zu seeds, %d mutations, %zu inputs were valid\n", seeds.size(), kMutations, accepted);
    return 0;
}
