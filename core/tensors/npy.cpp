// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/npy.h"

#include "core/errors/count_text.h"
#include "core/errors/error.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/mapped_file.h"
#include "core/tensors/npy_header.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>

namespace headroom {

namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

/// The Python dictionary of a header: three keys in any order, nothing else.
class DictionaryReader {
public:
    DictionaryReader(std::string_view text, const std::string& name) : m_text(text), m_name(name) {}

    std::string descr;
    bool fortran = false;
    std::vector<std::int64_t> shape;

    void read() {
        expect('{');
        bool hasDescr = false, hasFortran = false, hasShape = false;
        while (!accept('}')) {
            const auto key = quoted();
            expect(':');
            bool* const seen = key == "descr"           ? &hasDescr
                               : key == "fortran_order" ? &hasFortran
                               : key == "shape"         ? &hasShape
                                                        : nullptr;
            if (seen == nullptr || *seen)
                refuse("the key “" + key + "” is unknown or appears twice");
            *seen = true;
            if (seen == &hasDescr)
                readDescr();
            else if (seen == &hasFortran)
                fortran = truth();
            else
                readShape();
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skipBlanks();
        if (m_at != m_text.size() || !hasDescr || !hasFortran || !hasShape)
            refuse("it must be a dictionary of descr, fortran_order and shape");
    }

private:
    [[noreturn]] void refuse(const std::string& reason) const {
        throw Error("npy.badHeader", m_name + " has a header that cannot be read: " + reason + ".",
                    {{"file", m_name}, {"reason", reason}});
    }

    void skipBlanks() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
            ++m_at;
    }

    bool accept(char wanted) {
        skipBlanks();
        if (m_at == m_text.size() || m_text[m_at] != wanted)
            return false;
        ++m_at;
        return true;
    }

    void expect(char wanted) {
        if (!accept(wanted))
            refuse(std::string("“") + wanted + "” is missing at byte " + std::to_string(m_at));
    }

    std::string quoted() {
        const char quote = accept('\'') ? '\'' : (expect('"'), '"');
        const auto end = m_text.find(quote, m_at);
        if (end == std::string_view::npos)
            refuse("a quote is not closed");
        const std::string result(m_text.substr(m_at, end - m_at));
        m_at = end + 1;
        return result;
    }

    void readDescr() {
        if (accept('['))
            throw Error("npy.badType", m_name + " contains records, not numbers.", {{"file", m_name}});
        descr = quoted();
    }

    bool truth() {
        skipBlanks();
        for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}})
            if (m_text.substr(m_at, word.size()) == word) {
                m_at += word.size();
                return value;
            }
        refuse("fortran_order is neither True nor False");
    }

    void readShape() {
        expect('(');
        while (!accept(')')) {
            skipBlanks();
            std::int64_t extent = 0;
            const auto* const begin = m_text.data() + m_at;
            const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), extent);
            if (error != std::errc() || extent < 0 || shape.size() == 32)
                refuse("its shape is not a list of at most 32 counts");
            m_at += static_cast<std::size_t>(end - begin);
            shape.push_back(extent);
            accept('L'); // as Python 2 wrote long numbers
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
    }

    std::string_view m_text;
    std::string m_name;
    std::size_t m_at = 0;
};

struct TypeName {
    std::string_view descr;
    DType type;
};

constexpr TypeName kTypeNames[] = {{"|b1", DType::Bool}, {"|u1", DType::U8},  {"|i1", DType::I8},
                               {"<i2", DType::I16},  {"<u2", DType::U16}, {"<i4", DType::I32},
                               {"<u4", DType::U32},  {"<i8", DType::I64}, {"<u8", DType::U64},
                               {"<f2", DType::F16},  {"<f4", DType::F32}, {"<f8", DType::F64}};

DType typeFrom(std::string descr, const std::string& name) {
    if (descr.size() == 3 && descr[2] == '1' && (descr[0] == '<' || descr[0] == '=' || descr[0] == '>'))
        descr[0] = '|'; // one byte has no order
    if (!descr.empty() && descr[0] == '=')
        descr[0] = '<';
    for (const auto& known : kTypeNames)
        if (descr == known.descr)
            return known.type;
    const auto reason = !descr.empty() && descr[0] == '>' ? ", big-endian, which is not supported"
                                                          : ", which is not supported";
    throw Error("npy.badType", name + " has the element type “" + descr + "”" + reason + ".",
                {{"file", name}, {"type", descr}});
}

/// Column-major to row-major, any number of dimensions.
std::vector<std::byte> transposed(std::span<const std::byte> bytes, std::span<const std::int64_t> shape,
                                  std::size_t size) {
    std::vector<std::byte> result(bytes.size());
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::size_t row = 0; row < bytes.size(); row += size) {
        std::int64_t column = 0;
        for (std::size_t axis = shape.size(); axis-- > 0;)
            column = column * shape[axis] + index[axis];
        std::memcpy(result.data() + row, bytes.data() + static_cast<std::size_t>(column) * size, size);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            if (++index[axis] < shape[axis])
                break;
            index[axis] = 0;
        }
    }
    return result;
}

} // namespace

std::string npyHeader(const TensorView& tensor) {
    const auto* const known = std::find_if(std::begin(kTypeNames), std::end(kTypeNames),
                                           [&](const TypeName& one) { return one.type == tensor.dtype; });
    if (known == std::end(kTypeNames))
        throw std::invalid_argument("npy knows no bfloat16");
    const auto size = byteCount(tensor.dtype, tensor.shape);
    if (!size || *size != tensor.bytes.size())
        throw std::invalid_argument("an array's bytes do not fit its shape");
    std::string shape;
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis)
        shape += (axis ? ", " : "") + std::to_string(tensor.shape[axis]);
    if (tensor.shape.size() == 1)
        shape += ",";
    auto text =
        "{'descr': '" + std::string(known->descr) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    // The data begins at a multiple of 64, so that it can be mapped.
    text.append(63 - (10 + text.size()) % 64, ' ');
    text += '\n';
    std::string result(kMagic);
    result += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return result + text;
}

NpyLayout npyLayout(std::span<const std::byte> bytes, const std::string& name) {
    const auto truncated = [&](const std::string& reason) {
        throw Error("npy.truncated", name + " is truncated: " + reason + ".", {{"file", name}});
    };
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (bytes.empty())
        truncated("it is empty");
    if (!text.starts_with(kMagic.substr(0, std::min(text.size(), kMagic.size()))))
        throw Error("npy.badHeader", name +
            " is not a .npy file: it does not start with NumPy's magic string.",
                    {{"file", name}});
    if (text.size() < 12)
        truncated("it ends in its header");
    const auto byteAt = [&](std::size_t at) { return std::to_integer<std::uint32_t>(bytes[at]); };
    const auto version = byteAt(6);
    if (version < 1 || version > 3)
        throw Error("npy.badHeader",
                    name + " has .npy version " + std::to_string(version) +
                        "; versions 1 to 3 are supported.",
                    {{"file", name}});
    const std::size_t start = version == 1 ? 10 : 12;
    const std::size_t length = version == 1
                                   ? byteAt(8) | byteAt(9) << 8
                                   : byteAt(8) | byteAt(9) << 8 | byteAt(10) << 16 | byteAt(11) << 24;
    if (length > bytes.size() - start)
        truncated("it ends in its header");
    DictionaryReader header(text.substr(start, length), name);
    header.read();

    return {typeFrom(header.descr, name), header.shape, header.fortran, start + length};
}

Tensor parseNpy(std::span<const std::byte> bytes, const std::string& name) {
    const auto truncated = [&](const std::string& reason) {
        throw Error("npy.truncated", name + " is truncated: " + reason + ".", {{"file", name}});
    };
    const NpyLayout layout = npyLayout(bytes, name);
    Tensor result;
    result.dtype = layout.dtype;
    result.shape = layout.shape;
    const auto size = byteCount(result.dtype, result.shape);
    const auto data = bytes.subspan(layout.start);
    if (!size)
        throw Error("npy.badHeader", name + " has a shape larger than any memory.", {{"file", name}});
    if (*size > data.size())
        truncated("its shape needs " + std::to_string(*size) + " bytes, " + std::to_string(data.size()) +
                  " are there");
    if (*size < data.size())
        throw Error("npy.badHeader",
                    name + " has " + counted(static_cast<std::int64_t>(data.size() - *size), "byte") +
                        " more than its shape needs.",
                    {{"file", name}});
    if (layout.fortran && result.shape.size() > 1)
        result.bytes = transposed(data, result.shape, elementSize(result.dtype));
    else
        result.bytes.assign(data.begin(), data.end());
    return result;
}

Tensor readNpy(const std::filesystem::path& file) {
    const MappedFile mapped(file, "npy.missing");
    return parseNpy(mapped.bytes(), file.string());
}

void writeNpy(const std::filesystem::path& file, const TensorView& tensor) {
    const auto header = npyHeader(tensor);
    AtomicFile out(file, "npy.unwritable");
    out.write(header);
    out.write(tensor.bytes);
    out.commit();
}

} // namespace headroom
