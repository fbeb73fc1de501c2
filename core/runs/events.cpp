// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/events.h"

#include "core/tensors/write_all.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace headroom {

using nlohmann::json;

namespace {

/// Where the last whole line ends.
off_t endOfLastLine(int descriptor) {
    off_t end = ::lseek(descriptor, 0, SEEK_END);
    char buffer[4096];
    while (end > 0) {
        const off_t start = std::max<off_t>(0, end - static_cast<off_t>(sizeof buffer));
        const ssize_t count = ::pread(descriptor, buffer, static_cast<std::size_t>(end - start), start);
        if (count <= 0)
            return end;
        for (ssize_t i = count; i > 0; --i)
            if (buffer[i - 1] == '\n')
                return start + i;
        end = start;
    }
    return 0;
}

double secondsNow() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) / 1000;
}

} // namespace

EventWriter::EventWriter(const std::filesystem::path& file) : m_file(file) {
    m_descriptor = ::open(file.c_str(), O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0666);
    if (m_descriptor < 0 || ::ftruncate(m_descriptor, endOfLastLine(m_descriptor)) != 0) {
        const int problem = errno;
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        errno = problem;
        fail();
    }
}

EventWriter::~EventWriter() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void EventWriter::fail() const {
    throw Error("run.unwritable",
                m_file.string() + " could not be written: " + std::system_category().message(errno) + ".",
                {{"file", m_file.string()}});
}

void EventWriter::add(nlohmann::ordered_json event) {
    event["time"] = secondsNow();
    const std::string line =
        event.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    if (!writeAll(m_descriptor, line))
        fail();
}

void EventWriter::flushToDisk() {
    if (::fdatasync(m_descriptor) != 0 && errno != EINVAL && errno != EROFS)
        fail();
}

std::vector<json> EventFollower::poll() {
    std::vector<json> events;
    std::FILE* stream = std::fopen(m_file.c_str(), "rbe");
    if (!stream)
        return events;
    std::string bytes;
    char buffer[65536];
    if (::fseeko(stream, static_cast<off_t>(m_offset), SEEK_SET) == 0)
        for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, stream)) > 0;)
            bytes.append(buffer, count);
    std::fclose(stream);
    std::size_t start = 0;
    for (std::size_t end; (end = bytes.find('\n', start)) != std::string::npos; start = end + 1) {
        auto event = json::parse(bytes.begin() + static_cast<std::ptrdiff_t>(start),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
        if (event.is_object())
            events.push_back(std::move(event));
        else if (end > start)
            ++m_badLines;
    }
    m_offset += start;
    return events;
}

void RunCurves::dropFrom(std::vector<Point>& points, std::int64_t first) {
    while (!points.empty() && points.back().update >= first)
        points.pop_back();
}

bool RunCurves::hasPoints() const {
    return !m_checkpoints.empty() || std::ranges::any_of(m_series, [](const auto& one) { return !one.second.empty(); });
}

void RunCurves::resume(std::int64_t update, double time) {
    double last = m_began; // with no checkpoint, everything since then is lost
    const auto dropLost = [&](std::vector<Point>& points) {
        dropFrom(points, update + 1);
        if (!points.empty())
            last = std::max(last, points.back().time);
    };
    dropLost(m_checkpoints);
    for (auto& [name, points] : m_series)
        dropLost(points);
    m_paused = 0; // it was ended while it was paused
    if (last > 0 && time > 0)
        m_stopped = time - last;
}

void RunCurves::keepClock(std::string_view event, std::int64_t update, double time) {
    if (event == "resumed") {
        resume(update, time);
    } else if (event == "started") { // again after each "resumed"
        if (m_began == 0 && time > 0 && !hasPoints())
            m_began = time - m_stopped;
    } else if (event == "checkpoint") {
        dropFrom(m_checkpoints, update);
        m_checkpoints.push_back({update, 0, time - m_stopped});
    } else if (event == "paused") {
        m_paused = time;
    } else if (event == "continued" && m_paused > 0 && time > 0) {
        m_stopped += time - m_paused;
        m_paused = 0;
    }
}

void RunCurves::add(const json& event) {
    const auto kind = event.value("event", json());
    const auto update = event.value("update", json());
    if (!update.is_number_integer())
        return;
    const auto at = update.get<std::int64_t>();
    const json clock = event.value("time", json());
    const double time = clock.is_number() ? clock.get<double>() : 0;
    if (kind.is_string())
        keepClock(kind.get_ref<const std::string&>(), at, time);
    if (kind != "step" && kind != "validation")
        return;
    const std::string prefix = kind == "validation" ? "validation." : "";
    for (const auto& [key, value] : event.items()) {
        if (!value.is_number() || key == "update" || key == "time")
            continue;
        auto& points = m_series[prefix + key];
        dropFrom(points, at); // a validation that was repeated after a resume
        points.push_back({at, value.get<double>(), time - m_stopped});
    }
}

} // namespace headroom
