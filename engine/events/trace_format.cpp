#include "events/trace_format.h"

#include "events/event_fields.h"
#include "events/json_fields.h"
#include "events/trace_schema.h"
#include "vitrine/program_files.h"

namespace vitrine {
namespace {

constexpr const char* kFormat = "vitrine-trace";
constexpr std::int64_t kVersion = 3;

}  // namespace

std::string traceHeader(const EngineLoaded& loaded) {
  JsonOut engine = toJson(loaded);
  engine.erase("model");
  return writeLine({{"format", kFormat},
                    {"version", kVersion},
                    {"model", toJson(loaded.model)},
                    {"engine", engine},
                    {"seed", loaded.seed},
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

std::string traceEnd(std::int64_t events) { return writeLine({{"end", {{"events", events}}}}); }

std::optional<std::int64_t> eventsAtTraceEnd(const JsonIn& line) {
  if (!line.is_object() || !line.contains("end")) return std::nullopt;
  std::int64_t events = 0;
  fromJson("events", memberOf("events", memberOf("end", line)), events);
  return events;
}

}  // namespace vitrine
