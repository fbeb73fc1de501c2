// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/stream_resampler.h"

#include "core/audio/audio_file.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <soxr.h>

namespace headroom {

struct StreamResampler::Soxr {
    soxr_t handle = nullptr;
    ~Soxr() { soxr_delete(handle); }
};

StreamResampler::StreamResampler(SampleRate from, SampleRate to) : m_from(from), m_to(to) {
    if (from.hertz() <= 0 || to.hertz() <= 0)
        throw std::invalid_argument("StreamResampler: a sample rate must be greater than 0");
    if (from == to)
        return;
    m_soxr = std::make_unique<Soxr>();
    soxr_error_t error = nullptr;
    const soxr_io_spec_t floats = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    const soxr_quality_spec_t quality = soxr_quality_spec(SOXR_VHQ, 0);
    const soxr_runtime_spec_t oneThread = soxr_runtime_spec(1);
    m_soxr->handle = soxr_create(from.hertz(), to.hertz(), 1, &error, &floats, &quality, &oneThread);
    if (error)
        throw std::runtime_error(std::string("soxr: ") + error);
}

StreamResampler::~StreamResampler() = default;

void StreamResampler::push(std::span<const float> block, std::vector<float>& output) {
    m_pushed += static_cast<std::int64_t>(block.size());
    if (!m_soxr) {
        output.insert(output.end(), block.begin(), block.end());
        m_made += static_cast<std::int64_t>(block.size());
    } else if (!block.empty()) { // a null block would end the stream
        drain(block.data(), block.size(), output);
    }
}

void StreamResampler::finish(std::vector<float>& output) {
    if (m_soxr)
        drain(nullptr, 0, output);
    // soxr rounds the length in its own way; the last sample more or less is ours to settle.
    const std::int64_t from = m_from.hertz();
    const std::int64_t due = (m_pushed * m_to.hertz() + from / 2) / from;
    const std::int64_t size = static_cast<std::int64_t>(output.size()) + due - m_made;
    output.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, size)), 0.0F);
    m_made = due;
}

void StreamResampler::drain(const float* block, std::size_t size, std::vector<float>& output) {
    constexpr std::size_t kRoom = 16384;
    const bool ending = block == nullptr;
    while (true) {
        const std::size_t before = output.size();
        output.resize(before + kRoom);
        std::size_t taken = 0;
        std::size_t made = 0;
        const soxr_error_t error =
            soxr_process(m_soxr->handle, block, size, &taken, output.data() + before, kRoom, &made);
        output.resize(before + made);
        if (error)
            throw std::runtime_error(std::string("soxr: ") + error);
        m_made += static_cast<std::int64_t>(made);
        if (!ending) {
            block += taken;
            size -= taken;
        }
        if (made < kRoom && (ending || size == 0))
            return;
    }
}

std::vector<float> resample(std::span<const float> samples, SampleRate from, SampleRate to) {
    std::vector<float> result;
    const double expected = static_cast<double>(samples.size()) * to.hertz() / std::max(1, from.hertz());
    result.reserve(static_cast<std::size_t>(std::max(0.0, expected)) + 16384);
    StreamResampler stream(from, to);
    stream.push(samples, result);
    stream.finish(result);
    return result;
}

} // namespace headroom
