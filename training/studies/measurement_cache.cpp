// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/measurement_cache.h"

#include "core/tensors/npy.h"
#include "core/tensors/sha256.h"

#include <algorithm>
#include <cstdlib>

namespace headroom::training {

namespace fs = std::filesystem;

std::string MeasurementKey::hash(const std::string& program) const {
    Sha256 sum;
    for (const std::string* part : {&program, &weights, &frontEnd, &audio, &alignment, &measurement}) {
        const std::string text =
            std::to_string(part->size()) + ":" + *part + "\n"; // no two lists are one text
        sum.add(std::as_bytes(std::span(text.data(), text.size())));
    }
    return sum.hex();
}

fs::path MeasurementCache::userFolder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    const fs::path base = cache && *cache ? fs::path(cache)
                          : home && *home ? fs::path(home) / ".cache"
                                          : fs::temp_directory_path();
    return base / "headroom" / "measurements";
}

MeasurementCache::MeasurementCache(fs::path folder, std::string program)
    : m_folder(std::move(folder)), m_program(std::move(program)) {
    std::error_code problem;
    fs::create_directories(m_folder, problem);
    if (problem)
        throw Error("study.cacheUnwritable", "The folder " + m_folder.string() +
                                                 " for measurements could not be created: " +
                                                 problem.message() +
                                                 ". Choose another with --cache.");
}

fs::path MeasurementCache::fileOf(const MeasurementKey& key) const {
    const std::string hash = key.hash(m_program);
    return m_folder / hash.substr(0, 2) / (hash.substr(2) + ".npz");
}

std::optional<Measurement> MeasurementCache::find(const MeasurementKey& key, std::string& problem) const {
    const fs::path file = fileOf(key);
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return {};
    try {
        Measurement measurement;
        for (auto& [name, tensor] : readNpz(file))
            measurement.insert_or_assign(name, std::move(tensor));
        fs::last_write_time(file, fs::file_time_type::clock::now(), ignored); // used now
        return measurement;
    } catch (const Error& error) {
        problem = std::string("A cached measurement could not be used and is repeated: ") + error.what();
        return {};
    }
}

void MeasurementCache::store(const MeasurementKey& key, const Measurement& measurement) const {
    const fs::path file = fileOf(key);
    try {
        std::error_code ignored; // the writer says what is wrong
        fs::create_directories(file.parent_path(), ignored);
        NpzWriter writer(file);
        for (const auto& [name, tensor] : measurement)
            writer.add(name, tensor.view());
        writer.close();
    } catch (const Error& error) {
        throw Error("study.cacheUnwritable", error.what());
    }
}

void MeasurementCache::trim(std::uint64_t bytes) const {
    struct Kept {
        fs::file_time_type used;
        std::uint64_t size;
        fs::path file;
    };
    std::vector<Kept> all;
    std::uint64_t total = 0;
    std::error_code problem;
    for (fs::recursive_directory_iterator at(m_folder, problem), end; !problem && at != end;
         at.increment(problem)) {
        std::error_code gone;
        const auto size = at->file_size(gone);
        const auto used = at->last_write_time(gone);
        if (gone || at->path().extension() != ".npz")
            continue;
        all.push_back({used, size, at->path()});
        total += size;
    }
    std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
    for (const Kept& kept : all) {
        if (total <= bytes)
            return;
        std::error_code ignored;
        fs::remove(kept.file, ignored);
        total -= kept.size;
    }
}

} // namespace headroom::training
