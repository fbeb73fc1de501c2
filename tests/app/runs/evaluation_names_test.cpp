// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/evaluation_names.h"
#include "tests/support/runner.h"
#include "widgets/run_monitor/fitted_titles.h"

#include <QTest>

namespace headroom::testing::evaluation_names_test {

using widgets::RunItem;

namespace {

RunItem run(const char* name, const char* group, int seed) {
    RunItem item;
    item.folder = std::string("/runs/") + group;
    item.name = QString::fromLatin1(name);
    item.group = QString::fromLatin1(group);
    item.info.seed = static_cast<std::uint64_t>(seed);
    return item;
}

} // namespace

class EvaluationNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// What differs of two evaluations is in their names.
    void evaluationsAreToldApart() {
        RunItem one = run("smoke", "a", 1), language = run("words", "b", 2);
        one.data = QStringLiteral("corpus");
        one.task = QStringLiteral("asr");
        const std::vector<RunItem> runs{one, language};
        EvaluationRequest request{one.folder / "model", "model", "/corpora/corpus", "test", "asr", 3, "auto"};
        QCOMPARE(app::evaluationTitle(request, runs), QStringLiteral("Evaluate smoke, seed 1, on test of corpus, asr, beam 3"));
        QCOMPARE(app::briefEvaluationTitle(request, runs), QStringLiteral("smoke, seed 1 … on test…"));
        EvaluationRequest other = request;
        other.beam = 1;
        QCOMPARE(app::evaluationTitle(other, runs), QStringLiteral("Evaluate smoke, seed 1, on test of corpus, asr"));
        QCOMPARE(app::decodingText(other), QStringLiteral("greedy"));
        other.ctcBeam = 3;
        QCOMPARE(app::evaluationTitle(other, runs), QStringLiteral("Evaluate smoke, seed 1, on test of corpus, asr, CTC beam 3"));
        other = request;
        other.ctcWeight = 0.3;
        other.languageModel = language.folder / "model";
        other.languageModelWeight = 0.25;
        other.glm = "/rules/en.glm";
        QCOMPARE(app::decodingText(other, runs), QStringLiteral("beam 3, CTC weight 0.3, language model words, seed 2 at 0.25, rules en.glm"));
        other.lengthPenalty = -1; // with the minus of all numbers
        other.languageModelWeight = -0.25;
        QCOMPARE(app::decodingText(other, runs),
                 QStringLiteral("beam 3, CTC weight 0.3, language model words, seed 2 at −0.25, length penalty −1, rules en.glm"));
        other = request;
        other.data = "/corpora/other";
        other.task = "st_de";
        QCOMPARE(app::evaluationTitle(other, runs), QStringLiteral("Evaluate smoke, seed 1, on test of other, st_de, beam 3"));
        other.model = "/models/2026-11-21T10-31_x/model"; // no run of this list: nothing is known of its own
        QCOMPARE(app::evaluationTitle(other, runs), QStringLiteral("Evaluate x on test of other, st_de, beam 3"));
        EvaluationRequest elsewhere = other;
        elsewhere.data = "/corpora/corpus";
        QCOMPARE(app::evaluationTitle(elsewhere, runs), QStringLiteral("Evaluate x on test of corpus, st_de, beam 3"));
    }

    /// Of what did not record its weights, two evaluations had one title, in a narrow queue and in a wide one.
    void evaluationsOfOneTitleAreToldApartByTheirTime() {
        const std::vector<RunItem> runs{run("smoke", "a", 1)};
        std::vector<EvaluationInfo> all;
        for (const char* ended : {"", "2026-11-21T11:02:00Z", "2026-11-21T10:31:05Z", "2026-11-20T10:31:05Z"}) {
            EvaluationInfo& one = all.emplace_back();
            one.folder = "/runs/evaluations/" + std::to_string(all.size());
            one.request = {runs[0].folder / "model", "model", "/corpora/corpus", "test", "asr", 1, "auto"};
            one.ended = ended;
        }
        all.push_back(all[2]);
        all.back().folder = "/runs/evaluations/beam";
        all.back().request.beam = 3;
        const auto titles = app::evaluationTitles(all, runs);
        const QString title = QStringLiteral("Evaluate smoke, seed 1, on test of corpus, asr");
        QStringList ordered, narrow;
        QHash<QString, QString> briefs;
        for (const EvaluationInfo& one : all)
            briefs.insert(ordered.emplace_back(titles.at(one.folder)), app::briefEvaluationTitle(one.request, runs));
        QCOMPARE(ordered, (QStringList{title, title + QStringLiteral(", 2026-11-21 11:02:00"), title + QStringLiteral(", 2026-11-21 10:31:05"),
                                       title + QStringLiteral(", 2026-11-20 10:31:05"), title + QStringLiteral(", beam 3")}));
        const auto apart = widgets::evaluationsApart(briefs);
        for (const QString& one : ordered)
            narrow << apart[one].brief;
        QCOMPARE(narrow, (QStringList{QStringLiteral("smoke, seed 1 … on test…"), QStringLiteral("smoke, seed 1 … on test … 2026-11-21 11:02:00"),
                                      QStringLiteral("smoke, seed 1 … on test … 2026-11-21 10:31:05"),
                                      QStringLiteral("smoke, seed 1 … on test … 2026-11-20 10:31:05"), QStringLiteral("smoke, seed 1 … on test … beam 3")}));
    }
};

HEADROOM_TEST(EvaluationNamesTest)

} // namespace headroom::testing::evaluation_names_test

#include "evaluation_names_test.moc"
