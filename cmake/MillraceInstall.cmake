# SPDX-License-Identifier: Apache-2.0
# The shared library libmillrace.so, made of every room below the command line, and what `make install` lays down:
# bin/millrace, lib/libmillrace.so, include/millrace/, and what find_package(millrace) and pkg-config read.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The objects themselves, not the archives: nothing inside the library calls most of what it shows.
set(objects "")
foreach(room array mosaic dsl event program tile machine check explore plan timing view rules api
             matmul together cpu)
  if(TARGET millrace_${room})
    list(APPEND objects $<TARGET_OBJECTS:millrace_${room}>)
  endif()
endforeach()

add_library(millrace SHARED ${objects})
set_target_properties(millrace PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(millrace PRIVATE millrace_mlir_cpu fmt::fmt ${CMAKE_DL_LIBS})
# A room that is missing from the list above is noticed here, not by a user.
target_link_options(millrace PRIVATE -Wl,--no-undefined)
target_compile_features(millrace INTERFACE cxx_std_20)
target_include_directories(millrace INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# Only what is marked MILLRACE_API leaves the library: the LLVM archives inside were built with everything visible.
set(export_map ${PROJECT_SOURCE_DIR}/cmake/millrace.map)
target_link_options(millrace PRIVATE -Wl,--version-script=${export_map})
set_target_properties(millrace PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINK_DEPENDS ${export_map})

# Relative, so that an installed tree can be moved.
if(TARGET millrace_cli)
  set_target_properties(millrace_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS millrace_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS millrace EXPORT millraceTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/millrace DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/millrace)
install(EXPORT millraceTargets NAMESPACE millrace:: DESTINATION ${package_folder})
configure_package_config_file(cmake/millraceConfig.cmake.in ${PROJECT_BINARY_DIR}/millraceConfig.cmake
  INSTALL_DESTINATION ${package_folder})
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/millraceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/millraceConfig.cmake ${PROJECT_BINARY_DIR}/millraceConfigVersion.cmake
  DESTINATION ${package_folder})

configure_file(cmake/millrace.pc.in ${PROJECT_BINARY_DIR}/millrace.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/millrace.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
