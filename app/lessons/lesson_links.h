// The links of Markdown text, outside of code and formulas: a lesson's actions are among them.
//
// Read as CommonMark reads them: [words](address), [words](<address>), <address>, and definitions
// ("[words]: address"). The time is linear in the text but for hostile ones. Thread: values. Read next:
// lesson_text.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

enum class LinkForm { kInline, kBare, kDefinition };

struct LinkInText {
  LinkForm form = LinkForm::kInline;
  std::size_t begin = 0, end = 0;  // in the text
  std::string words;               // without Markdown, in one line
  std::string address;             // as written
};

// `text`: lines without fenced code, for which empty lines stand.
std::vector<LinkInText> linksIn(std::string_view text);

// A text with the words of each link in the link's place, behind them the address of a link to the web where
// it is told; links in code stay.
enum class WebAddresses { kLeftOut, kTold };
std::string withoutLinks(std::string_view text, WebAddresses web = WebAddresses::kLeftOut);

// The text without its fenced and indented code, with as many lines.
std::string withoutCodeBlocks(std::string_view text);

// Of the fences of code, line by line.
class CodeFence {
 public:
  // Whether the line belongs to fenced code, its fences included.
  bool takes(std::string_view line);

 private:
  char m_mark = 0;  // 0: outside
  std::size_t m_length = 0;
};

}  // namespace vitrine
