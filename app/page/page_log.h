// PageLog: a run's steps as entries of JSON, each with what changed since the one before.
//
// An entry is PageStory's account with "machine" (the whole of it) or "patch" (on the machine of the entry
// before, page_patch.h). The first has the whole. Thread: a value. Read next: page_story.h.
#pragma once

#include <string>

#include "page/page_story.h"

namespace vitrine::page {

class PageLog {
 public:
  // The story as it stands is the next entry.
  std::string next(const PageStory& story);
  // The story as it stands, on the last entry, which stays the last: for a step that is under way.
  std::string glance(const PageStory& story) const;
  // The last entry with its whole machine. Requires one.
  std::string whole() const;
  bool isEmpty() const { return m_machine.is_null(); }
  void clear() { m_machine = m_account = nullptr; }

 private:
  Json m_account, m_machine;  // of the last entry
};

}  // namespace vitrine::page
