// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/tensorboard.h"

#include "core/errors/error.h"
#include "core/tensors/write_all.h"

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace headroom {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie");

std::array<std::uint32_t, 256> crcTable() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ (value & 1 ? 0x82F63B78u : 0);
        table[i] = value;
    }
    return table;
}

template <class T>
void addRaw(std::string& out, T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
}

void addVarint(std::string& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        out.push_back(static_cast<char>(value | 0x80));
    out.push_back(static_cast<char>(value));
}

// Wire types of protocol buffers.
void addTag(std::string& out, int field, int wireType) {
    addVarint(out, static_cast<std::uint64_t>(field << 3 | wireType));
}
void addBytes(std::string& out, int field, std::string_view bytes) {
    addTag(out, field, 2);
    addVarint(out, bytes.size());
    out.append(bytes);
}

/// Event { double wall_time = 1; int64 step = 2; … }
std::string eventAt(std::int64_t step) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    std::string event;
    addTag(event, 1, 1);
    addRaw(event, std::chrono::duration<double>(now).count());
    addTag(event, 2, 0);
    addVarint(event, static_cast<std::uint64_t>(step));
    return event;
}

} // namespace

std::uint32_t maskedCrc32c(std::string_view bytes) {
    static const auto table = crcTable();
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const char byte : bytes)
        crc = table[(crc ^ static_cast<std::uint8_t>(byte)) & 0xFF] ^ (crc >> 8);
    crc ^= 0xFFFFFFFFu;
    return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u;
}

TensorBoardWriter::TensorBoardWriter(const std::filesystem::path& folder, std::int64_t firstStep) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    // TensorBoard reads the files of a folder in the order of their names.
    m_file = folder /
             ("events.out.tfevents." + std::to_string(seconds) + ".headroom." + std::to_string(::getpid()));
    m_descriptor = ::open(m_file.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
    if (m_descriptor < 0)
        throw Error("run.unwritable",
                    m_file.string() + " could not be written: " + std::system_category().message(errno) + ".",
                    {{"file", m_file.string()}});
    std::string first = eventAt(0);
    addBytes(first, 3, "brain.Event:2"); // file_version
    record(first);
    if (firstStep > 0) {
        std::string session; // SessionLog { SessionStatus status = 1; }, START = 1
        addTag(session, 1, 0);
        addVarint(session, 1);
        std::string event = eventAt(firstStep);
        addBytes(event, 7, session);
        record(event);
    }
}

TensorBoardWriter::~TensorBoardWriter() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void TensorBoardWriter::scalar(std::string_view tag, double value, std::int64_t step) {
    std::string single; // Summary.Value { string tag = 1; float simple_value = 2; }
    addBytes(single, 1, tag);
    addTag(single, 2, 5);
    addRaw(single, static_cast<float>(value));
    std::string summary; // Summary { repeated Value value = 1; }
    addBytes(summary, 1, single);
    std::string event = eventAt(step);
    addBytes(event, 5, summary);
    record(event);
}

void TensorBoardWriter::record(const std::string& event) {
    std::string framed;
    addRaw(framed, static_cast<std::uint64_t>(event.size()));
    addRaw(framed, maskedCrc32c(framed));
    framed += event;
    addRaw(framed, maskedCrc32c(event));
    if (!writeAll(m_descriptor, framed))
        throw Error("run.unwritable", m_file.string() + " could not be written: " + std::system_category().message(errno) + ".",
                    {{"file", m_file.string()}});
}

} // namespace headroom
