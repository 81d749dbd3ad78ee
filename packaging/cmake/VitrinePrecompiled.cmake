include(CheckCXXCompilerFlag)

# Precompiled headers: the standard library and Qt are parsed once for all targets of a kind, which halves the time of a
# build. They hold headers of others alone, but for those of the window's tests, most of which read session.h and take a
# third of the time with it. A source includes what it uses all the same: dev-asan builds without them.
option(VITRINE_PRECOMPILE "Precompile the headers of others, and compile sources together" ON)
set(VITRINE_TOGETHER 24 CACHE STRING "How many sources of a target are one translation unit")

set(vitrine_headers_of_std algorithm array charconv chrono cmath cstdint cstdio cstring filesystem fstream functional
    limits map memory numeric optional set span sstream string string_view tuple unordered_map utility variant vector)
set(vitrine_headers_of_core ${vitrine_headers_of_std} QCoreApplication QDateTime QDir QFile QFileInfo QHash QJsonArray
    QJsonDocument QJsonObject QList QLocale QObject QPointer QRegularExpression QSet QString QStringList QThread QTimer
    QUrl)
set(vitrine_headers_of_widgets ${vitrine_headers_of_core} QAction QApplication QBoxLayout QClipboard QComboBox QDialog
    QDialogButtonBox QFileDialog QGridLayout QHeaderView QKeyEvent QLabel QLineEdit QListView QMainWindow QMenu QMimeData
    QMouseEvent QPainter QPainterPath QPlainTextEdit QPushButton QScreen QScrollArea QScrollBar QSettings QSpinBox
    QTextDocument QTextLayout QToolButton QToolTip QWidget)
set(vitrine_headers_of_tests ${vitrine_headers_of_widgets} QSignalSpy QTemporaryDir QTest vitrine/engine.h
    widgets/session/session.h)
set(vitrine_headers_of_program ${vitrine_headers_of_std})
set(vitrine_qt_of_std "")
set(vitrine_qt_of_program "")
set(vitrine_qt_of_core Qt6::Core)
set(vitrine_qt_of_widgets Qt6::Widgets)
set(vitrine_qt_of_tests Qt6::Widgets Qt6::Network vitrine_qt_test)

# vitrine_precompile(target std|core|widgets|tests|program): the target's sources begin with these headers. A compiler takes a
# precompiled header only for the code model that it was made for: that of libraries and of all that is linked with Qt,
# or of a plain `program`, which gets those of the standard library.
function(vitrine_precompile name kind)
  if(NOT VITRINE_PRECOMPILE)
    return()
  endif()
  set(headers vitrine_headers_${kind})
  if(NOT TARGET ${headers})
    set(source ${CMAKE_BINARY_DIR}/precompiled/${headers}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
    if(kind STREQUAL program)
      add_executable(${headers} ${source})
    else()
      add_library(${headers} OBJECT ${source})
    endif()
    target_link_libraries(${headers} PRIVATE vitrine_options ${vitrine_qt_of_${kind}})
    set(quoted ${vitrine_headers_of_${kind}})
    list(TRANSFORM quoted REPLACE "(.+)" "<\\1>")
    target_precompile_headers(${headers} PRIVATE ${quoted})
    target_include_directories(${headers} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/engine/include)
  endif()
  target_precompile_headers(${name} REUSE_FROM ${headers})
  # Without it ccache cannot tell what lies in a precompiled header.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

# vitrine_optimize_less(target): for what waits for a person, a file or the products of a step, and for tests, so that a
# build in three quarters of the time is worth more than the last percent of its own.
function(vitrine_optimize_less name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
  # From version 13 on g++ takes two options for x86 from the level of optimization, and no precompiled header that was
  # made with others.
  check_cxx_compiler_flag(-munroll-only-small-loops VITRINE_UNROLLS_SMALL_LOOPS)
  if(VITRINE_UNROLLS_SMALL_LOOPS)
    target_compile_options(${name} PRIVATE "$<$<CONFIG:Release,RelWithDebInfo>:-munroll-only-small-loops;-mvzeroupper>")
  endif()
endfunction()

# vitrine_compile_plainly(target...): without precompiled headers, for sources that include the engine's headers before
# Qt's, which makes a macro of `slots`, and for those in whose inlined std::string g++ 12 then suspects overflows that
# are not there.
function(vitrine_compile_plainly)
  set_target_properties(${ARGN} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
endfunction()

# vitrine_compile_together(target [APART source...]): VITRINE_TOGETHER sources are one translation unit, so that the
# project's own headers are parsed once for all of them. A build from nothing is the shorter the more there are, one after
# a change the longer. Compiled apart are a source that shares a local name with another one, and a
# source in which a public class has a member of a local class. Without VITRINE_PRECOMPILE every source is by itself.
function(vitrine_compile_together name)
  cmake_parse_arguments(ARG "" "" "APART" ${ARGN})
  if(VITRINE_PRECOMPILE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${VITRINE_TOGETHER})
    # In the functions of many sources g++ 12 sees overruns too that are not there (gcc.gnu.org/PR105651).
    target_compile_options(${name} PRIVATE
      "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-array-bounds>")
    set_source_files_properties(${ARG_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
