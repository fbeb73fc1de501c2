# SPDX-License-Identifier: GPL-3.0-or-later
# Every library that is not ours, found once. packaging/set-up installs them.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(SndFile REQUIRED IMPORTED_TARGET sndfile>=1.2)
pkg_check_modules(Soxr REQUIRED IMPORTED_TARGET soxr)
pkg_check_modules(SentencePiece REQUIRED IMPORTED_TARGET sentencepiece)
pkg_check_modules(Utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(Yaml REQUIRED IMPORTED_TARGET yaml-0.1) # lists of segments of MuST-C and mTEDx; configurations of NeMo
pkg_check_modules(Snappy REQUIRED IMPORTED_TARGET snappy) # pages of Parquet files
pkg_check_modules(Zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(Lz4 REQUIRED IMPORTED_TARGET liblz4) # Arrow and Parquet files
pkg_check_modules(Cairo REQUIRED IMPORTED_TARGET cairo cairo-pdf)

if(HEADROOM_WINDOW OR HEADROOM_TESTS)
  pkg_check_modules(PortAudio REQUIRED IMPORTED_TARGET portaudio-2.0)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core)
endif()
if(HEADROOM_WINDOW)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Gui Widgets PrintSupport Svg Concurrent Sql)
  find_package(QCustomPlotQt6 REQUIRED)
endif()
if(HEADROOM_TESTS)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Gui Test)
  if(HEADROOM_WINDOW)
    find_package(Qt6 6.4 REQUIRED COMPONENTS DBus) # a test asks the AT-SPI bus what it knows of the window
  endif()
endif()
if(HEADROOM_WORKER)
  pkg_check_modules(Fftw REQUIRED IMPORTED_TARGET fftw3f) # the alternative in the filterbank's benchmark
  find_package(LibTorch 2.11 REQUIRED)
  find_package(CLI11 REQUIRED)
endif()

headroom_precompiled(plain nlohmann_json::nlohmann_json)
if(HEADROOM_WORKER)
  headroom_precompiled(torch LibTorch::LibTorch nlohmann_json::nlohmann_json)
endif()
if(HEADROOM_WINDOW)
  headroom_precompiled(qt Qt6::Widgets nlohmann_json::nlohmann_json)
endif()
