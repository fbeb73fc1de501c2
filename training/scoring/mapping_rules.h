// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom::training {

/// A global mapping file (GLM): literal replacements that sctk's csrfilt.sh applies to references and hypotheses before
/// sclite counts, so that spellings of one word are equal: `[CAN NOT] => [CANNOT] / [ ] __ [ ]`. Left of the arrow what
/// is replaced, right of it by what, behind the slash what must stand before and after it. The format is NIST1 of
/// rfilter1: first line ";; …", comments behind ";;", `* case_sensitive = 'F'` and other such lines,
/// `;; INPUT_DEPENDENT_APPLICATION = "REGEX"` for rules that hold for some input types. Rules for single utterances (the
/// second file of csrfilt.sh) and -dh are not supported. A value.
class MappingRules {
public:
    /// Throws Error "scoring.glm", which names `name` and the line, for text that is no such file.
    static MappingRules parse(std::string_view text, const std::string& name);

    /// Returns the text of an utterance after the rules, as csrfilt.sh -i trn, with -s if `caseSensitive`: blanks are
    /// made single, and otherwise A to Z are capital letters. From the left, at each place the first rule of the file
    /// that fits is applied, and what it wrote is not looked at again.
    std::string apply(std::string_view text, bool caseSensitive) const;

private:
    struct Rule {
        std::string from, to, before, after;
    };
    std::vector<Rule> m_rules;
    bool m_caseSensitive = true, m_keepsOthers = true; ///< keepsOthers: characters that no rule replaces stay
};

} // namespace headroom::training
