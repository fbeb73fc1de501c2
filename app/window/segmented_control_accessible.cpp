// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader gets of the control: one radio button for each segment.
#include "app/window/segmented_control.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QAction>
#include <QPointer>

#include <vector>

namespace headroom::app {

/// One segment. Owned by Qt's cache of interfaces.
class SegmentForReaders : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    SegmentForReaders(SegmentedControl* control, std::size_t index) : m_control(control), m_index(index) {}

    bool isValid() const override { return !m_control.isNull(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_control); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QRect rect() const override {
        const QRect inside = m_control->segmentRect(m_index);
        return {m_control->mapToGlobal(inside.topLeft()), inside.size()};
    }
    QAccessible::Role role() const override { return QAccessible::RadioButton; }
    QString text(QAccessible::Text what) const override {
        return what == QAccessible::Name ? action()->text() : what == QAccessible::Description ? action()->toolTip() : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QAccessible::State state() const override {
        QAccessible::State state;
        state.checkable = true;
        state.checked = action()->isChecked();
        state.invisible = !m_control->isVisible();
        state.disabled = !action()->isEnabled();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        if (name == pressAction() && !action()->isChecked()) // as a click
            action()->trigger();
    }
    QStringList keyBindingsForAction(const QString&) const override {
        return {action()->shortcut().toString(QKeySequence::NativeText)};
    }

private:
    QAction* action() const { return m_control->m_actions[m_index]; }

    QPointer<SegmentedControl> m_control;
    std::size_t m_index;
};

class SegmentsForReaders : public QAccessibleWidget {
public:
    explicit SegmentsForReaders(SegmentedControl* control) : QAccessibleWidget(control, QAccessible::Grouping), m_control(control) {}
    ~SegmentsForReaders() override {
        for (const QAccessible::Id id : m_segments)
            QAccessible::deleteAccessibleInterface(id);
    }
    int childCount() const override { return static_cast<int>(m_control->m_actions.size()); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount())
            return nullptr;
        while (m_segments.size() < m_control->m_actions.size())
            m_segments.push_back(
                QAccessible::registerAccessibleInterface(new SegmentForReaders(m_control, m_segments.size())));
        return QAccessible::accessibleInterface(m_segments[static_cast<std::size_t>(index)]);
    }
    int indexOfChild(const QAccessibleInterface* one) const override {
        for (int index = 0; index < childCount(); ++index)
            if (child(index) == one)
                return index;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int index = 0; index < childCount(); ++index)
            if (child(index)->rect().contains(x, y))
                return child(index);
        return nullptr;
    }

private:
    SegmentedControl* m_control;
    mutable std::vector<QAccessible::Id> m_segments;
};

QAccessibleInterface* segmentsForReaders(const QString&, QObject* object) {
    auto* control = qobject_cast<SegmentedControl*>(object);
    return control ? new SegmentsForReaders(control) : nullptr;
}

} // namespace headroom::app
