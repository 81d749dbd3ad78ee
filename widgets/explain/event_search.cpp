#include "widgets/explain/event_search.h"

#include <QStringList>

#include "widgets/explain/event_text.h"
#include "widgets/support/request_style.h"

namespace vitrine {
namespace {

const QLatin1String kBlock("block:"), kRequest("request:"), kStep("step:");

struct ConcernsBlock {
  BlockId block;
  bool operator()(const BlockCopied& copied) const { return copied.from == block || copied.to == block; }
  template <class Body>
  bool operator()(const Body& body) const {
    if constexpr (requires { body.block; })
      return body.block == block;
    else
      return false;
  }
};

struct RequestOf {
  template <class Body>
  RequestId operator()(const Body& body) const {
    if constexpr (requires { body.request; })
      return body.request;
    else
      return 0;
  }
};

// A number behind the prefix; false for other words.
bool readNumber(const QString& word, QLatin1String prefix, int& number) {
  if (!word.startsWith(prefix, Qt::CaseInsensitive)) return false;
  bool isNumber = false;
  const int value = word.mid(prefix.size()).toInt(&isNumber);
  if (!isNumber || value < 0) return false;
  number = value;
  return true;
}

}  // namespace

EventSearch EventSearch::fromText(const QString& text) {
  EventSearch search;
  QStringList words;
  for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) {
    if (readNumber(word, kBlock, search.block) || readNumber(word, kStep, search.step)) continue;
    if (word.startsWith(kRequest, Qt::CaseInsensitive) && word.size() > kRequest.size())
      search.request = word.mid(kRequest.size());
    else
      words << word;
  }
  search.words = words.join(u' ');
  return search;
}

QString EventSearch::forBlock(BlockId block) { return kBlock + QString::number(block); }
QString EventSearch::forRequest(RequestId request) { return kRequest + requestLetter(request); }

bool EventSearch::fits(const Event& event, const MachineState& state, const SequenceNames& names) const {
  if (step >= 0 && event.step != step) return false;
  const auto body = [&event](const auto& visitor) {
    return std::visit([&](const auto& one) { return visitor(unboxed(one)); }, event.body);
  };
  if (block >= 0 && !body(ConcernsBlock{block})) return false;
  if (request.isEmpty()) return true;
  const SequenceId sequence = eventSequence(event);
  if (sequence != 0 && names.letter(sequence, state).compare(request, Qt::CaseInsensitive) == 0) return true;
  RequestId owner = body(RequestOf());
  if (owner == 0 && sequence != 0) owner = names.requestOf(sequence, state);
  return owner != 0 && requestLetter(owner).compare(request, Qt::CaseInsensitive) == 0;
}

}  // namespace vitrine
