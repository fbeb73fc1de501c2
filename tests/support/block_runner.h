// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#define HEADROOM_BLOCK_RUNNER

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <csetjmp>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <ucontext.h>
#include <vector>

/// Stands for cuda_runtime.h: a *_cuda.cu that is included after this header is C++, and launch() runs its
/// kernels on the CPU, one block at a time. Each thread of a block is a thread of the system under
/// AddressSanitizer, which sees every access out of bounds, and ThreadSanitizer, which sees every missing
/// __syncthreads() (tests/sanitized_kernels proves it). Otherwise it is a context of its own on one thread,
/// which is a hundred times as fast; blockThreads(true) asks for threads there, too.
///
/// Stricter than a GPU:
/// - A barrier that some threads of a block (a warp, for shuffles) never reach, or another one reaches
/// elsewhere, throws
///   std::logic_error from launch(), with both lines.
/// - Shared memory has exactly the size given to launch(), and begins as NaN in every block.
///
/// Looser than a GPU: memory order within a warp is that of the CPU, lanes do not run in step, and speed says
/// nothing. Uses: threadIdx, blockIdx, blockDim, gridDim, __syncthreads(), __syncwarp(), __shfl_sync,
/// __shfl_xor_sync. What else a warp does together is written with everyLane().
#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define __restrict__ __restrict

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace headroom::testing {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
/// Whether launches use threads of the system. Not thread-safe.
bool& blockThreads();

#if defined(__SANITIZE_THREAD__)
extern "C" {
void AnnotateIgnoreSyncBegin(const char*, int);
void AnnotateIgnoreSyncEnd(const char*, int);
void AnnotateIgnoreReadsBegin(const char*, int);
void AnnotateIgnoreReadsEnd(const char*, int);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
void __tsan_acquire(void*);
void __tsan_release(void*);
}
/// What this thread does meanwhile is unseen by ThreadSanitizer. The runner's own lock would order threads
/// that no barrier of the kernel orders, and so hide a missing one.
struct Unseen {
    Unseen() {
        AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
        AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    }
    ~Unseen() {
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
        AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
        AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    }
    Unseen(const Unseen&) = delete;
    Unseen& operator=(const Unseen&) = delete;
};
/// What this thread did happens before what the threads do that leave().
inline void arrive(char& order) {
    __tsan_release(&order);
}
inline void leave(char& order) {
    __tsan_acquire(&order);
}
#else
struct Unseen {
    Unseen() {} // NOLINT: not trivial, so that it is no unused variable
};
inline void arrive(char&) {}
inline void leave(char&) {}
#endif

/// A barrier of `count` threads that all have to come from the same line. Guarded by BlockLaunch::guard.
struct BlockBarrier {
    std::atomic<unsigned> generation = 0;
    unsigned count = 0, came = 0;
    int line = 0;
    char order[2] = {}; ///< of even and odd generations, because a thread may come again before all have left
};

/// One launch: what its threads share.
struct BlockLaunch {
    static constexpr unsigned kLanes = 32;
    struct Warp {
        BlockBarrier barrier;
        alignas(8) unsigned char slots[2][kLanes][8];
    };
    BlockBarrier block, between;
    std::vector<Warp> warps;
    std::unique_ptr<unsigned char[]> shared;
    unsigned threads = 0, waiting = 0; ///< guarded
    std::atomic<bool> failed = false;
    std::string reason;
    std::mutex guard;

    BlockLaunch(unsigned count, std::size_t sharedBytes)
        : warps(count / kLanes)
        , shared(new unsigned char[sharedBytes])
        , threads(count) {
        block.count = between.count = count;
        for (Warp& warp : warps)
            warp.barrier.count = kLanes;
    }

    /// Waits for the other threads of the barrier; returns at once when the launch has failed.
    void wait(BlockBarrier& barrier, int line) {
        const unsigned before = barrier.generation;
        arrive(barrier.order[before % 2]);
        {
            const Unseen unseen;
            if (!goesOn(barrier, line))
                pauseUntil(barrier, before);
        }
        leave(barrier.order[before % 2]);
    }

    jmp_buf scheduler = {}; ///< without threads of the system

private:
    static void pauseUntil(const BlockBarrier& barrier, unsigned before);
    /// Whether this thread is the last to come, or the launch has failed.
    bool goesOn(BlockBarrier& barrier, int line) {
        const std::lock_guard lock(guard);
        if (failed)
            return true;
        if (barrier.came > 0 && barrier.line != line)
            return fail("Threads wait at different barriers, of line " + std::to_string(barrier.line) +
                        " and of line " + std::to_string(line) + " (0: the kernel's end).");
        barrier.line = line;
        if (++barrier.came == barrier.count) {
            barrier.came = 0;
            waiting -= barrier.count - 1;
            ++barrier.generation;
            barrier.generation.notify_all();
            return true;
        }
        if (++waiting == threads)
            return fail("Every thread waits, the last at the barrier of line " + std::to_string(line) +
                        " (0: the kernel's end), and some never come there.");
        return false;
    }
    bool fail(const std::string& why) { // and wakes every waiting thread
        failed = true;
        reason = why;
        const auto wake = [](BlockBarrier& barrier) {
            ++barrier.generation;
            barrier.generation.notify_all();
        };
        wake(block);
        wake(between);
        for (Warp& warp : warps)
            wake(warp.barrier);
        return true;
    }
};

struct BlockThread {
    BlockLaunch* launch = nullptr;
    unsigned number = 0; ///< within the block
    unsigned turn = 0;   ///< of the two rows of slots
    dim3 idx, block, dim, grid;
    // Without threads of the system.
    ucontext_t context = {}; ///< where it begins
    jmp_buf place = {};      ///< where it waits
    bool began = false, ended = false;
    const BlockBarrier* barrier = nullptr; ///< it waits until this is no longer of generation `before`
    unsigned before = 0;

    BlockLaunch::Warp& warp() const { return launch->warps[number / BlockLaunch::kLanes]; }
    /// The value of another lane. The rows of slots alternate, so that one barrier is enough.
    template <class T>
    T exchange(T value, unsigned lane, int line) {
        static_assert(sizeof(T) <= 8);
        auto& slots = warp().slots[turn ^= 1];
        std::memcpy(slots[number % BlockLaunch::kLanes], &value, sizeof value);
        launch->wait(warp().barrier, line);
        std::memcpy(&value, slots[lane % BlockLaunch::kLanes], sizeof value);
        return value;
    }
    /// The values of all lanes.
    template <class T>
    std::array<T, BlockLaunch::kLanes> everyLane(T value, int line) {
        static_assert(sizeof(T) == 8);
        std::array<T, BlockLaunch::kLanes> values;
        exchange(value, 0, line);
        std::memcpy(values.data(), warp().slots[turn], sizeof values);
        return values;
    }
};

inline thread_local BlockThread* blockThread = nullptr; ///< the running one
/// How many kernels this process has started.
inline std::atomic<long> launches = 0;

/// The line whose __syncthreads() is left out, as if it were not written; 0: none. It shows that
/// ThreadSanitizer finds it.
inline int missingBarrier = 0;

inline bool& blockThreads() {
    static bool threads = kSanitized;
    return threads;
}

inline void BlockLaunch::pauseUntil(const BlockBarrier& barrier, unsigned before) {
    if (blockThreads()) {
        barrier.generation.wait(
            before); // hundreds of threads that spin would take the processors of those that work
        return;
    }
    BlockThread& me = *blockThread;
    me.barrier = &barrier;
    me.before = before;
    if (_setjmp(me.place) == 0) // unlike swapcontext, no call of the system
        _longjmp(me.launch->scheduler, 1);
}

/// Lets a thread run until it waits or ends.
[[gnu::noinline]] inline void resume(BlockThread& member) {
    blockThread = &member;
    if (_setjmp(member.launch->scheduler) != 0)
        return;
    if (member.began)
        _longjmp(member.place, 1);
    member.began = true;
    setcontext(&member.context);
}

/// Calls run(thread) for each of `team`, all of them together.
template <class Run>
void runTogether(std::vector<BlockThread>& team, const Run& run) {
    if (blockThreads()) {
        std::vector<std::thread> threads;
        for (BlockThread& member : team)
            threads.emplace_back([&] {
                blockThread = &member;
                run(member);
            });
        for (std::thread& thread : threads)
            thread.join();
        return;
    }
    constexpr std::size_t kStack = 64 * 1024;
    static std::vector<std::unique_ptr<unsigned char[]>> stacks;
    static const Run* running;
    running = &run;
    for (std::size_t i = 0; i < team.size(); ++i) {
        if (i == stacks.size())
            stacks.emplace_back(new unsigned char[kStack]);
        ucontext_t& context = team[i].context;
        getcontext(&context);
        context.uc_stack.ss_sp = stacks[i].get();
        context.uc_stack.ss_size = kStack;
        context.uc_link = nullptr;
        makecontext(
            &context,
            +[] {
                (*running)(*blockThread);
                blockThread->ended = true;
                _longjmp(blockThread->launch->scheduler, 1);
            },
            0);
    }
    for (bool more = true; more;) {
        more = false;
        for (BlockThread& member : team)
            if (!member.ended) {
                if (!member.barrier || member.barrier->generation != member.before)
                    resume(member);
                more = more || !member.ended;
            }
    }
}

} // namespace headroom::testing

#define threadIdx (::headroom::testing::blockThread->idx)
#define blockIdx (::headroom::testing::blockThread->block)
#define blockDim (::headroom::testing::blockThread->dim)
#define gridDim (::headroom::testing::blockThread->grid)
#define __syncthreads()                                                                                      \
    (::headroom::testing::missingBarrier == __LINE__                                                         \
         ? void()                                                                                            \
         : ::headroom::testing::blockThread->launch->wait(::headroom::testing::blockThread->launch->block,   \
                                                          __LINE__))
#define __syncwarp()                                                                                         \
    (::headroom::testing::blockThread->launch->wait(::headroom::testing::blockThread->warp().barrier,        \
                                                    __LINE__))
#define __shfl_sync(mask, value, lane)                                                                       \
    (::headroom::testing::blockThread->exchange(value, static_cast<unsigned>(lane), __LINE__))
#define __shfl_xor_sync(mask, value, other)                                                                  \
    (::headroom::testing::blockThread->exchange(                                                             \
        value, ::headroom::testing::blockThread->number ^ static_cast<unsigned>(other), __LINE__))

namespace headroom::models::device {

using std::exp;
using std::log;
using std::sqrt;

template <class T>
T* sharedRoom() {
    return reinterpret_cast<T*>(headroom::testing::blockThread->launch->shared.get());
}

/// Runs the kernel to its end. Blocks of 32 · n threads.
template <class... P, class... A>
void launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t sharedBytes, void*, A... arguments) {
    using namespace headroom::testing;
    const unsigned threads = block.x * block.y * block.z;
    if (threads == 0 || threads % BlockLaunch::kLanes != 0 || threads > 1024 || sharedBytes > 48 * 1024 ||
        grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.y > 65535 || grid.z > 65535)
        throw std::logic_error("A launch that a GPU refuses.");
    ++launches;
    BlockLaunch work(threads, sharedBytes);
    std::vector<BlockThread> team(threads);
    for (unsigned number = 0; number < threads; ++number) {
        BlockThread& member = team[number];
        member.launch = &work;
        member.number = number;
        member.idx = {number % block.x, number / block.x % block.y, number / block.x / block.y};
        member.dim = block;
        member.grid = grid;
    }
    runTogether(team, [&](BlockThread& me) {
        for (unsigned z = 0; z < grid.z; ++z)
            for (unsigned y = 0; y < grid.y; ++y)
                for (unsigned x = 0; x < grid.x; ++x) {
                    me.block = {x, y, z};
                    if (sharedBytes > 0) {
                        if (me.number == 0) // and no thread of the block has begun
                            std::fill_n(work.shared.get(), sharedBytes, static_cast<unsigned char>(0xFF));
                        work.wait(work.between, __LINE__);
                    }
                    kernel(arguments...);
                    work.wait(work.block, 0);
                    if (work.failed)
                        return;
                }
    });
    if (work.failed)
        throw std::logic_error(work.reason);
}

} // namespace headroom::models::device
