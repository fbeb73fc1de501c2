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
    Integer, ///< fits into 64 bits
    Long,    ///< does not: its bytes, two's complement, little-endian
    Real,
    Text, ///< UTF-8
    Bytes,
    Tuple,
    List,
    Dict,
    Set,
    Class,  ///< a name that the pickle refers to; never looked up
    Object, ///< an inert stub: what would be built, from what, with which state
    Storage,
    Tensor
};

using PickleId = std::uint32_t;
inline constexpr PickleId kNoPickleId = 0xffffffffu;

/// One value. What the members hold depends on the kind; the others are empty.
struct PickleNode {
    PickleKind kind = PickleKind::None;
    std::uint8_t role = 0;       ///< Class: the reader's own note
    std::int64_t integer = 0;    ///< Boolean, Integer; Storage and Tensor: index into the graph's list
    double real = 0;             ///< Real
    std::string text;            ///< Text, Bytes, Long; Class and Object: "module.Name"
    std::vector<PickleId> items; ///< elements; Dict: key, value, key, value …; Object: those put into it
    PickleId arguments = kNoPickleId, state = kNoPickleId; ///< Object (Dict: its attributes)
};

/// Numbers that lie outside the pickle, as it announces them.
struct PickleStorage {
    std::string key;
    DType dtype = DType::F32;
    std::int64_t count = 0; ///< elements
};

/// A view into a storage; that it lies inside, and shows no element more often than the storage has room
/// for, is checked.
struct PickleTensor {
    std::size_t storage = 0;
    std::int64_t offset = 0; ///< elements
    std::vector<std::int64_t> shape, strides;
    bool isContiguous() const;
    std::int64_t elementCount() const;
};

/// What a pickle describes: values that refer to each other by number, so that neither depth nor a loop costs
/// a stack. Loops go through the state of an object only (omegaconf's `_parent`); nothing nests deeper than
/// kDeepestPickle.
struct PickleGraph {
    std::vector<PickleNode> nodes;
    std::vector<PickleStorage> storages;
    std::vector<PickleTensor> tensors;
    PickleId root = kNoPickleId;
};
inline constexpr int kDeepestPickle = 200;

/// A value of a graph that must outlive it. Cheap to copy; reading is safe from every thread.
class PickleValue {
public:
    PickleValue(const PickleGraph& graph, PickleId id) : m_graph(&graph), m_id(id) {}

    PickleKind kind() const { return node().kind; }
    bool is(PickleKind kind) const { return node().kind == kind; }
    PickleId id() const { return m_id; }

    std::optional<bool> boolean() const;         ///< Boolean only
    std::optional<std::int64_t> integer() const; ///< Integer only
    std::optional<double> real() const;          ///< Real or Integer
    /// Text; nothing for other kinds.
    std::optional<std::string> text() const;
    /// "argparse.Namespace" of an object or a class, else empty.
    std::string className() const;

    std::size_t size() const; ///< elements, of a Dict: pairs
    PickleValue element(std::size_t index) const;
    /// Key and value of a Dict, or of what was put into an Object by key.
    PickleValue key(std::size_t index) const;
    PickleValue value(std::size_t index) const;
    /// The value of a text key of a Dict; the last where it stands twice, as in Python.
    std::optional<PickleValue> find(std::string_view key) const;
    std::optional<PickleValue> arguments() const; ///< Object: a Tuple
    std::optional<PickleValue> state() const;     ///< Object: what BUILD gave it

    const PickleNode& node() const { return m_graph->nodes[m_id]; }
    const PickleGraph& graph() const { return *m_graph; }

private:
    const PickleGraph* m_graph;
    PickleId m_id;
};

/// What is wrong with the shape of a graph: "nested too deep", "a list that contains itself"; empty where
/// nothing is. Visits every value once.
enum class PickleShape { Fine, TooDeep, Cyclic };
PickleShape shapeOf(const PickleGraph& graph);

} // namespace headroom
