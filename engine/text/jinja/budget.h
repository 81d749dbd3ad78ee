// Budget: what one rendering may cost. Templates come with models, from anywhere, and a few letters of one
// can ask for hours or for all memory.
//
// A step is the evaluation of a node, or as much other work as takes about as long. What makes or walks a
// text or a list takes its steps before it begins. Thread: one thread at a time; make one for each rendering.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "text/jinja/fault.h"
#include "text/jinja/marked_text.h"

namespace vitrine::jinja {

struct Limits {
  std::uint64_t steps = 1'000'000;  // at least; a tenth of a second
  // More for a longer input: for each of its values, and for each 16 bytes of a text. A template takes some
  // hundred steps for a message.
  std::uint64_t stepsPerInput = 32;
  // And for the square of that size, since some templates look through all messages for each of them, or copy
  // all text before each: for a size of 2,000 as many again, and two seconds at most.
  std::uint64_t inputOfSquare = 64, mostOfSquare = 20'000'000;
  std::size_t textBytes = std::size_t{8} << 20;  // of one text, the output included
  int depth = 400;                               // of nodes and calls inside one another
};

class Budget {
 public:
  // The weight is that of Extent.
  Budget(const Limits& limits, std::uint64_t inputWeight) : m_limits(limits) {
    constexpr std::uint64_t kHeaviest = std::uint64_t{1} << 31;
    const std::uint64_t weight = std::min(inputWeight, kHeaviest);
    m_most = limits.steps + limits.stepsPerInput * weight +
             std::min(weight * weight / limits.inputOfSquare, limits.mostOfSquare);
  }

  void step() { take(1); }
  void take(std::uint64_t steps) {
    if (steps > m_most - m_steps) failSteps();
    m_steps += steps;
  }
  // For a text that grows to that many bytes.
  void allowText(std::size_t bytes) const {
    if (bytes > m_limits.textBytes)
      failLimit("The template makes a text of more than " + std::to_string(m_limits.textBytes) + " bytes.");
  }
  // For a text of that many bytes that is copied or compared.
  void takeText(std::size_t bytes) {
    allowText(bytes);
    take(1 + bytes / kBytesCopied);
  }
  // For a text that is walked letter by letter, or written anew with other letters.
  void takeLetters(std::size_t bytes) {
    allowText(bytes);
    take(1 + bytes / kBytesWalked);
  }
  void takeRewritten(std::size_t bytes) {
    allowText(bytes);
    take(1 + bytes / kBytesRewritten);
  }
  // The same for texts with marks, each run of which is copied, too.
  void takeText(const MarkedText& text) {
    takeText(text.size());
    take(text.runs().size());
  }
  void takeLetters(const MarkedText& text) {
    takeLetters(text.size());
    take(text.runs().size());
  }
  void takeRewritten(const MarkedText& text) {
    takeRewritten(text.size());
    take(text.runs().size());
  }
  // count * bytes, which may be more than fits into a number.
  void takeRepeated(std::uint64_t count, std::size_t bytes) {
    if (bytes > 0 && count > m_limits.textBytes / bytes) takeText(m_limits.textBytes + 1);
    takeText(static_cast<std::size_t>(count) * bytes);
  }

  std::uint64_t stepsTaken() const { return m_steps; }

  // Stands for one level of nesting while it lives.
  class Level {
   public:
    explicit Level(Budget& budget) : m_budget(budget) {
      if (budget.m_depth >= budget.m_limits.depth)
        failLimit("The template nests more than " + std::to_string(budget.m_limits.depth) + " levels deep.");
      ++budget.m_depth;
    }
    ~Level() { --m_budget.m_depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Budget& m_budget;
  };

 private:
  static constexpr std::size_t kBytesCopied = 64, kBytesWalked = 8, kBytesRewritten = 2;

  [[noreturn]] void failSteps() const {
    failLimit("The template takes more than " + std::to_string(m_most) + " steps.");
  }

  const Limits m_limits;
  std::uint64_t m_most = 0, m_steps = 0;
  int m_depth = 0;
};

}  // namespace vitrine::jinja
