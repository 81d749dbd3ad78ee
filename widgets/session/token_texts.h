// TokenTexts: the text of each token of a run. It lasts as long as the run, since the window can go back to
// any step, even of forgotten requests. It keeps the bytes, and four more for each token. Thread: the
// window's.
#pragma once

#include <QString>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vitrine/machine_state.h"

namespace vitrine {

class TokenTexts {
 public:
  void note(const Event& event);
  void clear();

  // The text of the token at `position` of a sequence in `state`: "#id" for a token without text of its own,
  // empty if there is no such token.
  QString textOf(const SequenceState& state, int position) const;
  // The same without a state, for a sequence of any step; empty for a token without text of its own.
  QString textAt(SequenceId sequence, int position) const;
  // The text of a sequence in `state`, with the names of tokens without text where they were sampled:
  // "Hi</s>". The text of `state` itself if there are no names to put in, and `named` otherwise.
  std::string_view writtenBy(const SequenceState& state, std::string& named) const;

 private:
  struct Texts {
    std::string bytes;
    std::vector<std::uint32_t> ends;  // the end of each token's bytes
    std::vector<int> names;           // positions of tokens whose bytes are no text but a name, in order
    int firstPosition = 0;

    void put(int position, std::string_view text);
    std::string_view at(int position) const { return between(position, position + 1); }
    std::string_view between(int from, int to) const;  // the bytes of the tokens from `from` to before `to`
  };

  std::unordered_map<RequestId, Texts> m_prompts;
  std::unordered_map<SequenceId, RequestId> m_requests;
  std::unordered_map<SequenceId, Texts> m_outputs;
  std::unordered_map<SequenceId, std::string> m_beamEnds;  // of the answers of searches: the name of the end
};

}  // namespace vitrine
