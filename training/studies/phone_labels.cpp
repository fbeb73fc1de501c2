// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/phone_labels.h"

#include "core/analysis/phone_attention.h"
#include "core/corpus/corpus_phones.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/tensors/sha256.h"

#include <algorithm>

namespace headroom::training {

namespace {

constexpr const char* kAutomatic = "auto";
constexpr double kNoticed = 0.5; // s that an alignment may end before its recording

const Interval* intervalAt(const std::vector<Interval>& phones, Seconds time) {
    const auto found = std::find_if(phones.begin(), phones.end(), [&](const Interval& phone) {
        return phone.start <= time && time < phone.end;
    });
    return found == phones.end() ? nullptr : &*found;
}

std::string linesOf(const LabelCounts& labels) {
    std::string text;
    for (const auto& [label, tokens] : labels)
        text += label + "\t" + std::to_string(tokens) + "\n";
    return text;
}

void addLines(const Tensor& stored, LabelCounts& labels) {
    const std::string text(reinterpret_cast<const char*>(stored.bytes.data()), stored.bytes.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::size_t tab = text.rfind('\t', end);
        if (tab != std::string::npos && tab >= at)
            labels[text.substr(at, tab - at)] += std::stoll(text.substr(tab + 1, end - tab - 1));
        at = end + 1;
    }
}

/// “a” (40), “b” (9): those of most tokens first, and how many more there are.
std::string mostOften(const LabelCounts& labels) {
    constexpr std::size_t kNamed = 6;
    std::vector<std::pair<std::string, std::int64_t>> sorted(labels.begin(), labels.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    const std::size_t named = sorted.size() == kNamed + 1 ? sorted.size() : std::min(sorted.size(), kNamed); // “1 other label” is as long
    std::string text;
    for (std::size_t i = 0; i < named; ++i)
        text += (i == 0 ? "“" : ", “") + sorted[i].first + "” (" + grouped(sorted[i].second) + ")";
    return named < sorted.size() ? text + " and " + counted(static_cast<std::int64_t>(sorted.size() - named), "other label") : text;
}

/// What is neither a name nor "auto" and has a slash or a full stop.
bool isPhoneMapFile(const std::string& setting) {
    const auto& names = PhoneMap::names();
    return setting != kAutomatic && std::find(names.begin(), names.end(), setting) == names.end() &&
           setting.find_first_of("/.") != std::string::npos;
}

} // namespace

PhoneLabels phoneLabels(const StudyInput& input, const PhoneMap& map, const TokenClock& clock,
                        std::int64_t tokens) {
    if (!input.alignment || input.alignment->phones.empty())
        throw Error("study.noPhones", "The alignment of " + validText(input.document->id) +
                                          " has no phones.");
    const std::vector<Interval>& phones = input.alignment->phones;
    PhoneLabels labels;
    labels.classes = tokenPhones(phones, map, clock, tokens);
    const Seconds end = phones.back().end;
    for (std::int64_t token = 0; token < tokens; ++token) {
        const Seconds centre = clock.centre(Tokens(token));
        labels.uncovered += centre < end ? 0 : 1;
        if (labels.classes[static_cast<std::size_t>(token)] != kUnknownPhone)
            continue;
        const Interval* phone = intervalAt(phones, centre);
        if (phone && !map.knows(phone->label))
            ++labels.unknown[validText(phone->label)];
    }
    return labels;
}

Tensor phoneNames(int classes) {
    constexpr std::size_t kLetters = 3;
    std::vector<std::uint8_t> letters;
    for (int phone = 0; phone < classes; ++phone) {
        std::string name(phoneClassName(phone));
        name.resize(kLetters, '\0');
        letters.insert(letters.end(), name.begin(), name.end());
    }
    return Tensor::of<std::uint8_t>({classes, static_cast<std::int64_t>(kLetters)}, letters);
}

void storeRemarks(const PhoneLabels& labels, Measurement& measurement) {
    const std::string text = linesOf(labels.unknown);
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    measurement["unknown"] = Tensor::of<std::uint8_t>({static_cast<std::int64_t>(bytes.size())}, bytes);
    measurement["uncovered"] = Tensor::of<std::int64_t>({1}, std::vector{labels.uncovered});
}

std::vector<std::string> remarksOn(const std::vector<Measurement>& utterances, double tokenStep) {
    LabelCounts unknown;
    std::int64_t withUnknown = 0, brief = 0, tokens = 0;
    for (const Measurement& utterance : utterances) {
        if (utterance.empty())
            continue;
        const Tensor& stored = utterance.at("unknown");
        withUnknown += stored.bytes.empty() ? 0 : 1;
        addLines(stored, unknown);
        brief += toDoubles(utterance.at("uncovered").view()).at(0) * tokenStep > kNoticed ? 1 : 0;
    }
    std::vector<std::string> remarks;
    for (const auto& [label, count] : unknown)
        tokens += count;
    if (tokens > 0)
        remarks.push_back(counted(tokens, "token") + " in " + counted(withUnknown, "utterance") +
                          " were left out, because their labels are not in the phone map: " + mostOften(unknown) + ".");
    if (brief > 0)
        remarks.push_back(counted(brief, "alignment") + (brief == 1 ? " ends" : " end") +
                          " more than half a second before the recording; the rest counts as silence.");
    return remarks;
}

StudyPhoneMap::StudyPhoneMap(const nlohmann::json& settings)
    : m_name(settings.at("phoneMap").get<std::string>()) {
    const auto begun = settings.at("phoneMapFingerprint").get<std::string>();
    if (isPhoneMapFile(m_name))
        m_name = std::filesystem::absolute(m_name).lexically_normal().string();
    m_map = phoneMapOf(m_name);
    m_decided = m_name != kAutomatic;
    if (!begun.empty() && (!m_decided || fingerprint(m_map) != begun))
        throw Error("study.changedMap",
                    "The phone map " + validText(m_name) + " is not the phone map (" + validText(begun) +
                        ") of this study. Start a new study.",
                    {{"phoneMap", validText(m_name)}});
}

void StudyPhoneMap::decide(const Study& study) {
    m_name = decidedPhoneMap(m_name, study);
    m_map = phoneMapOf(m_name);
    m_decided = true;
}

void StudyPhoneMap::keepIn(nlohmann::json& settings) const {
    settings["phoneMap"] = m_name;
    settings["phoneMapFingerprint"] = m_decided ? fingerprint(m_map) : std::string();
}

PhoneMap phoneMapOf(const std::string& setting) {
    if (setting == kAutomatic)
        return {};
    if (isPhoneMapFile(setting))
        return PhoneMap::read(setting);
    return PhoneMap::named(setting); // throws, naming those that there are
}

std::string decidedPhoneMap(const std::string& setting, const Study& study) {
    if (setting != kAutomatic)
        return setting;
    std::error_code ignored;
    const auto own = std::filesystem::path(study.data) / kPhoneMapFile;
    if (!study.data.empty() && std::filesystem::is_regular_file(own, ignored))
        return own.string();
    std::vector<Utterance> utterances;
    for (const StudyUtterance& one : study.utterances) {
        Utterance& utterance = utterances.emplace_back();
        utterance.id = one.id;
        utterance.alignment = one.alignment;
    }
    const PhoneMap fitting = PhoneMap::fitting(headroom::phoneLabels(utterances));
    for (const std::string& name : PhoneMap::names())
        if (PhoneMap::named(name) == fitting)
            return name;
    throw Error("phones.name", "The phone map " + validText(fitting.title()) + " is not included.");
}

void keepPhoneMap(const std::filesystem::path& study, const nlohmann::json& settings) {
    const std::string setting = settings.value("phoneMap", std::string());
    if (!isPhoneMapFile(setting))
        return;
    const PhoneMap map = PhoneMap::read(setting);
    const auto kept = study / kPhoneMapFile;
    std::error_code ignored;
    if (!std::filesystem::exists(kept, ignored))
        map.write(kept);
    else if (PhoneMap::read(kept) != map)
        throw Error("study.otherFolder",
                    study.string() + " contains a phones.tsv that is not the phone map of this study. Choose a new folder.",
                    {{"folder", study.string()}});
}

void findKeptPhoneMap(const std::filesystem::path& study, nlohmann::json& settings) {
    const std::string setting = settings.value("phoneMap", std::string());
    std::error_code ignored;
    const auto kept = std::filesystem::absolute(study, ignored) / kPhoneMapFile;
    if (isPhoneMapFile(setting) && !std::filesystem::exists(setting, ignored) && std::filesystem::exists(kept, ignored))
        settings["phoneMap"] = kept.lexically_normal().string();
}

std::string fingerprint(const PhoneMap& map) {
    const std::string text = map.text();
    return sha256OfBytes(std::as_bytes(std::span(text))).substr(0, 12);
}

} // namespace headroom::training
