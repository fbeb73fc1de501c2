// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/statistics/undefined.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace headroom::protocol {

/// Reads the fields of one message into places of their types. Throws Error "protocol.badField", whose sentence
/// names the message and the field: "The field “layer” of the notification layer must be a whole number." One
/// thread.
class Fields {
public:
    /// `object` must outlive the reader. `of` stands in the sentences: "the result of openModel".
    Fields(const nlohmann::json& object, std::string of) : m_object(object), m_of(std::move(of)) {
        if (!object.is_object())
            throw Error("protocol.badField", capitalised() + " must be an object.", {{"field", ""}});
    }

    /// A field that must be there.
    template <class T>
    void required(const char* key, T& place) const {
        const auto found = m_object.find(key);
        if (found == m_object.end())
            throw Error("protocol.badField", capitalised() + " needs the field “" + key + "”.",
                        {{"field", key}});
        read(key, *found, place);
    }
    /// A field that may be missing: then the place keeps its value, so that another version can be read.
    template <class T>
    void optional(const char* key, T& place) const {
        if (const auto found = m_object.find(key); found != m_object.end())
            read(key, *found, place);
    }
    /// A number that is null where it is not defined; NaN then, and where it is missing.
    void numberOrNull(const char* key, double& place) const {
        place = kUndefined;
        if (const auto found = m_object.find(key); found != m_object.end() && !found->is_null())
            read(key, *found, place);
    }
    /// A text that is null where there is none; empty then, and where it is missing.
    void textOrNull(const char* key, std::string& place) const {
        place.clear();
        if (const auto found = m_object.find(key); found != m_object.end() && !found->is_null())
            read(key, *found, place);
    }

    [[noreturn]] void refuse(const std::string& key, const std::string& wanted) const {
        throw Error("protocol.badField", "The field “" + key + "” of " + m_of + " must be " + wanted + ".",
                    {{"field", key}});
    }

private:
    template <class T>
    void read(const char* key, const nlohmann::json& value, T& place) const {
        if constexpr (std::is_same_v<T, nlohmann::json>) {
            place = value;
        } else if constexpr (std::is_same_v<T, std::string>) {
            require(value.is_string(), key, "a text");
            place = value.template get<std::string>();
        } else if constexpr (std::is_same_v<T, bool>) {
            require(value.is_boolean(), key, "true or false");
            place = value.template get<bool>();
        } else if constexpr (std::is_same_v<T, double>) {
            require(value.is_number(), key, "a number");
            place = value.template get<double>();
        } else if constexpr (std::is_integral_v<T>) {
            require(isWhole<T>(value), key, "a whole number");
            place = value.template get<T>();
        } else {
            readList(key, value, place);
        }
    }
    template <class T>
    void readList(const char* key, const nlohmann::json& value, std::vector<T>& place) const {
        const char* wanted = std::is_integral_v<T> ? "a list of whole numbers" : "a list of texts";
        require(value.is_array(), key, wanted);
        place.clear();
        for (const nlohmann::json& one : value) {
            if constexpr (std::is_integral_v<T>)
                require(isWhole<T>(one), key, wanted);
            else
                require(one.is_string(), key, wanted);
            place.push_back(one.template get<T>());
        }
    }
    template <class T>
    static bool isWhole(const nlohmann::json& value) {
        if (value.is_number_unsigned())
            return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
        return value.is_number_integer() && value.get<std::int64_t>() >= std::numeric_limits<T>::min();
    }
    void require(bool good, const char* key, const char* wanted) const {
        if (!good)
            refuse(key, wanted);
    }
    std::string capitalised() const {
        std::string text = m_of;
        if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
            text.front() = static_cast<char>(text.front() - 'a' + 'A');
        return text;
    }

    const nlohmann::json& m_object;
    const std::string m_of;
};

} // namespace headroom::protocol
