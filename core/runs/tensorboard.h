// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// CRC-32C (Castagnoli) as TFRecord stores it: rotated and offset.
std::uint32_t maskedCrc32c(std::string_view bytes);

/// Scalar event files for TensorBoard: TFRecord framing around hand-encoded Event protocol buffers. Each
/// writer opens a file of its own; one that begins at a later step tells TensorBoard to forget what it knew
/// from there on. One thread. Throws Error "run.unwritable".
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
