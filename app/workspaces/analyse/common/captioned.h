// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace headroom::app {

/// A tab whose fields and text say what its plots are of. A figure of it has neither, and takes this line instead.
class Captioned {
public:
    virtual QString figureCaption() const = 0;
    /// What of the model or the study it shows now, "layer 3, head 2", for the name of a file; empty: all of it.
    virtual QString viewInFileName() const { return {}; }

    /// As CSV, what its numbers are where its views have less of it; empty: the views have all.
    virtual std::string fullData() const { return {}; }

protected:
    ~Captioned() = default;
};

} // namespace headroom::app
