# SPDX-License-Identifier: Apache-2.0
# The rules of the repository's structure, read off its files; include() it below tests/.
add_executable(swgen_structure_test
  ${CMAKE_CURRENT_LIST_DIR}/structure/build_rules.cpp
  ${CMAKE_CURRENT_LIST_DIR}/structure/include_rules.cpp
  ${CMAKE_CURRENT_LIST_DIR}/structure/rules.cpp
  ${CMAKE_CURRENT_LIST_DIR}/structure/source_tree.cpp
  ${CMAKE_CURRENT_LIST_DIR}/structure/text_rules.cpp
  ${CMAKE_CURRENT_LIST_DIR}/structure_test.cpp)
target_include_directories(swgen_structure_test PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(swgen_structure_test PRIVATE SWGEN_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(swgen_structure_test PRIVATE GTest::gtest_main Threads::Threads)
gtest_discover_tests(swgen_structure_test PROPERTIES LABELS unit)
