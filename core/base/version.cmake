# Writes OUTPUT from INPUT with VERSION, BUILD and the revision of SOURCE: what git says of it, else what `git archive`
# put into revision.txt, else nothing. An output that stays the same is left alone, so that nothing is built again.
set(REVISION "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --exclude=* --abbrev=10
                    OUTPUT_VARIABLE REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
else()
    file(READ ${SOURCE}/core/base/revision.txt archived)
    if(archived MATCHES "^([0-9a-f]+)[ \n]*$")
        string(SUBSTRING ${CMAKE_MATCH_1} 0 10 REVISION) # as long as git's above
    endif()
endif()
configure_file(${INPUT} ${OUTPUT} @ONLY)
