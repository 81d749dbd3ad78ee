// Canvas: the few strokes a chart needs, once as SVG and once through cairo. Origin at the top left; pixels.
#pragma once

#include <memory>
#include <string>

namespace vitrine::cli {

struct Colour {
  int red, green, blue;
};
enum class Anchor { kStart, kMiddle, kEnd };

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void line(double x1, double y1, double x2, double y2, Colour colour, double width) = 0;
  virtual void box(double x, double y, double width, double height, Colour colour) = 0;
  virtual void text(double x, double y, const std::string& words, double size, Anchor anchor,
                    bool upwards = false) = 0;
  virtual std::string bytes() = 0;  // of the whole picture, as its file has them
};

std::unique_ptr<Canvas> makeSvgCanvas(int width, int height);
std::unique_ptr<Canvas> makePngCanvas(int width, int height);  // null: this build has no cairo

}  // namespace vitrine::cli
