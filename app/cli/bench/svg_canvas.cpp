#include <sstream>

#include "bench/canvas.h"

namespace vitrine::cli {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

std::string named(Colour c) {
  return "rgb(" + std::to_string(c.red) + "," + std::to_string(c.green) + "," + std::to_string(c.blue) + ")";
}

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(int width, int height) {
    m_body << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
           << "\" viewBox=\"0 0 " << width << ' ' << height << "\" font-family=\"sans-serif\">\n"
           << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  }
  void line(double x1, double y1, double x2, double y2, Colour colour, double width) override {
    m_body << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2 << "\" y2=\"" << y2
           << "\" stroke=\"" << named(colour) << "\" stroke-width=\"" << width << "\"/>\n";
  }
  void box(double x, double y, double width, double height, Colour colour) override {
    m_body << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\"" << height
           << "\" fill=\"" << named(colour) << "\"/>\n";
  }
  void text(double x, double y, const std::string& words, double size, Anchor anchor, bool upwards) override {
    static constexpr const char* kAnchors[] = {"start", "middle", "end"};
    m_body << "<text x=\"" << x << "\" y=\"" << y << "\" font-size=\"" << size << "\" text-anchor=\""
           << kAnchors[static_cast<int>(anchor)] << '"';
    if (upwards) m_body << " transform=\"rotate(-90 " << x << ' ' << y << ")\"";
    m_body << '>' << escaped(words) << "</text>\n";
  }
  std::string bytes() override { return m_body.str() + "</svg>\n"; }

 private:
  std::ostringstream m_body;
};

}  // namespace

std::unique_ptr<Canvas> makeSvgCanvas(int width, int height) {
  return std::make_unique<SvgCanvas>(width, height);
}

}  // namespace vitrine::cli
