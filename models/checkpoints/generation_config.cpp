// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/generation_config.h"

#include "core/text/tokenizer.h"
#include "models/checkpoints/json_file.h"
#include "models/checkpoints/weights.h"

#include <algorithm>
#include <optional>

namespace headroom::models {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The rules in a file, each value checked against the vocabulary.
class GenerationFile {
public:
    /// What cannot be followed, and need not be, is said in `assumed`.
    GenerationFile(const fs::path& file, int vocabulary, std::vector<std::string>& assumed)
        : m_file(file), m_largest(vocabulary - 1), m_assumed(assumed) {}

    bool has(const char* key) const { return m_file.has(key) && !m_file.value(key).is_null(); }
    std::optional<int> id(const char* key) const {
        return has(key) ? std::optional(static_cast<int>(m_file.integer(key, 0, m_largest))) : std::nullopt;
    }
    /// Tokens that are not said. Those that the vocabulary lacks are never said anyway.
    std::vector<int> ids(const char* key) const {
        std::vector<int> list;
        std::string beyond;
        if (!has(key))
            return list;
        for (const json& id : m_file.value(key)) {
            if (!id.is_number_integer() || id < -1)
                m_file.refuse("model.badConfig",
                              ": “" + std::string(key) + "” names the token " + id.dump().substr(0, 20) +
                                  ", and the vocabulary has 0 to " + std::to_string(m_largest),
                              {{"key", key}});
            if (id > m_largest)
                beyond = beyond.empty() ? id.dump() : beyond;
            else if (id != -1) // some files have −1 for “none”
                list.push_back(id.get<int>());
        }
        if (!beyond.empty())
            m_assumed.push_back(m_file.name() + ": “" + key + "” names the token " + beyond +
                                ", and the vocabulary has 0 to " + std::to_string(m_largest) +
                                "; tokens beyond it were ignored.");
        return list;
    }
    /// {"<|en|>": 318} or {"transcribe": 322} as {"en": 318}, {"transcribe": 322}.
    std::map<std::string, int> table(const char* key) const {
        std::map<std::string, int> result;
        if (!has(key))
            return result;
        const json& value = m_file.value(key);
        if (!value.is_object())
            m_file.refuse("model.badConfig", ": “" + std::string(key) + "” is not a table of tokens",
                          {{"key", key}});
        for (const auto& [name, id] : value.items()) {
            if (!id.is_number_integer() || id < 0 || id > m_largest)
                m_file.refuse("model.badConfig",
                              ": “" + std::string(key) + "” gives " + name + " the token " +
                                  id.dump().substr(0, 20) + ", and the vocabulary has 0 to " +
                                  std::to_string(m_largest),
                              {{"key", key}});
            const bool marked = name.starts_with("<|") && name.ends_with("|>") && name.size() > 4;
            result[marked ? name.substr(2, name.size() - 4) : name] = id.get<int>();
        }
        return result;
    }
    std::vector<std::pair<int, int>> heads(const char* key, const Architecture::Decoder& decoder) const {
        std::vector<std::pair<int, int>> result;
        if (!has(key))
            return result;
        for (const json& pair : m_file.value(key)) {
            const bool good = pair.is_array() && pair.size() == 2 && pair[0].is_number_integer() &&
                              pair[1].is_number_integer() && pair[0] >= 0 && pair[0] < decoder.layers &&
                              pair[1] >= 0 && pair[1] < headCount(decoder.crossAttention);
            if (!good) { // as another decoder has them; the model is whole without
                m_assumed.push_back(m_file.name() + ": “" + key + "” names " + pair.dump().substr(0, 40) +
                                    ", and the decoder has no such layer and head; the list was ignored, so times of "
                                    "words are those of all heads of the decoder's second half.");
                return {};
            }
            result.emplace_back(pair[0].get<int>(), pair[1].get<int>());
        }
        return result;
    }
    std::string text(const char* key) const { return has(key) ? m_file.text(key) : std::string(); }

private:
    JsonFile m_file;
    std::int64_t m_largest;
    std::vector<std::string>& m_assumed;
};

void readEnds(const GenerationFile& file, TokenRules& rules) {
    rules.start = file.id("decoder_start_token_id").value_or(rules.start);
    rules.end = file.id("eos_token_id").value_or(rules.end);
}

void readRules(const GenerationFile& file, const Architecture::Decoder& decoder, TokenRules& rules) {
    readEnds(file, rules);
    if (const auto none = file.id("no_timestamps_token_id"))
        rules.noTimes = none;
    if (const auto latest = file.id("max_initial_timestamp_index"))
        rules.latestFirstTime = latest;
    if (file.has("lang_to_id"))
        rules.languages = file.table("lang_to_id");
    if (file.has("task_to_id"))
        rules.tasks = file.table("task_to_id");
    if (file.has("suppress_tokens"))
        rules.suppressed = file.ids("suppress_tokens");
    if (file.has("begin_suppress_tokens"))
        rules.suppressedFirst = file.ids("begin_suppress_tokens");
    if (file.has("alignment_heads"))
        rules.alignmentHeads = file.heads("alignment_heads", decoder);
    if (std::string language = file.text("language"); !language.empty()) {
        if (language.starts_with("<|") && language.ends_with("|>"))
            language = language.substr(2, language.size() - 4);
        rules.language = rules.languages.contains(language) ? language : std::string();
    }
    if (const std::string task = file.text("task"); rules.tasks.contains(task))
        rules.task = task;
}

/// Languages, tasks and <|notimestamps|> by the pieces of the tokenizer: the languages are those between the
/// start and <|translate|>.
void readPieces(const ModelFolder& model, TokenRules& rules) {
    const Tokenizer tokenizer(model.tokenizer);
    std::optional<int> translate;
    const int size = std::min(tokenizer.size(), model.architecture.vocabulary);
    for (int id = rules.start; id < size; ++id) {
        const std::string piece = tokenizer.piece(id);
        if (piece == "<|notimestamps|>")
            rules.noTimes = id;
        else if (piece == "<|translate|>" || piece == "<|transcribe|>")
            rules.tasks[piece.substr(2, piece.size() - 4)] = id;
        if (piece == "<|translate|>")
            translate = id;
    }
    for (int id = rules.start + 1; id < translate.value_or(0); ++id) {
        const std::string piece = tokenizer.piece(id);
        rules.languages[piece.substr(2, piece.size() - 4)] = id;
    }
    if (model.architecture.vocabulary == 51'864) { // English only: the pieces exist and are not used
        rules.languages.clear();
        rules.tasks.clear();
    }
}

} // namespace

void readTokenRules(const fs::path& folder, ModelFolder& model) {
    const Architecture::Decoder& decoder = *model.architecture.decoder;
    TokenRules& rules = model.tokens;
    const fs::path file = folder / "generation_config.json";
    if (fs::exists(folder / "config.json")) {
        const GenerationFile config(folder / "config.json", model.architecture.vocabulary, model.assumed);
        // Beside a generation_config.json, what config.json suppresses is a default that the library does not read.
        fs::exists(file) ? readEnds(config, rules) : readRules(config, decoder, rules);
    }
    if (fs::exists(file)) {
        const GenerationFile generation(file, model.architecture.vocabulary, model.assumed);
        readRules(generation, decoder, rules);
        if (rules.noTimes)
            return;
    }
    if (!model.tokenizer.empty()) {
        readPieces(model, rules);
        model.assumed.push_back(
            (fs::exists(file) ? shown(file) + " does not define" : shown(file) + " is missing:") +
            std::string(" languages, tasks and time tokens were taken from the pieces of ") +
            shown(model.tokenizer) + ".");
    } else {
        model.assumed.push_back(
            shown(file) +
            " does not say which tokens stand for languages, tasks and times; a text is started "
            "with token " +
            std::to_string(rules.start) + " alone.");
    }
}

std::string generationText(const TokenRules& rules) {
    nlohmann::ordered_json document;
    document["decoder_start_token_id"] = rules.start;
    document["eos_token_id"] = rules.end;
    json languages = json::object(), tasks = json::object(), heads = json::array();
    for (const auto& [language, id] : rules.languages)
        languages["<|" + language + "|>"] = id;
    for (const auto& [task, id] : rules.tasks)
        tasks[task] = id;
    for (const auto& [layer, head] : rules.alignmentHeads)
        heads.push_back({layer, head});
    if (!rules.languages.empty())
        document["lang_to_id"] = languages;
    if (!rules.tasks.empty())
        document["task_to_id"] = tasks;
    if (!rules.language.empty())
        document["language"] = rules.language;
    document["task"] = rules.task;
    if (rules.noTimes)
        document["no_timestamps_token_id"] = *rules.noTimes;
    if (rules.latestFirstTime)
        document["max_initial_timestamp_index"] = *rules.latestFirstTime;
    document["suppress_tokens"] = rules.suppressed;
    document["begin_suppress_tokens"] = rules.suppressedFirst;
    document["alignment_heads"] = heads;
    return document.dump(2) + "\n";
}

} // namespace headroom::models
