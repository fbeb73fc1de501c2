// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

namespace headroom {

/// A borrowed dense matrix, row-major: element (row, column) is data[row · columns + column]. In attention
/// maps rows are queries and columns keys. The data must outlive the view.
template <class T>
class MatrixView {
public:
    MatrixView() = default;
    MatrixView(T* data, std::size_t rows, std::size_t columns)
        : m_data(data)
        , m_rows(rows)
        , m_columns(columns) {}
    std::size_t rows() const { return m_rows; }
    std::size_t columns() const { return m_columns; }
    bool empty() const { return m_rows == 0 || m_columns == 0; }
    T* data() const { return m_data; }
    T& operator()(std::size_t row, std::size_t column) const {
        assert(row < m_rows && column < m_columns);
        return m_data[row * m_columns + column];
    }
    std::span<T> row(std::size_t index) const { return {m_data + index * m_columns, m_columns}; }
    operator MatrixView<const T>() const { return {m_data, m_rows, m_columns}; }

private:
    T* m_data = nullptr;
    std::size_t m_rows = 0, m_columns = 0;
};

/// An owned dense matrix, row-major. A value: copying copies the numbers.
template <class T>
class Matrix {
public:
    Matrix() = default;
    Matrix(std::size_t rows, std::size_t columns, T fill = T{})
        : m_rows(rows)
        , m_columns(columns)
        , m_values(rows * columns, fill) {}
    /// Takes ownership of the values; `values.size()` must be rows · columns.
    Matrix(std::size_t rows, std::size_t columns, std::vector<T> values)
        : m_rows(rows)
        , m_columns(columns)
        , m_values(std::move(values)) {
        assert(m_values.size() == rows * columns);
    }
    std::size_t rows() const { return m_rows; }
    std::size_t columns() const { return m_columns; }
    bool empty() const { return m_values.empty(); }
    T& operator()(std::size_t row, std::size_t column) { return m_values[row * m_columns + column]; }
    const T& operator()(std::size_t row, std::size_t column) const {
        return m_values[row * m_columns + column];
    }
    std::span<T> row(std::size_t index) { return {m_values.data() + index * m_columns, m_columns}; }
    std::span<const T> row(std::size_t index) const {
        return {m_values.data() + index * m_columns, m_columns};
    }
    const std::vector<T>& values() const { return m_values; }
    std::vector<T>& values() { return m_values; }
    MatrixView<T> view() { return {m_values.data(), m_rows, m_columns}; }
    MatrixView<const T> view() const { return {m_values.data(), m_rows, m_columns}; }
    operator MatrixView<const T>() const { return view(); }

private:
    std::size_t m_rows = 0, m_columns = 0;
    std::vector<T> m_values;
};

} // namespace headroom
