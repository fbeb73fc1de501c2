// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/shard_names.h"

#include "core/corpus/kinds/source_reading.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestState = 1 << 20;
constexpr std::size_t kMostDigits = 9;

bool areDigits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::size_t numberIn(std::string_view digits) {
    std::size_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

/// “train-00003-of-00014”: “train”, “00003”, “00014”.
struct NumberedName {
    std::string name, number, of;
};
std::optional<NumberedName> numberedName(const std::string& stem) {
    const auto of = stem.rfind("-of-");
    if (of == std::string::npos || of == 0 || !areDigits(stem.substr(of + 4)))
        return std::nullopt;
    const auto dash = stem.rfind('-', of - 1);
    const auto start = dash == std::string::npos ? 0 : dash + 1; // “00000-of-00014” has no name
    NumberedName found{dash == std::string::npos ? std::string() : stem.substr(0, dash), stem.substr(start, of - start), stem.substr(of + 4)};
    const bool fits = areDigits(found.number) && found.number.size() <= kMostDigits && found.of.size() <= kMostDigits;
    return fits ? std::optional(found) : std::nullopt;
}

/// The files that “state.json” names; none if it is none of the library's.
std::vector<std::string> filesOfState(const fs::path& state) {
    std::error_code problem;
    if (fs::file_size(state, problem) > kLargestState || problem)
        return {};
    std::ifstream stream(state, std::ios::binary);
    const auto document = nlohmann::json::parse(std::istreambuf_iterator<char>(stream), {}, nullptr, false);
    std::vector<std::string> names;
    const auto files = document.is_object() ? document.find("_data_files") : document.end();
    if (!document.is_object() || files == document.end() || !files->is_array())
        return {};
    for (const auto& file : *files) {
        const auto name = file.is_object() ? file.value("filename", nlohmann::json()) : nlohmann::json();
        if (name.is_string() && fs::path(name.get<std::string>()).filename() == name.get<std::string>()) // else elsewhere
            names.push_back(name.get<std::string>());
    }
    return names;
}

} // namespace

bool isParquet(const fs::path& file) {
    return lowered(file.extension().string()) == ".parquet";
}

bool isArrow(const fs::path& file) {
    const auto name = file.filename().string();
    return lowered(file.extension().string()) == ".arrow" && !name.starts_with("cache-") &&
           !name.starts_with("tmp") && !name.starts_with("indices");
}

std::string splitOfShard(const fs::path& shard, const fs::path& folder) {
    std::string name = shard.stem().string();
    if (const auto numbered = numberedName(name))
        name = numbered->name;
    auto home = shard.parent_path().lexically_relative(folder).generic_string();
    if (home == "." || home == "data")
        home.clear();
    if (areDigits(name) || (isArrow(shard) && name == "data")) // as save_to_disk names all
        name.clear();
    const auto both = home + (home.empty() || name.empty() ? "" : "-") + name;
    return both.empty() ? "all" : both;
}

std::vector<MissingShards> missingShards(const std::vector<fs::path>& shards, const fs::path& folder) {
    using Series = std::tuple<fs::path, std::string, std::string, std::string>; // folder, name, of, ending
    std::map<Series, std::set<std::size_t>> series;
    std::map<Series, std::size_t> digits;
    for (const fs::path& shard : shards)
        if (const auto numbered = numberedName(shard.stem().string())) {
            const Series key{shard.parent_path(), numbered->name, numbered->of, shard.extension().string()};
            series[key].insert(numberIn(numbered->number));
            digits[key] = numbered->number.size();
        }
    std::vector<MissingShards> found;
    const auto tell = [&](const fs::path& first, std::size_t missing, std::size_t of) {
        const std::string split = splitOfShard(first, folder);
        const bool isTold = std::any_of(found.begin(), found.end(), [&](const MissingShards& one) { return one.split == split; });
        if (missing > 0 && !isTold)
            found.push_back({split, first, missing, of});
    };
    for (const auto& [key, numbers] : series) {
        const auto& [home, name, of, ending] = key;
        const std::size_t all = numberIn(of);
        const auto present = static_cast<std::size_t>(
            std::count_if(numbers.begin(), numbers.end(), [&](std::size_t number) { return number < all; }));
        std::size_t first = 0;
        while (numbers.contains(first))
            ++first;
        std::string number = std::to_string(first);
        number.insert(0, digits[key] - std::min(digits[key], number.size()), '0');
        tell(home / (name + (name.empty() ? "" : "-") + number + "-of-" + of + ending), all - present, all);
    }
    for (const fs::path& state : filesBelow(folder, 3, kEveryFile, [](const fs::path& file) { return file.filename() == "state.json"; })) {
        const auto names = filesOfState(state);
        std::vector<fs::path> missing;
        std::error_code ignored;
        for (const std::string& name : names)
            if (const fs::path file = state.parent_path() / name; isArrow(file) && !fs::exists(file, ignored))
                missing.push_back(file);
        if (!missing.empty())
            tell(missing.front(), missing.size(), names.size());
    }
    return found;
}

} // namespace headroom
