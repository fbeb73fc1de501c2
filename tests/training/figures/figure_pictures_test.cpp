// SPDX-License-Identifier: GPL-3.0-or-later
// How the figures for papers look, compared with tests/data/pictures.
#include "tests/support/pictures.h"
#include "tests/support/runner.h"
#include "tests/training/figures/synthetic_study.h"
#include "training/figures/files.h"
#include "training/figures/study_figures.h"

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::figure_pictures_test {

class FigurePicturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void figures_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("name");
        const auto row = [](StudyKind kind, const char* name) {
            QTest::newRow(name) << int(kind) << QString::fromLatin1(name);
        };
        row(StudyKind::Diagonality, "diagonality");
        row(StudyKind::Windows, "windows-loss");
        row(StudyKind::Heads, "cad-sorted");
        row(StudyKind::Phones, "par-coverage");
    }

    void figures() {
        QFETCH(int, kind);
        QFETCH(QString, name);
        const SyntheticStudy made = syntheticStudy(StudyKind(kind));
        const QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.path().toStdString()) / "figure.png";
        bool found = false;
        for (const auto& figure : headroom::figures::studyFigures(made.study, made.arrays, made.example, 0))
            if (figure.name == name.toStdString()) {
                headroom::figures::writePngOfWidth(figure.scene, file, 520);
                found = true;
            }
        QVERIFY(found);
        const QImage picture(QString::fromStdString(file.string()));
        const QString problem = comparePicture(picture, QStringLiteral("figure-") + name);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
};

HEADROOM_TEST(FigurePicturesTest)

} // namespace headroom::testing::figure_pictures_test

#include "figure_pictures_test.moc"
