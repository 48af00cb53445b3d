# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# cmake -DINPUT=file -DOUTPUT=file.cpp -DSYMBOL=name -P embed_text.cmake
# Writes a unit that defines `extern const char* const pw::embedded::SYMBOL`, so that a data file travels inside a
# library that knows no resource system. In chunks, as compilers limit one literal to 64 KiB.
file(READ "${INPUT}" text)
string(LENGTH "${text}" length)
set(chunk 12000)
set(literals "")
set(at 0)
while(at LESS length)
    string(SUBSTRING "${text}" ${at} ${chunk} part)
    string(APPEND literals "\n    R\"pw_text(${part})pw_text\"")
    math(EXPR at "${at} + ${chunk}")
endwhile()
file(WRITE "${OUTPUT}" "namespace pw::embedded {\nextern const char* const ${SYMBOL};\nconst char* const ${SYMBOL} =${literals};\n} // namespace pw::embedded\n")
