# SPDX-License-Identifier: Apache-2.0
# Compiles slave (CPE) sources with clang and the emulation's flags. Used from the build tree and from the installed package.

# swgen_athread_add_slave(<target> <sources>... [ENTRIES <functions>...] [FLAGS <flags>...])
# Adds the objects of the sources to <target>, which must be made in the same directory, and links it to the emulation.
# ENTRIES lists slave functions written with their plain name (-Df=slave_f). Include directories of <target> apply.
function(swgen_athread_add_slave target)
  cmake_parse_arguments(PARSE_ARGV 1 SLAVE "" "" "ENTRIES;FLAGS")
  if(NOT SLAVE_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "swgen_athread_add_slave(${target}): no sources")
  endif()
  find_program(SWGEN_ATHREAD_CLANG NAMES clang-14 clang DOC "clang 14 or newer, for slave code")
  if(NOT SWGEN_ATHREAD_CLANG)
    message(FATAL_ERROR "swgen_athread_add_slave(${target}): clang not found; set SWGEN_ATHREAD_CLANG")
  endif()
  get_property(flags GLOBAL PROPERTY SWGEN_ATHREAD_SLAVE_FLAGS)
  get_property(include_dirs GLOBAL PROPERTY SWGEN_ATHREAD_INCLUDE_DIRS)
  list(TRANSFORM include_dirs PREPEND -I)
  foreach(entry IN LISTS SLAVE_ENTRIES)
    list(APPEND flags -D${entry}=slave_${entry})
  endforeach()
  foreach(source IN LISTS SLAVE_UNPARSED_ARGUMENTS)
    get_filename_component(path ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    get_filename_component(name ${source} NAME)
    set(standard -std=gnu99)
    if(NOT name MATCHES "\\.c$")
      set(standard -std=gnu++98 -x c++)
    endif()
    string(SHA256 key ${path})
    string(SUBSTRING ${key} 0 8 key)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.slave/${key}_${name}.o)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}.slave)
    set(own_dirs $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${SWGEN_ATHREAD_CLANG} ${standard} ${flags} ${SLAVE_FLAGS} ${include_dirs}
              "$<$<BOOL:${own_dirs}>:-I$<JOIN:${own_dirs},;-I>>" -MD -MF ${object}.d -c ${path} -o ${object}
      DEPENDS ${path}
      DEPFILE ${object}.d
      COMMENT "Slave code ${name}"
      COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    target_sources(${target} PRIVATE ${object})
  endforeach()
  target_link_libraries(${target} PRIVATE swgen_athread::swgen_athread)
endfunction()
