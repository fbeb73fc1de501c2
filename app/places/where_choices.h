// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace headroom::app {

class DeviceList;
class PlaceStore;

/// Something that can compute: a device of this machine, or a place. A value.
struct WhereChoice {
    QString name;     ///< "This machine, CPU", "This machine, NVIDIA H200 (cuda:1)", "gpu-1"
    QString detail;   ///< what it has, in a line
    QString whyNot;   ///< why it cannot be used, one sentence; empty: it can
    QString iconName;
    QString device;   ///< of this machine, as --device takes it; empty: its CPU, or a place
    QString place;    ///< of core/places, by name; empty: this machine
    bool operator==(const WhereChoice&) const = default;
};

enum class AllGpus { Offered, NotOffered };

/// What a job can be computed on: the CPU of this machine first, then its GPUs, then the places. `allGpus`: whether the job may use all
/// GPUs of this machine together, which only trainings do. `wanted`: a device that is among them while the devices are looked for.
std::vector<WhereChoice> whereChoices(const PlaceStore& places, const DeviceList& devices, AllGpus allGpus, const QString& wanted = {});

} // namespace headroom::app
