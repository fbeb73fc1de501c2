// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "training/figures/files.h"
#include "tests/training/figures/pdf_text.h"
#include "tests/support/runner.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <cairo.h>

#include <set>

namespace headroom::testing::scene_files_test {

using namespace headroom::figures;

namespace {

/// Something of everything.
Scene scene() {
    Scene made;
    made.width = 144;
    made.height = 72;
    made.title = "A & B";
    made.description = "C_ij < 1";
    made.line({0, 0}, {144, 72}, {rgb(0x0b72a1), 1, {3, 2}});
    made.fill({10, 10, 20, 20}, rgb(0xb55631).withAlpha(0.5));
    made.items.push_back(Text{{72, 60}, runs("σ_{1} ≤ 5 −"), 8, Anchor::Middle, false, 0, rgb(0)});
    made.items.push_back(Text{{140, 20}, runs("Layer"), 8, Anchor::End, true, -90, rgb(0)});
    made.items.push_back(Clip{{100, 10, 40, 40}});
    made.items.push_back(Image{{100, 10, 40, 40}, 2, 2, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0}});
    made.items.push_back(EndClip{});
    return made;
}

std::uint32_t bigEndian(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k)
        value = value << 8 | static_cast<unsigned char>(bytes.at(at + k));
    return value;
}

} // namespace

class SceneFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void svgIsWellFormedAndItsWordsAreText() {
        QXmlStreamReader reader(QByteArray::fromStdString(svgText(scene())));
        QStringList words;
        int images = 0, clips = 0;
        QString title, description, middle;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement)
                continue;
            const QString name = reader.name().toString();
            if (name == QLatin1String("text")) {
                if (reader.attributes().value("text-anchor") == QLatin1String("middle"))
                    middle = reader.attributes().value("x").toString();
                words << reader.readElementText(QXmlStreamReader::IncludeChildElements);
            } else if (name == QLatin1String("title")) {
                title = reader.readElementText();
            } else if (name == QLatin1String("desc")) {
                description = reader.readElementText();
            }
            images += name == QLatin1String("image");
            clips += name == QLatin1String("clipPath");
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(words, (QStringList{QStringLiteral("σ1 ≤ 5 −"), QStringLiteral("Layer")}));
        QCOMPARE(title, QStringLiteral("A & B"));
        QCOMPARE(description, QStringLiteral("C_ij < 1"));
        QCOMPARE(middle, QStringLiteral("72"));
        QCOMPARE(images, 1);
        QCOMPARE(clips, 1);
    }
    void svgHasNoFontsInside() {
        const std::string svg = svgText(scene());
        QVERIFY(svg.find("'Noto Sans'") != std::string::npos);
        QVERIFY(svg.find("@font-face") == std::string::npos);
        QVERIFY(svg.find("width=\"144pt\"") != std::string::npos);
    }
    void controlCharactersCannotBreakTheFile() {
        Scene odd = scene();
        odd.title = std::string("a\x01<b>\"c");
        QXmlStreamReader reader(QByteArray::fromStdString(svgText(odd)));
        while (!reader.atEnd())
            reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    }
    void pdfWordsAreText() {
        writePdf(scene(), path("a.pdf"));
        const std::string pdf = bytesOf(path("a.pdf"));
        QVERIFY(pdf.starts_with("%PDF-"));
        const std::string letters = pdfLetters(pdf);
        for (const char letter : std::string("Layer5"))
            QVERIFY2(letters.find(letter) != std::string::npos, qPrintable(QString::fromStdString(letters)));
    }
    void pdfWordsAreFoundByOtherPrograms() {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (program.isEmpty())
            QSKIP("pdftotext is not installed; pdfWordsAreText reads the file itself.");
        writePdf(scene(), path("b.pdf"));
        QProcess process;
        process.start(program, {QString::fromStdString(path("b.pdf").string()), QStringLiteral("-")});
        QVERIFY(process.waitForFinished());
        const QString text = QString::fromUtf8(process.readAllStandardOutput());
        QVERIFY2(text.contains(QStringLiteral("Layer")) && text.contains(QStringLiteral("≤")) &&
                     text.contains(QStringLiteral("−")),
                 qPrintable(text));
    }
    void pngHasTheSizeThatWasAskedFor() {
        writePng(scene(), path("a.png"), 300);
        const std::string png = bytesOf(path("a.png"));
        QCOMPARE(bigEndian(png, 16), 600u);
        QCOMPARE(bigEndian(png, 20), 300u);
        writePngOfWidth(scene(), path("b.png"), 1001);
        QCOMPARE(bigEndian(bytesOf(path("b.png")), 16), 1001u);
    }
    void picturesBeyondAllSizesAreRefused() {
        try {
            writePngOfWidth(scene(), path("c.png"), 40000);
            QFAIL("written");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("figures.pixels"));
            QVERIFY(std::string(error.what()).find("40000 × 20000") != std::string::npos);
        }
    }
    void mapsAreNeverSmoothed() {
        writePng(scene(), path("d.png"), 720);
        cairo_surface_t* surface = cairo_image_surface_create_from_png(path("d.png").c_str());
        const auto* pixels = cairo_image_surface_get_data(surface);
        const int stride = cairo_image_surface_get_stride(surface);
        std::set<std::uint32_t> colours;
        for (int y = 105; y < 495; ++y) // inside the image: 100 … 500
            for (int x = 1005; x < 1395; ++x)
                colours.insert(reinterpret_cast<const std::uint32_t*>(pixels + y * stride)[x] & 0xffffff);
        cairo_surface_destroy(surface);
        QCOMPARE(colours, (std::set<std::uint32_t>{0xff0000, 0x00ff00, 0x0000ff, 0xffff00}));
    }
    void embeddedMapsHaveLargeCells() {
        const Image image{{}, 2, 3, std::vector<std::uint8_t>(18, 7)};
        const std::string png = pngOfCells(image, 50);
        QCOMPARE(bigEndian(png, 16), 150u);
        QCOMPARE(bigEndian(png, 20), 100u);
    }
    /// Twice the same bytes within a second would not show a date of today; so the dates are looked for.
    void theSameSceneGivesTheSameBytesOnAnyDay() {
        QCOMPARE(svgText(scene()), svgText(scene()));
        for (const char* name : {"one.pdf", "one.png"})
            writeScene(scene(), path(name));
        const std::string pdf = bytesOf(path("one.pdf")), png = bytesOf(path("one.png"));
        QVERIFY(pdf.find("/CreationDate (19700101000000") != std::string::npos);
        QVERIFY(pdf.find("/ModDate") == std::string::npos);
        QVERIFY(png.find("tIME") == std::string::npos);
        for (const char* name : {"two.pdf", "two.png"})
            writeScene(scene(), path(name));
        QVERIFY(bytesOf(path("two.pdf")) == pdf);
        QVERIFY(bytesOf(path("two.png")) == png);
    }
    void otherSuffixesAreRefused() {
        try {
            writeScene(scene(), path("a.jpg"));
            QFAIL("written");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("figures.badSuffix"));
        }
        QVERIFY(!std::filesystem::exists(path("a.jpg")));
    }
    void aFolderThatIsNotThereIsNamed() {
        for (const char* suffix : {"svg", "pdf", "png"})
            try {
                writeScene(scene(), path(std::string("none/a.") + suffix));
                QFAIL("written");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("figures.unwritable"));
                QVERIFY(std::string(error.what()).find("none/a.") != std::string::npos);
            }
    }

private:
    std::filesystem::path path(const std::string& name) const {
        return m_folder.path().toStdString() + "/" + name;
    }
    QTemporaryDir m_folder;
};

HEADROOM_TEST(SceneFilesTest)

} // namespace headroom::testing::scene_files_test

#include "scene_files_test.moc"
