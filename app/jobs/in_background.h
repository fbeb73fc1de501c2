// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QtConcurrent/QtConcurrentRun>

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

/// Calls `make` on the global thread pool, then `then(Built&)` with its result on the window's thread, where `context` lives; not at
/// all if `context` ends first. (QFuture::then with a context asks for it on the pool's thread, where it may end at any moment.)
template <class Make, class Then> void buildInBackground(QObject* context, Make make, Then then) {
    using Value = std::invoke_result_t<Make&>;
    QtConcurrent::run([make = std::move(make)]() mutable {
        auto built = std::make_shared<Built<Value>>();
        try {
            built->value = make();
        } catch (const std::exception& failure) {
            built->mistake = QString::fromUtf8(failure.what());
        }
        return built;
    }).then(QCoreApplication::instance(),
            [context = QPointer<QObject>(context), then = std::move(then)](const std::shared_ptr<Built<Value>>& built) mutable {
                if (context)
                    then(*built);
            });
}

} // namespace headroom::app
