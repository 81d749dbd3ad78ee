# Debian packages: vitrine, and vitrine-reference with what needs libtorch, 2 GB with what it brings. packaging/deb
# makes them. Which libraries they depend on is read from the files (dpkg-shlibdeps).
set(VITRINE_DEB_MAINTAINER "The Vitrine maintainers <maintainers@vitrine.example>" CACHE STRING
    "The maintainer that a Debian package names")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vitrine)
set(CPACK_PACKAGE_VENDOR "The Vitrine maintainers")
set(CPACK_PACKAGE_CONTACT ${VITRINE_DEB_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package below begins with its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL vitrine)
if(TARGET vitrine_torch)
  list(APPEND CPACK_COMPONENTS_ALL reference)
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_VITRINE_PACKAGE_NAME vitrine)
set(CPACK_DEBIAN_VITRINE_PACKAGE_SECTION education)
# Qt loads the driver of the chats' file as a plugin, which no file is linked with.
set(CPACK_DEBIAN_VITRINE_PACKAGE_DEPENDS libqt6sql6-sqlite)
set(CPACK_DEBIAN_VITRINE_PACKAGE_RECOMMENDS "ca-certificates, fonts-dejavu-core, qt6-wayland, qt6-translations-l10n")
set(CPACK_DEBIAN_VITRINE_PACKAGE_SUGGESTS "vitrine-reference")
set(CPACK_DEBIAN_VITRINE_DESCRIPTION "learn how LLM inference works, by looking into an engine
You chat with a language model and, at any moment, stop the machine, turn it
one scheduler iteration at a time, and look into every part of it: the queue,
the batch, the paged KV cache, the sampler. You can go back, change a knob,
and ask why.
.
The engine is the one that answers the chat: continuous batching, chunked
prefill, prefix sharing, preemption, beam search, speculative decoding. A
small model is built in; models of the Llama, Qwen2, Qwen3 and Mistral
families open from their folders. vitrine-cli does the same in a terminal.")

set(CPACK_DEBIAN_REFERENCE_PACKAGE_NAME vitrine-reference)
set(CPACK_DEBIAN_REFERENCE_PACKAGE_SECTION education)
set(CPACK_DEBIAN_REFERENCE_PACKAGE_DEPENDS "vitrine (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_REFERENCE_PACKAGE_RECOMMENDS libopenblas0-pthread)
set(CPACK_DEBIAN_REFERENCE_DESCRIPTION "libtorch's kernels for Vitrine
With this module Vitrine computes with libtorch's operations when asked to
(--kernels reference), so that its own kernels can be compared with them.
Vitrine needs it for nothing else.")

# What Debian asks of each package's folder of documents.
find_program(DATE_PROGRAM date)
if(DATE_PROGRAM)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${DATE_PROGRAM} -u -R -d ${VITRINE_RELEASE_DATE}
                  OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT changelog.Debian CONTENT "vitrine (@PROJECT_VERSION@-@CPACK_DEBIAN_PACKAGE_RELEASE@) unstable; urgency=medium

  * Version @PROJECT_VERSION@; changelog.gz says what is new.

 -- @VITRINE_DEB_MAINTAINER@  ${date}
" @ONLY)
zipped(${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian.gz ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian)
add_custom_target(vitrine-debian-changelog ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian.gz)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vitrine
        COMPONENT vitrine EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian.gz debian/copyright
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vitrine-reference COMPONENT reference EXCLUDE_FROM_ALL)
include(CPack)
