# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the JSON document of test-gpu as Markdown."""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell).replace("|", "/") for cell in row) + " |" for row in rows])


def number(value):
    return f"{value:.4g}" if isinstance(value, (int, float)) else "–"


def met(row):
    if not row.get("wanted") or row["ratio"] is None:
        return "–"
    return "met" if row["ratio"] >= row["wanted"] else "missed"


def markdown(document):
    device = document["machine"]["device"] or {}
    parts = [f"# headroom-worker on {device.get('name', document['device'])}",
             f"{document['date']}, {document['machine']['host']}, driver {device.get('driver') or 'none'}, "
             f"{document['seconds']:.0f} s: {'passed' if document['passed'] else 'FAILED'}.",
             table(["step", "", "seconds", "what went wrong"],
                   [[s["step"], "PASS" if s["passed"] else "FAIL", s["seconds"], s["sentence"]]
                    for s in document["steps"]])]
    if document["remark"]:
        parts.append(document["remark"])
    if document["benchmarks"]:
        parts.append(table(["benchmark", "ours", "beside", "", "ratio", "wanted", "", "of", "note"],
                           [[r["name"], number(r["ours"]), number(r["alternative"]), r["unit"], number(r["ratio"]),
                             "≥ " + number(r["wanted"]) if r.get("wanted") else "–", met(r), r["alternativeName"], r["note"]]
                            for r in document["benchmarks"]]))
    if document["checks"]:
        parts.append(table(["check", "precision", "", "detail"],
                           [[r["name"], r["precision"], "PASS" if r["passed"] else "FAIL", r["detail"]]
                            for r in document["checks"]]))
    if document["training"]:
        best = document["training"]["best"] or {}
        parts.append(table(["updates", "loss", "WER %", "peak MB"],
                           [[document["training"]["updates"], number(best.get("loss")), number(best.get("wer")),
                             number(document["training"]["peakBytes"] / 1e6)]]))
    return "\n\n".join(parts) + "\n"
