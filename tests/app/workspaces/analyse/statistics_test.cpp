// SPDX-License-Identifier: GPL-3.0-or-later
// The table of Statistics: which heads its filter shows, and its order while utterances change.
#include "app/workspaces/analyse/heads/statistics_panel.h"
#include "tests/app/workspaces/analyse/heads_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QTest>

#include <algorithm>

namespace headroom::testing::statistics_test {

using namespace headroom::app;

namespace {

/// Eight layers with four heads, half of them local, whose values contain every digit.
std::shared_ptr<HeadContent> eightLayers() {
    auto content = std::make_shared<HeadContent>();
    content->cad = Matrix<double>(8, 4);
    content->entropy = content->meanDistance = content->maximum = content->onSilence = Matrix<double>(8, 4, 64.642);
    content->kinds.assign(8, {HeadKind::Full, HeadKind::Full, HeadKind::Local, HeadKind::Local});
    return content;
}

} // namespace

class StatisticsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// "6" kept every head with a 6 in any of its numbers, and "layer 6" none.
    void theFilterGoesByLayerHeadAndKind_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QStringList>("heads");
        QTest::newRow("layer") << "6" << QStringList{"6/1", "6/2", "6/3", "6/4"};
        QTest::newRow("layer, named") << "Layer 6" << QStringList{"6/1", "6/2", "6/3", "6/4"};
        QTest::newRow("layer and head") << "6 4" << QStringList{"6/4"};
        QTest::newRow("both named") << "layer 6, head 4" << QStringList{"6/4"};
        QTest::newRow("head named first") << "head 4 layer 6" << QStringList{"6/4"};
        QTest::newRow("layer named") << "layer 6 4" << QStringList{"6/4"};
        QTest::newRow("as elsewhere") << "6/4" << QStringList{"6/4"};
        QTest::newRow("layer and kind") << "6 local" << QStringList{"6/3", "6/4"};
        QTest::newRow("kind first") << "FULL layer 6" << QStringList{"6/1", "6/2"};
        QTest::newRow("head") << "head 2" << QStringList{"1/2", "2/2", "3/2", "4/2", "5/2", "6/2", "7/2", "8/2"};
        QTest::newRow("head and kind") << "head 2 local" << QStringList();
        QTest::newRow("no such layer") << "64" << QStringList();
        QTest::newRow("three numbers") << "6 4 6" << QStringList();
        QTest::newRow("a value") << "64.642" << QStringList();
        QTest::newRow("another word") << "6 nowhere" << QStringList();
    }
    void theFilterGoesByLayerHeadAndKind() {
        QFETCH(QString, words);
        QFETCH(QStringList, heads);
        StatisticsPanel panel(nullptr);
        panel.showContent(eightLayers());
        panel.filterField()->setText(words);
        const auto* shown = panel.table()->model();
        QStringList found;
        for (int row = 0; row < shown->rowCount(); ++row)
            found << shown->index(row, 0).data().toString() + u'/' + shown->index(row, 1).data().toString();
        QCOMPARE(found, heads);
    }

    /// While one types, the table does not become empty.
    void aNumberThatIsStillToBeTypedHidesNothing() {
        StatisticsPanel panel(nullptr);
        panel.showContent(eightLayers());
        for (const auto& [words, shown] : {std::pair{"", 32}, {"l", 32}, {"lay", 32}, {"layer", 32}, {"head", 32}, {"6 head", 4}}) {
            panel.filterField()->setText(QString::fromLatin1(words));
            QVERIFY2(panel.table()->shownRows() == shown, words);
        }
    }

    /// The order and its arrow were gone at every utterance.
    void theOrderOutlastsAnotherUtterance() {
        HeadsDesk desk;
        desk.session.open({desk.workshop.wav("one.wav", 0.5), desk.workshop.wav("two.wav", 0.4), desk.workshop.model("small")});
        auto* panel = desk.part<StatisticsPanel>();
        desk.front(panel);
        QVERIFY(desk.settle());
        auto* table = panel->table();
        QVERIFY(table->shownRows() > 0);
        constexpr int kDistance = 4;
        table->sortByColumn(kDistance, Qt::DescendingOrder);
        const auto& utterances = *desk.session.utterances();
        desk.session.setCurrentUtterance(utterances.at(utterances.at(0).id == desk.session.currentUtterance()->id ? 1 : 0).id);
        bool wasEmpty = table->shownRows() == 0;
        connect(table->model(), &QAbstractItemModel::modelReset, this, [&] { wasEmpty = wasEmpty || table->shownRows() == 0; });
        QVERIFY(desk.settle());
        QVERIFY(wasEmpty && table->shownRows() > 0); // it is filled anew
        QCOMPARE(table->horizontalHeader()->sortIndicatorSection(), kDistance);
        QCOMPARE(table->horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
        const auto distance = [&](int row) { return table->model()->index(row, kDistance).data(widgets::StudyTableModel::kRawRole).toDouble(); };
        QVERIFY(distance(0) > distance(1));
    }
};

HEADROOM_TEST(StatisticsTest)

} // namespace headroom::testing::statistics_test

#include "statistics_test.moc"
