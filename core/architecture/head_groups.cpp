// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/head_groups.h"

#include "core/architecture/nearest.h"
#include "core/architecture/shortest.h"
#include "core/architecture/usual_windows.h"
#include "core/errors/count_text.h"
#include "core/errors/listed.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headroom {

namespace {

constexpr std::array<std::string_view, 1> kBlock{"block"}; // a kind for a person; written behind its window
constexpr std::array<std::string_view, 6> kKinds{"full", "local", kBlock[0], "conv", "masked", "reuse"};
constexpr std::array<std::string_view, 3> kForms{"separable", "normal", "speechformer"}; // ConvForm from 1
constexpr std::array<std::string_view, 5> kModifiers{"relaxed", "matched", "fuzzy", "smoothed", "suppressed"};

constexpr int kMostHeads = 1024, kLongestKernel = 999, kMostLayers = 1000;

struct Word {
    std::string_view text;
    std::size_t position = 0;
};

/// Reads the words of a heads text from left to right; every mistake is told at its word, with whole texts to
/// take.
class HeadsReader {
public:
    explicit HeadsReader(std::string_view text, int depth = 0) : m_text(text), m_depth(depth) {
        std::size_t at = 0;
        while (at < text.size()) {
            const char c = text[at];
            const auto isBlank = [](char one) {
                return one == ' ' || one == '\t' || one == '\n' || one == '\r';
            };
            std::size_t end = at + 1;
            if (isBlank(c)) {
                at = end;
                continue;
            }
            if (c != '+')
                while (end < text.size() && !isBlank(text[end]) && text[end] != '+')
                    ++end;
            m_words.push_back({text.substr(at, end - at), at});
            at = end;
        }
    }

    std::vector<HeadGroup> read() {
        if (m_words.empty())
            fail("there are no heads", {"4 full"}, 0, m_text.size());
        std::vector<HeadGroup> groups;
        while (true) {
            groups.push_back(group());
            if (m_at == m_words.size())
                return groups;
            ++m_at; // the +
            if (m_at == m_words.size())
                fail("a group is missing after its last “+”", {""}, m_words.back().position, 1);
        }
    }

private:
    HeadGroup group() {
        HeadGroup result;
        result.count = count();
        kind(result);
        modifiers(result);
        return result;
    }

    bool has(std::string_view word) const { return m_at < m_words.size() && m_words[m_at].text == word; }

    bool take(std::string_view word) {
        if (!has(word))
            return false;
        ++m_at;
        return true;
    }

    int count() {
        const auto word = m_words[m_at].text;
        int number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        const bool whole = error == std::errc() && end == word.data() + word.size();
        if (whole && number >= 1 && number <= kMostHeads) {
            ++m_at;
            return number;
        }
        if (error == std::errc() && number >= 1 && number <= kMostHeads && (*end == 'x' || *end == 'X') &&
            end + 1 == word.data() + word.size())
            refuse("a count must be a plain number", {std::to_string(number)});
        if (whole || error == std::errc::result_out_of_range)
            refuse("a group has 1 to " + std::to_string(kMostHeads) + " heads",
                   {whole && number < 1   ? "1"
                    : word.front() == '-' ? "1"
                                          : "1024"});
        if (!nearestWord(word, kKinds).empty())
            refuse("a group must start with its number of heads",
                   {"1 " + std::string(nearestWord(word, kKinds))});
        refuse("a group must start with its number of heads", {});
    }

    void kind(HeadGroup& result) {
        if (m_at == m_words.size() || has("+"))
            missing("a kind is missing: " + listed(kKinds), {"full"});
        if (take("full"))
            result.kind = HeadKind::Full;
        else if (take("masked"))
            masked(result);
        else if (take("local"))
            local(result);
        else if (take("conv"))
            conv(result);
        else if (take("reuse")) {
            result.kind = HeadKind::Reuse;
            result.reusedLayer = whole("the layer whose map is reused", 1, kMostLayers, "1");
        } else if (has("block"))
            blockFirst();
        else
            unknown("kind", kKinds);
    }

    /// "block 21" is "local 21 block".
    [[noreturn]] void blockFirst() {
        const Word first = m_words[m_at], next = m_at + 1 < m_words.size() ? m_words[m_at + 1] : Word{"+"};
        const bool hasWindow = next.text.find_first_not_of("0123456789") == std::string_view::npos;
        const Word& last = hasWindow ? next : first;
        fail("“block” follows a local window",
             {"local " + (hasWindow ? std::string(next.text) : std::to_string(kUsualBlock)) + " block"},
             first.position, last.position + last.text.size() - first.position);
    }

    void local(HeadGroup& result) {
        result.kind = HeadKind::Local;
        const auto at = m_at;
        const int window = whole("a window in tokens", 1, kWidestWindow, std::to_string(kUsualWindow));
        if (m_at < m_words.size() && !has("block") && !nearestWord(m_words[m_at].text, kBlock).empty())
            unknown("modifier", kBlock); // before the window is judged, whose rule depends on it
        if (take("block")) {
            result.kind = HeadKind::LocalBlock;
            if (window < 3) {
                m_at = at;
                refuse("a block window has at least 3 tokens", {"3"});
            }
        } else if (window % 2 == 0) {
            m_at = at;
            refuse("a centred window is odd", {std::to_string(window - 1), std::to_string(window + 1)});
        }
        result.window = window;
    }

    void masked(HeadGroup& result) {
        result.kind = HeadKind::Masked;
        if (m_at == m_words.size() || m_words[m_at].text.find_first_not_of("0123456789") == 0)
            return;
        const auto isKind = [](const Word& word) {
            return word.text != kBlock[0] && std::find(kKinds.begin(), kKinds.end(), word.text) != kKinds.end();
        };
        if (m_at + 1 < m_words.size() && isKind(m_words[m_at + 1]))
            return; // the next group, whose + is missing
        const auto at = m_at;
        result.window = whole("a window in tokens", 1, kWidestWindow, std::to_string(kUsualWindow));
        if (result.window % 2 == 0) {
            m_at = at;
            refuse("a window is odd", {std::to_string(result.window - 1), std::to_string(result.window + 1)});
        }
    }

    void conv(HeadGroup& result) {
        result.kind = HeadKind::Conv;
        if (m_at == m_words.size() || has("+"))
            missing("kernel and stride are missing", {"5/2"});
        const auto word = m_words[m_at].text;
        const char* const end = word.data() + word.size();
        const auto [slash, firstError] = std::from_chars(word.data(), end, result.convKernel);
        if (firstError == std::errc() && slash == end && result.convKernel >= 2)
            refuse("a kernel needs a stride", {std::string(word) + "/2"});
        if (firstError != std::errc() || slash == end || *slash != '/')
            refuse("kernel and stride are two numbers with a slash between them", {"5/2"});
        const auto [last, secondError] = std::from_chars(slash + 1, end, result.convStride);
        if (secondError != std::errc() || last != end)
            refuse("kernel and stride are two numbers with a slash between them", {"5/2"});
        if (result.convKernel < 1 || result.convKernel > kLongestKernel || result.convStride < 1)
            refuse("a kernel has 1 to " + std::to_string(kLongestKernel) + " tokens, a stride at least 1",
                   {"5/2"});
        if (result.convStride > result.convKernel)
            refuse("a stride larger than the kernel would skip tokens",
                   {std::to_string(result.convKernel) + "/" + std::to_string(result.convKernel)});
        ++m_at;
        for (std::size_t form = 0; form < kForms.size(); ++form)
            if (take(kForms[form]))
                result.convForm = static_cast<ConvForm>(form + 1);
    }

    void modifiers(HeadGroup& result) {
        while (m_at < m_words.size() && !has("+")) {
            const auto word = m_words[m_at];
            if (take("relaxed")) {
                once(!result.relaxed, word);
                if (result.kind == HeadKind::Masked)
                    refuseBack("masked heads cannot be relaxed", word);
                result.relaxed = real("γ of relaxed attention", 1, "0.1");
                while (has("matched") || has("fuzzy")) {
                    const auto inner = m_words[m_at];
                    if (take("matched")) {
                        once(!result.relaxedMatched, inner);
                        result.relaxedMatched = true;
                    } else if (take("fuzzy")) {
                        once(!result.relaxedFuzzy, inner);
                        result.relaxedFuzzy = real("σ of fuzzy relaxation", 1, "0.03");
                    }
                }
            } else if (take("smoothed")) {
                once(!result.smoothed, word);
                if (result.suppressed)
                    refuseBack("smoothed and suppressed exclude each other", word);
                result.smoothed = true;
            } else if (take("suppressed")) {
                once(!result.suppressed, word);
                if (result.smoothed)
                    refuseBack("smoothed and suppressed exclude each other", word);
                result.suppressed = real("γ of weak attention suppression", 10, "0.5");
            } else if (has("matched") || has("fuzzy"))
                refuse("“" + std::string(word.text) + "” must follow “relaxed γ”",
                       {"relaxed 0.1 " + std::string(word.text)});
            else if (result.kind == HeadKind::Conv && !nearestWord(word.text, kForms).empty())
                unknown("form of convolution here", kForms);
            else if (word.text == "block")
                refuse("only local windows have blocks", {""});
            else
                unknown("modifier", kModifiers);
        }
    }

    int whole(const std::string& what, int least, int most, const std::string& example) {
        if (m_at == m_words.size() || has("+"))
            missing(what + " is missing", {example});
        const auto word = m_words[m_at].text;
        int number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error == std::errc::invalid_argument || end != word.data() + word.size())
            refuse(what + " is a whole number", {error == std::errc() && *end != ',' && number >= least && number <= most ? std::to_string(number) : example});
        if (error == std::errc::result_out_of_range || number < least || number > most)
            refuse(what + " lies between " + grouped(least) + " and " + grouped(most),
                   {std::to_string(word.front() == '-' || (error == std::errc() && number < least) ? least
                                                                                                   : most)});
        ++m_at;
        return number;
    }

    double real(const std::string& what, double most, const char* example) {
        if (m_at == m_words.size() || has("+"))
            missing(what + " is missing", {example});
        const auto word = m_words[m_at].text;
        double number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(number))
            refuse(what + " is a number", {example});
        if (number < 0 || number > most)
            refuse(what + " lies between 0 and " + std::to_string(static_cast<int>(most)), {example});
        ++m_at;
        return number == 0 ? 0 : number; // −0 has no meaning of its own
    }

    void once(bool first, const Word& word) {
        if (!first)
            refuseBack("“" + std::string(word.text) + "” occurs twice", word);
    }

    /// At the word just taken: the suggestion leaves it out, with its number where one follows.
    [[noreturn]] void refuseBack(const std::string& reason, const Word& word) {
        auto end = word.position + word.text.size();
        if (m_at < m_words.size() && m_words[m_at].text.find_first_of("0123456789.") == 0)
            end = m_words[m_at].position + m_words[m_at].text.size();
        fail(reason, {""}, word.position, end - word.position);
    }

    [[noreturn]] void unknown(const std::string& what, std::span<const std::string_view> words) {
        const auto word = m_words[m_at].text;
        const auto nearest = nearestWord(word, words);
        const auto reason = "there is no " + what + " “" + std::string(word) + "”";
        if (!nearest.empty())
            refuse(reason, {std::string(nearest)});
        if (word.find_first_of("0123456789") == 0 && m_at > 0) // two groups side by side
            refuse(reason, {"+ " + std::string(word)});
        refuse(reason + "; choose one of " + listed(words), {});
    }

    /// At the current word.
    [[noreturn]] void refuse(const std::string& reason, const std::vector<std::string>& replacements) {
        fail(reason, replacements, m_words[m_at].position, m_words[m_at].text.size());
    }

    /// Behind the word before the current one.
    [[noreturn]] void missing(const std::string& reason, const std::vector<std::string>& insertions) {
        const auto& before = m_words[m_at - 1];
        std::vector<std::string> replacements;
        for (const auto& one : insertions)
            replacements.push_back(" " + one);
        fail(reason, replacements, before.position + before.text.size(), 0);
    }

    /// Suggestions are whole texts that parse: `length` bytes at `position` replaced, and the nearest correct
    /// text of the result where that has a mistake of its own.
    [[noreturn]] void fail(const std::string& reason, const std::vector<std::string>& replacements,
                           std::size_t position, std::size_t length) {
        std::vector<std::string> suggestions;
        const auto suggest = [&](const std::string& text) {
            if (std::find(suggestions.begin(), suggestions.end(), text) == suggestions.end())
                suggestions.push_back(text);
        };
        constexpr int kMostMistakes = 4;
        for (const auto& one : replacements) {
            auto text = std::string(m_text);
            text.replace(position, length, one);
            try {
                if (m_depth < kMostMistakes)
                    suggest(toText(HeadsReader(text, m_depth + 1).read()));
            } catch (const Error& error) {
                for (const auto& further : error.values()["suggestions"])
                    suggest(further);
            }
        }
        throw Error("architecture.heads", "“" + std::string(m_text) + "”: " + reason + nearestText(suggestions) + ".",
                    {{"text", m_text},
                     {"position", position},
                     {"length", length},
                     {"reason", reason},
                     {"suggestions", suggestions}});
    }

    std::string_view m_text;
    std::vector<Word> m_words;
    std::size_t m_at = 0;
    int m_depth;
};

std::string kindText(const HeadGroup& group) {
    switch (group.kind) {
    case HeadKind::Full:
        return "full";
    case HeadKind::Local:
        return "local " + std::to_string(group.window);
    case HeadKind::LocalBlock:
        return "local " + std::to_string(group.window) + " block";
    case HeadKind::Conv:
        return "conv " + std::to_string(group.convKernel) + "/" + std::to_string(group.convStride) +
               (group.convForm == ConvForm::Depthwise
                    ? std::string()
                    : " " + std::string(kForms.at(static_cast<std::size_t>(group.convForm) - 1)));
    case HeadKind::Masked:
        return group.window == 0 ? "masked" : "masked " + std::to_string(group.window);
    case HeadKind::Reuse:
        return "reuse " + std::to_string(group.reusedLayer);
    }
    throw std::logic_error("a kind of head without a text");
}

} // namespace

std::vector<HeadGroup> parseHeads(std::string_view text) {
    return HeadsReader(text).read();
}

std::string toText(const std::vector<HeadGroup>& groups) {
    std::string text;
    for (const auto& group : groups) {
        text += (text.empty() ? "" : " + ") + std::to_string(group.count) + " " + kindText(group);
        if (group.relaxed)
            text += " relaxed " + shortest(*group.relaxed);
        if (group.relaxedMatched)
            text += " matched";
        if (group.relaxedFuzzy)
            text += " fuzzy " + shortest(*group.relaxedFuzzy);
        if (group.smoothed)
            text += " smoothed";
        if (group.suppressed)
            text += " suppressed " + shortest(*group.suppressed);
    }
    return text;
}

int headCount(const std::vector<HeadGroup>& groups) {
    int count = 0;
    for (const auto& group : groups)
        count += group.count;
    return count;
}

} // namespace headroom
