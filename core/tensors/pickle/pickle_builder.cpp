// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/pickle/pickle_builder.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <array>
#include <cstring>

namespace headroom {

namespace {

constexpr std::size_t kMostValues = 1'000'000, kMostElements = 4'000'000;

} // namespace

const char* nameOfKind(PickleKind kind) {
    switch (kind) {
    case PickleKind::Tuple:
        return "a tuple";
    case PickleKind::List:
        return "a list";
    case PickleKind::Dict:
        return "a dictionary";
    case PickleKind::Set:
        return "a set";
    case PickleKind::Class:
        return "a class";
    case PickleKind::Object:
        return "an object";
    case PickleKind::Storage:
        return "a storage";
    case PickleKind::Tensor:
        return "a tensor";
    default:
        return "a plain value";
    }
}

std::string quotable(const std::string& text) {
    constexpr std::size_t kLongest = 100;
    std::string valid = validText(std::string_view(text).substr(0, kLongest));
    for (char& c : valid)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            c = ' ';
    return text.size() > kLongest ? valid + "…" : valid;
}

PickleBuilder::PickleBuilder(std::string name) : m_name(std::move(name)) {
    add({});
    for (const int value : {0, 1}) {
        PickleNode truth;
        truth.kind = PickleKind::Boolean;
        truth.integer = value;
        add(std::move(truth));
    }
}

void PickleBuilder::refuse(const std::string& reason, const char* code) const {
    throw Error(code, m_name + " is not a usable PyTorch file: " + reason + ".",
                {{"file", m_name}, {"reason", reason}});
}

void PickleBuilder::forbid(const std::string& callable) const {
    const auto shown = quotable(callable);
    throw Error("pickle.forbidden",
                m_name + " is not read: its pickle names " + shown +
                    ", which no checkpoint needs. Nothing was executed.",
                {{"file", m_name}, {"callable", shown}});
}

PickleId PickleBuilder::add(PickleNode node) {
    if (m_graph.nodes.size() >= kMostValues)
        refuse("its pickle holds more than " + std::to_string(kMostValues) + " values", "pickle.tooLarge");
    charge(node.items.size());
    m_graph.nodes.push_back(std::move(node));
    return static_cast<PickleId>(m_graph.nodes.size() - 1);
}

void PickleBuilder::charge(std::size_t count) {
    m_charged += count;
    if (m_charged > kMostElements)
        refuse("its pickle builds more than " + std::to_string(kMostElements) + " elements",
               "pickle.tooLarge");
}

PickleId PickleBuilder::integer(std::int64_t value) {
    PickleNode node;
    node.kind = PickleKind::Integer;
    node.integer = value;
    return add(std::move(node));
}

PickleId PickleBuilder::integer(std::span<const std::byte> littleEndian) {
    if (littleEndian.size() > sizeof(std::int64_t))
        return bytes(PickleKind::Long,
                     {reinterpret_cast<const char*>(littleEndian.data()), littleEndian.size()});
    const bool negative = !littleEndian.empty() && (littleEndian.back() & std::byte{0x80}) != std::byte{0};
    std::int64_t value = negative ? -1 : 0;
    if (!littleEndian.empty())
        std::memcpy(&value, littleEndian.data(), littleEndian.size());
    return integer(value);
}

PickleId PickleBuilder::real(double value) {
    PickleNode node;
    node.kind = PickleKind::Real;
    node.real = value;
    return add(std::move(node));
}

PickleId PickleBuilder::text(std::string value) {
    const auto kind = validText(value) == value ? PickleKind::Text : PickleKind::Bytes;
    return bytes(kind, std::move(value));
}

PickleId PickleBuilder::bytes(PickleKind kind, std::string value) {
    PickleNode node;
    node.kind = kind;
    node.text = std::move(value);
    return add(std::move(node));
}

PickleId PickleBuilder::container(PickleKind kind, std::vector<PickleId> items) {
    PickleNode node;
    node.kind = kind;
    node.items = std::move(items);
    return add(std::move(node));
}

PickleId PickleBuilder::classNamed(const std::string& module, const std::string& className) {
    const auto role = pickleRole(module, className);
    if (role == PickleRole::Forbidden)
        forbid(module + "." + className);
    PickleNode node;
    node.kind = PickleKind::Class;
    node.role = static_cast<std::uint8_t>(role);
    node.text = module + "." + className;
    return add(std::move(node));
}

PickleId PickleBuilder::storage(PickleId persistentId) {
    const auto& items = node(persistentId).items;
    // ("storage", type, key, place, elements), and before PyTorch 1.6 a view of it, or None.
    const bool fits = node(persistentId).kind == PickleKind::Tuple &&
                      (items.size() == 5 || items.size() == 6) && node(items[0]).text == "storage" &&
                      node(items[1]).kind == PickleKind::Class && node(items[2]).kind == PickleKind::Text &&
                      node(items[4]).kind == PickleKind::Integer;
    if (!fits)
        refuse("it refers to something outside its pickle that is not a storage");
    if (items.size() == 6 && node(items[5]).kind != PickleKind::None)
        refuse("it has a view of a storage, which only PyTorch before 0.4 wrote");
    const auto type = storageType(node(items[1]).text);
    if (!type)
        refuse("it has a storage of type " + node(items[1]).text);
    const PickleStorage announced{node(items[2]).text, *type, node(items[4]).integer};
    if (announced.count < 0 || !byteCount(announced.dtype, std::array{announced.count}))
        refuse("storage “" + quotable(announced.key) + "” claims " + std::to_string(announced.count) +
               " numbers");
    const auto known = m_storages.find(announced.key);
    if (known != m_storages.end()) {
        const auto& first = m_graph.storages[static_cast<std::size_t>(node(known->second).integer)];
        if (first.dtype != announced.dtype || first.count != announced.count)
            refuse("storage “" + quotable(announced.key) + "” is announced twice, with different contents");
        return known->second;
    }
    PickleNode made;
    made.kind = PickleKind::Storage;
    made.integer = static_cast<std::int64_t>(m_graph.storages.size());
    m_graph.storages.push_back(announced);
    const auto id = add(std::move(made));
    m_storages.emplace(announced.key, id);
    return id;
}

void PickleBuilder::extend(PickleId id, std::initializer_list<PickleKind> kinds,
                           std::span<const PickleId> items) {
    PickleNode& target = m_graph.nodes[id];
    bool fits = false;
    for (const auto kind : kinds)
        fits = fits || target.kind == kind;
    if (!fits)
        refuse(std::string("it puts elements into ") + nameOfKind(target.kind));
    charge(items.size());
    target.items.insert(target.items.end(), items.begin(), items.end());
}

void PickleBuilder::append(PickleId list, std::span<const PickleId> items) {
    extend(list, {PickleKind::List, PickleKind::Object}, items);
}

void PickleBuilder::put(PickleId dict, std::span<const PickleId> keysAndValues) {
    if (keysAndValues.size() % 2 != 0)
        refuse("it has a key without a value");
    extend(dict, {PickleKind::Dict, PickleKind::Object}, keysAndValues);
}

void PickleBuilder::add(PickleId set, std::span<const PickleId> items) {
    extend(set, {PickleKind::Set}, items);
}

void PickleBuilder::setState(PickleId id, PickleId state) {
    PickleNode& target = m_graph.nodes[id];
    if (target.kind != PickleKind::Object && target.kind != PickleKind::Dict)
        refuse(std::string("it sets the state of ") + nameOfKind(target.kind));
    if (target.state != kNoPickleId)
        refuse("it sets the state of " +
               (target.text.empty() ? nameOfKind(target.kind) : quotable(target.text)) + " twice");
    target.state = state;
}

PickleGraph PickleBuilder::take(PickleId root) {
    m_graph.root = root;
    switch (shapeOf(m_graph)) {
    case PickleShape::TooDeep:
        refuse("its pickle is nested more than " + std::to_string(kDeepestPickle) + " deep",
               "pickle.tooDeep");
    case PickleShape::Cyclic:
        refuse("its pickle has a container that contains itself", "pickle.cyclic");
    case PickleShape::Fine:
        break;
    }
    return std::move(m_graph);
}

} // namespace headroom
