# What all targets share: the language, the warnings, the sanitizers.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

include(VitrineMoc)
include(VitrinePrecompiled)

# Unchanged sources are not compiled again. ccache knows a precompiled header by what it holds, not by its time.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

# Hundreds of tests are linked with all of the program; mold takes a quarter of the time of GNU ld.
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM AND (VITRINE_TESTS OR VITRINE_FUZZ) AND
   NOT (CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.1))
  add_link_options(-fuse-ld=mold)
endif()

add_library(vitrine_options INTERFACE)
target_compile_features(vitrine_options INTERFACE cxx_std_20)
# What nvcc hands to its host compiler holds line marks of its own, which -Wpedantic knows not.
target_compile_options(vitrine_options INTERFACE -Wall -Wextra $<$<COMPILE_LANGUAGE:CXX>:-Wpedantic> -Wshadow
                       -Wnon-virtual-dtor -Woverloaded-virtual)
# g++ 12 sees overlaps that are not there in "text" + std::string (gcc.gnu.org/PR105651).
target_compile_options(vitrine_options INTERFACE
  "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-stringop-overflow>")
# With memory for it, g++ collects its garbage seldom: a tenth of the time of a large unit. Ninja compiles two units more
# than there are processors at once.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
  cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
  math(EXPR megabytes "${megabytes} / (${processors} + 2)")
  if(megabytes GREATER_EQUAL 1500)
    target_compile_options(vitrine_options INTERFACE
      "$<$<AND:$<CONFIG:Release,RelWithDebInfo>,$<COMPILE_LANGUAGE:CXX>>:--param=ggc-min-heapsize=1000000>")
  endif()
endif()
if(VITRINE_WARNINGS_AS_ERRORS)
  target_compile_options(vitrine_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>
                         $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(VITRINE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # With sanitizers g++ takes what a variant does not hold for memory that is read before it is written.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

if(VITRINE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# What an installed file holds names no folder of this machine: VITRINE_CHECK and Q_ASSERT report paths from the root of
# the tree.
function(vitrine_hide_source_paths name)
  target_compile_options(${name} PRIVATE -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
endfunction()

# One static library for each folder: the linker then enforces which may use which. Its sources are compiled together but
# for those APART; see vitrine_compile_together.
function(vitrine_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;APART;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/engine/include ${CMAKE_SOURCE_DIR}/engine)
  target_link_libraries(${name} PUBLIC vitrine_options ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  vitrine_hide_source_paths(${name})
  vitrine_precompile(${name} std)
  vitrine_compile_together(${name} APART ${ARG_APART})
endfunction()

# Registers a run with CTest. A test takes sixty seconds at most; a busy machine may take five times that before CTest ends
# it, the sanitizers ten times.
function(vitrine_register_run run)
  cmake_parse_arguments(ARG "" "" "COMMAND;LABELS;ENVIRONMENT" ${ARGN})
  add_test(NAME ${run} COMMAND ${ARG_COMMAND})
  set(seconds 300)
  # Nothing that is kept for the next start comes from the user's own folder, nor goes there.
  set(environment QT_QPA_PLATFORM=offscreen XDG_CACHE_HOME=${CMAKE_BINARY_DIR}/cache_of_tests ${ARG_ENVIRONMENT})
  if(VITRINE_SANITIZE)
    set(seconds 600)
    list(APPEND environment LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/leaks.supp)
  endif()
  set_tests_properties(${run} PROPERTIES TIMEOUT ${seconds} LABELS "${ARG_LABELS}" ENVIRONMENT "${environment}")
endfunction()

# vitrine_test(tst_name LABELS unit [SOURCES extra.cpp...] LIBS vitrine_text ...): a Qt Test program
# built from tst_name.cpp and registered with CTest. Those with the label gui get the tests' own fonts and screens.
function(vitrine_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LABELS;LIBS" ${ARGN})
  add_executable(${name} ${name}.cpp ${ARG_SOURCES} ${CMAKE_CURRENT_BINARY_DIR}/${name}.moc)
  # One class with Q_OBJECT, in a source whose name is known: CMake's own way would compile one source more a test.
  add_custom_command(OUTPUT ${name}.moc DEPENDS ${name}.cpp COMMAND_EXPAND_LISTS VERBATIM
    COMMAND Qt6::moc "-D$<JOIN:$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>,;-D>" ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp
            -o ${CMAKE_CURRENT_BINARY_DIR}/${name}.moc)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests ${CMAKE_SOURCE_DIR}/engine
                             ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE vitrine_options vitrine_qt_test ${ARG_LIBS})
  target_compile_definitions(${name} PRIVATE VITRINE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                             VITRINE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if(gui IN_LIST ARG_LABELS)
    target_link_libraries(${name} PRIVATE vitrine_surroundings ${vitrine_qt_of_tests})
    vitrine_precompile(${name} tests)
  else()
    # Not Qt's: it makes a macro of `slots`, a name of the engine's own headers, which such a test includes first.
    vitrine_precompile(${name} std)
  endif()
  # Hundreds of them are built for one run each. Their line tables take half of the time of a link and two thirds of its
  # bytes; a build of the type Debug has them, and one with sanitizers, which print them.
  if(NOT VITRINE_SANITIZE)
    vitrine_optimize_less(${name})
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-g0>)
    target_link_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-Wl,--strip-debug>)
  endif()
  vitrine_register_run(${name} COMMAND ${name} LABELS ${ARG_LABELS})
endfunction()

# vitrine_test_looks(tst_name [function ...]): runs these functions of a gui test, all without any, once more under
# each of the other fonts, and under each at 150 %.
function(vitrine_test_looks name)
  foreach(fonts dejavu noto-sans noto-cjk)
    foreach(percent 100 150)
      set(environment VITRINE_TEST_FONTS=${fonts})
      if(percent EQUAL 150)
        list(APPEND environment QT_SCALE_FACTOR=1.5)
      elseif(fonts STREQUAL dejavu)
        continue()  # as it runs anyway
      endif()
      vitrine_register_run(${name}-${fonts}-${percent} COMMAND ${name} ${ARGN} LABELS gui ENVIRONMENT ${environment})
    endforeach()
  endforeach()
endfunction()
