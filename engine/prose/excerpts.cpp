#include "vitrine/prose/excerpts.h"

#include <algorithm>
#include <array>

namespace vitrine::prose {
namespace {

constexpr auto kExcerpts = std::to_array<Excerpt>({
#include "why_excerpts.inc"
});

constexpr bool eachDecisionHasOne() {
  return std::ranges::all_of(vitrine::Names<Decision>::list, [](std::string_view name) {
    return std::ranges::count(kExcerpts, name, &Excerpt::name) == 1;
  });
}
static_assert(eachDecisionHasOne() && kExcerpts.size() == vitrine::Names<Decision>::list.size(),
              "each decision needs one mark // [why:NAME] in a source, and each mark a decision");

}  // namespace

std::span<const Excerpt> excerpts() { return kExcerpts; }

const Excerpt& excerptOf(Decision decision) {
  return *std::ranges::find(kExcerpts, std::string_view(nameOf(decision)), &Excerpt::name);
}

}  // namespace vitrine::prose
