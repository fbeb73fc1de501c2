// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/alignment/aligner_record.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/unread_file.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace headroom::training {

namespace {

using nlohmann::json;

json orNull(double value) {
    return std::isfinite(value) ? json(std::round(value * 1e4) / 1e4) : json();
}
double orNan(const json& value) {
    return value.is_null() ? std::nan("") : value.get<double>();
}

json toJson(const BoundaryErrors& errors) {
    return {{"n", errors.count},
            {"medianMs", orNull(errors.median)},
            {"p90Ms", orNull(errors.ninetieth)},
            {"within20ms", orNull(errors.within20)},
            {"within50ms", orNull(errors.within50)}};
}
BoundaryErrors errorsFrom(const json& value) {
    return {value.at("n").get<std::int64_t>(), orNan(value.at("medianMs")), orNan(value.at("p90Ms")),
            orNan(value.at("within20ms")), orNan(value.at("within50ms"))};
}

AlignerRecord recordFrom(const json& document) {
    AlignerRecord record;
    record.name = document.at("name").get<std::string>();
    record.labels = document.at("labels").get<std::vector<std::string>>();
    record.firstLabel = document.at("firstLabel").get<int>();
    const auto silence =
        std::find(record.labels.begin(), record.labels.end(), document.at("silence").get<std::string>());
    if (silence == record.labels.end())
        throw std::runtime_error("silence is not among the labels");
    record.silence = static_cast<int>(silence - record.labels.begin());
    record.priorWeight = document.at("priorWeight").get<double>();
    record.logPriors = document.at("logPriors").get<std::vector<double>>();
    if (record.logPriors.size() != record.labels.size() || record.firstLabel < 0)
        throw std::runtime_error("there is not one logPrior per label");
    record.doubtfulBelow = document.at("doubtfulBelow").get<double>();
    for (const auto& one : document.at("measured"))
        record.measured.push_back({one.at("set").get<std::string>(), one.at("reference").get<std::string>(),
                                   one.at("real").get<bool>(), one.at("date").get<std::string>(),
                                   one.at("utterances").get<std::int64_t>(), errorsFrom(one.at("phones")),
                                   errorsFrom(one.at("words"))});
    return record;
}

} // namespace

const MeasuredErrors* AlignerRecord::shown() const {
    const auto found =
        std::find_if(measured.begin(), measured.end(), [](const auto& one) { return one.real; });
    return found == measured.end() ? nullptr : &*found;
}

std::string AlignerRecord::origin() const {
    const auto* const one = shown();
    if (one == nullptr || !std::isfinite(one->phones.median))
        return "built-in aligner, error on real speech not measured";
    return "built-in aligner, median error " + std::to_string(std::lround(one->phones.median)) +
           " ms on real speech (" + one->set + ")";
}

AlignerRecord readAlignerRecord(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw Error("aligner.missing", unreadText(file), {{"file", displayName(file)}});
    const auto bad = [&](const std::string& what) {
        return Error("aligner.badRecord", displayName(file) + " cannot be used: " + what + ".",
                     {{"file", displayName(file)}});
    };
    try {
        const auto document = json::parse(stream);
        if (document.at("format") != "headroom/aligner")
            throw std::runtime_error("its format is not headroom/aligner");
        if (const auto version = document.at("version").get<int>(); version > 1)
            throw Error("aligner.newer",
                        displayName(file) + " has version " + std::to_string(version) +
                            "; this Headroom reads up to 1.",
                        {{"file", displayName(file)}, {"version", version}});
        return recordFrom(document);
    } catch (const Error&) {
        throw;
    } catch (const std::exception& mistake) {
        throw bad(mistake.what());
    }
}

std::string alignerRecordText(const AlignerRecord& record) {
    nlohmann::ordered_json document{{"format", "headroom/aligner"},
                                    {"version", 1},
                                    {"name", record.name},
                                    {"labels", record.labels},
                                    {"firstLabel", record.firstLabel},
                                    {"silence", record.labels.at(static_cast<std::size_t>(record.silence))},
                                    {"priorWeight", record.priorWeight}};
    auto priors = nlohmann::ordered_json::array();
    for (const double prior : record.logPriors)
        priors.emplace_back(orNull(prior));
    document["logPriors"] = std::move(priors);
    document["doubtfulBelow"] = record.doubtfulBelow;
    auto measured = nlohmann::ordered_json::array();
    for (const auto& one : record.measured)
        measured.push_back(nlohmann::ordered_json{{"set", one.set},
                                                  {"reference", one.reference},
                                                  {"real", one.real},
                                                  {"date", one.date},
                                                  {"utterances", one.utterances},
                                                  {"phones", toJson(one.phones)},
                                                  {"words", toJson(one.words)}});
    document["measured"] = std::move(measured);
    return document.dump(2) + "\n";
}

} // namespace headroom::training
