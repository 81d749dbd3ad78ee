// The page: what a browser gets, as a set of files from a server, or as one file with a run inside.
//
// The texts are those of resources/page, embedded. Both forms are the same document, style and script.
// Neither asks anything of another host: the server says so in Content-Security-Policy, and the file in
// itself. Thread: any. Read next: page_writer.h, app/server/api_server.cpp, resources/page/page.js.
#pragma once

#include <string>
#include <string_view>

namespace vitrine::page {

struct PageFile {
  std::string_view path, type, text;  // "/", "text/html; charset=utf-8"
};

// Of a server; null for a path that is none of its files.
const PageFile* pageFile(std::string_view path);
// What the browser may load: the server's own script, style and sockets.
inline constexpr const char* kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri "
    "'none'; "
    "form-action 'none'; frame-ancestors 'none'";

// The one file: what stands before the run's JSON, and what behind it.
struct PageFrame {
  std::string before, behind;
};
PageFrame framedPage(std::string_view title);

}  // namespace vitrine::page
