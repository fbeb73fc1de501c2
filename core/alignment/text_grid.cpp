// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/text_grid.h"

#include "core/alignment/grid_text.h"
#include "core/alignment/plain_number.h"
#include "core/errors/display_name.h"
#include "core/errors/unread_file.h"
#include "core/tensors/atomic_file.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>

namespace headroom {

namespace {

/// Bounds that differ by less are rounding: 10 µs is less than a sample at any rate we meet.
constexpr double kGridRounding = 1e-5;
/// The shortest interval of a short text file is `0 0 ""` and three line ends.
constexpr std::size_t kSmallestItem = 6;

struct Token {
    enum class Kind { Number, Text, Flag, End } kind = Kind::End;
    double number = 0;
    std::string text;
    std::size_t line = 0;
};

/// Reads as Praat does: numbers, quoted texts and <flags> that stand free count, in their order; the words of
/// the long format between them are for people. Only after “=” must one of the three follow.
class Scanner {
public:
    Scanner(std::string_view text, const std::string& name) : m_text(text), m_name(name) {}

    Token next() {
        bool needed = false;
        while (true) {
            skipBlanks();
            Token token;
            token.line = m_line;
            if (m_at == m_text.size())
                return token;
            if (m_text[m_at] == '"') {
                token.kind = Token::Kind::Text;
                token.text = quoted();
                return token;
            }
            const auto start = m_at;
            while (m_at < m_text.size() && !isBlank(m_text[m_at]) && m_text[m_at] != '"')
                ++m_at;
            const auto word = m_text.substr(start, m_at - start);
            if (word.front() == '<' && word.back() == '>') {
                token.kind = Token::Kind::Flag;
                token.text = word;
                return token;
            }
            if (const bool looksLikeNumber = word.find_first_of("0123456789.+-") == 0;
                looksLikeNumber || needed) {
                token.kind = Token::Kind::Number;
                token.number = number(word);
                return token;
            }
            needed = word == "=" || word.back() == '=';
        }
    }

    double nextNumber(const std::string& what) {
        const auto token = next();
        if (token.kind == Token::Kind::End)
            truncated(what);
        if (token.kind != Token::Kind::Number)
            refuse("alignment.badNumber", token.line, what + " is expected here, not “" + token.text + "”");
        return token.number;
    }

    std::string nextText(const std::string& what) {
        const auto token = next();
        if (token.kind == Token::Kind::End)
            truncated(what);
        if (token.kind != Token::Kind::Text)
            refuse("alignment.notTextGrid", token.line, what + " is expected here in quotes");
        return token.text;
    }

    /// A count of items that the rest of the file can hold.
    std::size_t nextSize(const std::string& what) {
        const double value = nextNumber("the number of " + what);
        if (value < 0 || value != std::floor(value) ||
            value > static_cast<double>((m_text.size() - m_at) / kSmallestItem))
            refuse("alignment.badSize", m_line,
                   "it declares " + plainCount(value) + " " + what + ", which the file cannot hold");
        return static_cast<std::size_t>(value);
    }

    [[noreturn]] void truncated(const std::string& what) const {
        throw Error("alignment.truncated",
                    m_name + " is truncated: it ends at line " + std::to_string(m_line) + ", before " + what +
                        ".",
                    {{"file", m_name}, {"line", m_line}});
    }

    /// `seconds`: where in the recording, for whoever can show the place.
    [[noreturn]] void refuse(const std::string& code, std::size_t line, const std::string& reason,
                             std::optional<double> seconds = std::nullopt) const {
        nlohmann::json values{{"file", m_name}, {"line", line}, {"reason", reason}};
        if (seconds)
            values["seconds"] = *seconds;
        throw Error(code, m_name + ", line " + std::to_string(line) + ": " + reason + ".", values);
    }

    std::size_t line() const { return m_line; }

private:
    static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f'; }

    void skipBlanks() {
        while (m_at < m_text.size()) {
            if (m_text[m_at] == '!') // a comment, to the end of its line
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            else if (isBlank(m_text[m_at]))
                m_line += m_text[m_at++] == '\n';
            else
                return;
        }
    }

    std::string quoted() {
        const auto first = m_line;
        std::string result;
        for (++m_at; m_at < m_text.size(); ++m_at) {
            if (m_text[m_at] != '"') {
                m_line += m_text[m_at] == '\n';
                result += m_text[m_at];
                continue;
            }
            if (m_at + 1 < m_text.size() && m_text[m_at + 1] == '"') {
                result += '"';
                ++m_at;
                continue;
            }
            ++m_at;
            if (m_at < m_text.size() && !isBlank(m_text[m_at]))
                refuse("alignment.badText", first, "a label that starts here is not closed");
            return result;
        }
        throw Error("alignment.truncated",
                    m_name + " is truncated: the label that starts at line " + std::to_string(first) +
                        " is not closed.",
                    {{"file", m_name}, {"line", first}});
    }

    double number(std::string_view word) const {
        const auto digits = word.substr(word.front() == '+' ? 1 : 0);
        double value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
            refuse("alignment.badNumber", m_line, "“" + std::string(word) + "” is not a number");
        return value == 0 ? 0 : value; // −0 is written by some programs
    }

    std::string_view m_text;
    const std::string& m_name;
    std::size_t m_at = 0, m_line = 1;
};

void readIntervals(Scanner& scanner, Tier& tier, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto where = "interval " + std::to_string(i + 1) + " of tier “" + tier.name + "”";
        Interval interval;
        interval.start = Seconds(scanner.nextNumber("the start of " + where));
        interval.end = Seconds(scanner.nextNumber("the end of " + where));
        const auto line = scanner.line();
        interval.label = scanner.nextText("the label of " + where);
        if (!tier.intervals.empty()) {
            const auto before = tier.intervals.back().end;
            if (interval.start.value() < before.value() - kGridRounding)
                scanner.refuse("alignment.overlap", line,
                               where + " begins at " + plainNumber(interval.start.value()) +
                                   " s, before the previous one ends at " + plainNumber(before.value()) +
                                   " s",
                               interval.start.value());
            if (interval.start < before)
                interval.start = before;
        }
        if (interval.end.value() < interval.start.value() - kGridRounding)
            scanner.refuse("alignment.reversed", line,
                           where + " ends at " + plainNumber(interval.end.value()) +
                               " s, before it starts at " + plainNumber(interval.start.value()) + " s",
                           interval.start.value());
        interval.end = std::max(interval.end, interval.start);
        tier.intervals.push_back(std::move(interval));
    }
}

void readPoints(Scanner& scanner, Tier& tier, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto where = "point " + std::to_string(i + 1) + " of tier “" + tier.name + "”";
        Point point;
        point.time = Seconds(scanner.nextNumber("the time of " + where));
        const auto line = scanner.line();
        point.label = scanner.nextText("the label of " + where);
        if (!tier.points.empty() && point.time < tier.points.back().time)
            scanner.refuse("alignment.overlap", line, where + " comes before the previous point");
        tier.points.push_back(std::move(point));
    }
}

Tier readTier(Scanner& scanner, std::size_t index) {
    const auto where = "tier " + std::to_string(index);
    const auto kind = scanner.nextText("the class of " + where);
    Tier tier;
    tier.isPointTier = kind == "TextTier";
    if (!tier.isPointTier && kind != "IntervalTier")
        scanner.refuse("alignment.notTextGrid", scanner.line(),
                       where + " is neither an IntervalTier nor a TextTier but “" + kind + "”");
    tier.name = scanner.nextText("the name of " + where);
    const auto line = scanner.line();
    const double start = scanner.nextNumber("the start of " + where),
                 end = scanner.nextNumber("the end of " + where);
    if (end < start)
        scanner.refuse("alignment.reversed", line, where + " ends before it starts");
    const auto count = scanner.nextSize(tier.isPointTier ? "points" : "intervals");
    tier.isPointTier ? readPoints(scanner, tier, count) : readIntervals(scanner, tier, count);
    return tier;
}

} // namespace

TextGrid parseTextGrid(std::string_view bytes, const std::string& name) {
    const auto text = gridText(bytes, name);
    if (text.find_first_not_of(" \t\n") == std::string::npos)
        throw Error("alignment.empty", name + " is empty.", {{"file", name}});
    if (text.starts_with("ooBinaryFile"))
        throw Error("alignment.notTextGrid",
                    name + " is a binary TextGrid. Save it as a text file in Praat.", {{"file", name}});
    Scanner scanner(text, name);
    for (const auto* wanted : {"ooTextFile", "TextGrid"}) {
        Token token;
        try {
            token = scanner.next();
        } catch (const Error&) { // whatever is wrong with the first words, it is no TextGrid
        }
        const bool prefix = token.kind == Token::Kind::Text && token.text.starts_with(wanted);
        if (!prefix)
            throw Error("alignment.notTextGrid",
                        name + " is not a TextGrid: it does not start with “ooTextFile” and “TextGrid”.",
                        {{"file", name}});
    }
    TextGrid grid;
    grid.start = Seconds(scanner.nextNumber("its start"));
    const auto line = scanner.line();
    grid.end = Seconds(scanner.nextNumber("its end"));
    if (grid.end < grid.start)
        scanner.refuse("alignment.reversed", line, "the grid ends before it starts");
    const auto flag = scanner.next();
    if (flag.kind == Token::Kind::End)
        scanner.truncated("its tiers");
    if (flag.kind != Token::Kind::Flag)
        scanner.refuse("alignment.notTextGrid", flag.line, "<exists> or <absent> is expected here");
    if (flag.text == "<exists>") {
        const auto count = scanner.nextSize("tiers");
        for (std::size_t i = 0; i < count; ++i)
            grid.tiers.push_back(readTier(scanner, i + 1));
    }
    const auto rest = scanner.next();
    if (rest.kind != Token::Kind::End)
        grid.warnings.push_back({"alignment.rest", name + " continues after its last tier, from line " +
                                                       std::to_string(rest.line) + "; the rest is ignored."});
    return grid;
}

TextGrid readTextGrid(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream bytes;
    if (!in || !std::filesystem::is_regular_file(file))
        throw Error("alignment.missing", unreadText(file), {{"file", file.string()}});
    bytes << in.rdbuf();
    return parseTextGrid(bytes.str(), displayName(file));
}

namespace {

std::string quoted(const std::string& label) {
    std::string result = "\"";
    for (const char c : label)
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
}

std::string number(Seconds time) {
    std::array<char, 32> buffer;
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), time.value()).ptr};
}

/// Praat wants a tier without gaps: silence is an interval with an empty label.
std::vector<Interval> gapFree(const Tier& tier, Seconds start, Seconds end) {
    std::vector<Interval> result;
    Seconds at = start;
    for (const auto& interval : tier.intervals) {
        if (at < interval.start)
            result.push_back({at, interval.start, ""});
        result.push_back(interval);
        at = interval.end;
    }
    if (at < end)
        result.push_back({at, end, ""});
    return result;
}

std::string tierText(const Tier& tier, std::size_t index, const TextGrid& grid) {
    const std::string in1 = "    ", in2 = "        ", in3 = "            ";
    std::string text = in1 + "item [" + std::to_string(index) + "]:\n";
    text += in2 + "class = " + (tier.isPointTier ? "\"TextTier\"\n" : "\"IntervalTier\"\n");
    text += in2 + "name = " + quoted(tier.name) + "\n";
    text += in2 + "xmin = " + number(grid.start) + "\n" + in2 + "xmax = " + number(grid.end) + "\n";
    std::size_t item = 0;
    if (tier.isPointTier) {
        text += in2 + "points: size = " + std::to_string(tier.points.size()) + "\n";
        for (const auto& point : tier.points)
            text += in2 + "points [" + std::to_string(++item) + "]:\n" + in3 +
                    "number = " + number(point.time) + "\n" + in3 + "mark = " + quoted(point.label) + "\n";
        return text;
    }
    const auto intervals = gapFree(tier, grid.start, grid.end);
    text += in2 + "intervals: size = " + std::to_string(intervals.size()) + "\n";
    for (const auto& interval : intervals)
        text += in2 + "intervals [" + std::to_string(++item) + "]:\n" + in3 +
                "xmin = " + number(interval.start) + "\n" + in3 + "xmax = " + number(interval.end) + "\n" +
                in3 + "text = " + quoted(interval.label) + "\n";
    return text;
}

} // namespace

std::string textOf(const TextGrid& grid) {
    std::string text =
        "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\nxmin = " + number(grid.start) +
        "\nxmax = " + number(grid.end) + "\n";
    text += grid.tiers.empty()
                ? "tiers? <absent>\n"
                : "tiers? <exists>\nsize = " + std::to_string(grid.tiers.size()) + "\nitem []:\n";
    for (std::size_t i = 0; i < grid.tiers.size(); ++i)
        text += tierText(grid.tiers[i], i + 1, grid);
    return text;
}

void writeTextGrid(const std::filesystem::path& file, const TextGrid& grid) {
    writeAtomically(file, textOf(grid), "alignment.unwritable");
}

} // namespace headroom
