// How an entry of the glossary is written down. Internal to glossary.cpp. Thread: any.
#pragma once

#include <string>

#include "vitrine/prose/glossary.h"

namespace vitrine::prose {

struct TermSource {
  const char *paper, *link, *scenario;
};

// The words of a term are separated by bars.
Term term(const std::string& name, const std::string& words, const std::string& meaning,
          const TermSource& source);

}  // namespace vitrine::prose
