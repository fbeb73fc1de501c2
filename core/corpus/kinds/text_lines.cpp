// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/text_lines.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utf8proc.h>
#include <zlib.h>

namespace headroom {

namespace {

constexpr std::size_t kLongestLine = 32u << 20;
constexpr std::size_t kBlock = 1u << 16;

} // namespace

struct LineReader::Stream {
    gzFile file = nullptr;
    ~Stream() {
        if (file)
            gzclose_r(file);
    }
};

LineReader::LineReader(const std::filesystem::path& file)
    : m_name(displayName(file))
    , m_stream(std::make_unique<Stream>())
    , m_buffer(kBlock) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        fail("corpus.missingTable", " is not there");
    if (std::filesystem::file_size(file, error) == 0)
        fail("corpus.emptyFile", " has 0 bytes; copy or download it again");
    m_stream->file = gzopen(file.c_str(), "rb");
    if (!m_stream->file)
        fail("corpus.missingTable", " could not be opened");
    if (!fill())
        return;
    const auto byte = [&](std::size_t i) { return i < m_end ? static_cast<unsigned char>(m_buffer[i]) : 0u; };
    if ((byte(0) == 0xFF && byte(1) == 0xFE) || (byte(0) == 0xFE && byte(1) == 0xFF))
        fail("corpus.badText", " is UTF-16; save it as UTF-8");
    if (byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF)
        m_at = 3;
}

LineReader::~LineReader() = default;

void LineReader::fail(const char* code, const std::string& what) const {
    throw Error(code, m_name + what + ".", {{"file", m_name}, {"problem", what}});
}

bool LineReader::fill() {
    const int got = gzread(m_stream->file, m_buffer.data(), static_cast<unsigned>(m_buffer.size()));
    int status = Z_OK;
    gzerror(m_stream->file, &status);
    if (got < 0 || (got == 0 && status == Z_BUF_ERROR))
        fail("corpus.cutShort",
             " ends early or is damaged after line " + std::to_string(m_number) + "; download it again");
    m_at = 0;
    m_end = static_cast<std::size_t>(got);
    return got > 0;
}

bool LineReader::next(std::string& line) {
    line.clear();
    if (m_at == m_end && !fill())
        return false;
    ++m_number;
    while (true) {
        const char* begin = m_buffer.data() + m_at;
        const auto* end = static_cast<const char*>(std::memchr(begin, '\n', m_end - m_at));
        const auto size = static_cast<std::size_t>((end ? end : m_buffer.data() + m_end) - begin);
        if (line.size() + size > kLongestLine)
            fail("corpus.longLine", ", line " + std::to_string(m_number) +
                                        " is longer than 32 MB; a manifest has one line per utterance");
        line.append(begin, size);
        m_at += size + (end ? 1 : 0);
        if (end || !fill())
            break;
    }
    if (!line.empty() && line.back() == '\r')
        line.pop_back();
    return true;
}

std::string_view trimmedText(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

std::vector<std::string> wordsOfLine(std::string_view line) {
    std::vector<std::string> words;
    for (auto [word, rest] = firstWord(line); !word.empty(); std::tie(word, rest) = firstWord(rest))
        words.push_back(word);
    return words;
}

std::pair<std::string, std::string> firstWord(std::string_view line) {
    line = trimmedText(line);
    const auto end = line.find_first_of(" \t");
    if (end == std::string_view::npos)
        return {std::string(line), {}};
    return {std::string(line.substr(0, end)), std::string(trimmedText(line.substr(end)))};
}

std::optional<double> decimalNumber(std::string_view text) {
    text = trimmedText(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::string inLowercase(const std::string& text) {
    std::string lower;
    auto* at = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    auto left = static_cast<utf8proc_ssize_t>(text.size());
    while (left > 0) {
        utf8proc_int32_t point = 0;
        const auto size = utf8proc_iterate(at, left, &point);
        if (size <= 0)
            return text;
        std::array<utf8proc_uint8_t, 4> bytes{};
        const auto count = utf8proc_encode_char(utf8proc_tolower(point), bytes.data());
        lower.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(count));
        at += size;
        left -= size;
    }
    return lower;
}

} // namespace headroom
