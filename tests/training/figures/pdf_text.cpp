// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/training/figures/pdf_text.h"

#include <cctype>
#include <fstream>
#include <iterator>
#include <set>

#include <zlib.h>

namespace headroom::testing {

namespace {

/// The stream that begins at `from`, unpacked as far as it is one.
std::string inflated(const std::string& pdf, std::size_t from) {
    std::string result(1 << 20, '\0');
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        return {};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(pdf.data() + from));
    stream.avail_in = static_cast<uInt>(pdf.size() - from);
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    inflate(&stream, Z_FINISH);
    result.resize(result.size() - stream.avail_out);
    inflateEnd(&stream);
    return result;
}

} // namespace

std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string pdfLetters(const std::string& pdf) {
    std::set<char> letters;
    const std::string mark = "stream\n";
    for (auto at = pdf.find(mark); at != std::string::npos; at = pdf.find(mark, at + 1)) {
        const std::string text = inflated(pdf, at + mark.size());
        if (text.find("beginbfchar") == std::string::npos && text.find("beginbfrange") == std::string::npos)
            continue;
        // <01> <0041>, or <01> <03> [<0041> <0042> <0043>]
        for (auto open = text.find('<'); open != std::string::npos; open = text.find('<', open + 1)) {
            const auto close = text.find('>', open);
            if (close != std::string::npos && close - open == 5 && text.compare(open + 1, 2, "00") == 0)
                letters.insert(static_cast<char>(std::stoi(text.substr(open + 3, 2), nullptr, 16)));
        }
    }
    std::string result;
    for (const char letter : letters)
        if (std::isgraph(static_cast<unsigned char>(letter)))
            result += letter;
    return result;
}

} // namespace headroom::testing
