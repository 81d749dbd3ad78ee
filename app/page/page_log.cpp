#include "page/page_log.h"

#include <utility>

namespace vitrine::page {
namespace {

std::string entry(Json account, const Json& before, const Json& machine) {
  if (before.is_null())
    account["machine"] = machine;
  else
    account["patch"] = patchBetween(before, machine);
  return lineOf(account);
}

}  // namespace

std::string PageLog::next(const PageStory& story) {
  m_account = story.account();
  const Json before = std::exchange(m_machine, story.machine());
  return entry(m_account, before, m_machine);
}

std::string PageLog::glance(const PageStory& story) const {
  return entry(story.account(), m_machine, story.machine());
}

std::string PageLog::whole() const { return entry(m_account, nullptr, m_machine); }

}  // namespace vitrine::page
