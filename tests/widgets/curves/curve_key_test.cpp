// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagonality.h"
#include "tests/support/runner.h"
#include "widgets/curves/curve_key.h"
#include "widgets/curves/diagonality_plot.h"
#include "widgets/curves/plot_style.h"
#include "widgets/look/sizes.h"

#include <qcustomplot.h>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTest>
#include <QVBoxLayout>

namespace headroom::testing::curve_key_test {

using namespace headroom::widgets;

class CurveKeyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Three models with long names: none is left out, none lies on the axes, every name keeps both ends.
    void theKeyOfThreeModelsIsWholeAtEveryWidth() {
        Matrix<double> map(30, 30, 1.0 / 30);
        const DiagonalProfile profile(map.view());
        const QString name = QStringLiteral("speech-translation-model-with-a-name-of-its-own-%1");
        DiagonalityPlot plot;
        plot.setCurrent(2, profile);
        plot.setCompared({name.arg(0), 0, {}}, {{name.arg(1), 1, profile}, {name.arg(2), 2, profile}});
        plot.show();
        const auto* inner = plot.findChild<QCustomPlot*>();
        for (const int width : {220, 300, 520, 900}) {
            plot.resize(width, 240);
            plot.grab();
            for (const int id : {0, 1}) {
                const QRect entry = plot.keyRect(id);
                QVERIFY(!entry.isEmpty());
                QVERIFY2(plot.rect().contains(entry), qPrintable(QString::number(width)));
                QVERIFY(entry.top() > inner->axisRect()->bottom() + inner->y());
            }
            const KeyRows rows = layKey(plot.keyEntries(), width - 60, 3);
            QCOMPARE(rows.left, 0);
            for (std::size_t i = 0; i < 3; ++i)
                QVERIFY2(rows.entries[i].text.endsWith(QString::number(i)), qPrintable(rows.entries[i].text));
        }
        plot.setKeyOutside(true); // another widget has it: the plot takes the room
        QVERIFY(plot.keyRect(0).isEmpty());
        CurveKey key(1);
        key.resize(150, 24);
        key.setEntries(plot.keyEntries());
        QVERIFY(key.toolTip().contains(name.arg(2)));
        QVERIFY(layKey(plot.keyEntries(), 60, 1).left > 0); // no room: counted, not dropped
    }

    /// "…50 updates" is another run.
    void aNameIsNotCutWithinANumber() {
        const QString name = QStringLiteral("demo, layers 4-8 changed, 150 updates");
        const QFontMetricsF font(Sizes::small());
        int cut = 0;
        for (double width = font.horizontalAdvance(name); width > 60; width -= 1) {
            const QString text = elidedInMiddle(name, font, width), tail = text.section(QChar(0x2026), 1);
            QVERIFY2(font.horizontalAdvance(text) <= width && name.endsWith(tail), qPrintable(text));
            QVERIFY2(!tail.contains(QStringLiteral("0 updates")) || tail.contains(QStringLiteral("150")),
                     qPrintable(text));
            cut += tail.isEmpty() ? 0 : 1;
        }
        QVERIFY(cut > 20);
        QCOMPARE(elidedInMiddle(name, font, 1000), name);
    }

    /// Two rows had room for three names, which shared one: "sp…1", "sp…2", "sp…3".
    void namesAreWholeWhileThereAreRows() {
        std::vector<KeyEntry> entries;
        for (int i = 0; i < 5; ++i)
            entries.push_back({QStringLiteral("speech translation, variant %1").arg(i), {}, QPen()});
        const double one = QFontMetricsF(Sizes::small()).horizontalAdvance(entries[0].name);
        for (double width = one + 4 * Sizes::unit(); width < 6 * one; width += 37) {
            const KeyRows rows = layKey(entries, width, 5);
            QCOMPARE(rows.entries.size(), entries.size());
            for (std::size_t i = 0; i < entries.size(); ++i) {
                QCOMPARE(rows.entries[i].text, entries[i].name);
                QVERIFY(rows.entries[i].box.right() <= width);
            }
        }
        QVERIFY(layKey(entries, one, 5).entries[0].text.contains(QChar(0x2026))); // wider than the plot
    }

    /// "demo, …× norm" was of "demo" and of "demo, seed 1".
    void brieferNamesStandWhereTheNamesHaveNoRoom() {
        std::vector<KeyEntry> entries;
        for (const char* model : {"demo", "s2t", "demo, seed 1"})
            for (const auto& [measure, symbol] : {std::pair("Attention × norm", "N"), {"Contributions", "C"}, {"ALTI", "L"}}) {
                KeyEntry entry{QStringLiteral("%1, %2").arg(QLatin1String(model), QString::fromUtf8(measure)), {}, QPen()};
                entry.brief = QStringLiteral("%1, %2").arg(QLatin1String(model), QLatin1String(symbol));
                entries.push_back(entry);
            }
        for (const double units : {44.0, 50.0, 300.0}) {
            const KeyRows rows = layKey(entries, units * Sizes::unit(), 3);
            QCOMPARE(rows.entries.size(), entries.size());
            for (std::size_t i = 0; i < entries.size(); ++i)
                QCOMPARE(rows.entries[i].text, units > 100 ? entries[i].name : entries[i].brief);
        }
    }

    /// Total and attention of nine models: eighteen entries of two letters and an ellipsis said nothing.
    void neighboursWithOneBriefNameStandOnce() {
        std::vector<KeyEntry> entries;
        for (const char* model : {"demo", "whisper-80", "wav2vec2-base", "wavlm-base", "hubert-large", "parakeet-ctc",
                                  "espnet-e-branchformer", "wav2vec2-bert", "data2vec-audio"})
            for (const char* part : {"total", "attention"}) {
                entries.push_back({QStringLiteral("%1, %2").arg(QLatin1String(model), QLatin1String(part)), {}, QPen()});
                entries.back().brief = QLatin1String(model);
            }
        const double width = 55 * Sizes::unit();
        const KeyRows rows = layKey(entries, width, 3);
        QCOMPARE(rows.left, 0);
        QCOMPARE(rows.entries.size(), entries.size());
        for (std::size_t i = 0; i < entries.size(); ++i) {
            QCOMPARE(rows.entries[i].text, i % 2 == 0 ? entries[i].brief : QString());
            QVERIFY(rows.entries[i].box.right() <= width && rows.entries[i].box.isEmpty() == (i % 2 == 1));
        }
        QCOMPARE(layKey(entries, width, 18).entries[1].text, entries[1].name); // a figure has room for all of them
    }

    void whatHasNoRoomInTheRowsIsCounted() {
        std::vector<KeyEntry> entries;
        for (int i = 0; i < 18; ++i)
            entries.push_back({QStringLiteral("speech translation, variant %1").arg(i), {}, QPen()});
        const double width = 30 * Sizes::unit();
        const KeyRows rows = layKey(entries, width, 3);
        QVERIFY(rows.left > 0);
        QCOMPARE(rows.entries.size() + std::size_t(rows.left), entries.size());
        for (const KeyRows::Placed& one : rows.entries)
            QVERIFY2(one.box.right() <= width, qPrintable(one.text));
    }

    /// Of thirteen models two were “w…e”, and “moved” was “m…d” in a row that had room.
    void cutNamesCanBeToldApartAndShortOnesAreWhole() {
        std::vector<KeyEntry> entries;
        const QStringList names{"hubert-model", "demo", "wav2vec2-base", "moved", "wavlm-base", "parakeet-ctc", "wav2vec2-bert", "whisper-128",
                                "hubert-base", "wav2vec2-pretraining", "data2vec-audio", "bad3", "bad4", "other layers"};
        for (const QString& name : names)
            entries.push_back({name, {}, QPen()});
        CurveKey key(3);
        key.setEntries(entries);
        const double row = layKey({entries.front()}, 1000, 1).height;
        for (const double units : {24.0, 32.0, 42.0, 55.0, 70.0}) {
            const double width = units * Sizes::unit();
            const auto rows = qRound(key.heightForWidth(qRound(width)) / row);
            QVERIFY(rows <= 6);
            const KeyRows laid = layKey(entries, width, rows);
            QCOMPARE(laid.entries.size() + std::size_t(laid.left), entries.size());
            QVERIFY2(laid.left == 0 || units < 40, qPrintable(QString::number(units)));
            QStringList shown;
            for (std::size_t i = 0; i < laid.entries.size(); ++i) {
                const auto& [box, text] = laid.entries[i];
                QVERIFY2(!shown.contains(text) && (names[qsizetype(i)].size() > 8 ? text.size() > 7 : text == names[qsizetype(i)]), qPrintable(text));
                QVERIFY2(box.right() <= width, qPrintable(text));
                shown << text;
            }
        }
    }

    /// In a low panel its letters were cut through the middle.
    void aKeyOfSeveralRowsAsksForAllOfThem() {
        CurveKey key(2);
        key.setEntries({{QStringLiteral("a name that is rather long"), {}, QPen()},
                        {QStringLiteral("another one that is as long"), {}, QPen()}});
        key.resize(160, 5);
        QVERIFY(key.heightForWidth(160) > key.heightForWidth(2000));
        QCOMPARE(key.minimumSizeHint().height(), key.heightForWidth(160));
    }

    void theKeyAndItsNumbersChooseACurve() {
        Matrix<double> map(30, 30, 1.0 / 30);
        const DiagonalProfile profile(map.view());
        DiagonalityPlot plot;
        plot.resize(700, 320);
        plot.setCurrent(2, profile);
        plot.setCompared({QStringLiteral("here"), 0, {}}, {{QStringLiteral("layer 4"), 1, profile},
                                                           {QStringLiteral("nothing"), 2, {}},
                                                           {QStringLiteral("layer 5"), 3, profile}});
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.grab(); // the key is laid out when it is drawn
        QSignalSpy chosen(&plot, &DiagonalityPlot::comparedChosen);
        QVERIFY(plot.keyRect(1).isEmpty()); // no curve, no entry
        QVERIFY(!plot.keyRect(2).isEmpty());
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.keyRect(2).center());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.takeFirst().at(0).toInt(), 2);
        QTest::keyClick(&plot, Qt::Key_1);
        QCOMPARE(chosen.takeFirst().at(0).toInt(), 0);
        QTest::keyClick(&plot, Qt::Key_9); // there is none
        QCOMPARE(chosen.count(), 0);
        QCOMPARE(plot.window(), 0);
    }

    /// Figures of a low panel had axes with a single tick.
    void aFigureIsNotAsFlatAsALowPanel() {
        DiagonalityPlot plot;
        plot.resize(300, plot.sizeHint().height() / 2);
        plot.show();
        QCOMPARE(plot.figureSize().height(), plot.sizeHint().height());
    }

    /// A panel that had been made narrower while a study stood in it cut the key in half when the open utterances came back.
    void aKeyThatWasResizedWhileHiddenHasItsRows() {
        QStackedWidget pages;
        auto* page = new QWidget;
        auto* layout = new QVBoxLayout(page);
        auto* row = new QHBoxLayout;
        auto* key = new CurveKey(2);
        row->addWidget(key);
        layout->addLayout(row);
        layout->addWidget(new QWidget, 1);
        pages.addWidget(page);
        pages.addWidget(new QWidget);
        std::vector<KeyEntry> entries;
        for (int i = 0; i < 4; ++i)
            entries.push_back({QStringLiteral("a name, layer %1").arg(i), {}, QPen()});
        key->setEntries(entries);
        pages.resize(qRound(90 * Sizes::unit()), 300);
        pages.show();
        QCoreApplication::processEvents();
        const int one = key->height();
        pages.setCurrentIndex(1);
        pages.resize(qRound(45 * Sizes::unit()), 300);
        QCoreApplication::processEvents();
        pages.setCurrentIndex(0);
        QTRY_COMPARE(key->height(), key->heightForWidth(key->width()));
        QVERIFY(key->height() > one);
    }
};

HEADROOM_TEST(CurveKeyTest)

} // namespace headroom::testing::curve_key_test

#include "curve_key_test.moc"
