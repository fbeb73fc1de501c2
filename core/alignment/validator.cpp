// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/validator.h"

#include "core/alignment/findings.h"
#include "core/alignment/phones.h"
#include "core/alignment/readers.h"
#include "core/errors/display_name.h"
#include "core/statistics/undefined.h"
#include "core/time/rounded_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace headroom {

namespace {

constexpr std::int64_t kShown = 8;     // findings of one code
constexpr Seconds kEndTolerance{0.05}; // that the end of the file may be off

void checkEnds(const Alignment& alignment, Seconds duration, Findings& findings) {
    using Severity = Findings::Severity;
    const auto end = std::max(alignment.fileEnd, alignment.spokenEnd);
    if (alignment.spokenEnd > duration + kEndTolerance)
        findings.add(Severity::Error, "alignment.longer",
                     "Speech is labelled until " + secondsText(alignment.spokenEnd) +
                         "; the recording ends at " + secondsText(duration) + ".",
                     duration, duration);
    else if (end > duration + kEndTolerance)
        findings.add(Severity::Warning, "alignment.longer",
                     "The alignment ends at " + secondsText(end) + ", the recording at " +
                         secondsText(duration) + "; it labels no speech beyond.",
                     duration, duration);
    if (alignment.fileEnd > Seconds(0) && alignment.fileEnd + kEndTolerance < duration)
        findings.add(Severity::Warning, "alignment.shorter",
                     "The alignment ends at " + secondsText(alignment.fileEnd) +
                         ", but the recording lasts until " + secondsText(duration) + ".",
                     alignment.fileEnd, duration);
    for (const auto* tier : {&alignment.phones, &alignment.words})
        if (!tier->empty() && tier->front().start < Seconds(-0.001)) {
            findings.add(Severity::Warning, "alignment.early",
                         placed(tier->front()) + " starts before the recording.", Seconds(0),
                         tier->front().end);
            return;
        }
}

} // namespace

std::string milliseconds(Seconds time) {
    std::array<char, 64> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%.0f ms", roundedTime(time.value() * 1000, 0));
    return buffer.data();
}

std::string placed(const Interval& interval) {
    return "“" + interval.label + "” (" + hundredthsText(interval.start) + "–" +
           secondsText(interval.end) + ")";
}

void Findings::add(Severity severity, const std::string& code, const std::string& sentence, Seconds start,
                   Seconds end, Tier tier, const std::string& label) {
    const auto inside = [&](Seconds time) {
        return std::clamp(time, Seconds(0), std::max(m_duration, Seconds(0)));
    };
    AlignmentFinding finding{severity, code, sentence, inside(start), inside(end), tier, label};
    auto more = std::find_if(m_more.begin(), m_more.end(), [&](const More& one) { return one.code == code; });
    if (more == m_more.end())
        more = m_more.insert(m_more.end(), {code, {}, 0});
    if (++more->count <= kShown)
        m_findings.push_back(std::move(finding));
    else if (more->count == kShown + 1)
        more->last = std::move(finding);
}

std::vector<AlignmentFinding> Findings::take() {
    for (auto& more : m_more) {
        if (more.count == kShown + 1)
            m_findings.push_back(std::move(more.last));
        else if (more.count > kShown) {
            more.last.sentence = "There are " + std::to_string(more.count - kShown) +
                                 " more such places; the next is at " + secondsText(more.last.start) +
                                 ".";
            m_findings.push_back(std::move(more.last));
        }
    }
    std::stable_sort(m_findings.begin(), m_findings.end(),
                     [](const AlignmentFinding& a, const AlignmentFinding& b) {
                         return a.severity != b.severity ? a.severity > b.severity : a.start < b.start;
                     });
    return std::move(m_findings);
}

std::string AlignmentReport::reason() const {
    return usable() ? std::string() : findings.front().sentence;
}

AlignmentReport checkAlignment(const Alignment& alignment, Seconds duration, const PhoneMap& map,
                               std::span<const float> samples) {
    AlignmentReport report;
    report.coverage = report.fit = kUndefined;
    Findings findings(duration);
    for (const auto& warning : alignment.warnings)
        // These three are said below, with their severity.
        if (warning.code != "alignment.longer" && warning.code != "alignment.noWords" &&
            warning.code != "alignment.noPhones")
            findings.add(Findings::Severity::Warning, warning.code, warning.sentence, Seconds(0), Seconds(0));
    for (const auto& word : alignment.words)
        report.words += !isSilence(word.label);
    checkEnds(alignment, duration, findings);
    checkPhones(alignment, map, report, findings);
    if (report.words > 0 && report.phones > 0)
        checkWords(alignment, findings);
    else if (report.phones > 0)
        findings.add(Findings::Severity::Warning, "alignment.noWords",
                     "There are no words. Only studies of words need them.", Seconds(0), Seconds(0));
    if (!samples.empty())
        checkSound(alignment, map, samples, report, findings);
    report.findings = findings.take();
    return report;
}

CheckedAlignment readCheckedAlignment(const std::filesystem::path& file, const NamesInLists& utterance,
                                      Seconds duration, const PhoneMap& map, std::span<const float> samples) {
    CheckedAlignment checked;
    const auto refused = [&](const std::string& code, const std::string& sentence, Seconds place) {
        checked.report.coverage = checked.report.fit = kUndefined;
        Findings findings(duration);
        findings.add(Findings::Severity::Error, code, sentence, place, place);
        checked.report.findings = findings.take();
    };
    try {
        checked.alignment = readAlignment(file, utterance, duration);
        checked.report = checkAlignment(*checked.alignment, duration, map, samples);
    } catch (const Error& error) {
        const auto& values = error.values();
        const bool placed = values.is_object() && values.contains("seconds") && values["seconds"].is_number();
        refused(error.code(), error.what(), Seconds(placed ? values["seconds"].get<double>() : 0));
    } catch (const std::exception& failure) { // memory
        refused("alignment.missing", displayName(file) + " could not be read: " + failure.what() + ".",
                Seconds(0));
    }
    return checked;
}

} // namespace headroom
