// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the map of phones.
#include "core/alignment/phones.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/phone_matrix/phone_matrix_view.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>
#include <QTest>
#include <QXmlStreamReader>

namespace headroom::testing::phone_read_out_test {

using namespace headroom::widgets;

namespace {

constexpr auto kClasses = std::size_t(kPhoneClassCount);

/// The texts of the view on the screen, in the order in which they are painted.
QString shownTexts(PhoneMatrixView& view) {
    QBuffer svg;
    QSvgGenerator generator;
    generator.setOutputDevice(&svg);
    generator.setSize(view.size());
    QPainter painter(&generator);
    view.render(&painter);
    painter.end();
    QXmlStreamReader reader(svg.data());
    QStringList texts;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
            texts << reader.readElementText().simplified();
    return texts.join(QLatin1Char(' '));
}

PhoneRelation ofSevenUtterances() {
    PhoneRelation map;
    map.par = Matrix<double>(kClasses, kClasses, 1.375);
    map.counts = Matrix<std::int32_t>(kClasses, kClasses, 7);
    return map;
}

} // namespace

class PhoneReadOutTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { Theme::apply(QStringLiteral("light")); }

    /// In a low panel the number of utterances was missing.
    void theValueOfAPairIsSaidWithItsUtterances() {
        int values = 0;
        for (int height = 180; height <= 560; height += 20) {
            PhoneMatrixView view;
            view.resize(560, height);
            view.setMap(ofSevenUtterances());
            view.setSelected(PhonePair{3, 4});
            view.show();
            const QString texts = shownTexts(view);
            values += texts.contains(QStringLiteral("1.38"));
            QVERIFY2(!texts.contains(QStringLiteral("1.38")) || texts.contains(QStringLiteral("7 utt")), qPrintable(QString::number(height) + texts));
        }
        QVERIFY(values > 10);
    }

    /// "coverage of mo…" was cut before it said of which model.
    void coverageIsSaidWithItsIntervalAndReference() {
        PhoneRelation map = ofSevenUtterances();
        map.coverage = 0.725;
        map.coverageLow = 0.699;
        map.coverageHigh = 0.738;
        map.reference = QStringLiteral("s2t-reference");
        PhoneMatrixView view;
        view.resize(560, 460);
        view.setMap(std::move(map));
        view.show();
        const QString texts = shownTexts(view);
        QVERIFY2(texts.contains(QStringLiteral("coverage 0.725 0.699 to 0.738 of s2t-reference")), qPrintable(texts));
    }
};

HEADROOM_TEST(PhoneReadOutTest)

} // namespace headroom::testing::phone_read_out_test

#include "phone_read_out_test.moc"
