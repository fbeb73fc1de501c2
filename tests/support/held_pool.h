// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSemaphore>
#include <QThreadPool>

namespace headroom::testing {

/// While it lives, nothing else runs on the global thread pool. It waits first until all that was begun there has ended; what that
/// has found has not come to the window's thread yet, as long as no events are processed.
class HeldPool {
public:
    HeldPool() {
        m_pool->waitForDone();
        m_pool->setMaxThreadCount(1);
        m_pool->start([this] {
            m_begun.release();
            m_free.acquire();
        });
        m_begun.acquire();
    }
    ~HeldPool() {
        m_free.release();
        m_pool->waitForDone();
        m_pool->setMaxThreadCount(m_threads);
    }
    HeldPool(const HeldPool&) = delete;
    HeldPool& operator=(const HeldPool&) = delete;

private:
    QThreadPool* m_pool = QThreadPool::globalInstance();
    int m_threads = m_pool->maxThreadCount();
    QSemaphore m_begun, m_free;
};

} // namespace headroom::testing
