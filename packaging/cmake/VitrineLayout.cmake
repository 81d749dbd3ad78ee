# Where the program's files lie, in an installation and, with the same relative places, in the build tree.
# vitrine/program_files.h finds them there, relative to the executable.
include(GNUInstallDirs)

set(VITRINE_DATA_DIR ${CMAKE_INSTALL_DATADIR}/vitrine)
# Two folders below lib, so that CPack takes no module for a library that ldconfig should know.
set(VITRINE_MODULE_DIR ${CMAKE_INSTALL_LIBDIR}/vitrine/modules)
file(RELATIVE_PATH VITRINE_DATA_FROM_PROGRAMS ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/vitrine)
file(RELATIVE_PATH VITRINE_MODULES_FROM_PROGRAMS ${CMAKE_INSTALL_FULL_BINDIR}
     ${CMAKE_INSTALL_FULL_LIBDIR}/vitrine/modules)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
cmake_path(ABSOLUTE_PATH VITRINE_DATA_FROM_PROGRAMS BASE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} NORMALIZE
           OUTPUT_VARIABLE built_data)
cmake_path(ABSOLUTE_PATH VITRINE_MODULES_FROM_PROGRAMS BASE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} NORMALIZE
           OUTPUT_VARIABLE VITRINE_BUILT_MODULES)
file(MAKE_DIRECTORY ${built_data})
foreach(folder model scenarios lessons)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/resources/${folder} ${built_data}/${folder} SYMBOLIC)
endforeach()

# vitrine_module(name COMPONENT component SOURCES ...): a shared object that vitrine/module.h loads on demand.
function(vitrine_module name)
  cmake_parse_arguments(ARG "" "COMPONENT" "SOURCES" ${ARGN})
  add_library(${name} MODULE ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/engine/include ${CMAKE_SOURCE_DIR}/engine)
  target_link_libraries(${name} PRIVATE vitrine_options)
  target_compile_definitions(${name} PRIVATE VITRINE_VERSION="${PROJECT_VERSION}")
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${VITRINE_BUILT_MODULES})
  vitrine_hide_source_paths(${name})
  install(TARGETS ${name} LIBRARY DESTINATION ${VITRINE_MODULE_DIR} COMPONENT ${ARG_COMPONENT})
endfunction()
