# Writes OUTPUT from INPUT with VERSION, BUILD and the revision of SOURCE: what git says of it, else what `git archive`
# put into revision.txt, else nothing. A release's tag on that revision (vX.Y.Z) goes to the end of BUILD. An output that
# stays the same is left alone, so that nothing is built again.
set(REVISION "")
set(names "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --exclude=* --abbrev=10
                    OUTPUT_VARIABLE REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(REVISION MATCHES "^[0-9a-f]+$")
        execute_process(COMMAND ${GIT} -C ${SOURCE} log -1 --format=%D OUTPUT_VARIABLE names ERROR_QUIET)
    endif()
else()
    file(READ ${SOURCE}/core/base/revision.txt archived)
    if(archived MATCHES "^([0-9a-f]+)([ \n].*)?$")
        set(names "${CMAKE_MATCH_2}")
        string(SUBSTRING ${CMAKE_MATCH_1} 0 10 REVISION) # as long as git's above
    endif()
endif()
if(names MATCHES "tag: (v[0-9]+\\.[0-9]+\\.[0-9]+)([,\n]|$)")
    string(APPEND BUILD ", tag ${CMAKE_MATCH_1}")
endif()
configure_file(${INPUT} ${OUTPUT} @ONLY)
