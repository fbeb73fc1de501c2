// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/pickle/pickle_reader.h"

#include "core/tensors/pickle/pickle_builder.h"
#include "core/tensors/pickle/pickle_opcodes.h"

#include <bit>
#include <cstring>
#include <unordered_map>

namespace headroom {

namespace {

constexpr std::size_t kMostBytes = 64u << 20, kLongestName = 256;
constexpr int kFirstProtocol = 2, kLastProtocol = 5;

class Reader {
public:
    Reader(std::span<const std::byte> bytes, const std::string& name) : m_bytes(bytes), m_builder(name) {}

    Pickle read() {
        if (m_bytes.empty() || next<std::uint8_t>() != kProto)
            m_builder.refuse("it does not begin with a pickle of protocol 2 or later");
        protocol();
        for (;;) {
            const auto opcode = next<std::uint8_t>();
            if (opcode == kStop)
                break;
            if (!plainValue(opcode) && !container(opcode) && !object(opcode) && !memory(opcode))
                m_builder.refuse("byte " + std::to_string(m_at - 1) + " of its pickle, " +
                                 std::to_string(opcode) + ", is not an instruction that checkpoints need");
        }
        if (m_stack.size() != 1 || !m_marks.empty())
            m_builder.refuse("its pickle ends with " + std::to_string(m_stack.size()) + " values");
        return {m_builder.take(m_stack.front()), m_at};
    }

private:
    std::span<const std::byte> take(std::uint64_t count) {
        if (count > m_bytes.size() - m_at)
            m_builder.refuse("its pickle is truncated", "pickle.truncated");
        m_at += count;
        if (m_at > kMostBytes)
            m_builder.refuse("its pickle is longer than " + std::to_string(kMostBytes) + " bytes",
                             "pickle.tooLarge");
        return m_bytes.subspan(m_at - count, count);
    }
    template <class T>
    T next() {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }
    std::string string(std::uint64_t count) {
        const auto bytes = take(count);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    std::string line() {
        std::string text;
        for (char c = next<char>(); c != '\n'; c = next<char>())
            if (text.size() < kLongestName)
                text += c;
            else
                m_builder.refuse("it has a name of more than " + std::to_string(kLongestName) + " bytes");
        return text;
    }
    void protocol() {
        const auto version = next<std::uint8_t>();
        if (version < kFirstProtocol || version > kLastProtocol)
            m_builder.refuse("it uses pickle protocol " + std::to_string(version) +
                             "; protocols 2 to 5 are read");
    }

    void push(PickleId id) { m_stack.push_back(id); }
    PickleId pop() {
        if (m_stack.size() <= (m_marks.empty() ? 0 : m_marks.back()))
            m_builder.refuse("its pickle takes a value that is not there");
        const auto id = m_stack.back();
        m_stack.pop_back();
        return id;
    }
    PickleId top() {
        const auto id = pop();
        push(id);
        return id;
    }
    std::vector<PickleId> popToMark() {
        if (m_marks.empty())
            m_builder.refuse("its pickle has the end of a list without a beginning");
        const auto first = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<PickleId> items(first, m_stack.end());
        m_stack.erase(first, m_stack.end());
        m_marks.pop_back();
        return items;
    }
    std::vector<PickleId> popSome(std::size_t count) {
        std::vector<PickleId> items(count);
        while (count-- > 0)
            items[count] = pop();
        return items;
    }

    bool plainValue(std::uint8_t opcode) {
        switch (opcode) {
        case kNone:
            push(m_builder.none());
            return true;
        case kNewTrue:
        case kNewFalse:
            push(m_builder.boolean(opcode == kNewTrue));
            return true;
        case kBinInt:
            push(m_builder.integer(next<std::int32_t>()));
            return true;
        case kBinInt1:
            push(m_builder.integer(next<std::uint8_t>()));
            return true;
        case kBinInt2:
            push(m_builder.integer(next<std::uint16_t>()));
            return true;
        case kLong1:
            push(m_builder.integer(take(next<std::uint8_t>())));
            return true;
        case kLong4:
            push(m_builder.integer(take(next<std::uint32_t>())));
            return true;
        case kBinFloat:
            push(m_builder.real(std::bit_cast<double>(__builtin_bswap64(next<std::uint64_t>()))));
            return true;
        case kShortBinUnicode:
        case kShortBinString:
            push(m_builder.text(string(next<std::uint8_t>())));
            return true;
        case kBinUnicode:
        case kBinString:
            push(m_builder.text(string(next<std::uint32_t>())));
            return true;
        case kBinUnicode8:
            push(m_builder.text(string(next<std::uint64_t>())));
            return true;
        case kShortBinBytes:
            push(m_builder.bytes(PickleKind::Bytes, string(next<std::uint8_t>())));
            return true;
        case kBinBytes:
            push(m_builder.bytes(PickleKind::Bytes, string(next<std::uint32_t>())));
            return true;
        case kBinBytes8:
        case kByteArray8:
            push(m_builder.bytes(PickleKind::Bytes, string(next<std::uint64_t>())));
            return true;
        default:
            return false;
        }
    }

    bool container(std::uint8_t opcode) {
        switch (opcode) {
        case kEmptyTuple:
            push(m_builder.container(PickleKind::Tuple));
            return true;
        case kTuple:
            push(m_builder.container(PickleKind::Tuple, popToMark()));
            return true;
        case kTuple1:
        case kTuple2:
        case kTuple3:
            push(m_builder.container(PickleKind::Tuple, popSome(opcode - std::size_t{kTuple1} + 1)));
            return true;
        case kEmptyList:
            push(m_builder.container(PickleKind::List));
            return true;
        case kAppend: {
            const auto item = popSome(1);
            m_builder.append(top(), item);
            return true;
        }
        case kAppends: {
            const auto items = popToMark();
            m_builder.append(top(), items);
            return true;
        }
        case kEmptyDict:
            push(m_builder.container(PickleKind::Dict));
            return true;
        case kSetItem: {
            const auto pair = popSome(2);
            m_builder.put(top(), pair);
            return true;
        }
        case kSetItems: {
            const auto pairs = popToMark();
            m_builder.put(top(), pairs);
            return true;
        }
        case kEmptySet:
            push(m_builder.container(PickleKind::Set));
            return true;
        case kAddItems: {
            const auto items = popToMark();
            m_builder.add(top(), items);
            return true;
        }
        case kFrozenSet:
            push(m_builder.container(PickleKind::Set, popToMark()));
            return true;
        default:
            return false;
        }
    }

    bool object(std::uint8_t opcode) {
        switch (opcode) {
        case kGlobal: {
            const auto module = line();
            push(m_builder.classNamed(module, line()));
            return true;
        }
        case kStackGlobal: {
            const auto names = popSome(2);
            const auto &module = m_builder.node(names[0]), &name = m_builder.node(names[1]);
            if (module.kind != PickleKind::Text || name.kind != PickleKind::Text ||
                module.text.size() + name.text.size() > kLongestName)
                m_builder.refuse("it names a class by something other than two short texts");
            push(m_builder.classNamed(std::string(module.text), std::string(name.text)));
            return true;
        }
        case kReduce:
        case kNewObj: {
            const auto both = popSome(2);
            push(m_builder.call(both[0], both[1]));
            return true;
        }
        case kNewObjEx: {
            const auto three = popSome(3);
            if (!m_builder.node(three[2]).items.empty())
                m_builder.refuse("it builds an object from named arguments");
            push(m_builder.call(three[0], three[1]));
            return true;
        }
        case kBuild: {
            const auto state = pop();
            m_builder.setState(top(), state);
            return true;
        }
        case kBinPersId:
            push(m_builder.storage(pop()));
            return true;
        default:
            return false;
        }
    }

    bool memory(std::uint8_t opcode) {
        switch (opcode) {
        case kProto:
            protocol();
            return true;
        case kFrame: // says how much to read ahead
            if (next<std::uint64_t>() > m_bytes.size() - m_at)
                m_builder.refuse("its pickle is truncated", "pickle.truncated");
            return true;
        case kMark:
            m_marks.push_back(m_stack.size());
            return true;
        case kPop:
            pop();
            return true;
        case kPopMark:
            popToMark();
            return true;
        case kDup:
            push(top());
            return true;
        case kBinPut:
            m_memo[next<std::uint8_t>()] = top();
            return true;
        case kLongBinPut:
            m_memo[next<std::uint32_t>()] = top();
            return true;
        case kMemoize:
            m_memo[static_cast<std::uint32_t>(m_memo.size())] = top();
            return true;
        case kBinGet:
            push(remembered(next<std::uint8_t>()));
            return true;
        case kLongBinGet:
            push(remembered(next<std::uint32_t>()));
            return true;
        default:
            return false;
        }
    }
    PickleId remembered(std::uint32_t number) {
        const auto found = m_memo.find(number);
        if (found == m_memo.end())
            m_builder.refuse("its pickle refers to value " + std::to_string(number) + ", which is not there");
        return found->second;
    }

    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    PickleBuilder m_builder;
    std::vector<PickleId> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint32_t, PickleId> m_memo;
};

} // namespace

Pickle readPickle(std::span<const std::byte> bytes, const std::string& name) {
    return Reader(bytes, name).read();
}

} // namespace headroom
