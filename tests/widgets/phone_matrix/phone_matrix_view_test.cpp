// SPDX-License-Identifier: GPL-3.0-or-later
// The map of phones on its own: data in, intentions out, colours where they are known.
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"
#include "widgets/phone_matrix/phone_groups.h"
#include "widgets/phone_matrix/phone_matrix_view.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>
#include <QToolTip>
#include <QXmlStreamReader>

#include <map>
#include <set>

namespace headroom::testing::phone_matrix_view_test {

using namespace headroom::widgets;

namespace {

constexpr auto kClasses = std::size_t(kPhoneClassCount);

int classOf(const char* name) {
    return phoneClass(name).value();
}

/// 1 everywhere, but for a few cells that are looked for.
PhoneRelation sample() {
    PhoneRelation map;
    map.par = Matrix<double>(kClasses, kClasses, 1.0);
    map.par(std::size_t(classOf("IH")), std::size_t(classOf("IY"))) = 4;
    map.par(std::size_t(classOf("S")), std::size_t(classOf("Z"))) = 0.25;
    map.par(std::size_t(classOf("JH")), std::size_t(classOf("JH"))) = NAN;
    return map;
}

struct Shown {
    PhoneMatrixView view;
    QImage picture;
    explicit Shown(PhoneRelation map, QSize size = {620, 560}) {
        view.resize(size);
        view.setMap(std::move(map));
        view.show();
        paint();
    }
    void paint() { picture = view.grab().toImage().convertToFormat(QImage::Format_RGB32); }
    QColor at(PhonePair pair) const { return picture.pixelColor(view.cellRect(pair).center().toPoint()); }
    /// How many different colours a cell's inside has: a hatched one has several.
    int coloursIn(PhonePair pair) const {
        std::set<QRgb> colours;
        const QRect cell = view.cellRect(pair).toRect().adjusted(2, 2, -2, -2);
        for (int y = cell.top(); y <= cell.bottom(); ++y)
            for (int x = cell.left(); x <= cell.right(); ++x)
                colours.insert(picture.pixel(x, y));
        return int(colours.size());
    }
};

} // namespace

class PhoneMatrixViewTest : public QObject {
    Q_OBJECT

    /// The texts of a figure, in order.
    static QString textsOf(PhoneMatrixView& view, bool onScreen = false) {
        QBuffer svg;
        QSvgGenerator generator;
        generator.setOutputDevice(&svg);
        generator.setSize(view.figureSize());
        QPainter painter(&generator);
        if (onScreen)
            view.render(&painter);
        else
            view.renderTo(painter, QRect(QPoint(), view.figureSize()));
        painter.end();
        QXmlStreamReader reader(svg.data());
        QStringList texts;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
                texts << reader.readElementText().simplified();
        return texts.join(QLatin1Char(' '));
    }

private Q_SLOTS:
    void init() { Theme::apply(QStringLiteral("light")); }

    /// The end of the line below was missing in the file, and the read-out of no pair stood there.
    void aFigureSaysAllOfItsAxesAndNothingOfThePointer() {
        const QString foot = QStringLiteral("Columns: attended phone; rows: attending phone. Silence and a token's own run are left out.");
        for (const QSize size : {QSize(542, 250), QSize(420, 300), QSize(340, 230), QSize(900, 700)}) {
            Shown shown(sample(), size);
            const QString texts = textsOf(shown.view);
            QVERIFY2(texts.contains(foot), qPrintable(texts));
            QVERIFY2(!texts.contains(QStringLiteral("pair \u2013")) && !texts.contains(QStringLiteral("PAR \u2013")), qPrintable(texts));
            const QImage screen = shown.picture;
            QTest::mouseMove(&shown.view, shown.view.cellRect({classOf("S"), classOf("Z")}).center().toPoint());
            shown.paint();
            QVERIFY(shown.picture != screen); // the cell under the mouse is marked there
            QCOMPARE(textsOf(shown.view), texts);
        }
        Shown chosen(sample(), {620, 560});
        chosen.view.setSelected(PhonePair{classOf("S"), classOf("Z")});
        QVERIFY2(!textsOf(chosen.view).contains(QStringLiteral("PAR 0.25")), qPrintable(textsOf(chosen.view)));
    }

    /// The ring of the selection was in the file, and half a panel of nothing between the last line and the caption.
    void aFigureEndsBelowItsFootAndHasNoSelection() {
        const auto figureOf = [](PhoneMatrixView& view) {
            QImage figure(view.figureSize(), QImage::Format_RGB32);
            figure.fill(Qt::magenta);
            QPainter painter(&figure);
            view.renderTo(painter, figure.rect());
            painter.end();
            return figure;
        };
        for (const QSize size : {QSize(420, 900), QSize(900, 460), QSize(620, 560), QSize(340, 230), QSize(1200, 250)}) {
            Shown shown(sample(), size);
            const QImage figure = figureOf(shown.view);
            const QRgb ground = figure.pixel(figure.width() - 1, figure.height() - 1);
            int below = 0;
            const auto isEmpty = [&](int row) {
                for (int x = 0; x < figure.width(); ++x)
                    if (figure.pixel(x, row) != ground)
                        return false;
                return true;
            };
            while (below < figure.height() && isEmpty(figure.height() - 1 - below))
                ++below;
            QVERIFY2(below > 0 && below < 14, qPrintable(QStringLiteral("%1 of %2").arg(below).arg(figure.height())));
            shown.view.setSelected(PhonePair{classOf("S"), classOf("Z")});
            QCOMPARE(figureOf(shown.view), figure);
            QCOMPARE(shown.view.selected(), (PhonePair{classOf("S"), classOf("Z")}));
        }
    }

    void everyClassHasOnePlaceAndGroupsFillTheMap() {
        std::set<int> classes(phoneOrder().begin(), phoneOrder().end());
        QCOMPARE(int(classes.size()), kPhoneClassCount);
        for (int place = 0; place < kPhoneClassCount; ++place)
            QCOMPARE(placeOfPhone(phoneOrder().at(std::size_t(place))), place);
        int next = 0;
        for (const PhoneGroup& group : phoneGroups()) {
            QCOMPARE(group.first, next);
            next += group.count;
        }
        QCOMPARE(next, kPhoneClassCount);
        QVERIFY(phoneGroups().front().vowels && phoneGroups().front().count == 13);
        QCOMPARE(placeOfPhone(kSilenceClass), -1);
        QCOMPARE(phoneName(kSilenceClass), QStringLiteral("sil"));
    }

    void coloursAreLogarithmicFromAQuarterToFour() {
        QCOMPARE(PhoneMatrixView::colourValue(1), 0.5);
        QCOMPARE(PhoneMatrixView::colourValue(2), 0.75);
        QCOMPARE(PhoneMatrixView::colourValue(4), 1.0);
        QCOMPARE(PhoneMatrixView::colourValue(400), 1.0);
        QCOMPARE(PhoneMatrixView::colourValue(0.25), 0.0);
        QCOMPARE(PhoneMatrixView::colourValue(0), 0.0);
        QVERIFY(std::isnan(PhoneMatrixView::colourValue(NAN)));
    }

    void cellsHaveTheColourOfTheirValueInBothThemes() {
        for (const char* theme : {"light", "dark"}) {
            Theme::apply(QString::fromLatin1(theme));
            const Shown shown(sample());
            // viridis: #fde725 at its end, #440154 at its beginning (matplotlib's listing).
            QCOMPARE(shown.at({classOf("IH"), classOf("IY")}).name(), QStringLiteral("#fde725"));
            QCOMPARE(shown.at({classOf("S"), classOf("Z")}).name(), QStringLiteral("#440154"));
            // Rows attend: the transposed cell is another one.
            QVERIFY(shown.at({classOf("IY"), classOf("IH")}) != shown.at({classOf("IH"), classOf("IY")}));
        }
    }

    void undefinedPairsAndSilenceAreHatched() {
        const Shown shown(sample());
        QCOMPARE(shown.coloursIn({classOf("AA"), classOf("AE")}), 1);
        QVERIFY(shown.coloursIn({classOf("JH"), classOf("JH")}) > 1);
        QVERIFY(shown.coloursIn({kSilenceClass, classOf("AA")}) > 1);
        QVERIFY(shown.coloursIn({classOf("AA"), kSilenceClass}) > 1);
        QVERIFY(!shown.view.pairAt(shown.view.cellRect({classOf("AA"), kSilenceClass}).center()));
        QVERIFY(shown.view.describe({classOf("JH"), classOf("JH")}).contains(QStringLiteral("undefined")));
    }

    void rarePairsStandAtHalfOpacity() {
        PhoneRelation map = sample();
        map.counts = Matrix<std::int32_t>(kClasses, kClasses, kFewUtterances);
        map.counts(std::size_t(classOf("IH")), std::size_t(classOf("IY"))) = kFewUtterances - 1;
        const Shown shown(map);
        const QColor full(QStringLiteral("#fde725")), panel = Theme::current().panel;
        const QColor found = shown.at({classOf("IH"), classOf("IY")});
        QVERIFY(std::abs(found.blue() - (full.blue() + panel.blue()) / 2) <= 2);
        QVERIFY(std::abs(found.red() - (full.red() + panel.red()) / 2) <= 2);
        QCOMPARE(shown.at({classOf("S"), classOf("Z")}).name(), QStringLiteral("#440154"));
    }

    void everyCellIsFoundUnderThePointerAtEverySize() {
        for (const QSize size : {QSize(340, 230), QSize(544, 470), QSize(1200, 1100)}) {
            const Shown shown(sample(), size);
            for (int p = 0; p < kPhoneClassCount; ++p)
                for (int q = 0; q < kPhoneClassCount; ++q) {
                    const auto found = shown.view.pairAt(shown.view.cellRect({p, q}).center());
                    QVERIFY(found && *found == (PhonePair{p, q}));
                }
        }
    }

    void aClickChoosesACellAndAsksWhatIsBehindIt() {
        Shown shown(sample());
        QSignalSpy selected(&shown.view, &PhoneMatrixView::pairSelected),
            activated(&shown.view, &PhoneMatrixView::pairActivated);
        const PhonePair pair{classOf("IH"), classOf("IY")};
        QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.view.cellRect(pair).center().toPoint());
        QCOMPARE(selected.count(), 1);
        QCOMPARE(activated.count(), 1);
        QVERIFY(activated.first().first().value<PhonePair>() == pair);
        QCOMPARE(shown.view.accessibleDescription(),
                 QStringLiteral("IH → IY: PAR 4.00. 1295 of 1296 pairs defined."));
    }

    void arrowsWalkInTheOrderOfTheScreenAndEnterActivates() {
        Shown shown(sample());
        QSignalSpy activated(&shown.view, &PhoneMatrixView::pairActivated);
        shown.view.setSelected(PhonePair{classOf("UW"), classOf("UW")});
        QTest::keyClick(&shown.view, Qt::Key_Right); // over the border between vowels and consonants
        QTest::keyClick(&shown.view, Qt::Key_Up);
        QVERIFY(shown.view.selected() == (PhonePair{classOf("UH"), classOf("W")}));
        QTest::keyClick(&shown.view, Qt::Key_End);
        QTest::keyClick(&shown.view, Qt::Key_Right); // stays within the map
        QVERIFY(shown.view.selected() == (PhonePair{classOf("UH"), classOf("HH")}));
        QTest::keyClick(&shown.view, Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
    }

    void copyingGivesTheMapInTheOrderShownAndNeverZeroForUndefined() {
        Shown shown(sample());
        shown.view.setFocus();
        QTest::keyClick(&shown.view, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(u'\n');
        QCOMPARE(lines.size(), 38); // heads, 36 rows, the end
        QVERIFY(lines.first().endsWith(QStringLiteral("SH\tHH")));
        const QStringList row = lines.at(placeOfPhone(classOf("JH")) + 1).split(u'\t');
        QCOMPARE(row.first(), QStringLiteral("JH"));
        QCOMPARE(row.at(placeOfPhone(classOf("JH")) + 1), QStringLiteral("–"));
    }

    void withoutAMapTheSentenceStandsThereAndNothingIsChosen() {
        Shown shown(PhoneRelation{});
        shown.view.setEmptySentence(QStringLiteral("PAR needs phones."));
        QCOMPARE(shown.view.accessibleDescription(), QStringLiteral("PAR needs phones."));
        QSignalSpy activated(&shown.view, &PhoneMatrixView::pairActivated);
        QTest::mouseClick(&shown.view, Qt::LeftButton, {}, QPoint(200, 200));
        QTest::keyClick(&shown.view, Qt::Key_Right);
        QCOMPARE(activated.count(), 0);
        QVERIFY(!shown.view.selected());
    }

    /// The line was cut, and of the chosen pair only the tool tip had the value.
    void aSmallMapSaysItsAxesAndTheValueOfTheChosenPair() {
        Shown shown(sample(), {368, 152});
        QVERIFY2(textsOf(shown.view, true).contains(QStringLiteral("Columns: attended; rows: attending.")), qPrintable(textsOf(shown.view, true)));
        const PhonePair pair{classOf("IH"), classOf("IY")};
        shown.view.setSelected(pair);
        QVERIFY2(textsOf(shown.view, true).contains(shown.view.describe(pair)), qPrintable(textsOf(shown.view, true)));
        shown.view.resize(620, 560); // aside
        QVERIFY(!textsOf(shown.view, true).contains(shown.view.describe(pair)));
        QVERIFY(textsOf(shown.view, true).contains(QStringLiteral("4.00")));
    }

    void aWideLowMapNamesEveryPhone() {
        const auto names = [](QSize size) {
            QBuffer svg;
            QSvgGenerator generator;
            generator.setOutputDevice(&svg);
            generator.setSize(size);
            PhoneMatrixView view;
            view.setMap(sample());
            QPainter painter(&generator);
            view.renderTo(painter, QRect(QPoint(), size));
            painter.end();
            const QString text = QString::fromUtf8(svg.data());
            int found = 0;
            for (int phone = 0; phone < kPhoneClassCount; ++phone)
                found += int(text.count(QRegularExpression(QStringLiteral(">\\s*%1\\s*<").arg(phoneName(phone)))));
            return found;
        };
        QCOMPARE(names({1200, 1100}), 2 * kPhoneClassCount);
        QCOMPARE(names({900, 300}), 2 * kPhoneClassCount);
        QVERIFY(names({340, 230}) < 2 * kPhoneClassCount); // there is no room
    }

    /// As in the panel beside the layers: neither wide nor high.
    void namesStandInTurnInTwoLinesWhereOnlySoEachHasRoom() {
        for (const QSize size : {QSize(400, 330), QSize(420, 300), QSize(340, 400), QSize(520, 240)}) {
            const Shown shown(sample(), size);
            QVERIFY2(shown.view.unnamed().isEmpty(), qPrintable(QStringLiteral("%1 × %2: %3").arg(size.width()).arg(size.height()).arg(shown.view.unnamed())));
            QVERIFY(shown.view.rect().contains(shown.view.cellRect({kSilenceClass, kSilenceClass}).toRect()));
        }
    }

    /// In one line they touched, because a cell was asked for their own height only.
    void namesOfALineStandApart() {
        const double needed = QFontMetricsF(Sizes::small()).capHeight() + scaledPixels(2);
        bool one = false, several = false;
        for (int height = 240; height <= 520; height += 8) {
            PhoneMatrixView view;
            view.resize(560, height);
            if (!view.unnamed().isEmpty())
                continue;
            const auto topOf = [&](const char* phone) {
                return view.cellRect({classOf(phone), classOf(phone)}).top();
            };
            const double cell = (topOf("HH") - topOf("AA")) / (kPhoneClassCount - 1);
            const int lines = view.nameLines();
            QVERIFY2(cell * lines >= needed,
                     qPrintable(QStringLiteral("%1: %2 × %3").arg(height).arg(cell).arg(lines)));
            (lines == 1 ? one : several) = true;
        }
        QVERIFY(one && several);
    }

    void theToolTipListsPhonesWithoutAName() {
        Shown shown(sample(), QSize(340, 160));
        QVERIFY(shown.view.unnamed().contains(QStringLiteral("AE")));
        const QPoint corner(2, 2);
        QHelpEvent help(QEvent::ToolTip, corner, shown.view.mapToGlobal(corner));
        QApplication::sendEvent(&shown.view, &help);
        QVERIFY2(QToolTip::text().contains(shown.view.unnamed()), qPrintable(QToolTip::text()));
        shown.view.resize(1200, 1100);
        QVERIFY(shown.view.unnamed().isEmpty());
    }

    /// Undefined and left out looked alike in the legend and on the map.
    void leftOutIsCrossedAndUndefinedIsNot() {
        PhoneRelation map = sample();
        map.par = Matrix<double>(kClasses, kClasses, double(NAN));
        const Shown shown(map, QSize(1200, 1100));
        const auto inked = [&](PhonePair pair) { // share of pixels that are not the ground
            const QRect cell = shown.view.cellRect(pair).toRect().adjusted(2, 2, -2, -2);
            std::map<QRgb, int> count;
            for (int y = cell.top(); y <= cell.bottom(); ++y)
                for (int x = cell.left(); x <= cell.right(); ++x)
                    ++count[shown.picture.pixel(x, y)];
            int most = 0;
            for (const auto& [colour, pixels] : count)
                most = std::max(most, pixels);
            return 1 - double(most) / (cell.width() * cell.height());
        };
        const double undefined = inked({classOf("AA"), classOf("AE")}), leftOut = inked({kSilenceClass, classOf("AE")});
        QVERIFY2(leftOut > 1.4 * undefined, qPrintable(QStringLiteral("%1, %2").arg(leftOut).arg(undefined)));
        const QPoint legend(shown.view.width() - 20, 200);
        QHelpEvent help(QEvent::ToolTip, legend, shown.view.mapToGlobal(legend));
        QApplication::sendEvent(const_cast<PhoneMatrixView*>(&shown.view), &help);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("not 0")), qPrintable(QToolTip::text()));
    }

    void everyCellOfAWideLowMapIsFoundUnderThePointer() {
        const Shown shown(sample(), QSize(900, 300));
        for (int p = 0; p < kPhoneClassCount; ++p)
            for (int q = 0; q < kPhoneClassCount; ++q) {
                const QRectF cell = shown.view.cellRect({p, q});
                QVERIFY(cell.width() >= cell.height());
                const auto found = shown.view.pairAt(cell.center());
                QVERIFY(found && *found == (PhonePair{p, q}));
            }
    }

    void namesOfTheChosenPairAreAlwaysThere() {
        // In a map whose cells are lower than a line, the chosen names are drawn in the accent.
        Shown shown(sample(), QSize(340, 230));
        const auto accents = [&] {
            int count = 0;
            for (int y = 0; y < shown.picture.height(); ++y)
                for (int x = 0; x < int(shown.view.cellRect({classOf("AA"), classOf("AA")}).left()); ++x)
                    count += shown.picture.pixelColor(x, y) == Theme::current().accent;
            return count;
        };
        QCOMPARE(accents(), 0);
        shown.view.setSelected(PhonePair{classOf("AE"), classOf("AH")});
        shown.paint();
        QVERIFY(accents() > 0);
    }
};

HEADROOM_TEST(PhoneMatrixViewTest)

} // namespace headroom::testing::phone_matrix_view_test

#include "phone_matrix_view_test.moc"
