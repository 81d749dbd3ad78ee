// MarkedText: a text in UTF-8 that knows of each of its bytes where it comes from.
//
// A template mixes its own words with those of messages. What a message says must never become a control
// token, so the encoder needs to know which is which, and a window colours the parts of each message. Every
// operation on texts keeps the marks of the parts it takes. A text that is the template's alone, which most
// are, has no list of marks. Thread: a value; no sharing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/jinja/place.h"

namespace vitrine::jinja {

// A number that the caller gives to a value of the input: a message's index, for instance.
using Origin = std::int32_t;
inline constexpr Origin kNoOrigin = -1;

struct Mark {
  bool fromInput = false;
  Origin origin = kNoOrigin;
  Origin owner = kNoOrigin;  // of the innermost loop's item that has one
  Place place = {};          // of the node that wrote it; line 0 before that

  bool isPlain() const { return *this == Mark{}; }
  bool operator==(const Mark&) const = default;

  static Mark ofInput(Origin origin = kNoOrigin) { return {.fromInput = true, .origin = origin}; }
};

class MarkedText {
 public:
  struct Run {
    std::size_t end;  // in bytes
    Mark mark;
  };

  MarkedText() = default;
  explicit MarkedText(std::string text, const Mark& mark = {});

  const std::string& text() const { return m_text; }
  std::size_t size() const { return m_text.size(); }
  bool empty() const { return m_text.empty(); }
  // Empty for a text of the template that nothing has written yet; else they cover the text.
  const std::vector<Run>& runs() const { return m_runs; }

  Mark markAt(std::size_t byte) const;
  // The mark that holds for all of it: of the input if any part is, with the origin that its parts share.
  Mark commonMark() const;

  void reserve(std::size_t bytes) { m_text.reserve(bytes); }
  void append(std::string_view text, const Mark& mark = {});
  void append(const MarkedText& other) { append(other, 0, other.size()); }
  void append(const MarkedText& other, std::size_t begin, std::size_t end);
  // With what is missing in the marks of `other` filled in.
  void appendWritten(const MarkedText& other, Place place, Origin owner);

  MarkedText part(std::size_t begin, std::size_t end) const;

 private:
  std::size_t runAt(std::size_t byte) const;
  void mark(std::size_t end, const Mark& mark);

  std::string m_text;
  std::vector<Run> m_runs;
};

// Reads the marks of a text from its beginning to its end, for what writes another text letter by letter.
class MarkReader {
 public:
  explicit MarkReader(const MarkedText& text) : m_runs(text.runs()) {}
  // `byte` must not be before that of the last call.
  const Mark& at(std::size_t byte) {
    static const Mark plain;
    while (m_run < m_runs.size() && m_runs[m_run].end <= byte) ++m_run;
    return m_run < m_runs.size() ? m_runs[m_run].mark : plain;
  }

 private:
  const std::vector<MarkedText::Run>& m_runs;
  std::size_t m_run = 0;
};

}  // namespace vitrine::jinja
