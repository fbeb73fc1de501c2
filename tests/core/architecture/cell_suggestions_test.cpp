// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/cell_texts.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::cell_suggestions_test {

class CellSuggestionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// "use relaxed 0.1 matched" for "full matched": typed alone that names no kind.
    void severalWordsAreSuggestedAsTheWholeText_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("use");
        QTest::newRow("a modifier that needs another") << "full matched" << "full relaxed 0.1 matched";
        QTest::newRow("one word for one") << "local 14 relaxed 0.1" << "13 or 15";
    }

    void severalWordsAreSuggestedAsTheWholeText() {
        QFETCH(QString, text);
        QFETCH(QString, use);
        LayerCells cells;
        for (int head = 0; head < 4; ++head)
            cells.push_back({text.toStdString(), head > 0});
        const auto read = readCells(cells, 1);
        const auto* mistakes = std::get_if<std::vector<HeadMistake>>(&read);
        QVERIFY(mistakes && mistakes->size() == 1);
        const QString sentence = QString::fromStdString(mistakes->front().sentence);
        QVERIFY2(sentence.endsWith(QStringLiteral(": use ") + use), qPrintable(sentence));
    }
};

HEADROOM_TEST(CellSuggestionsTest)

} // namespace headroom::testing::cell_suggestions_test

#include "cell_suggestions_test.moc"
