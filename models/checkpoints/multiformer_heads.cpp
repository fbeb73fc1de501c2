// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/multiformer_heads.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <algorithm>
#include <charconv>

namespace headroom::models {
namespace {

constexpr std::size_t kMostLayers = 1000;
constexpr int kMostNumber = 1'000'000;

/// Layers of groups of words and numbers, by recursive descent over the four levels that the expression has:
///
///     layers = term { "+" term }       term  = [ NUMBER "*" ] "(" { layer "," } ")" | "(" term { … } ")"
///     layer  = "(" { group "," } ")"   group = "(" WORD { "," NUMBER | WORD } ")"
class Reader {
public:
    Reader(std::string_view text, const std::string& place) : m_text(text), m_place(place) {}

    std::vector<Architecture::Layer> read() {
        std::vector<Architecture::Layer> layers;
        do {
            for (Architecture::Layer& layer : term())
                layers.push_back(std::move(layer));
            if (layers.size() > kMostLayers)
                refuse("it has more than " + std::to_string(kMostLayers) + " layers");
        } while (take('+'));
        skipBlanks();
        if (!m_text.empty())
            expected("the end");
        if (layers.empty())
            refuse("it has no layers");
        return layers;
    }

private:
    struct Group {
        std::string kind;
        std::vector<int> numbers;
        std::string form;
    };

    [[noreturn]] void refuse(const std::string& what, const char* code = "model.badConfig") const {
        throw Error(code, m_place + " cannot be read: " + what + ".", {{"place", m_place}});
    }
    [[noreturn]] void expected(const std::string& what) const {
        refuse(what + " is expected at “" + validText(m_text.substr(0, 20)) + "”");
    }
    void skipBlanks() {
        while (!m_text.empty() && (m_text.front() == ' ' || m_text.front() == '\n' || m_text.front() == '\t'))
            m_text.remove_prefix(1);
    }
    bool take(char wanted) {
        skipBlanks();
        if (m_text.empty() || m_text.front() != wanted)
            return false;
        m_text.remove_prefix(1);
        return true;
    }
    void need(char wanted) {
        if (!take(wanted))
            expected(std::string("“") + wanted + "”");
    }
    bool takeNumber(int& number) {
        skipBlanks();
        const auto [next, problem] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), number);
        if (problem != std::errc())
            return false;
        if (number < 0 || number > kMostNumber)
            refuse("the number " + std::to_string(number) + " is out of range");
        m_text.remove_prefix(static_cast<std::size_t>(next - m_text.data()));
        return true;
    }
    std::string word() {
        skipBlanks();
        const char quote = m_text.empty() ? ' ' : m_text.front();
        const auto end = quote == '\'' || quote == '"' ? m_text.find(quote, 1) : std::string_view::npos;
        if (end == std::string_view::npos)
            expected("a word in quotes");
        const std::string result(m_text.substr(1, end - 1));
        m_text.remove_prefix(end + 1);
        return result;
    }

    std::vector<Architecture::Layer> term() {
        int count = 1;
        if (takeNumber(count))
            need('*');
        std::vector<Architecture::Layer> layers;
        need('(');
        while (!take(')')) {
            layers.push_back(layer());
            if (!take(',')) {
                need(')');
                // Without its comma, ("x") is "x" in Python: a list of one layer must have it.
                if (layers.size() == 1)
                    refuse("a list of one layer needs a trailing comma");
                break;
            }
        }
        const std::size_t once = layers.size(), times = static_cast<std::size_t>(count);
        if (once * times > kMostLayers)
            refuse("it has more than " + std::to_string(kMostLayers) + " layers");
        std::vector<Architecture::Layer> result;
        for (std::size_t i = 0; i < times; ++i)
            result.insert(result.end(), layers.begin(), layers.end());
        return result;
    }

    Architecture::Layer layer() {
        std::vector<Group> groups;
        need('(');
        while (!take(')')) {
            groups.push_back(group());
            if (!take(',')) {
                need(')');
                if (groups.size() == 1)
                    refuse("a layer of one group needs a trailing comma");
                break;
            }
        }
        Architecture::Layer result;
        for (const char* kind : {"full", "fast", "local", "compressed"})
            for (const Group& one : groups)
                if (one.kind == kind && one.numbers.at(0) > 0)
                    result.heads.push_back(headsOf(one));
        if (result.heads.empty())
            refuse("a layer has no heads");
        return result;
    }

    Group group() {
        Group result;
        need('(');
        result.kind = word();
        int number = 0;
        while (take(',')) {
            if (takeNumber(number))
                result.numbers.push_back(number);
            else if (skipBlanks(); !m_text.empty() && m_text.front() != ')')
                result.form = word();
        }
        need(')');
        const std::size_t wanted = result.kind == "full" || result.kind == "fast" ? 1
                                   : result.kind == "local"                       ? 2
                                   : result.kind == "compressed"                  ? 3
                                                                                  : 0;
        if (wanted == 0)
            refuse("unknown kind of heads “" + validText(result.kind.substr(0, 40)) + "”");
        if (result.numbers.size() != wanted)
            refuse("“" + result.kind + "” heads have " + std::to_string(wanted) + " numbers");
        return result;
    }

    HeadGroup headsOf(const Group& group) const {
        HeadGroup heads;
        heads.count = group.numbers[0];
        if (group.kind == "fast")
            refuse("“fast” heads (Performer) are not supported", "model.unsupported");
        if (group.kind == "local") {
            heads.kind = HeadKind::LocalBlock;
            heads.window = group.numbers[1];
        } else if (group.kind == "compressed") {
            heads.kind = HeadKind::Conv;
            heads.convKernel = group.numbers[1];
            heads.convStride = group.numbers[2];
            if (group.form == "separable")
                heads.convForm = ConvForm::Separable;
            else if (group.form == "normal")
                heads.convForm = ConvForm::Normal;
            else if (group.form != "depthwise")
                refuse("unknown convolution “" + validText(group.form.substr(0, 40)) + "”");
        }
        return heads;
    }

    std::string_view m_text;
    const std::string& m_place;
};

} // namespace

std::vector<Architecture::Layer> parseMultiformerHeads(std::string_view text, const std::string& place) {
    return Reader(text, place).read();
}

} // namespace headroom::models
