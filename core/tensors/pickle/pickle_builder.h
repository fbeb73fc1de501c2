// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/pickle/pickle_classes.h"
#include "core/tensors/pickle/pickle_graph.h"

#include <initializer_list>
#include <map>
#include <string>

namespace headroom {

/// Builds the values of a pickle and counts them. Every method throws Error "pickle.…" for invalid input;
/// `name` is used in messages.
class PickleBuilder {
public:
    explicit PickleBuilder(std::string name);

    PickleId none() const { return 0; }
    PickleId boolean(bool value) const { return value ? 2 : 1; }
    PickleId integer(std::int64_t value);
    PickleId integer(std::span<const std::byte> littleEndian);
    PickleId real(double value);
    PickleId text(std::string value); ///< Bytes if not UTF-8
    PickleId bytes(PickleKind kind, std::string value);
    PickleId container(PickleKind kind, std::vector<PickleId> items = {});
    /// A name; refuses what is Forbidden.
    PickleId classNamed(const std::string& module, const std::string& className);
    PickleId storage(PickleId persistentId);

    /// Performs what Python would do by calling `callable` with a tuple, for the calls that checkpoints use.
    PickleId call(PickleId callable, PickleId arguments);
    void append(PickleId list, std::span<const PickleId> items);
    void put(PickleId dict, std::span<const PickleId> keysAndValues);
    void add(PickleId set, std::span<const PickleId> items);
    void setState(PickleId object, PickleId state);

    const PickleNode& node(PickleId id) const { return m_graph.nodes[id]; }
    PickleGraph take(PickleId root); ///< ends building; rejects cycles and excessive depth

    [[noreturn]] void refuse(const std::string& reason, const char* code = "pickle.badData") const;

private:
    PickleId add(PickleNode node);
    void charge(std::size_t count);
    void extend(PickleId id, std::initializer_list<PickleKind> kinds, std::span<const PickleId> items);
    PickleId object(const std::string& className, PickleId arguments);
    PickleId orderedDict(const PickleNode& arguments);
    PickleId copied(PickleKind kind, const PickleNode& arguments);
    PickleId encoded(const PickleNode& arguments);
    PickleId tensor(const PickleNode& arguments);
    std::vector<std::int64_t> extents(PickleId tuple) const;
    [[noreturn]] void forbid(const std::string& callable) const;

    std::string m_name;
    PickleGraph m_graph;
    std::map<std::string, PickleId> m_storages;
    std::size_t m_charged = 0;
};

/// Returns `text` for a message: valid UTF-8, and no longer than a line.
std::string quotable(const std::string& text);
/// "a tuple", "an object" …
const char* nameOfKind(PickleKind kind);

} // namespace headroom
