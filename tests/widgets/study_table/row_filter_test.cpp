// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_table/row_filter.h"

#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::row_filter_test {

using namespace headroom::widgets;

namespace {

using Text = std::string;

/// Whose values contain digits of the layers.
StudyTable probe() {
    return {"probe",
            "",
            "",
            {{"model", "Model", "", 0, true}, {"layer", "Layer", "", 0, false}, {"mean", "Accuracy", "%", 1, false}, {"n", "Test tokens", "", 0, false}},
            {{Text("demo, seed 1"), 1.0, 12.3, 2212.0}, {Text("demo, seed 1"), 2.0, 33.0, 2212.0}, {Text("demo, seed 20"), 12.0, 2.0, 2212.0},
             {Text("v1.2"), 2.0, {}, 2212.0}, {Text("demo, seed 2"), 3.0, 0.5, 2212.0}}};
}

StudyTable latency() {
    return {"latency", "", "", {{"model", "Model", "", 0, true}, {"tokens", "Tokens", "", 0, false}, {"rest", "Rest", "ms", 3, false}},
            {{Text("demo"), 100.0, 400.0}, {Text("demo"), 400.0, 100.0}}};
}

StudyTable comparison() {
    return {"comparison", "", "", {{"model", "Model", "", 0, true}, {"layers", "Layers", "", 0, true}, {"p", "p", "", 4, false}},
            {{Text("demo"), Text("2"), 0.2}, {Text("demo"), Text("12"), 0.2}, {Text("demo"), Text("lower half"), 2.0}}};
}

} // namespace

class RowFilterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// "2" kept every row with a 2 in any of its numbers.
    void measuredNumbersAreNotSearched_data() {
        QTest::addColumn<int>("table");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QList<int>>("rows");
        QTest::newRow("layer") << 0 << "2" << QList<int>{1, 3};
        QTest::newRow("layer, named") << 0 << "lay 2" << QList<int>{1, 3};
        QTest::newRow("a value") << 0 << "12.3" << QList<int>();
        QTest::newRow("a count") << 0 << "2212" << QList<int>();
        QTest::newRow("model") << 0 << "DEMO" << QList<int>{0, 1, 2, 4};
        QTest::newRow("model and layer") << 0 << "demo 2" << QList<int>{1};
        QTest::newRow("number in a name") << 0 << "seed 2" << QList<int>{4};
        QTest::newRow("number in a name, and layer") << 0 << "2 seed 1" << QList<int>{1};
        QTest::newRow("point in a name") << 0 << "v1.2" << QList<int>{3};
        QTest::newRow("two layers") << 0 << "layer 2 layer 3" << QList<int>();
        QTest::newRow("length") << 1 << "400" << QList<int>{1};
        QTest::newRow("layers in texts") << 2 << "2" << QList<int>{0};
        QTest::newRow("half") << 2 << "half" << QList<int>{2};
    }
    void measuredNumbersAreNotSearched() {
        QFETCH(int, table);
        QFETCH(QString, words);
        QFETCH(QList<int>, rows);
        const StudyTable asked = table == 0 ? probe() : table == 1 ? latency() : comparison();
        const RowFilter filter(words, asked);
        QList<int> found;
        for (std::size_t row = 0; row < asked.rows.size(); ++row)
            if (filter.accepts(asked.rows[row]))
                found << static_cast<int>(row);
        QCOMPARE(found, rows);
    }

    void theSearchedColumnsNameTheRows() {
        QCOMPARE(RowFilter::searchedColumns(probe()), (std::vector<std::size_t>{1, 0}));
        QCOMPARE(RowFilter::searchedColumns(latency()), (std::vector<std::size_t>{1, 0}));
    }
};

HEADROOM_TEST(RowFilterTest)

} // namespace headroom::testing::row_filter_test

#include "row_filter_test.moc"
