// TokenTexts: what each token of a run reads as, for as long as the run lasts: any step may be gone back to,
// and what the machine has forgotten still stands there. So it is kept small: the bytes, and four more a
// token. Thread: the window's.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "vitrine/machine_state.h"

namespace vitrine {

class TokenTexts {
 public:
  void note(const Event& event);
  void clear();

  // Of the token at `position` of a sequence as `state` has it; "#id" for one without text of its own,
  // nothing for one that is not there.
  QString textOf(const SequenceState& state, int position) const;

 private:
  struct Texts {
    std::string bytes;
    std::vector<std::uint32_t> ends;  // of each token's
    int firstPosition = 0;

    void put(int position, std::string_view text);
    std::string_view at(int position) const;
  };

  std::unordered_map<RequestId, Texts> m_prompts;
  std::unordered_map<SequenceId, Texts> m_outputs;
};

}  // namespace vitrine
