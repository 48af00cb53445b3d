# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Run by cpack between installing and packing: what Debian's policy asks of installed files and nobody else does. Pages
# of man are compressed, and every package says what changed in the form of its changelogs.
find_program(gzip gzip REQUIRED)
find_program(python python3 REQUIRED)
file(GLOB packages LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(package ${packages})
    file(GLOB pages ${package}/usr/share/man/man1/*.1)
    foreach(page ${pages})
        execute_process(COMMAND ${gzip} -9n ${page} COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
    file(GLOB documents ${package}/usr/share/doc/*/copyright)
    foreach(document ${documents})
        cmake_path(GET document PARENT_PATH folder)
        execute_process(COMMAND ${python} -B ${CMAKE_CURRENT_LIST_DIR}/debian_changelog.py ${CPACK_PW_CHANGELOG}
                                ${folder}/changelog.gz --contact ${CPACK_PACKAGE_CONTACT}
                        COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
endforeach()
