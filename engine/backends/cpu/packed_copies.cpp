#include "backends/cpu/packed_copies.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <exception>
#include <utility>

#include "core/checksum64.h"
#include "formats/input_file.h"
#include "vitrine/error.h"
#include "vitrine/output_file.h"

namespace vitrine::cpu {
namespace {

// Thrown inside the writing thread alone.
struct GivenUp {};

std::uint64_t sumOf(const void* bytes, std::int64_t count) {
  return checksum64({static_cast<const std::byte*>(bytes), static_cast<std::size_t>(count)}, kPackedLayout);
}

void waitForIdleCores() {
#ifdef SCHED_IDLE
  const sched_param none{};
  pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);  // refused: the thread takes its share of a core
#endif
}

// Less than a tenth of a core where others want it. Of this thread alone, on Linux.
void giveWay() {
#ifdef __linux__
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
#endif
}

// An output file that knows where it is.
class CopyFile {
 public:
  CopyFile(const std::filesystem::path& path, const std::atomic<bool>& givesUp)
      : m_file(path), m_givesUp(givesUp) {}

  // Writes the pieces of a part at its place, and notes their checksums.
  void write(CopyPart& part, const void* bytes) {
    fillTo(part.offset);
    for (std::int64_t piece = 0; piece < part.pieces(); ++piece) {
      if (m_givesUp) throw GivenUp();
      const auto* const from = static_cast<const char*>(bytes) + piece * kCopyPiece;
      part.sums.push_back(sumOf(from, part.pieceBytes(piece)));
      m_file.write({from, static_cast<std::size_t>(part.pieceBytes(piece))});
    }
    m_at += part.bytes;
  }
  void finish(const std::string& index, std::int64_t indexAt) {
    fillTo(indexAt);
    m_file.write(index);
    if (m_givesUp) throw GivenUp();
    m_file.finish();
  }

 private:
  void fillTo(std::int64_t offset) {
    m_file.write(std::string(static_cast<std::size_t>(offset - m_at), '\0'));
    m_at = offset;
  }

  OutputFile m_file;
  const std::atomic<bool>& m_givesUp;
  std::int64_t m_at = 0;
};

}  // namespace

PackedCopies::~PackedCopies() {
  m_givesUp = true;
  wait();
  for (std::thread& mover : m_movers) mover.join();
}

void PackedCopies::open(const CopyKey& key) {
  const std::string model = key.model + "products " + nameOf(m_compute) + "\n";
  m_place = m_folder.place(model);
  m_key = model + key.state;
  m_copy = nullptr;
  m_index = {};
  m_matrixOf.clear();
  m_matrices.clear();
  m_isMissed = false;
  try {
    const InputFile file(m_place);
    const ReadBytes read = [&](std::size_t offset, std::span<std::byte> out) {
      file.read(offset, out, "its index");
    };
    m_index = readPackedIndex(file.size(), read, m_place.string(), m_key, m_compute);
    m_copy = std::make_shared<MappedCopy>(file);
    for (std::size_t i = 0; i < m_index.matrices.size(); ++i) m_matrixOf.emplace(m_index.matrices[i].name, i);
  } catch (const EngineError&) {  // there is none, or it is of another state, or damaged: close() replaces it
  }
}

const CopyMatrix* PackedCopies::matrixNamed(const std::string& name) const {
  const auto found = m_matrixOf.find(name);
  return found == m_matrixOf.end() ? nullptr : &m_index.matrices[found->second];
}

std::unique_ptr<LinearWeight> PackedCopies::find(const std::string& name, std::int64_t outFeatures,
                                                 std::int64_t inFeatures) {
  const CopyMatrix* const kept = matrixNamed(name);
  if (kept == nullptr || kept->outFeatures != outFeatures || kept->inFeatures != inFeatures) return nullptr;
  std::vector<PanelSegment> segments;
  for (const CopySegment& segment : kept->segments) {
    if (!isSound(segment.panels) || !isSound(segment.scales)) {
      m_matrixOf.clear();  // the rest of it is not trusted either
      return nullptr;
    }
    segments.push_back(segmentOf(segment.format, segment.outFeatures, m_compute, placeOf(segment.panels),
                                 placeOf(segment.scales)));
  }
  auto weight = std::make_unique<PackedWeight>(std::move(segments), inFeatures);
  m_matrices.push_back({name, inFeatures, {weight->segments().begin(), weight->segments().end()}});
  return weight;
}

bool PackedCopies::isSound(const CopyPart& part) {
  std::atomic<bool> isSound = true;
  const std::byte* const bytes = m_copy->bytes().data() + part.offset;
  m_pool.parallelFor(part.pieces(), 1, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t piece = begin; piece < end && isSound; ++piece)
      if (sumOf(bytes + piece * kCopyPiece, part.pieceBytes(piece)) !=
          part.sums[static_cast<std::size_t>(piece)])
        isSound = false;
  });
  return isSound;
}

// The weights share the copy with the thread that moves it; none of them is written to.
std::shared_ptr<void> PackedCopies::placeOf(const CopyPart& part) const {
  if (part.bytes == 0) return nullptr;
  return {m_copy, const_cast<std::byte*>(m_copy->bytes().data()) + part.offset};
}

// As long as the model is there.
void PackedCopies::moveIntoMemory() {
  try {
    m_movers.emplace_back([this, model = std::weak_ptr(m_copy)] {
      giveWay();
      while (!m_givesUp) {
        const std::shared_ptr<MappedCopy> copy = model.lock();
        if (copy == nullptr || !copy->moveNext()) return;
      }
    });
  } catch (const std::system_error&) {  // without a thread it stays mapped
  }
}

void PackedCopies::add(const std::string& name, const LinearWeight& weight) {
  const auto& packed = static_cast<const PackedWeight&>(weight);
  m_matrices.push_back({name, packed.inFeatures, {packed.segments().begin(), packed.segments().end()}});
  m_isMissed = true;
}

PackedCopy PackedCopies::close() {
  VITRINE_CHECK(!m_place.empty());
  const std::filesystem::path place = std::exchange(m_place, {});
  std::vector<Matrix> matrices = std::exchange(m_matrices, {});
  const bool wasRead = m_copy != nullptr;
  if (wasRead) moveIntoMemory();
  m_copy = nullptr;
  if (wasRead && !m_isMissed) {
    m_folder.noteUse(place);
    return PackedCopy::kRead;
  }
  std::int64_t bytes = 0;
  for (const Matrix& matrix : matrices)
    for (const PanelSegment& segment : matrix.segments) {
      const SegmentBytes size =
          segmentBytes(segment.format, segment.outFeatures, matrix.inFeatures, m_compute);
      bytes += size.panels + size.scales;
    }
  if (bytes < m_folder.limits().leastBytes) return PackedCopy::kNone;
  Writing& writing = m_writings.emplace_back();
  writing.place = place;
  writing.key = m_key;
  writing.matrices = std::move(matrices);
  try {
    writing.thread = std::thread([this, &writing] { write(writing); });
  } catch (const std::system_error& error) {
    writing.complaint = std::string("no thread can be started: ") + error.what();
  }
  return PackedCopy::kKept;
}

void PackedCopies::write(Writing& writing) const {
  try {
    waitForIdleCores();
    writeAll(writing);
  } catch (const GivenUp&) {
  } catch (const std::exception& error) {
    writing.complaint = error.what();
  }
  writing.matrices.clear();
}

void PackedCopies::writeAll(Writing& writing) const {
  PackedIndex index;
  index.key = writing.key;
  for (const Matrix& matrix : writing.matrices) {
    CopyMatrix& kept = index.matrices.emplace_back();
    kept.name = matrix.name;
    kept.inFeatures = matrix.inFeatures;
    for (const PanelSegment& segment : matrix.segments) {
      kept.segments.push_back({segment.format, segment.outFeatures, {}, {}});
      kept.outFeatures += segment.outFeatures;
    }
  }
  const std::int64_t end = index.place(m_compute);
  m_folder.makeRoom(writing.place, end);
  CopyFile file(writing.place, m_givesUp);
  for (std::size_t i = 0; i < index.matrices.size(); ++i)
    for (std::size_t j = 0; j < index.matrices[i].segments.size(); ++j) {
      CopySegment& kept = index.matrices[i].segments[j];
      const PanelSegment& segment = writing.matrices[i].segments[j];
      file.write(kept.panels, segment.panels.get());
      file.write(kept.scales, segment.scales.get());
    }
  file.finish(index.write(), end);
}

std::string PackedCopies::wait() {
  std::string complaint;
  for (Writing& writing : m_writings) {
    if (writing.thread.joinable()) writing.thread.join();
    if (complaint.empty()) complaint = writing.complaint;
  }
  m_writings.clear();
  return complaint;
}

}  // namespace vitrine::cpu
