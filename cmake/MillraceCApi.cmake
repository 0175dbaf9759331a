# SPDX-License-Identifier: Apache-2.0
# libmillrace_c.so: Millrace behind millrace/c_api.h, for Python and others. It goes into processes that bring an LLVM
# of their own (jaxlib does), and onto machines that have none: everything but the C library is inside and hidden, and
# what nothing reaches is left out.

# The archives of LLVM and MLIR by their files. MLIR's own targets ask for the shared libLLVM instead.
execute_process(
  COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-config --link-static --libfiles core support
  OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(llvm_archives)
file(GLOB mlir_archives ${LLVM_LIBRARY_DIR}/libMLIR*.a)

set(c_api_archives "")
foreach(room c_api front report target together api view timing rules explore check machine tile program dsl plan event
             mosaic array)
  if(TARGET millrace_${room})
    list(APPEND c_api_archives $<TARGET_FILE:millrace_${room}>)
    list(APPEND c_api_targets millrace_${room})
  endif()
endforeach()

# Debian's libfmt is a shared library; its code is in its headers, too.
add_library(millrace_c SHARED ${PROJECT_SOURCE_DIR}/src/c_api/fmt_inside.cpp)
add_dependencies(millrace_c ${c_api_targets})
target_include_directories(millrace_c PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
set(c_api_map ${PROJECT_SOURCE_DIR}/cmake/millrace_c.map)
target_link_options(millrace_c PRIVATE
  -Wl,--version-script=${c_api_map} -Wl,--no-undefined -Wl,-s
  -static-libstdc++ -static-libgcc)
target_link_libraries(millrace_c PRIVATE
  -Wl,--undefined=millrace_version -Wl,--start-group ${c_api_archives} ${mlir_archives} ${llvm_archives} -Wl,--end-group
  dl m pthread)
set_target_properties(millrace_c PROPERTIES LINK_DEPENDS "${c_api_map};${c_api_archives}")
install(TARGETS millrace_c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS millrace_c LIBRARY DESTINATION millrace COMPONENT python EXCLUDE_FROM_ALL)  # beside the package
