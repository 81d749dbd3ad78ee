// WeightCopies: matrices that a backend packed in an earlier start and keeps, so that it need not pack them
// anew.
//
// A loader opens the copy of a model, asks it for each matrix before it reads and packs one itself, and adds
// what it had to pack. A copy is never needed: whatever is wrong with one, the matrix is packed from the
// model's files. The bits are the same either way. Thread: one thread at a time. Read next:
// cpu/packed_copies.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "vitrine/packed_copy.h"

namespace vitrine {

class LinearWeight;

// What a copy is of. A model has one copy for each way of keeping its weights; `state` says of which moment
// it is.
struct CopyKey {
  std::string model;  // the model's files, and how the weights are kept
  std::string state;  // of those files: a copy with another one is of other weights
};

class WeightCopies {
 public:
  virtual ~WeightCopies() = default;
  // Of the model whose matrices are asked for from now on.
  virtual void open(const CopyKey& key) = 0;
  // The matrix of that name and shape. Null: it must be packed. Throws EngineError(kOutOfMemory).
  virtual std::unique_ptr<LinearWeight> find(const std::string& name, std::int64_t outFeatures,
                                             std::int64_t inFeatures) = 0;
  // A matrix that was packed. What it holds must not change any more.
  virtual void add(const std::string& name, const LinearWeight& weight) = 0;
  // All matrices were asked for, and loading has succeeded. If some were packed, a thread begins to write all
  // of them for the next start.
  virtual PackedCopy close() = 0;
  // Waits until all is written that close() began to write. Returns why something could not be kept; empty:
  // nothing went wrong. Destroying the object gives up what is being written instead.
  virtual std::string wait() = 0;
};

}  // namespace vitrine
