// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

namespace headroom {

/// What every form of vocabulary can do; `Tokenizer` owns one and checks ids for it. Immutable.
class TokenizerForm {
public:
    virtual ~TokenizerForm() = default;
    virtual int size() const = 0;
    virtual std::vector<int> encode(const std::string& text) const = 0;
    /// Ids from 0 to below this have a piece. More than size() where a family's last pieces need not be listed.
    virtual int idEnd() const { return size(); }
    /// `ids` are in [0, idEnd()). Control pieces decode to nothing.
    virtual std::string decode(std::span<const int> ids) const = 0;
    virtual std::string piece(int id) const = 0;
    /// The id of text that no piece can write; −1 if there is none.
    virtual int unknownId() const = 0;
};

} // namespace headroom
