// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "tests/support/runner.h"
#include "tests/widgets/look/colour_science.h"
#include "widgets/look/colour_map.h"
#include "widgets/look/icons.h"
#include "widgets/look/resources.h"
#include "widgets/look/sizes.h"
#include "widgets/look/style_sheet.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <cmath>
#include <limits>

#include <QAbstractItemView>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardItemModel>
#include <QTemporaryFile>
#include <QTest>

namespace headroom::testing::look_test {

using namespace headroom::widgets;

namespace {

Theme themeOf(const QString& name) {
    loadResources();
    return Theme::read(QStringLiteral(":/headroom/themes/%1.json").arg(name));
}

void bothThemes() {
    QTest::addColumn<QString>("name");
    QTest::newRow("light") << QStringLiteral("light");
    QTest::newRow("dark") << QStringLiteral("dark");
}

QByteArray lightWith(const QByteArray& from, const QByteArray& to) {
    loadResources();
    QFile file(QStringLiteral(":/headroom/themes/light.json"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readAll().replace(from, to);
}

std::string codeOfReading(const QByteArray& json) {
    QTemporaryFile file;
    if (!file.open())
        return "no temporary file";
    file.write(json);
    file.close();
    try {
        Theme::read(file.fileName());
    } catch (const Error& error) {
        return error.code();
    }
    return "read";
}

constexpr std::array kSights{Sight::Normal, Sight::Protan, Sight::Deutan, Sight::Tritan};

} // namespace

class LookTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Qt leaves two pixels, whatever the size of the text.
    void aGapStandsBetweenAnIconAndItsWords() {
        for (const int percent : {100, 150}) {
            setTextSize(percent);
            Theme::apply(QStringLiteral("light"));
            QPushButton button(icon(QStringLiteral("terminal")), QStringLiteral("Copy"));
            button.ensurePolished();
            QCOMPARE(button.iconSize().height(), Sizes::icon());
            const QImage drawn = button.icon().pixmap(button.iconSize()).toImage();
            int last = 0;
            for (int x = 0; x < drawn.width(); ++x)
                for (int y = 0; y < drawn.height(); ++y)
                    last = qAlpha(drawn.pixel(x, y)) > 0 ? x : last;
            QVERIFY2(drawn.width() - 1 - last >= qRound(Sizes::unit() / 2), qPrintable(QString::number(last)));
        }
        setTextSize(100);
        Theme::apply(QStringLiteral("light"));
    }

    void textIsLegibleOnItsGrounds_data() { bothThemes(); }
    void textIsLegibleOnItsGrounds() {
        QFETCH(QString, name);
        const Theme t = themeOf(name);
        const auto legible = [](const QColor& text, const QColor& ground, double ratio) {
            if (contrast(text, ground) >= ratio)
                return true;
            qWarning("%s on %s: %.2f, at least %.1f is needed", qPrintable(text.name()),
                     qPrintable(ground.name()), contrast(text, ground), ratio);
            return false;
        };
        for (const QColor& ground :
             {t.window, t.panel, t.alternate, t.header, t.hover, t.tint, t.selectedRow}) {
            QVERIFY(legible(t.text, ground, 4.5));
            QVERIFY(legible(t.text2, ground, 4.5));
        }
        for (const QColor& ground : {t.panel, t.window, t.alternate, t.header, t.hover})
            QVERIFY(legible(t.text3, ground, 4.5));
        QVERIFY(legible(t.textOnAccent, t.accent, 4.5));
        QVERIFY(legible(t.accent, t.tint, 4.5)); // a toggled button
        QVERIFY(legible(t.good, t.goodGround, 4.5));
        QVERIFY(legible(t.warning, t.warningGround, 4.5));
        QVERIFY(legible(t.error, t.errorGround, 4.5));
        for (const QColor& sign : {t.good, t.warning, t.error})
            QVERIFY(legible(sign, t.panel, 4.5));
    }

    void shapesStandOutFromThePanel_data() { bothThemes(); }
    void shapesStandOutFromThePanel() {
        QFETCH(QString, name);
        const Theme t = themeOf(name);
        QVERIFY(contrast(t.fieldBorder, t.panel) >= 3);
        QVERIFY(contrast(t.accent, t.panel) >= 3);
        QVERIFY(contrast(t.waveformPeak, t.panel) >= 3);
        QVERIFY(contrast(t.waveformRms, t.panel) >= 3);
        for (const QColor& head : {t.headFull, t.headLocal, t.headBlock, t.headConv, t.headMasked})
            QVERIFY2(contrast(head, t.panel) >= 3, qPrintable(head.name()));
        for (const QColor& run : t.runs)
            QVERIFY2(contrast(run, t.panel) >= 3, qPrintable(run.name()));
    }

    void headKindsAndRunsStayApartForEverySight_data() { bothThemes(); }
    void headKindsAndRunsStayApartForEverySight() {
        QFETCH(QString, name);
        const Theme t = themeOf(name);
        const QList<QColor> heads{t.headFull, t.headLocal, t.headBlock, t.headConv, t.headMasked};
        const QList<QColor> runs(t.runs.begin(), t.runs.end());
        for (const auto& colours : {heads, runs})
            for (const Sight sight : kSights)
                for (int a = 0; a < colours.size(); ++a)
                    for (int b = a + 1; b < colours.size(); ++b) {
                        const double apart = difference(sight, colours[a], colours[b]);
                        QVERIFY2(apart >= 24, qPrintable(QStringLiteral("%1 and %2, sight %3: %4")
                                                             .arg(colours[a].name(), colours[b].name())
                                                             .arg(int(sight))
                                                             .arg(apart)));
                    }
    }

    void theBandIsNowhereInMagma() {
        const QColor band = themeOf(QStringLiteral("light")).band;
        for (const Sight sight : kSights)
            for (const QRgb colour : ColourMap::named(ColourMap::Name::Magma).table())
                QVERIFY(difference(sight, band, QColor(colour)) >= 24);
    }

    void aThemeWithoutARoleIsRefusedByName() {
        QCOMPARE(codeOfReading(lightWith("\"headBlock\"", "\"headBlok\"")), std::string("theme.missingRole"));
        QCOMPARE(codeOfReading(lightWith("\"#0B72A1\"", "\"blue-ish\"")), std::string("theme.noColour"));
        QCOMPARE(codeOfReading("{ \"colours\": "), std::string("theme.notJson"));
    }

    void everyIconIsDrawnInTheThemesColour() {
        Theme::apply(QStringLiteral("light"));
        QVERIFY(iconNames().size() >= 53);
        for (const QString& name : iconNames()) {
            const QIcon one = icon(name);
            for (const QString& theme : {QStringLiteral("light"), QStringLiteral("dark")}) {
                Theme::apply(theme);
                const QImage image =
                    one.pixmap(QSize(32, 32)).toImage().convertToFormat(QImage::Format_ARGB32);
                int inked = 0;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < image.width(); ++x)
                        if (qAlpha(image.pixel(x, y)) == 255) {
                            ++inked;
                            QCOMPARE(QColor(image.pixel(x, y)), Theme::current().text);
                        }
                QVERIFY2(inked >= 4, qPrintable(name));
            }
        }
    }

    void headGlyphsDifferInShape() {
        const QStringList names{"head-full", "head-local", "head-block", "head-conv", "head-masked"};
        QList<QImage> glyphs;
        for (const QString& name : names)
            glyphs << icon(name, Qt::black).pixmap(QSize(16, 16)).toImage();
        for (int a = 0; a < glyphs.size(); ++a)
            for (int b = a + 1; b < glyphs.size(); ++b) {
                int different = 0;
                for (int y = 0; y < 16; ++y)
                    for (int x = 0; x < 16; ++x)
                        different +=
                            std::abs(qAlpha(glyphs[a].pixel(x, y)) - qAlpha(glyphs[b].pixel(x, y))) > 128;
                QVERIFY2(different >= 24, qPrintable(names[a] + " and " + names[b]));
            }
    }

    void styleSheetLeavesNoNameBehindAndItsGlyphsExist_data() { bothThemes(); }
    void styleSheetLeavesNoNameBehindAndItsGlyphsExist() {
        QFETCH(QString, name);
        const QString sheet = styleSheet(themeOf(name));
        QVERIFY(!sheet.contains(QStringLiteral("@{")));
        static const QRegularExpression url(QStringLiteral("url\\(([^)]*)\\)"));
        auto matches = url.globalMatch(sheet);
        QVERIFY(matches.hasNext());
        while (matches.hasNext()) {
            const QString file = matches.next().captured(1);
            QVERIFY2(QFile::exists(file), qPrintable(file));
        }
    }

    void styleSheetGlyphsUseColoursOfTheirTheme_data() { bothThemes(); }
    void styleSheetGlyphsUseColoursOfTheirTheme() {
        QFETCH(QString, name);
        const Theme t = themeOf(name);
        const QStringList allowed{t.text2.name(), t.text3.name(), t.textOnAccent.name(), t.accent.name()};
        const QDir folder(QStringLiteral(":/headroom/themes/") + name);
        QVERIFY(!folder.entryList().isEmpty());
        static const QRegularExpression hex(QStringLiteral("#[0-9A-Fa-f]{6}"));
        for (const QString& entry : folder.entryList()) {
            QFile file(folder.filePath(entry));
            QVERIFY(file.open(QIODevice::ReadOnly));
            auto matches = hex.globalMatch(QString::fromUtf8(file.readAll()));
            while (matches.hasNext())
                QVERIFY2(allowed.contains(matches.next().captured().toLower()), qPrintable(entry));
        }
    }

    void metricsFollowTheApplicationFont() {
        Theme::apply(QStringLiteral("light"));
        QCOMPARE(Sizes::gutter(), 64);
        QCOMPARE(Sizes::control(), 28);
        QCOMPARE(Sizes::unit(), 8.0);
        QCOMPARE(Sizes::text().pixelSize(), 13);
        QCOMPARE(Sizes::small().pixelSize(), 11);
        QFont large = QApplication::font();
        large.setPointSizeF(19.5);
        QApplication::setFont(large);
        QCOMPARE(Sizes::gutter(), 128);
        QCOMPARE(Sizes::tableRow(), 40);
        Theme::apply(QStringLiteral("light"));
    }

    void colourMapsEndInTheirPublishedColours() {
        const auto ends = [](ColourMap::Name name, QRgb first, QRgb last) {
            const ColourMap& map = ColourMap::named(name);
            return map.at(0) == first && map.at(1) == last && map.at(-3) == first && map.at(7) == last &&
                   map.at(std::numeric_limits<double>::quiet_NaN()) == first;
        };
        QVERIFY(ends(ColourMap::Name::Magma, qRgb(0, 0, 4), qRgb(252, 253, 191)));
        QVERIFY(ends(ColourMap::Name::Viridis, qRgb(68, 1, 84), qRgb(253, 231, 37)));
        QVERIFY(ends(ColourMap::Name::Cividis, qRgb(0, 34, 78), qRgb(254, 232, 56)));
    }

    void perceptualMapsGrowLighterAllTheWay() {
        for (const auto name : {ColourMap::Name::Magma, ColourMap::Name::Viridis, ColourMap::Name::Cividis}) {
            double before = -1;
            for (int step = 0; step <= 64; ++step) {
                const double lightness =
                    lab(linearSeenBy(Sight::Normal, QColor(ColourMap::named(name).at(step / 64.0))))[0];
                QVERIFY(lightness > before);
                before = lightness;
            }
        }
    }

    void gammaBendsTheMap() {
        const ColourMap straight(ColourMap::Name::Magma), bent(ColourMap::Name::Magma, false, 0.5);
        QCOMPARE(bent.at(0.25), straight.at(0.5));
        QVERIFY(bent.at(0.25) != straight.at(0.25));
    }

    void greyIsInkOnPaperAndLightInTheDark() {
        const ColourMap& light = ColourMap::named(ColourMap::Name::Grey, false);
        const ColourMap& dark = ColourMap::named(ColourMap::Name::Grey, true);
        QVERIFY(qGray(light.at(1)) < qGray(light.at(0)));
        QVERIFY(qGray(dark.at(1)) > qGray(dark.at(0)));
    }

    /// Each takes a millisecond, and a window has thousands.
    void noWidgetIsPolishedAgainForTheSameTheme() {
        struct Changes : QWidget {
            int seen = 0;
            void changeEvent(QEvent* event) override { seen += event->type() == QEvent::StyleChange; }
        } widget;
        Theme::apply(QStringLiteral("light"));
        widget.show();
        widget.seen = 0;
        Theme::apply(QStringLiteral("light"));
        QCOMPARE(widget.seen, 0);
        Theme::apply(QStringLiteral("dark"));
        QVERIFY(widget.seen > 0);
    }

    /// It was drawn as the others, and a click on it did nothing.
    void aChoiceThatCannotBeMadeIsGrey() {
        for (const char* name : {"light", "dark"}) {
            Theme::apply(QString::fromLatin1(name));
            QComboBox box;
            box.addItems({QStringLiteral("HHHH"), QStringLiteral("HHHH")});
            qobject_cast<QStandardItemModel*>(box.model())->item(1)->setEnabled(false);
            box.setCurrentIndex(-1);
            box.show();
            box.showPopup();
            auto* list = box.view();
            const QImage picture = list->viewport()->grab().toImage();
            const auto has = [&](int row, const QColor& colour) {
                const QRect cell = list->visualRect(box.model()->index(row, 0));
                for (int y = cell.top(); y <= cell.bottom(); ++y)
                    for (int x = cell.left(); x <= cell.right(); ++x)
                        if (picture.pixelColor(x, y) == colour)
                            return true;
                return false;
            };
            const Theme& theme = Theme::current();
            QVERIFY(has(0, theme.text) && !has(1, theme.text));
            QVERIFY(has(1, theme.text3));
            box.hidePopup();
        }
    }

    void paintedWithLastsAsLongAsItsScope() {
        Theme::apply(QStringLiteral("dark"));
        const Theme light = themeOf(QStringLiteral("light"));
        {
            const PaintedWith paper(light);
            QCOMPARE(Theme::current().name, QStringLiteral("light"));
        }
        QCOMPARE(Theme::current().name, QStringLiteral("dark"));
    }
};

HEADROOM_TEST(LookTest)

} // namespace headroom::testing::look_test

#include "look_test.moc"
