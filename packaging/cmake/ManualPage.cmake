# cmake -D PROGRAM=... -D IN=... -D OUT=... -P ManualPage.cmake: puts what PROGRAM --manual prints
# where the words of IN have the comment COMMANDS.
execute_process(COMMAND ${PROGRAM} --manual OUTPUT_VARIABLE commands OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
file(READ ${IN} page)
string(REPLACE ".\\\" COMMANDS" "${commands}" page "${page}")
file(WRITE ${OUT} "${page}")
