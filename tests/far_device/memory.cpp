// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/far_device/memory.h"

#include <array>
#include <bit>
#include <cstdint>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace headroom::far_device {
namespace {

constexpr std::size_t kAll = std::size_t(1) << 38; // of addresses; memory is taken where it is written

class Memory {
public:
    Memory() {
        const int file = ::memfd_create("far device", MFD_CLOEXEC);
        if (file < 0 || ::ftruncate(file, kAll) != 0)
            throw std::bad_alloc();
        m_device = map(file, PROT_NONE);
        m_host = map(file, PROT_READ | PROT_WRITE);
        ::close(file);
    }

    void* take(std::size_t bytes) {
        const int level = levelOf(bytes);
        const std::lock_guard lock(m_guard);
        auto& given = m_givenBack[static_cast<std::size_t>(level)];
        if (!given.empty()) {
            void* place = given.back();
            given.pop_back();
            return place;
        }
        const std::size_t whole = std::size_t(1) << level;
        if (kAll - m_taken < whole)
            throw std::bad_alloc();
        m_taken += whole;
        return m_device + m_taken - whole;
    }

    void giveBack(void* place, std::size_t bytes) {
        if (bytes >= std::size_t(1) << 20)
            ::madvise(host(place), bytes, MADV_REMOVE);
        const std::lock_guard lock(m_guard);
        m_givenBack[static_cast<std::size_t>(levelOf(bytes))].push_back(place);
    }

    void* host(const void* place) const {
        const auto offset = reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(m_device);
        return offset < kAll ? m_host + offset : const_cast<void*>(place);
    }

private:
    static char* map(int file, int protection) {
        void* place = ::mmap(nullptr, kAll, protection, MAP_SHARED | MAP_NORESERVE, file, 0);
        if (place == MAP_FAILED)
            throw std::bad_alloc();
        return static_cast<char*>(place);
    }
    /// Blocks are of 2^level bytes.
    static int levelOf(std::size_t bytes) { return bytes <= 64 ? 6 : static_cast<int>(std::bit_width(bytes - 1)); }

    char *m_device = nullptr, *m_host = nullptr;
    std::mutex m_guard;
    std::size_t m_taken = 0;
    std::array<std::vector<void*>, 64> m_givenBack;
};

Memory& memory() {
    static Memory* whole = new Memory; // tensors of other libraries outlive this one's statics
    return *whole;
}

} // namespace

void* takeMemory(std::size_t bytes) {
    return memory().take(bytes);
}

void giveBackMemory(void* place, std::size_t bytes) {
    memory().giveBack(place, bytes);
}

void* readable(const void* place) {
    return memory().host(place);
}

} // namespace headroom::far_device
