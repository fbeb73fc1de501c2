// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/tensors/tensor.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace headroom::protocol {

/// Exchanged in `initialize`; the window rejects a worker of another version.
inline constexpr int kVersion = 1;

/// One array on the wire. It belongs to the JSON-RPC request `request` and precedes the message that needs
/// it.
struct ArrayFrame {
    std::int64_t request = 0; ///< id of the request (either direction)
    std::string name;         ///< as in contracts: "layer.3.contributions", "samples"
    Tensor tensor;
};

using Frame = std::variant<nlohmann::json, ArrayFrame>;

inline constexpr std::size_t kMaximumHeaderBytes = 8 << 10;   ///< of either kind of header
inline constexpr std::size_t kMaximumMessageBytes = 16 << 20; ///< of a JSON message; arrays travel as frames
inline constexpr int kMaximumDepth = 64;                      ///< of nesting in a JSON message

/// Returns `Content-Length: N\r\n\r\n` + N bytes of JSON-RPC 2.0 (as in the Language Server Protocol).
/// Invalid UTF-8 (a file name may be anything) is replaced by U+FFFD.
std::string encodeMessage(const nlohmann::json& message);

/// Returns `Content-Type: application/vnd.headroom.array\r\nContent-Length: N\r\n\r\n` + u32 little-endian
/// length of a JSON header {"request", "name", "dtype", "shape"} + that header + the array's bytes.
std::string encodeArray(std::int64_t request, const std::string& name, const TensorView& tensor);

/// Parses bytes into frames. Trusts no size: a header over 8 KiB, a frame over `maximumFrameBytes`, a shape
/// that does not match its bytes, or foreign bytes between frames throw Error "protocol.malformed" with what
/// was received. The stream is then unusable, and every further next() throws the same. Memory follows the
/// bytes received, never an announced size. One thread.
class FrameReader {
public:
    explicit FrameReader(std::size_t maximumFrameBytes = std::size_t(4) << 30)
        : m_maximum(maximumFrameBytes) {}
    void push(std::string_view bytes);
    /// Returns the next complete frame, or `nullopt` if there is none yet.
    std::optional<Frame> next();

    /// Returns the number of bytes received but not yet used; not 0 at the end of a stream means that it was
    /// cut.
    std::size_t pending() const { return m_buffer.size() - m_read; }

private:
    std::optional<Frame> parse();

    std::size_t m_maximum;
    std::string m_buffer;
    std::size_t m_read = 0;
    std::optional<Error> m_failure;
};

} // namespace headroom::protocol
