# SPDX-License-Identifier: GPL-3.0-or-later
# headroom FILE… --screenshot FILE.png without a display: status 0 and a picture of the size asked for; and the sentences of
# wrong use.
unset(ENV{DISPLAY})
unset(ENV{WAYLAND_DISPLAY})
unset(ENV{QT_QPA_PLATFORM})
set(ENV{HEADROOM_WORKER} ${WORKER})

function(expect status)
  execute_process(COMMAND ${HEADROOM} ${ARGN} RESULT_VARIABLE result ERROR_VARIABLE error OUTPUT_VARIABLE output)
  if(NOT result EQUAL ${status})
    message(FATAL_ERROR "headroom ${ARGN}: status ${result}, not ${status}. ${error}")
  endif()
  set(error "${error}" PARENT_SCOPE)
endfunction()

file(REMOVE ${OUT})
expect(0 ${RESOURCES}/demo/demo.wav ${RESOURCES}/demo/model --screenshot ${OUT} --size 1280x800 --theme dark)
file(READ ${OUT} signature LIMIT 24 HEX)
# PNG signature, IHDR, 1280 × 800.
if(NOT signature MATCHES "^89504e470d0a1a0a0000000d494844520000050000000320$")
  message(FATAL_ERROR "Not a PNG of 1280 × 800: ${signature}")
endif()

# What could not be opened is in the picture, and in the terminal.
file(REMOVE ${OUT})
expect(1 /no/such/sound.wav --screenshot ${OUT} --size 1280x800)
if(NOT error MATCHES "sound.wav does not exist" OR NOT EXISTS ${OUT})
  message(FATAL_ERROR "A file that does not exist: ${error}")
endif()

expect(2 --size 10x10 --screenshot ${OUT})
expect(2 --theme pink)
expect(2 --no-such-option)
expect(1 --screenshot /no/such/folder/picture.png --size 1280x800)
expect(1)
if(NOT error MATCHES "There is no display")
  message(FATAL_ERROR "Without a display: ${error}")
endif()
