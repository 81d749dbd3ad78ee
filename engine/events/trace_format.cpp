#include "events/trace_format.h"

#include "events/event_fields.h"
#include "events/json_fields.h"
#include "events/trace_schema.h"
#include "vitrine/program_files.h"
#include "vitrine/trace.h"

namespace vitrine {
namespace {

constexpr const char* kFormat = "vitrine-trace";
constexpr std::int64_t kVersion = 3;

}  // namespace

std::string headerLine(const EngineLoaded& loaded) {
  JsonOut engine = toJson(loaded);
  engine.erase("model");
  return writeLine({{"format", kFormat},
                    {"version", kVersion},
                    {"model", toJson(loaded.model)},
                    {"engine", engine},
                    {"seed", loaded.options.seed},
                    {"program", std::string("vitrine ") + version()},
                    {"schema", traceSchema()}});
}

void checkTraceHeader(std::string_view line) {
  const JsonIn header = parseLine(line);
  std::string format;
  std::int64_t version = 0;
  fromJson("format", memberOf("format", header), format);
  if (format != kFormat) throw EngineError(ErrorCode::kFileCorrupt, "the first line is not a trace's header");
  fromJson("version", memberOf("version", header), version);
  if (version != kVersion)
    throw EngineError(ErrorCode::kUnsupported,
                      "trace version " + std::to_string(version) + " is not known here",
                      "This program reads version " + std::to_string(kVersion) + "; " +
                          (version < kVersion ? "record the trace again, or use the program that wrote it."
                                              : "use the newer program that wrote the trace."));
}

std::string toLine(const TraceEnd& end) {
  JsonOut out = {{"events", end.events}};
  if (!end.bookmarks.empty()) out["bookmarks"] = toJson(end.bookmarks);
  return writeLine({{"end", out}});
}

std::optional<TraceEnd> traceEndFrom(const JsonIn& line) {
  if (!line.is_object() || !line.contains("end")) return std::nullopt;
  TraceEnd end;
  const JsonIn& in = memberOf("end", line);
  fromJson("events", memberOf("events", in), end.events);
  if (in.contains("bookmarks")) {
    std::vector<int> steps;
    fromJson("bookmarks", in.at("bookmarks"), steps);
    end.bookmarks = {steps.begin(), steps.end()};
  }
  return end;
}

}  // namespace vitrine
