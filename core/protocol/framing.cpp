// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/framing.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>
#include <limits>
#include <stdexcept>

static_assert(std::endian::native == std::endian::little,
              "arrays travel little-endian, as they lie in memory");

namespace headroom::protocol {

namespace {

constexpr std::string_view kArrayType = "application/vnd.headroom.array";
constexpr std::string_view kEndOfHeader = "\r\n\r\n";
constexpr std::size_t kMaximumDimensions = 8;

/// The first bytes of what was seen, fit for a sentence.
std::string inQuotes(std::string_view bytes) {
    constexpr std::size_t kShown = 40;
    std::string text = "\"";
    for (const char byte : bytes.substr(0, kShown))
        text += byte >= 0x20 && byte < 0x7f && byte != '"' ? byte : '.';
    return text + (bytes.size() > kShown ? "…\"" : "\"");
}

[[noreturn]] void malformed(const std::string& what, std::string_view seen = {}) {
    throw Error("protocol.malformed", "The protocol stream is malformed: " + what + ".",
                {{"seen", seen.empty() ? std::string() : inQuotes(seen)}});
}

std::string lowered(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

struct Header {
    std::size_t contentLength = 0;
    bool isArray = false;
};

std::size_t parseLength(std::string_view text) {
    std::size_t length = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (problem != std::errc() || end != text.data() + text.size())
        malformed("a Content-Length of " + inQuotes(text), text);
    return length;
}

/// `text`: the lines of a header without the empty line at its end.
Header parseHeader(std::string_view text) {
    Header header;
    bool hasLength = false, hasType = false;
    while (!text.empty()) {
        const auto end = std::min(text.find("\r\n"), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 2, text.size()));
        const auto colon = line.find(':');
        if (colon == std::string_view::npos)
            malformed("a header line without a colon, " + inQuotes(line), line);
        const auto name = lowered(line.substr(0, colon));
        const auto value = trimmed(line.substr(colon + 1));
        if (name == "content-length" && !hasLength) {
            header.contentLength = parseLength(value);
            hasLength = true;
        } else if (name == "content-type" && !hasType) {
            header.isArray = lowered(value) == kArrayType;
            hasType = true;
        } else {
            malformed("an unknown or repeated header line, " + inQuotes(line), line);
        }
    }
    if (!hasLength)
        malformed("a header without Content-Length");
    return header;
}

/// Deep nesting is refused before it is parsed: whoever walks the document later may do so by recursion.
void checkDepth(std::string_view text, int limit) {
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > limit)
                malformed("a message nested deeper than " + std::to_string(limit));
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
}

nlohmann::json parseObject(std::string_view text, const char* what) {
    checkDepth(text, kMaximumDepth);
    auto document = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    if (document.is_discarded())
        malformed(std::string(what) + " that is not JSON, " + inQuotes(text), text);
    if (!document.is_object())
        malformed(std::string(what) + " that is not a JSON object, " + inQuotes(text), text);
    return document;
}

ArrayFrame parseArray(std::string_view body) {
    std::uint32_t length = 0;
    if (body.size() < sizeof length)
        malformed("an array frame of " + std::to_string(body.size()) + " bytes");
    std::memcpy(&length, body.data(), sizeof length);
    body.remove_prefix(sizeof length);
    if (length > kMaximumHeaderBytes || length > body.size())
        malformed("an array header of " + std::to_string(length) + " bytes in a frame of " +
                  std::to_string(body.size() + sizeof length));
    const auto header = parseObject(body.substr(0, length), "an array header");
    body.remove_prefix(length);

    const auto field = [&](const char* name) -> const nlohmann::json& {
        const auto found = header.find(name);
        if (found == header.end())
            malformed(std::string("an array header without ") + name);
        return *found;
    };
    ArrayFrame frame;
    const auto& request = field("request");
    const auto& name = field("name");
    const auto& dtype = field("dtype");
    const auto& shape = field("shape");
    if (!request.is_number_integer() || !name.is_string() || !dtype.is_string() || !shape.is_array() ||
        shape.size() > kMaximumDimensions)
        malformed("an array header with a field of the wrong type, " + inQuotes(header.dump()));
    frame.request = request.get<std::int64_t>();
    frame.name = name.get<std::string>();
    try {
        frame.tensor.dtype = dtypeFromName(dtype.get<std::string>());
    } catch (const std::invalid_argument&) {
        malformed("an array of unknown type " + inQuotes(dtype.get_ref<const std::string&>()));
    }
    for (const auto& extent : shape) {
        const bool tooLarge =
            extent.is_number_unsigned() &&
            extent.get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max());
        if (!extent.is_number_integer() || tooLarge || extent.get<std::int64_t>() < 0)
            malformed("an array with an extent of " + inQuotes(extent.dump()));
        frame.tensor.shape.push_back(extent.get<std::int64_t>());
    }
    const auto needed = byteCount(frame.tensor.dtype, frame.tensor.shape);
    if (!needed || *needed != body.size())
        malformed("the array " + inQuotes(frame.name) + " of " + std::to_string(body.size()) +
                  " bytes, its shape needs " +
                  (needed ? std::to_string(*needed) : std::string("more than there can be")));
    frame.tensor.bytes.resize(body.size());
    if (!body.empty())
        std::memcpy(frame.tensor.bytes.data(), body.data(), body.size());
    return frame;
}

} // namespace

std::string encodeMessage(const nlohmann::json& message) {
    const auto body = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return "Content-Length: " + std::to_string(body.size()) + std::string(kEndOfHeader) + body;
}

std::string encodeArray(std::int64_t request, const std::string& name, const TensorView& tensor) {
    if (byteCount(tensor.dtype, tensor.shape) != tensor.bytes.size())
        throw std::invalid_argument("The bytes of " + name + " do not match its shape.");
    const auto header = nlohmann::json{
        {"request", request},
        {"name", name},
        {"dtype", dtypeName(tensor.dtype)},
        {"shape",
         tensor.shape}}.dump();
    const auto length = static_cast<std::uint32_t>(header.size());
    std::string frame = "Content-Type: " + std::string(kArrayType) + "\r\nContent-Length: " +
                        std::to_string(sizeof length + header.size() + tensor.bytes.size()) +
                        std::string(kEndOfHeader);
    frame.reserve(frame.size() + sizeof length + header.size() + tensor.bytes.size());
    frame.append(reinterpret_cast<const char*>(&length), sizeof length);
    frame += header;
    frame.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    return frame;
}

void FrameReader::push(std::string_view bytes) {
    // Used bytes are dropped once they are the larger part, so that each byte is moved at most about once.
    if (m_read > m_buffer.size() / 2) {
        m_buffer.erase(0, m_read);
        m_read = 0;
    }
    m_buffer.append(bytes);
}

std::optional<Frame> FrameReader::next() {
    if (m_failure)
        throw *m_failure;
    try {
        return parse();
    } catch (const Error& problem) {
        m_failure = problem;
        m_buffer.clear();
        m_buffer.shrink_to_fit();
        m_read = 0;
        throw;
    }
}

std::optional<Frame> FrameReader::parse() {
    const auto unread = std::string_view(m_buffer).substr(m_read);
    constexpr std::string_view kStart = "content-"; // both header lines: rubbish is known by its first byte
    const auto start = unread.substr(0, kStart.size());
    if (lowered(start) != kStart.substr(0, start.size()))
        malformed("expected a header, found " + inQuotes(unread), unread);
    const auto end = unread.substr(0, kMaximumHeaderBytes).find(kEndOfHeader);
    if (end == std::string_view::npos) {
        if (unread.size() >= kMaximumHeaderBytes)
            malformed("a header over " + std::to_string(kMaximumHeaderBytes) + " bytes", unread);
        return std::nullopt;
    }
    const auto header = parseHeader(unread.substr(0, end));
    const auto limit = header.isArray ? m_maximum : std::min(m_maximum, kMaximumMessageBytes);
    if (header.contentLength > limit)
        malformed("a frame of " + std::to_string(header.contentLength) + " bytes, the limit is " +
                  std::to_string(limit));
    const auto body = unread.substr(end + kEndOfHeader.size());
    if (body.size() < header.contentLength)
        return std::nullopt;
    const auto content = body.substr(0, header.contentLength);
    Frame frame = header.isArray
                      ? Frame(parseArray(content))
                      : Frame(std::in_place_type<nlohmann::json>, parseObject(content, "a message"));
    m_read += end + kEndOfHeader.size() + header.contentLength;
    return frame;
}

} // namespace headroom::protocol
