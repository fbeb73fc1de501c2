// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/sha256.h"

#include "core/errors/error.h"
#include "core/errors/unread_file.h"
#include "core/tensors/sha256_blocks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <vector>

namespace headroom {

const std::array<std::uint32_t, 64> kSha256Constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

Sha256::Sha256()
    : m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
    , m_block{} {}

void sha256BlocksPortable(std::uint32_t* state, const std::byte* block, std::size_t count) {
    for (; count > 0; --count, block += 64) {
        std::array<std::uint32_t, 64> w;
        for (int i = 0; i < 16; ++i)
            w[i] = std::to_integer<std::uint32_t>(block[4 * i]) << 24 |
                   std::to_integer<std::uint32_t>(block[4 * i + 1]) << 16 |
                   std::to_integer<std::uint32_t>(block[4 * i + 2]) << 8 |
                   std::to_integer<std::uint32_t>(block[4 * i + 3]);
        for (int i = 16; i < 64; ++i) {
            const auto s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
            const auto s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        std::uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5],
                      g = state[6], h = state[7];
        for (int i = 0; i < 64; ++i) {
            const auto s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
            const auto t1 = h + s1 + ((e & f) ^ (~e & g)) + kSha256Constants[i] + w[i];
            const auto s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
            const auto t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
        }
        const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
        for (int i = 0; i < 8; ++i)
            state[i] += added[i];
    }
}

void Sha256::compress(const std::byte* blocks, std::size_t count) {
    static const Sha256Blocks fastest =
        sha256BlocksOfProcessor() ? sha256BlocksOfProcessor() : sha256BlocksPortable;
    fastest(m_state.data(), blocks, count);
}

void Sha256::add(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto held = static_cast<std::size_t>(m_length % 64);
        if (held == 0 && bytes.size() >= 64) { // whole blocks are read where they are
            const std::size_t blocks = bytes.size() / 64;
            compress(bytes.data(), blocks);
            m_length += 64 * blocks;
            bytes = bytes.subspan(64 * blocks);
            continue;
        }
        const auto taken = std::min<std::size_t>(64 - held, bytes.size());
        std::memcpy(m_block.data() + held, bytes.data(), taken);
        m_length += taken;
        bytes = bytes.subspan(taken);
        if (held + taken == 64)
            compress(m_block.data(), 1);
    }
}

std::string Sha256::hex() {
    const std::uint64_t bits = m_length * 8;
    const std::array<std::byte, 64> padding{std::byte{0x80}};
    const auto held = static_cast<std::size_t>(m_length % 64);
    add(std::span(padding).first((held < 56 ? 56 : 120) - held));
    std::array<std::byte, 8> length;
    for (int i = 0; i < 8; ++i)
        length[i] = static_cast<std::byte>(bits >> (56 - 8 * i));
    add(length);
    std::string result;
    for (const auto word : m_state)
        for (int shift = 28; shift >= 0; shift -= 4)
            result += "0123456789abcdef"[(word >> shift) & 15];
    return result;
}

std::string sha256OfBytes(std::span<const std::byte> bytes) {
    Sha256 sum;
    sum.add(bytes);
    return sum.hex();
}

std::string sha256OfFile(const std::filesystem::path& file, const std::function<bool(std::size_t bytes)>& goOn) {
    std::ifstream in(file, std::ios::binary);
    std::vector<char> buffer(1u << 20);
    Sha256 sum;
    while (in) {
        in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        const auto count = static_cast<std::size_t>(in.gcount());
        sum.add(std::as_bytes(std::span(buffer.data(), count)));
        if (goOn && !goOn(count))
            return {};
    }
    if (!in.eof() || in.bad()) // a file that could not be opened never reaches its end
        throw Error("tensors.missing", unreadText(file), {{"file", file.string()}});
    return sum.hex();
}

} // namespace headroom
