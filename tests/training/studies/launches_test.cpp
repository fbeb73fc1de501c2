// SPDX-License-Identifier: GPL-3.0-or-later
// What a study launches on a device and how often it waits for it, beside the bare passes of the same utterances. On a GPU an
// utterance is so little work that both are bound by these numbers. Counted on tests/far_device, with our kernels.
#include "core/features/features.h"
#include "models/layers/device.h"
#include "tests/benchmarks/explicit_pass.h"
#include "tests/support/runner.h"
#include "tests/training/studies/study_fixture.h"
#include "training/studies/heads_measure.h"
#include "training/studies/profiles.h"
#include "training/studies/sources.h"

#include <QTest>

#include <cmath>
#include <dlfcn.h>
#include <map>

namespace headroom::testing::launches_test {

using namespace headroom::training;

namespace {

struct Counts {
    long launched = 0, waits = 0;
};

/// tests/far_device, loaded into this process.
class FarDevice {
public:
    void load() {
        ::setenv("FAR_DEVICE_KERNELS", "1", 1);
        if (void* library = ::dlopen(HEADROOM_FAR_DEVICE, RTLD_NOW | RTLD_GLOBAL))
            m_count = reinterpret_cast<long (*)(const char*)>(::dlsym(library, "far_device_count"));
        QVERIFY2(m_count, ::dlerror());
        models::useDevice("privateuseone:0");
    }
    template <class Work>
    Counts of(const Work& work) const {
        const Counts before = now();
        work();
        const Counts after = now();
        return {after.launched - before.launched, after.waits - before.waits};
    }

private:
    /// A copy to the device waits if it does not come from pinned memory.
    Counts now() const {
        return {m_count("launched"), m_count("reads") + m_count("fetched") + m_count("waited") + m_count("synchronised")};
    }
    long (*m_count)(const char*) = nullptr;
};

Matrix<float> framesOf(std::size_t rows) {
    Matrix<float> frames(rows, 80);
    for (std::size_t i = 0; i < frames.values().size(); ++i)
        frames.values()[i] = static_cast<float>(i * 7919 % 1009) / 500 - 1;
    return frames;
}

Measurement measured(LayerSource& source, const std::string& study, const Matrix<float>& frames) {
    StudyUtterance document;
    document.hash = "0123456789abcdef0123";
    StudyInput input;
    input.document = &document;
    input.features = frames;
    const models::CancelFlag cancel{false};
    return study == "windows" ? measureProfiles(source, input, ProfileSource::Contributions, cancel) : measureHeads(source, input, {}, cancel);
}

constexpr int kLayers = 6;

} // namespace

class LaunchesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        const auto source = openModelSource(m_mixed.model());
        for (const char* study : {"windows", "heads"})
            m_expected[study] = measured(*source, study, framesOf(200));
        m_device.load();
    }

    void aMeasurementThereIsThatOfTheCpu_data() {
        QTest::addColumn<QString>("study");
        QTest::newRow("windows") << "windows";
        QTest::newRow("heads") << "heads";
    }
    void aMeasurementThereIsThatOfTheCpu() {
        QFETCH(QString, study);
        const auto source = openModelSource(m_mixed.model());
        const Measurement found = measured(*source, study.toStdString(), framesOf(200));
        const Measurement& expected = m_expected.at(study.toStdString());
        QCOMPARE(found.size(), expected.size());
        for (const auto& [name, tensor] : expected) {
            QVERIFY2(found.at(name).shape == tensor.shape, name.c_str());
            const auto x = toDoubles(tensor.view()), y = toDoubles(found.at(name).view());
            for (std::size_t i = 0; i < x.size(); ++i)
                QVERIFY2((std::isnan(x[i]) && std::isnan(y[i])) || std::abs(x[i] - y[i]) <= 1e-5 * std::max(1.0, std::abs(x[i])), name.c_str());
        }
    }

    void aStudyLaunchesLittleMoreThanTheBarePass_data() {
        QTest::addColumn<QString>("study");
        QTest::addColumn<double>("share"); // of the launches of the bare pass
        QTest::addColumn<int>("waits");
        // What profiles need is launched for all layers together and comes back in one copy.
        QTest::newRow("windows") << "windows" << 1.1 << 1;
        // The maps and the relevance of a layer are a copy each.
        QTest::newRow("heads") << "heads" << 1.8 << 2 * kLayers + 1;
    }
    void aStudyLaunchesLittleMoreThanTheBarePass() {
        QFETCH(QString, study);
        QFETCH(double, share);
        QFETCH(int, waits);
        const StudyFixture fixture(1, std::vector<std::string>(kLayers, "4 full"));
        const auto source = openModelSource(fixture.model());
        const Matrix<float> frames = framesOf(160);
        const auto measure = [&] { measured(*source, study.toStdString(), frames); };
        const auto pass = [&] { benchmarks::explicitPass(*source->speechModel(), frames.view()); };
        measure();
        pass(); // the first ones keep what later ones find
        const Counts bare = m_device.of(pass), whole = m_device.of(measure);
        qInfo("%ld launches and %ld waits for an utterance, bare %ld and %ld", whole.launched, whole.waits, bare.launched, bare.waits);
        QVERIFY(static_cast<double>(whole.launched) <= share * static_cast<double>(bare.launched));
        QVERIFY(whole.waits <= waits);
    }

private:
    FarDevice m_device;
    const StudyFixture m_mixed{1, {"4 full", "4 full", "4 local 9", "2 full + 2 conv 5/2", "2 full", "2 conv 5/2 speechformer"}};
    std::map<std::string, Measurement> m_expected;
};

HEADROOM_TEST(LaunchesTest)

} // namespace headroom::testing::launches_test

#include "launches_test.moc"
