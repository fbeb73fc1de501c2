// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the fields of ExperimentsDialog: chosen, remembered, or as the experiment in the folder was
// begun. And the experiments that go on while another one stands there.
#include "app/documents/items/paths.h"
#include "app/jobs/in_background.h"
#include "app/parts/forms/path_field.h"
#include "app/places/where_field.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "core/runs/file_lock.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QSpinBox>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

const QString kExperimentForm = QStringLiteral("experiments");
constexpr double kLeastScale = 0.0001, kFinestScale = 1e-6; // of the field; of the command line
constexpr int kScaleDigits = 4, kFineDigits = 6;

} // namespace

ExperimentOptions ExperimentsDialog::options() const {
    ExperimentOptions wanted;
    const ListedExperiment* one = current();
    if (one)
        wanted.name = one->file.stem().string();
    if (one && !one->document.corpora.empty())
        wanted.data = m_data->path();
    wanted.out = m_out->path();
    const ExperimentRecord* record = begun();
    wanted.seeds = record ? record->seeds : m_seeds->value();
    wanted.scale = record ? record->scale : m_scale->value(); // the field may be rounded
    wanted.queue = m_runs();
    wanted.place = m_where->place().toStdString();
    if (!m_where->device().isEmpty())
        wanted.device = m_where->device().toStdString();
    return wanted;
}

/// Of the first folder that is entered without its beginning; empty: none is.
QString ExperimentsDialog::relativeText() const {
    const ExperimentOptions wanted = options();
    const QString why = notFullText(wanted.data);
    return why.isEmpty() ? notFullText(wanted.out) : why;
}

void ExperimentsDialog::setFolders(const fs::path& corpora, const fs::path& out) {
    m_data->setText(toQString(corpora));
    setOut(out);
}

void ExperimentsDialog::setOut(const fs::path& out) {
    m_out->setText(toQString(out));
}

/// The record of the folder that is chosen, if it is of the experiment that is chosen; else null.
const ExperimentRecord* ExperimentsDialog::begun() const {
    const ListedExperiment* one = current();
    const bool fits = m_record && one && m_recordOf == m_out->text().trimmed() &&
                      m_record->name == one->file.stem().string();
    return fits ? &*m_record : nullptr;
}

/// An experiment goes on only with the settings with which it was begun.
void ExperimentsDialog::adopt(const ExperimentRecord& record) {
    m_record = record;
    m_recordOf = m_out->text().trimmed();
    const ListedExperiment* one = current();
    if (!begun())
        return;
    if (!m_own)
        m_own = Own{toQString(one->file.stem()), m_scale->value(), m_seeds->value()};
    showScale(record.scale);
    setSeeds(record.seeds);
    if (!record.data.empty())
        m_data->setText(toQString(record.data));
}

/// Another folder was chosen: the settings are those of before again.
void ExperimentsDialog::leaveRecord() {
    m_record.reset();
    m_recordOf.clear();
    if (const auto own = std::exchange(m_own, std::nullopt)) {
        showScale(own->scale);
        if (const ListedExperiment* one = current(); one && toQString(one->file.stem()) == own->name)
            setSeeds(own->seeds);
    }
}

ExperimentsDialog::Followed* ExperimentsDialog::followed(const fs::path& folder) {
    const auto found = std::ranges::find(m_followed, folder, &Followed::folder);
    return found == m_followed.end() ? nullptr : &*found;
}

void ExperimentsDialog::follow(bool runs) {
    const ExperimentOptions now = options();
    if (Followed* known = followed(now.out))
        known->ran = known->ran || runs;
    else if (runs && (!m_record || begun() || m_recordOf != m_out->text().trimmed())) // another experiment may be in the folder
        m_followed.push_back({QString::fromStdString(now.name), now.out, m_forecast, QDeadlineTimer(m_starting.interval()), true});
}

/// Of the one that is chosen, look() says how it ends.
void ExperimentsDialog::lookAtOthers() {
    const ExperimentOptions now = options();
    std::erase_if(m_followed, [&](const Followed& one) { // it did not start, which is seen
        return one.folder == now.out && one.name.toStdString() == now.name && !one.ran && one.start.hasExpired();
    });
    for (Followed& one : m_followed) {
        if (one.ends || (one.folder == now.out && one.name.toStdString() == now.name))
            continue;
        if (FileLock::isLocked(ExperimentPaths{one.folder}.lock())) {
            one.ran = true;
            continue;
        }
        one.ends = one.ran || one.start.hasExpired();
        if (one.ends)
            buildInBackground(
                this, [one] { return stateOf(*one.forecast.plan, one.folder, false); },
                [this, one](Built<ExperimentState>& built) {
                    const QString end = built.value.result ? QString() : built.value.said;
                    const QString steps = stepsText(one.forecast, built.value);
                    std::erase_if(m_followed, [&](const Followed& other) { return other.folder == one.folder; });
                    Q_EMIT said(one.name, end.isEmpty() ? steps : steps + QLatin1Char(' ') + end);
                });
    }
}

/// With as many digits as it needs: the command line takes smaller scales than the field.
void ExperimentsDialog::showScale(double scale) {
    const bool fine = scale < kLeastScale || std::abs(scale * 1e4 - std::round(scale * 1e4)) > 1e-6;
    m_scale->setDecimals(fine ? kFineDigits : kScaleDigits);
    m_scale->setMinimum(fine ? kFinestScale : kLeastScale);
    m_scale->setValue(scale);
}

void ExperimentsDialog::setScale(double scale) {
    showScale(scale);
}

void ExperimentsDialog::setSeeds(int seeds) {
    m_seeds->setValue(seeds);
}

void ExperimentsDialog::remember() const {
    const ExperimentOptions now = options();
    const nlohmann::json form{{"name", now.name},
                              {"data", m_data->text().trimmed().toStdString()},
                              {"out", now.out.string()},
                              {"scale", now.scale},
                              {"seeds", now.seeds.value_or(1)},
                              {"where", m_where->state().toStdString()}};
    m_settings->setFormState(kExperimentForm, QByteArray::fromStdString(form.dump()));
}

void ExperimentsDialog::restore() {
    const auto form =
        nlohmann::json::parse(m_settings->formState(kExperimentForm).toStdString(), nullptr, false);
    const auto text = [&](const char* key) {
        const auto found = form.is_object() ? form.find(key) : form.end();
        return form.is_object() && found != form.end() && found->is_string()
                   ? QString::fromStdString(found->get<std::string>())
                   : QString();
    };
    const QString name = text("name");
    m_list->setCurrentRow(0);
    if (!name.isEmpty()) {
        choose(name);
        setFolders(toPath(text("data")), toPath(text("out")));
        if (form.contains("scale") && form["scale"].is_number())
            setScale(form["scale"].get<double>());
        if (form.contains("seeds") && form["seeds"].is_number_integer())
            setSeeds(form["seeds"].get<int>());
        m_where->restore(text("where").toUtf8());
    } // A recent corpus is not offered: at scale 1 a table needs its own corpora.
    plan();
}

} // namespace headroom::app
