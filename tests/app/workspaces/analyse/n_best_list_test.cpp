// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/n_best_list.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QMimeData>
#include <QTest>
#include <QTextCursor>

#include <memory>

namespace headroom::testing::n_best_list_test {

using namespace headroom::app;

namespace {

SpokenWords::Hypothesis hypothesis(double score, const QString& text) {
    SpokenWords::Hypothesis made;
    made.score = score;
    for (const QString& word : text.split(QLatin1Char(' ')))
        made.words.push_back({word, SpokenWords::Span{Seconds(0.1), Seconds(0.2)}});
    return made;
}

} // namespace

/// What is copied from the list as plain text.
class NBestListTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        widgets::Theme::apply(QStringLiteral("light"));
        m_list = std::make_unique<NBestList>();
        m_list->setHypotheses({hypothesis(-1.25, QStringLiteral("the bridge has four pictures")),
                               hypothesis(-2.5, QStringLiteral("the bridge has forty pictures")),
                               hypothesis(-3, QStringLiteral("the bridge pictures"))});
        m_list->show();
    }

    /// Number, score and text were three lines, and "four forty" stood in a text that has one of them.
    void eachTextIsALineOfItsOwnWords() {
        QTest::keyClick(m_list.get(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(m_list.get(), Qt::Key_C, Qt::ControlModifier);
        const QMimeData* data = QApplication::clipboard()->mimeData();
        QCOMPARE(data->text(), QStringLiteral("1\t−1.250\tthe bridge has four pictures\n"
                                              "2\t−2.500\tthe bridge has forty pictures\n"
                                              "3\t−3.000\tthe bridge pictures"));
        QVERIFY(data->html().contains(QStringLiteral("line-through"))); // where a mark can be seen, it stays
    }

    void aFewWordsAreCopiedAlone() {
        QVERIFY(m_list->find(QStringLiteral("has four forty")));
        m_list->copy();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("has forty"));
    }

    void aSelectionOverSeveralRowsHasItsCellsWhole() {
        QVERIFY(m_list->find(QStringLiteral("bridge has four pictures")));
        QTextCursor cursor = m_list->textCursor();
        cursor.setPosition(cursor.selectionStart());
        QVERIFY(m_list->find(QStringLiteral("forty")));
        cursor.setPosition(m_list->textCursor().selectionEnd(), QTextCursor::KeepAnchor);
        m_list->setTextCursor(cursor);
        m_list->copy();
        QCOMPARE(QApplication::clipboard()->text(),
                 QStringLiteral("the bridge has four pictures\nthe bridge has forty pictures"));
    }

private:
    std::unique_ptr<NBestList> m_list;
};

HEADROOM_TEST(NBestListTest)

} // namespace headroom::testing::n_best_list_test

#include "n_best_list_test.moc"
