// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// Returns CRC-32C (Castagnoli) as stored in TFRecord: rotated and offset.
std::uint32_t maskedCrc32c(std::string_view bytes);

/// Writes scalar event files for TensorBoard: TFRecord framing around hand-encoded Event protocol buffers.
/// Each writer opens its own file. A file that starts at a later step tells TensorBoard to discard what it
/// had from that step on. One thread. Throws Error "run.unwritable".
class TensorBoardWriter {
public:
    TensorBoardWriter(const std::filesystem::path& folder, std::int64_t firstStep);
    ~TensorBoardWriter();
    TensorBoardWriter(const TensorBoardWriter&) = delete;
    TensorBoardWriter& operator=(const TensorBoardWriter&) = delete;

    void scalar(std::string_view tag, double value, std::int64_t step);

private:
    void record(const std::string& event);
    std::filesystem::path m_file;
    int m_descriptor = -1;
};

} // namespace headroom
