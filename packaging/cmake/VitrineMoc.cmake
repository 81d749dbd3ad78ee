# vitrine_moc(target): Qt's meta-object compiler reads the headers and sources of the target.
#
# It looks up each header that a file includes and parses Qt's own along with it: a quarter of a second a file, hundreds
# of times, and what it writes is the same as without them. So it is told of this project's folders first.
function(vitrine_moc name)
  # It needs nothing that other targets make, so it does not wait for them.
  set_target_properties(${name} PROPERTIES AUTOMOC ON AUTOGEN_ORIGIN_DEPENDS OFF)
  if(CMAKE_HOST_UNIX)
    get_property(moc GLOBAL PROPERTY vitrine_moc_program)
    if(NOT moc)
      set(moc ${CMAKE_BINARY_DIR}/moc)
      get_target_property(vitrine_qt_moc Qt6::moc LOCATION)
      configure_file(${CMAKE_SOURCE_DIR}/packaging/cmake/moc.in ${moc} @ONLY FILE_PERMISSIONS
                     OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
      set_property(GLOBAL PROPERTY vitrine_moc_program ${moc})
    endif()
    set_target_properties(${name} PROPERTIES AUTOMOC_EXECUTABLE ${moc})
  endif()
endfunction()
