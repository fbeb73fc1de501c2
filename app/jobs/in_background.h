// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>

#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace headroom::app {

/// What was made, or the sentence of the exception that prevented it.
template <class Value> struct Built {
    Value value;
    QString mistake; ///< empty: it was made
};

/// Calls `make` on the global thread pool, then `then(Built&)` with its result on the window's thread, where `context` lives: never
/// before this function has returned, and not at all if `context` ends first. (QFuture::then with a context asks for it on the pool's
/// thread, where it may end at any moment, and calls `then` at once when `make` was quicker than the caller.)
template <class Make, class Then> void buildInBackground(QObject* context, Make make, Then then) {
    using Value = std::invoke_result_t<Make&>;
    auto* const window = QCoreApplication::instance();
    QThreadPool::globalInstance()->start(
        [window, context = QPointer<QObject>(context), make = std::move(make), then = std::move(then)]() mutable {
            auto built = std::make_shared<Built<Value>>();
            try {
                built->value = make();
            } catch (const std::exception& failure) {
                built->mistake = QString::fromUtf8(failure.what());
            }
            QMetaObject::invokeMethod(
                window,
                [context = std::move(context), then = std::move(then), built]() mutable {
                    if (context)
                        then(*built);
                },
                Qt::QueuedConnection);
        });
}

} // namespace headroom::app
