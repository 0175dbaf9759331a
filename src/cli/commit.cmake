# SPDX-License-Identifier: Apache-2.0
# Run at build time, so that the commit is that of the sources built: writes OUTPUT, and only where it changes.
#   cmake -DSOURCE=... -DOUTPUT=... -P commit.cmake
cmake_minimum_required(VERSION 3.25)
set(COMMIT "unknown")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} rev-parse --show-toplevel WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE TOP OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE FAILED)
  file(REAL_PATH ${SOURCE} HERE)
  # A tarball unpacked inside somebody else's checkout has no commit of ours.
  if(NOT FAILED AND TOP STREQUAL HERE)
    execute_process(COMMAND ${GIT} rev-parse HEAD WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE HEAD OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE FAILED)
    if(NOT FAILED)
      set(COMMIT ${HEAD})
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define MILLRACE_COMMIT \"@COMMIT@\"\n" @ONLY)
