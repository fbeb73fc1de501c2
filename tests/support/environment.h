// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QtGlobal>

namespace headroom::testing {

/// An environment variable that has another value for a scope, also where a test fails in it.
class ChangedVariable {
public:
    ChangedVariable(const char* name, const QByteArray& value) : m_name(name), m_before(qgetenv(name)) { qputenv(name, value); }
    ~ChangedVariable() { m_before.isNull() ? qunsetenv(m_name) : qputenv(m_name, m_before); }
    ChangedVariable(const ChangedVariable&) = delete;
    ChangedVariable& operator=(const ChangedVariable&) = delete;

private:
    const char* m_name;
    QByteArray m_before;
};

} // namespace headroom::testing
