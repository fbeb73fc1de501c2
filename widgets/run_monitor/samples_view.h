// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTextBrowser>

#include <vector>

namespace headroom::widgets {

/// One decoded example of a validation.
struct DecodedSample {
    QString id, reference, hypothesis;
};

/// The words of two sentences beside each other, by the alignment with the fewest edits. `same[i]`: word i of
/// the hypothesis stands in the reference too.
std::vector<bool> wordsThatMatch(const QStringList& reference, const QStringList& hypothesis);

/// Reference and hypothesis of each example, one under the other, words that differ set off by colour and
/// line. Window's thread only.
class SamplesView : public QTextBrowser {
    Q_OBJECT

public:
    explicit SamplesView(QWidget* parent = nullptr);
    /// `head`: "After step 400"; empty samples say what is missing.
    void setSamples(const QString& head, std::vector<DecodedSample> samples);

protected:
    void changeEvent(QEvent* event) override;

private:
    void show();

    QString m_head;
    std::vector<DecodedSample> m_samples;
};

} // namespace headroom::widgets
