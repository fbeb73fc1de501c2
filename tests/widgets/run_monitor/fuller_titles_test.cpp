// SPDX-License-Identifier: GPL-3.0-or-later
// A title of an evaluation says as much as fits between its brief form and the whole.
#include "widgets/run_monitor/fuller_titles.h"

#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/fitted_titles.h"

#include <QTest>

namespace headroom::testing::fuller_titles_test {

using namespace headroom::widgets;

class FullerTitlesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// “demo … on test…” stood in a column that was wide enough for six times as much.
    void theRoomIsUsed() {
        const QFontMetrics metrics(Sizes::text());
        const QString whole = QStringLiteral("Evaluate demo, mean of 5 checkpoints, the last of update 6,000, on test of good, asr, beam 3"),
                      brief = QStringLiteral("demo … on test…");
        const auto at = [&](const char* room) { return fittedTitle(Titles{whole, brief}, metrics, metrics.horizontalAdvance(QString::fromUtf8(room))); };
        for (const char* shown : {"demo … on test…", "demo … on test of good…", "demo … on test of good, asr, beam 3", "demo, mean of 5 checkpoints … on test of good, asr, beam 3",
                                  "demo, mean of 5 checkpoints, the last of update 6,000, on test of good, asr, beam 3"})
            QCOMPARE(at(shown), QString::fromUtf8(shown));
        QCOMPARE(at(qPrintable(whole)), whole);
        for (int width = metrics.horizontalAdvance(brief); width < metrics.horizontalAdvance(whole); ++width) {
            const QString shown = fittedTitle(Titles{whole, brief}, metrics, width);
            QVERIFY2(metrics.horizontalAdvance(shown) <= width && couldBe(QStringLiteral("…") + shown, whole), qPrintable(shown));
        }
    }

    void whatTellsItApartStays() {
        const QFontMetrics metrics(Sizes::text());
        const QString whole = QStringLiteral("Evaluate demo, seed 2, mean of 3 checkpoints, the last of update 200, on test of good, asr, CTC beam 3, beam 3"),
                      brief = QStringLiteral("demo, seed 2 … on test … beam 3");
        const QString shown = fullerTitle(whole, brief, metrics, metrics.horizontalAdvance(QStringLiteral("demo, seed 2 … on test of good … beam 3")));
        QCOMPARE(shown, QStringLiteral("demo, seed 2 … on test of good … beam 3"));
        QCOMPARE(fullerTitle(whole, QStringLiteral("demo, seed 2 … on test … mean of 3 checkpoints"), metrics,
                             metrics.horizontalAdvance(QStringLiteral("demo, seed 2, mean of 3 checkpoints … on test of good, asr…"))),
                 QStringLiteral("demo, seed 2, mean of 3 checkpoints … on test of good, asr…"));
        QCOMPARE(fullerTitle(whole, brief, metrics, 20), QString());
        QCOMPARE(fullerTitle(whole, QStringLiteral("other … on test…"), metrics, 2000), QString());
    }

    /// Of a model “a”, “aluate a on test of good” was shown.
    void aNameIsNotFoundInAnotherWord() {
        const QFontMetrics metrics(Sizes::text());
        for (const char* name : {"a", "e", "val", "demo a"}) {
            const QString model = QString::fromLatin1(name), most = model + QStringLiteral(" on test of good, asr…");
            QCOMPARE(fullerTitle(QStringLiteral("Evaluate %1 on test of good, asr, beam 3").arg(model), model + QStringLiteral(" … on test…"), metrics,
                                 metrics.horizontalAdvance(most)),
                     most);
        }
        QCOMPARE(fullerTitle(QStringLiteral("Evaluate ab on test of good"), QStringLiteral("a … on test…"), metrics, 2000), QString());
    }
};

HEADROOM_TEST(FullerTitlesTest)

} // namespace headroom::testing::fuller_titles_test

#include "fuller_titles_test.moc"
