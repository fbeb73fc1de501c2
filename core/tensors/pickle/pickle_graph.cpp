// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/pickle/pickle_graph.h"

#include <algorithm>

namespace headroom {

bool PickleTensor::isContiguous() const {
    std::int64_t expected = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] != 1 && strides[i] != expected)
            return elementCount() == 0;
        expected *= shape[i];
    }
    return true;
}

std::int64_t PickleTensor::elementCount() const {
    std::int64_t count = 1;
    for (const auto extent : shape)
        count *= extent;
    return count;
}

std::optional<bool> PickleValue::boolean() const {
    return is(PickleKind::Boolean) ? std::optional(node().integer != 0) : std::nullopt;
}

std::optional<std::int64_t> PickleValue::integer() const {
    return is(PickleKind::Integer) ? std::optional(node().integer) : std::nullopt;
}

std::optional<double> PickleValue::real() const {
    if (is(PickleKind::Integer))
        return static_cast<double>(node().integer);
    return is(PickleKind::Real) ? std::optional(node().real) : std::nullopt;
}

std::optional<std::string> PickleValue::text() const {
    return is(PickleKind::Text) ? std::optional(node().text) : std::nullopt;
}

std::string PickleValue::className() const {
    return is(PickleKind::Class) || is(PickleKind::Object) ? node().text : std::string();
}

std::size_t PickleValue::size() const {
    const auto count = node().items.size();
    return is(PickleKind::Dict) ? count / 2 : count;
}

PickleValue PickleValue::element(std::size_t index) const {
    return {*m_graph, node().items.at(index)};
}

PickleValue PickleValue::key(std::size_t index) const {
    return {*m_graph, node().items.at(2 * index)};
}

PickleValue PickleValue::value(std::size_t index) const {
    return {*m_graph, node().items.at(2 * index + 1)};
}

std::optional<PickleValue> PickleValue::find(std::string_view wanted) const {
    if (!is(PickleKind::Dict))
        return std::nullopt;
    for (std::size_t index = size(); index-- > 0;) {
        const PickleNode& found = key(index).node();
        if (found.kind == PickleKind::Text && found.text == wanted)
            return value(index);
    }
    return std::nullopt;
}

std::optional<PickleValue> PickleValue::arguments() const {
    const auto id = node().arguments;
    return id == kNoPickleId ? std::nullopt : std::optional(PickleValue(*m_graph, id));
}

std::optional<PickleValue> PickleValue::state() const {
    const auto id = node().state;
    return id == kNoPickleId ? std::nullopt : std::optional(PickleValue(*m_graph, id));
}

PickleShape shapeOf(const PickleGraph& graph) {
    // Depth first without recursion: a value is open while its elements are visited. The state of an object
    // is no element: it begins a walk of its own.
    struct Open {
        PickleId id;
        std::size_t next;
    };
    constexpr int kUnseen = -1, kOpen = -2;
    std::vector<int> depth(graph.nodes.size(), kUnseen);
    std::vector<Open> open;
    for (PickleId first = 0; first < graph.nodes.size(); ++first) {
        if (depth[first] != kUnseen)
            continue;
        open.push_back({first, 0});
        depth[first] = kOpen;
        while (!open.empty()) {
            auto& [id, next] = open.back();
            const auto& node = graph.nodes[id];
            const bool hasArguments = node.arguments != kNoPickleId;
            const auto children = node.items.size() + (hasArguments ? 1 : 0);
            if (next == children) {
                int deepest = 0;
                for (const auto item : node.items)
                    deepest = std::max(deepest, depth[item] + 1);
                if (hasArguments)
                    deepest = std::max(deepest, depth[node.arguments] + 1);
                depth[id] = deepest;
                if (deepest > kDeepestPickle)
                    return PickleShape::TooDeep;
                open.pop_back();
                continue;
            }
            const auto child = next < node.items.size() ? node.items[next] : node.arguments;
            ++next;
            if (depth[child] == kOpen)
                return PickleShape::Cyclic;
            if (depth[child] == kUnseen) {
                depth[child] = kOpen;
                open.push_back({child, 0});
            }
        }
    }
    return PickleShape::Fine;
}

} // namespace headroom
