// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/token_list.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/unread_file.h"
#include "core/text/byte_pairs.h"
#include "core/text/replace_all.h"
#include "core/tensors/mapped_file.h"
#include "core/tensors/tar_members.h"
#include "core/text/sentence_piece_form.h"
#include "core/yaml/yaml_events.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace headroom {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestTokenFile = 16u << 20;
const std::string kBlank = "<blank>";
const std::string kPieceSpace = "\xE2\x96\x81"; // ▁

[[noreturn]] void refuseTokens(const std::string& name, const std::string& what) {
    throw Error("text.notTokens", name + " " + what + ".", {{"file", name}});
}

/// What the file says about tokens, as it is written: a plain 08 is a token of two digits.
struct TokenFacts {
    std::string type = "bpe", pieceModel; // ESPnet's default
    std::vector<std::string> tokens;
};

/// The events, with the refusals of a file of tokens.
class TokenYaml {
public:
    TokenYaml(const std::string& text, const std::string& name)
        : m_name(name)
        , m_events(text) {}

    yaml_event_type_t next() {
        if (!m_events.next())
            refuseTokens(m_name, "is not valid YAML: line " + std::to_string(m_events.parser().problem_mark.line + 1) +
                                     " does not fit the lines above it");
        return m_events.type();
    }
    /// The text of a scalar.
    std::string text() const {
        if (m_events.type() != YAML_SCALAR_EVENT)
            refuseTokens(m_name,
                         "has something other than a text in line " + std::to_string(m_events.line() + 1));
        return m_events.scalar();
    }
    /// Goes to the last event of the value that this one begins.
    void skip() {
        int depth = 0;
        do {
            depth += m_events.type() == YAML_SEQUENCE_START_EVENT || m_events.type() == YAML_MAPPING_START_EVENT;
            depth -= m_events.type() == YAML_SEQUENCE_END_EVENT || m_events.type() == YAML_MAPPING_END_EVENT;
        } while (depth > 0 && (next(), true));
    }

private:
    const std::string& m_name;
    YamlEvents m_events;
};

/// “vocabulary” of the CTC decoder in a NeMo archive, and the blank, which stands behind it. Pieces of
/// SentencePiece begin with ▁ where a word begins; other labels are characters, the space among them.
TokenFacts nemoFacts(const fs::path& file, const std::string& name) {
    const MappedFile archive(file, "text.missing");
    std::string text;
    for (const TarMember& member : readTar(archive.bytes(), name))
        if (fs::path(member.name).filename() == "model_config.yaml" && member.bytes.size() <= kLargestTokenFile)
            text.assign(reinterpret_cast<const char*>(member.bytes.data()), member.bytes.size());
    TokenYaml events(text, name);
    events.next(); // the stream
    events.next(); // the document
    if (events.next() != YAML_MAPPING_START_EVENT)
        refuseTokens(name, "has no configuration of NeMo");
    TokenFacts facts;
    while (events.next() != YAML_MAPPING_END_EVENT) {
        const bool decoder = events.text() == "decoder";
        if (events.next() != YAML_MAPPING_START_EVENT || !decoder) {
            events.skip();
            continue;
        }
        while (events.next() != YAML_MAPPING_END_EVENT) {
            const bool vocabulary = events.text() == "vocabulary";
            if (events.next() != YAML_SEQUENCE_START_EVENT || !vocabulary) {
                events.skip();
                continue;
            }
            while (events.next() != YAML_SEQUENCE_END_EVENT)
                facts.tokens.push_back(events.text());
        }
    }
    if (!facts.tokens.empty())
        facts.tokens.push_back(kBlank);
    const auto isPiece = [](const std::string& token) { return token.starts_with(kPieceSpace); };
    facts.type = std::ranges::any_of(facts.tokens, isPiece) ? "bpe" : "char";
    return facts;
}

TokenFacts readFacts(const fs::path& file, const std::string& name) {
    if (file.extension() == ".nemo")
        return nemoFacts(file, name);
    std::error_code problem;
    if (const auto bytes = fs::file_size(file, problem); problem || bytes > kLargestTokenFile)
        throw Error("text.missing", unreadText(file), {{"file", name}});
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    TokenYaml events(text, name);
    events.next(); // the stream
    events.next(); // the document
    if (events.next() != YAML_MAPPING_START_EVENT)
        refuseTokens(name, "is not a configuration of ESPnet");
    TokenFacts facts;
    while (events.next() != YAML_MAPPING_END_EVENT) {
        const std::string key = events.text();
        const yaml_event_type_t kind = events.next();
        if (key == "token_list" && kind == YAML_SEQUENCE_START_EVENT)
            while (events.next() != YAML_SEQUENCE_END_EVENT)
                facts.tokens.push_back(events.text());
        else if (key == "token_type" && kind == YAML_SCALAR_EVENT)
            facts.type = events.text();
        else if (key == "bpemodel" && kind == YAML_SCALAR_EVENT)
            facts.pieceModel = events.text();
        else
            events.skip();
    }
    return facts;
}

} // namespace

bool TokenList::writes(const std::string& tokenType) {
    return tokenType == "char" || tokenType == "word" || tokenType == "bpe";
}

fs::path TokenList::pieceModel(const fs::path& file, const std::string& bpemodel) {
    const fs::path folder = file.parent_path(), named = bpemodel;
    if (!named.filename().empty() && named.filename() != "null")
        for (const fs::path& place : {folder / named.filename(), folder / named, folder / ".." / ".." / named})
            if (fs::is_regular_file(place))
                return place;
    return fs::is_regular_file(folder / "bpe.model") ? folder / "bpe.model" : fs::path();
}

fs::path TokenList::pieceModel(const fs::path& file) {
    return pieceModel(file, readFacts(file, displayNameInFolder(file)).pieceModel);
}

TokenList::TokenList(const fs::path& file)
    : m_name(displayNameInFolder(file)) {
    TokenFacts facts = readFacts(file, m_name);
    if (facts.tokens.empty())
        refuseTokens(m_name, "lists no tokens (“token_list”)");
    if (!writes(facts.type))
        refuseTokens(m_name, "has tokens of the type “" + facts.type.substr(0, 40) +
                                 "”; text is made of char, word and bpe");
    m_type = facts.type == "char" ? Type::Characters : facts.type == "word" ? Type::Words : Type::Pieces;
    m_tokens = std::move(facts.tokens);
    for (std::size_t id = 0; id < m_tokens.size(); ++id)
        m_ids.emplace(m_tokens[id], static_cast<int>(id));
    m_unknown = idOf("<unk>");
    if (const fs::path model = pieceModel(file, facts.pieceModel); m_type == Type::Pieces && !model.empty())
        m_pieces = readSentencePiece(model);
}

bool TokenList::isInArchive(const fs::path& archive) {
    try {
        return !nemoFacts(archive, displayNameInFolder(archive)).tokens.empty();
    } catch (const Error&) {
        return false;
    }
}

std::string TokenList::yaml() const {
    std::string text = "token_type: " + std::string(m_type == Type::Characters ? "char" : m_type == Type::Words ? "word" : "bpe") +
                       "\ntoken_list:\n";
    for (const std::string& token : m_tokens) // a JSON text is one of YAML, too
        text += "- " + nlohmann::json(token).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    return text;
}

TokenList::~TokenList() = default;

int TokenList::idOf(const std::string& token) const {
    const auto found = m_ids.find(token);
    return found == m_ids.end() ? -1 : found->second;
}

std::vector<int> TokenList::encode(const std::string& text) const {
    std::vector<std::string> tokens;
    if (m_type == Type::Characters) {
        for (const std::string& letter : utf8Letters(text))
            tokens.push_back(letter == " " && idOf(" ") < 0 ? "<space>" : letter);
    } else if (m_type == Type::Words) {
        std::istringstream words(text);
        for (std::string word; words >> word;)
            tokens.push_back(std::move(word));
    } else if (m_pieces) {
        for (const int id : m_pieces->encode(text))
            tokens.push_back(m_pieces->piece(id));
    } else {
        throw Error("text.noPieces",
                    "The SentencePiece model of " + m_name +
                        " (“bpemodel”) is missing, so text cannot be cut into its tokens; put it beside the file as bpe.model.",
                    {{"file", m_name}});
    }
    std::vector<int> ids;
    for (const std::string& token : tokens) {
        const int known = idOf(token), id = known < 0 ? m_unknown : known;
        if (id < 0)
            throw Error("text.unknownCharacter", m_name + " has no token for “" + token + "”, and none for unknown text.",
                        {{"file", m_name}});
        ids.push_back(id);
    }
    return ids;
}

std::string TokenList::decode(std::span<const int> ids) const {
    std::string text;
    for (const int id : ids) {
        const std::string& token = m_tokens.at(static_cast<std::size_t>(id));
        if (token == kBlank || token == "<sos/eos>")
            continue;
        if (m_type == Type::Words && !text.empty())
            text += ' ';
        if (m_type == Type::Characters && token == "<space>")
            text += ' ';
        else if (m_type == Type::Pieces && id == m_unknown)
            text += " \xE2\x81\x87 "; // as SentencePiece writes it
        else
            text += token;
    }
    if (m_type == Type::Pieces)
        replaceAll(text, kPieceSpace, " ");
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

} // namespace headroom
