// SPDX-License-Identifier: GPL-3.0-or-later
// `headroom-worker figures`: a finished study is drawn once more.
#include "core/tensors/atomic_file.h"
#include "core/tensors/npy.h"
#include "tests/training/figures/pdf_text.h"
#include "tests/training/figures/synthetic_study.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

namespace headroom::testing::worker_figures_test {

class WorkerFiguresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        const auto made = syntheticStudy(StudyKind::Windows, 1, 3);
        std::filesystem::create_directories(study());
        write("results.npz", made.arrays);
        write("example.npz", made.example);
        writeStudy(study(), made.study);
    }
    void everyFigureIsWritten() {
        const auto ran = runWorkerProgram({"figures", name(study()), "--json"});
        QVERIFY2(ran.status == 0, ran.err.c_str());
        const auto document = ran.document();
        QCOMPARE(document.at("format").get<std::string>(), std::string("headroom/figures"));
        QCOMPARE(document.at("version").get<int>(), 1);
        for (const auto& file : document.at("files"))
            QVERIFY2(std::filesystem::file_size(file.get<std::string>()) > 0,
                     file.get<std::string>().c_str());
        for (const char* file :
             {"windows.svg", "windows.pdf", "windows.png", "windows.csv", "windows.caption.txt",
              "windows-table.tex", "contributions-layer-2.svg", "contributions-layer-2.npz"})
            QVERIFY2(std::filesystem::exists(study() / "figures" / file), file);
    }
    void formatWidthAndFolderAreChosen() {
        const auto out = study().parent_path() / "out";
        const auto ran = runWorkerProgram(
            {"figures", name(study()), "--out", name(out), "--format", "svg", "--width", "85mm"});
        QVERIFY2(ran.status == 0, ran.err.c_str());
        QVERIFY(bytesOf(out / "windows.svg").find("width=\"240.94pt\"") != std::string::npos);
        QVERIFY(!std::filesystem::exists(out / "windows.pdf"));
        QVERIFY(!std::filesystem::exists(study() / "figures"));
    }
    void aMachineWithoutFontsIsTold() {
        const auto fonts = study().parent_path() / "fonts.conf";
        writeAtomically(fonts, std::string_view("<fontconfig></fontconfig>"), "test");
        qputenv("FONTCONFIG_FILE", fonts.c_str());
        const auto ran = runWorkerProgram({"figures", name(study()), "--format", "pdf"});
        qunsetenv("FONTCONFIG_FILE");
        QCOMPARE(ran.status, 0);
        QVERIFY2(ran.says("No installed font has μ"), ran.err.c_str());
        const auto usual = runWorkerProgram({"figures", name(study()), "--format", "pdf"});
        QVERIFY2(!usual.says("No installed font"), usual.err.c_str());
    }
    void wrongUseIsToldApart() {
        for (const QStringList& more :
             {QStringList{"--width", "3 apples"}, {"--width", "1mm"}, {"--dpi", "5"}, {"--format", "jpeg"}})
            QCOMPARE(runWorkerProgram(QStringList{"figures", name(study())} + more).status, 2);
    }
    void aFolderThatIsNoStudyIsNamed() {
        const auto ran = runWorkerProgram({"figures", name(study().parent_path())});
        QCOMPARE(ran.status, 1);
        QVERIFY2(ran.says("study.json"), ran.err.c_str());
    }
    void anUnfinishedStudyIsRefused() {
        Study document = readStudy(study());
        document.state = RunState::Stopped;
        writeStudy(study(), document);
        const auto ran = runWorkerProgram({"figures", name(study())});
        QCOMPARE(ran.status, 1);
        QVERIFY2(ran.says("not finished"), ran.err.c_str());
    }

private:
    std::filesystem::path study() const { return m_folder->path().toStdString() + "/a study"; }
    static QString name(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }
    void write(const std::string& file, const StudyArrays& arrays) const {
        NpzWriter writer(study() / file);
        for (const auto& [array, tensor] : arrays)
            writer.add(array, tensor.view());
        writer.close();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

HEADROOM_TEST(WorkerFiguresTest)

} // namespace headroom::testing::worker_figures_test

#include "worker_figures_test.moc"
