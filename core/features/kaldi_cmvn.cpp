// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/kaldi_cmvn.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fstream>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

namespace headroom {

namespace {

constexpr std::size_t kMostCmvnBytes = 256'000'000, kMostCmvnBins = 10000;

class CmvnFile {
public:
    explicit CmvnFile(const std::filesystem::path& file) : m_name(displayName(file)) {
        std::ifstream in(file, std::ios::binary);
        std::ostringstream bytes;
        if (!in || !std::filesystem::is_regular_file(file) ||
            std::filesystem::file_size(file) > kMostCmvnBytes)
            refuse("it is not a statistics file");
        bytes << in.rdbuf();
        m_bytes = bytes.str();
    }

    KaldiCmvn read() {
        std::vector<double> sums, squares;
        for (bool first = true; first || !atEnd(); first = false) {
            if (!startsWith({"\0B", 2}) && !startsWith({"[", 1}))
                skipKey();
            const std::vector<double> values = startsWith({"\0B", 2}) ? binary() : text();
            const std::size_t columns = values.size() / 2;
            if (columns < 2 || values.size() % 2 != 0 || (!first && columns != sums.size()))
                refuse("it does not hold matrices of two rows and equally many columns");
            sums.resize(columns);
            squares.resize(columns);
            for (std::size_t i = 0; i < columns; ++i) {
                sums[i] += values[i];
                squares[i] += values[columns + i];
            }
        }
        return statistics(sums, squares);
    }

private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw Error("cmvn.unreadable",
                    m_name + " cannot be read as Kaldi's CMVN statistics: " + why +
                        ". Remove it, or write it again with compute-cmvn-stats.",
                    {{"file", m_name}});
    }

    KaldiCmvn statistics(const std::vector<double>& sums, const std::vector<double>& squares) const {
        KaldiCmvn result;
        const double count = sums.back();
        if (!(count >= 1) || !(count < 1e15))
            refuse("it counts no frames");
        result.frames = std::llround(count);
        for (std::size_t bin = 0; bin + 1 < sums.size(); ++bin) {
            const double mean = sums[bin] / count;
            result.cmvn.mean.push_back(mean);
            result.cmvn.deviation.push_back(std::sqrt(std::max(squares[bin] / count - mean * mean, 1e-20)));
            if (!std::isfinite(mean) || !std::isfinite(result.cmvn.deviation.back()))
                refuse("a number is not finite");
        }
        return result;
    }

    bool startsWith(std::string_view start) const {
        return std::string_view(m_bytes).substr(m_at).starts_with(start);
    }
    bool atEnd() { // white space may follow
        while (m_at < m_bytes.size() && std::isspace(static_cast<unsigned char>(m_bytes[m_at])))
            ++m_at;
        return m_at == m_bytes.size();
    }
    void skipKey() {
        atEnd();
        if (startsWith({"[", 1}))
            return;
        const std::size_t blank = m_bytes.find(' ', m_at);
        if (blank == std::string::npos)
            refuse("there is no matrix in it");
        m_at = blank + 1;
        while (m_at < m_bytes.size() && m_bytes[m_at] == ' ')
            ++m_at;
    }

    template <class T>
    T take() {
        T value;
        if (m_bytes.size() - m_at < sizeof value)
            refuse("it is cut short");
        std::memcpy(&value, m_bytes.data() + m_at, sizeof value);
        m_at += sizeof value;
        return value;
    }
    std::int32_t size() {
        if (take<char>() != 4)
            refuse("a size of a matrix is missing");
        return take<std::int32_t>();
    }
    std::vector<double> binary() {
        static_assert(std::endian::native == std::endian::little); // as the file
        m_at += 2;
        const bool isDouble = startsWith("DM ");
        if (!isDouble && !startsWith("FM "))
            refuse("it holds something other than full matrices");
        m_at += 3;
        const std::int32_t rows = size(), columns = size();
        if (rows != 2 || columns < 2 || static_cast<std::size_t>(columns) > kMostCmvnBins)
            refuse("it does not hold matrices of two rows");
        std::vector<double> values(2 * static_cast<std::size_t>(columns));
        for (double& value : values)
            value = isDouble ? take<double>() : static_cast<double>(take<float>());
        return values;
    }
    std::vector<double> text() {
        const std::size_t end = m_bytes.find(']', m_at);
        if (!startsWith({"[", 1}) || end == std::string::npos)
            refuse("there is no matrix in it");
        std::istringstream in(m_bytes.substr(m_at + 1, end - m_at - 1));
        in.imbue(std::locale::classic());
        std::vector<double> values;
        for (double value; values.size() <= 2 * kMostCmvnBins && in >> value;)
            values.push_back(value);
        if (!in.eof())
            refuse("a number in it cannot be read");
        m_at = end + 1;
        return values;
    }

    std::string m_name, m_bytes;
    std::size_t m_at = 0;
};

} // namespace

KaldiCmvn readKaldiCmvn(const std::filesystem::path& file) {
    return CmvnFile(file).read();
}

} // namespace headroom
