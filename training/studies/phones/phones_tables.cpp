// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/phones/phones_tables.h"

#include "core/alignment/phone_order.h"
#include "core/errors/count_text.h"
#include "core/statistics/bootstrap.h"
#include "training/studies/study_text.h"

#include <algorithm>
#include <cmath>

namespace headroom::training {

namespace {

constexpr std::int64_t kUtterancesOfStrongest = 5; // the largest of many means of one is chance

StudyColumn number(const char* key, const char* title, int decimals) {
    return {key, title, "", decimals, false};
}

/// The order of every map of phones.
std::vector<std::size_t> phonesInOrder() {
    return {phoneOrder().begin(), phoneOrder().end()};
}

std::string nameOf(std::size_t phone) {
    return std::string(kPhoneClasses[phone]);
}

class PhoneTables {
public:
    explicit PhoneTables(const PhoneFindings& findings)
        : m_findings(findings)
        , m_clusters(speakerClusters(findings.study)) {}

    std::vector<StudyTable> all() {
        heads();
        layers();
        if (m_findings.reference)
            coverage();
        classes();
        maps();
        counts();
        if (m_findings.models.size() > 1)
            comparison();
        return std::move(m_tables);
    }

private:
    const StudyModel& model(std::size_t m) const { return m_findings.study.models[m]; }

    std::string formula() const {
        std::string text =
            "Phone attention relation (Shim et al. 2022, Eq. 4; diagonal Eq. 5, a token's own run left out): 1 "
            "is what uniform attention gives. Silence and unknown labels are left out and rows are normalised again; ";
        return text + (m_findings.mode == PhoneMode::Mean
                           ? "mean over the utterances where the pair is defined. "
                           : "pooled over all pairs of tokens of the corpus. ");
    }
    std::string who() const {
        std::string text;
        for (const StudyModel& model : m_findings.study.models)
            text += (text.empty() ? "" : ", ") + modelText(model);
        return text + "; " + sampleText(m_findings.study);
    }
    StudyTable& add(const char* name, const char* title, const std::string& caption) {
        m_tables.push_back({name, title, caption, {}, {}});
        return m_tables.back();
    }
    MeanEstimate estimate(const std::vector<double>& values) const {
        return estimateMean(values, m_clusters, m_findings.study.seed);
    }

    /// How many utterances must have the strongest pair.
    std::int64_t leastUtterances() const {
        return std::min(kUtterancesOfStrongest, measuredUtterances(m_findings.study));
    }
    /// Which pairs may be the strongest; empty: all.
    std::string whichPairs() const {
        const std::int64_t measured = measuredUtterances(m_findings.study);
        return measured < 2                         ? std::string()
               : measured <= kUtterancesOfStrongest ? ", among the pairs that all " + grouped(measured) + " utterances have"
                                                    : ", among the pairs that at least " + grouped(kUtterancesOfStrongest) + " utterances have";
    }

    /// The pair of different phones with the largest PAR: its cells.
    std::vector<StudyCell> strongest(const Matrix<double>& map, const PhoneSummary& summary) const {
        const Matrix<std::int32_t>& counts = summary.counts();
        const std::int64_t least = leastUtterances();
        std::size_t best = 0;
        bool found = false;
        for (std::size_t i = 0; i < map.values().size(); ++i)
            if (!std::isnan(map.values()[i]) && i % kPhones != i / kPhones &&
                counts.values()[i] >= least &&
                (!found || map.values()[i] > map.values()[best])) {
                best = i;
                found = true;
            }
        if (!found)
            return {{}, {}, {}};
        return {nameOf(best / kPhones).append(kAttendsTo).append(nameOf(best % kPhones)),
                map.values()[best], static_cast<double>(counts.values()[best])};
    }
    static std::vector<StudyColumn> strongestColumns() {
        return {textColumn("strongest", "Strongest pair"), number("strongest_par", "PAR", 2),
                number("strongest_n", "Utterances", 0)};
    }

    void heads() {
        StudyTable& table =
            add("phones-heads", "Phones by head",
                formula() +
                    "“Same phone” is the mean of the defined diagonal cells of an utterance; the "
                    "strongest pair (attending → attended) has the largest PAR of different phones" +
                    whichPairs() + ". " + who() + " " + intervalText(m_findings.study, m_clusters));
        table.columns = {textColumn("model", "Model"), number("layer", "Layer", 0), number("head", "Head", 0)};
        append(table.columns, estimateColumns("same", "Same phone", 3));
        append(table.columns, strongestColumns());
        for (std::size_t m = 0; m < m_findings.models.size(); ++m) {
            const PhoneSummary& summary = m_findings.models[m];
            for (std::int64_t l = 0; l < summary.layers(); ++l)
                for (std::int64_t h = 0; h < summary.heads(); ++h) {
                    std::vector<StudyCell> row{model(m).name, static_cast<double>(l + 1),
                                               static_cast<double>(h + 1)};
                    append(row, estimateCells(estimate(summary.samePhone(l, h))));
                    append(row, strongest(summary.head(l, h), summary));
                    table.rows.push_back(std::move(row));
                }
        }
    }

    void layers() {
        StudyTable& table =
            add("phones-layers", "Phones by layer",
                formula() +
                    "Mean over the heads of each layer, and over all heads of the "
                    "lower and the upper half; the strongest pair as in the table of heads. " +
                    who() + " " + intervalText(m_findings.study, m_clusters));
        table.columns = {textColumn("model", "Model"), textColumn("layers", "Layers")};
        append(table.columns, estimateColumns("same", "Same phone", 3));
        append(table.columns, strongestColumns());
        for (std::size_t m = 0; m < m_findings.models.size(); ++m) {
            const PhoneSummary& summary = m_findings.models[m];
            const auto row = [&](const std::string& name, std::int64_t first, std::int64_t last) {
                if (first > last)
                    return;
                std::vector<StudyCell> cells{model(m).name, name};
                append(cells, estimateCells(estimate(summary.samePhoneOfLayers(first, last))));
                append(cells, strongest(summary.layersTogether(first, last), summary));
                table.rows.push_back(std::move(cells));
            };
            for (std::int64_t l = 0; l < summary.layers(); ++l)
                row(std::to_string(l + 1), l, l);
            row("lower half", 0, summary.lastOfLowerHalf());
            row("upper half", summary.lastOfLowerHalf() + 1, summary.layers() - 1);
        }
    }

    void coverage() {
        std::string caption =
            "PAR coverage (Shim et al. 2022, Eq. 6): the mean of min(PAR / reference, 1) over the " +
            std::to_string(m_findings.largest) +
            " largest cells of each row of the reference, which is the mean over heads of " +
            m_findings.reference->text + ". Accumulated: of the mean of layers 1 to l. " + who() + " ";
        if (m_findings.coverageDraws > 0)
            caption +=
                "95 % intervals: bootstrap of the maps, " + std::to_string(m_findings.coverageDraws) +
                " draws of " + drawnUnits(m_clusters) +
                ", their spread centred on the measured value, because resampled maps are noisier and cover "
                "less; the reference is not resampled.";
        StudyTable& table = add("phones-coverage", "PAR coverage", caption);
        table.columns = {textColumn("model", "Model"),
                         number("layer", "Layer", 0),
                         number("coverage", "Coverage", 3),
                         number("coverage_low", "95 % from", 3),
                         number("coverage_high", "to", 3),
                         number("accumulated", "Accumulated", 3),
                         number("accumulated_low", "95 % from", 3),
                         number("accumulated_high", "to", 3),
                         number("n", "n", 0)};
        for (std::size_t m = 0; m < m_findings.models.size(); ++m) {
            const auto& found = m_findings.coverage[m];
            if (!found)
                continue;
            const auto& present = m_findings.models[m].present();
            const auto n = static_cast<double>(std::count(present.begin(), present.end(), true));
            for (std::size_t l = 0; l < found->own.size(); ++l)
                table.rows.push_back({model(m).name, static_cast<double>(l + 1), cellOf(found->own[l]),
                                      cellOf(found->ownInterval[l].low), cellOf(found->ownInterval[l].high),
                                      cellOf(found->accumulated[l]),
                                      cellOf(found->accumulatedInterval[l].low),
                                      cellOf(found->accumulatedInterval[l].high), n});
        }
    }

    void classes() {
        StudyTable& table = add(
            "phones-classes", "Phones of the recordings",
            "The 36 classes of Shim et al. 2022, Table 1: tokens that have them, and utterances. “Again”: "
            "utterances in which the phone occurs in two places, where its diagonal cell is defined. " +
                who());
        table.columns = {textColumn("model", "Model"),
                         textColumn("phone", "Phone"),
                         number("tokens", "Tokens", 0),
                         {"share", "Share", "%", 2, false},
                         number("utterances", "Utterances", 0),
                         number("again", "Again", 0)};
        for (std::size_t m = 0; m < m_findings.models.size(); ++m) {
            const PhoneSummary& summary = m_findings.models[m];
            double all = 0;
            for (const std::int64_t tokens : summary.tokens())
                all += static_cast<double>(tokens);
            for (const std::size_t p : phonesInOrder()) {
                const auto tokens = static_cast<double>(summary.tokens()[p]);
                table.rows.push_back({model(m).name, nameOf(p), tokens,
                                      all > 0 ? StudyCell(100 * tokens / all) : StudyCell(),
                                      static_cast<double>(summary.utterances()[p]),
                                      static_cast<double>(summary.counts()(p, p))});
            }
        }
    }

    static std::vector<StudyColumn> phoneColumns(int decimals) {
        std::vector<StudyColumn> columns;
        for (const std::size_t phone : phonesInOrder())
            columns.push_back({nameOf(phone), nameOf(phone), "", decimals, false});
        return columns;
    }

    void maps() {
        StudyTable& table =
            add("phones-maps", "PAR of the lower and the upper half",
                formula() + "Rows attend to columns; mean over all heads of the half. " + who());
        table.columns = {textColumn("model", "Model"), textColumn("layers", "Layers"), textColumn("phone", "Phone")};
        append(table.columns, phoneColumns(2));
        for (std::size_t m = 0; m < m_findings.models.size(); ++m) {
            const PhoneSummary& summary = m_findings.models[m];
            const auto half = [&](const char* name, std::int64_t first, std::int64_t last) {
                const Matrix<double> map = summary.layersTogether(first, last);
                if (first > last)
                    return;
                for (const std::size_t p : phonesInOrder()) {
                    std::vector<StudyCell> row{model(m).name, name, nameOf(p)};
                    for (const std::size_t q : phonesInOrder())
                        row.push_back(cellOf(map(p, q)));
                    table.rows.push_back(std::move(row));
                }
            };
            half("lower half", 0, summary.lastOfLowerHalf());
            half("upper half", summary.lastOfLowerHalf() + 1, summary.layers() - 1);
        }
    }

    void counts() {
        StudyTable& table = add("phones-counts", "Utterances behind each cell",
                                "In how many utterances a pair of phones is defined: both are spoken; on the "
                                "diagonal, the phone occurs in two places. " +
                                    who());
        table.columns = {textColumn("model", "Model"), textColumn("phone", "Phone")};
        append(table.columns, phoneColumns(0));
        for (std::size_t m = 0; m < m_findings.models.size(); ++m)
            for (const std::size_t p : phonesInOrder()) {
                std::vector<StudyCell> row{model(m).name, nameOf(p)};
                for (const std::size_t q : phonesInOrder())
                    row.emplace_back(static_cast<double>(m_findings.models[m].counts()(p, q)));
                table.rows.push_back(std::move(row));
            }
    }

    void comparison() {
        const PhoneSummary& first = m_findings.models.front();
        StudyTable table{"phones-comparison", "Phones: comparison with " + model(0).name, "", {}, {}};
        table.columns = {
            textColumn("model", "Model"), textColumn("layers", "Layers"), number("difference", "Difference", 3),
            number("p", "p", 4),     number("n", "n", 0),       textColumn("test", "Test")};
        for (std::size_t m = 1; m < m_findings.models.size(); ++m) {
            const PhoneSummary& other = m_findings.models[m];
            const auto row = [&](const std::string& name, const std::vector<double>& a,
                                 const std::vector<double>& b) {
                const PairedTest found = pairedTest(a, b, m_clusters, m_findings.study.seed);
                table.rows.push_back({model(m).name, name, cellOf(found.difference), cellOf(found.p),
                                      static_cast<double>(found.n), found.name});
            };
            for (std::int64_t l = 0; l < first.layers() && first.layers() == other.layers(); ++l)
                row(std::to_string(l + 1), other.samePhoneOfLayers(l, l), first.samePhoneOfLayers(l, l));
            row("lower half", other.samePhoneOfLayers(0, other.lastOfLowerHalf()),
                first.samePhoneOfLayers(0, first.lastOfLowerHalf()));
            row("upper half", other.samePhoneOfLayers(other.lastOfLowerHalf() + 1, other.layers() - 1),
                first.samePhoneOfLayers(first.lastOfLowerHalf() + 1, first.layers() - 1));
        }
        table.caption = formula() +
                        "Difference of “same phone”, the mean of the defined diagonal cells of an "
                        "utterance, to " +
                        modelText(model(0)) +
                        ", by the test in its row; p is not corrected for many comparisons. " + who();
        m_tables.push_back(std::move(table));
    }

    const PhoneFindings& m_findings;
    const std::vector<int> m_clusters;
    std::vector<StudyTable> m_tables;
};

} // namespace

std::vector<StudyTable> phoneTables(const PhoneFindings& findings) {
    return PhoneTables(findings).all();
}

} // namespace headroom::training
