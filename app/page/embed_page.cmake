# The page's files as texts of C++: cmake -DFROM=folder -DOUT=file -P embed_page.cmake
#
# A raw string ends at )page", which tests/page finds in none of them.
function(embed name)
  set(text "")
  foreach(file ${ARGN})
    file(READ ${FROM}/${file} one)
    string(APPEND text "${one}")
  endforeach()
  file(APPEND ${OUT}.new "constexpr std::string_view ${name} = R\"page(${text})page\";\n")
endfunction()

file(WRITE ${OUT}.new "")
embed(kDocument page.html)
embed(kStyle page.css)
embed(kScript run.js views.js page.js)
file(RENAME ${OUT}.new ${OUT})
