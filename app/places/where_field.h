// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/places/where_choices.h"

#include <QComboBox>

namespace headroom::app {

/// The field *Where* of a dialogue: this machine's devices and the places, as Train's form offers them for a run. It follows both lists;
/// what was chosen stays chosen as long as it is there. Emits currentIndexChanged() when another one is chosen. Window's thread.
class WhereField : public QComboBox {
    Q_OBJECT

public:
    /// Both borrowed.
    WhereField(PlaceStore* places, DeviceList* devices, QWidget* parent = nullptr);

    /// Asks for the devices of this machine, once; until they are known there is its CPU, and the GPU that is wanted. For the dialogue, when it
    /// is shown.
    void look();
    QString device() const; ///< of this machine, as --device takes it; empty: its CPU, or a place
    QString place() const;  ///< empty: this machine
    /// Chooses a place, or a device of this machine; what is not there: the CPU. A device stays chosen while the devices are looked for.
    void choose(const QString& place, const QString& device = {});
    /// Whether there is something else than the CPU of this machine, also if it cannot be used.
    bool hasChoice() const { return m_choices.size() > 1; }
    /// What is chosen, for the next time.
    QByteArray state() const;
    void restore(const QByteArray& state);

Q_SIGNALS:
    void choicesChanged(); ///< hasChoice() may have changed

private:
    void fill();
    void select();
    void showDetail();
    const WhereChoice& chosen() const;

    PlaceStore* m_places;
    DeviceList* m_devices;
    std::vector<WhereChoice> m_choices;
    WhereChoice m_wanted; ///< what was chosen last, also while it is not in the list
};

} // namespace headroom::app
