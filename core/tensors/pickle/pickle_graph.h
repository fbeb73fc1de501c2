// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

enum class PickleKind : std::uint8_t {
    None,
    Boolean,
    Integer, ///< fits in 64 bits
    Long,    ///< does not fit: its bytes, two's complement, little-endian
    Real,
    Text, ///< UTF-8
    Bytes,
    Tuple,
    List,
    Dict,
    Set,
    Class,  ///< a name in the pickle; never looked up
    Object, ///< an inert stub: class, arguments and state
    Storage,
    Tensor
};

using PickleId = std::uint32_t;
inline constexpr PickleId kNoPickleId = 0xffffffffu;

/// One value. The kind decides which members are used; the others are empty.
struct PickleNode {
    PickleKind kind = PickleKind::None;
    std::uint8_t role = 0;       ///< Class: note of the reader
    std::int64_t integer = 0;    ///< Boolean, Integer; Storage and Tensor: index into the graph's list
    double real = 0;             ///< Real
    std::string text;            ///< Text, Bytes, Long; Class and Object: "module.Name"
    std::vector<PickleId> items; ///< elements; Dict: key, value, key, value …; Object: its appended items
    PickleId arguments = kNoPickleId, state = kNoPickleId; ///< Object (Dict: its attributes)
};

/// Data outside the pickle, as the pickle announces it.
struct PickleStorage {
    std::string key;
    DType dtype = DType::F32;
    std::int64_t count = 0; ///< elements
};

/// A view into a storage. Validated: it lies inside, and has no more elements than the storage.
struct PickleTensor {
    std::size_t storage = 0;
    std::int64_t offset = 0; ///< elements
    std::vector<std::int64_t> shape, strides;
    bool isContiguous() const;
    std::int64_t elementCount() const;
};

/// The contents of a pickle: values that refer to each other by number, so that neither depth nor cycles need
/// a stack. Cycles occur only through the state of an object (omegaconf's `_parent`); nothing nests deeper
/// than kDeepestPickle.
struct PickleGraph {
    std::vector<PickleNode> nodes;
    std::vector<PickleStorage> storages;
    std::vector<PickleTensor> tensors;
    PickleId root = kNoPickleId;
};
inline constexpr int kDeepestPickle = 200;

/// A value of a graph, which must outlive it. Cheap to copy; reading is safe on every thread.
class PickleValue {
public:
    PickleValue(const PickleGraph& graph, PickleId id) : m_graph(&graph), m_id(id) {}

    PickleKind kind() const { return node().kind; }
    bool is(PickleKind kind) const { return node().kind == kind; }
    PickleId id() const { return m_id; }

    std::optional<bool> boolean() const;         ///< Boolean only
    std::optional<std::int64_t> integer() const; ///< Integer only
    std::optional<double> real() const;          ///< Real or Integer
    /// Text; `nullopt` for other kinds.
    std::optional<std::string> text() const;
    /// Returns "argparse.Namespace" for an object or a class; empty otherwise.
    std::string className() const;

    std::size_t size() const; ///< elements; of a Dict: pairs
    PickleValue element(std::size_t index) const;
    /// Key and value of a Dict, or of items put into an Object by key.
    PickleValue key(std::size_t index) const;
    PickleValue value(std::size_t index) const;
    /// The value of a text key of a Dict; the last of duplicates, as in Python.
    std::optional<PickleValue> find(std::string_view key) const;
    std::optional<PickleValue> arguments() const; ///< Object: a Tuple
    std::optional<PickleValue> state() const;     ///< Object: the argument of BUILD

    const PickleNode& node() const { return m_graph->nodes[m_id]; }
    const PickleGraph& graph() const { return *m_graph; }

private:
    const PickleGraph* m_graph;
    PickleId m_id;
};

/// Returns whether a graph is valid, too deep, or cyclic. Visits every value once.
enum class PickleShape { Fine, TooDeep, Cyclic };
PickleShape shapeOf(const PickleGraph& graph);

} // namespace headroom
