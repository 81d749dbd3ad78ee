#include "bench/canvas.h"

#ifdef VITRINE_HAS_CAIRO
#include <cairo.h>

#include <numbers>

#include "vitrine/error.h"
#endif

namespace vitrine::cli {

#ifdef VITRINE_HAS_CAIRO
namespace {

class PngCanvas final : public Canvas {
 public:
  PngCanvas(int width, int height)
      : m_surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height), cairo_surface_destroy),
        m_cairo(cairo_create(m_surface.get()), cairo_destroy) {
    box({0, 0}, width, height, {255, 255, 255});
    cairo_select_font_face(m_cairo.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  }
  void line(Point from, Point to, Colour colour, double width) override {
    use(colour);
    cairo_set_line_width(m_cairo.get(), width);
    cairo_move_to(m_cairo.get(), from.x, from.y);
    cairo_line_to(m_cairo.get(), to.x, to.y);
    cairo_stroke(m_cairo.get());
  }
  void box(Point corner, double width, double height, Colour colour) override {
    use(colour);
    cairo_rectangle(m_cairo.get(), corner.x, corner.y, width, height);
    cairo_fill(m_cairo.get());
  }
  void disc(Point centre, double radius, Colour colour) override {
    cairo_new_path(m_cairo.get());
    cairo_arc(m_cairo.get(), centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
    cairo_set_source_rgba(m_cairo.get(), colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0,
                          kDiscOpacity);
    cairo_fill_preserve(m_cairo.get());
    use({0, 0, 0});
    cairo_set_line_width(m_cairo.get(), 1);
    cairo_stroke(m_cairo.get());
  }
  void text(Point at, const std::string& words, Lettering lettering) override {
    use(lettering.colour);
    cairo_save(m_cairo.get());
    cairo_translate(m_cairo.get(), at.x, at.y);
    cairo_rotate(m_cairo.get(), -lettering.degrees * std::numbers::pi / 180);
    cairo_set_font_size(m_cairo.get(), lettering.size);
    cairo_text_extents_t extents;
    cairo_text_extents(m_cairo.get(), words.c_str(), &extents);
    cairo_move_to(m_cairo.get(), -extents.x_advance * static_cast<int>(lettering.anchor) / 2, 0);
    cairo_show_text(m_cairo.get(), words.c_str());
    cairo_restore(m_cairo.get());
  }
  std::string bytes() override {
    std::string png;
    const auto append = [](void* all, const unsigned char* data, unsigned length) {
      static_cast<std::string*>(all)->append(reinterpret_cast<const char*>(data), length);
      return CAIRO_STATUS_SUCCESS;
    };
    if (cairo_surface_write_to_png_stream(m_surface.get(), append, &png) != CAIRO_STATUS_SUCCESS)
      throw EngineError(ErrorCode::kOutOfMemory, "no memory for a picture as PNG");
    return png;
  }

 private:
  void use(Colour c) { cairo_set_source_rgb(m_cairo.get(), c.red / 255.0, c.green / 255.0, c.blue / 255.0); }

  std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> m_surface;
  std::unique_ptr<cairo_t, void (*)(cairo_t*)> m_cairo;
};

}  // namespace

std::unique_ptr<Canvas> makePngCanvas(int width, int height) {
  return std::make_unique<PngCanvas>(width, height);
}
#else
std::unique_ptr<Canvas> makePngCanvas(int, int) { return nullptr; }
#endif

}  // namespace vitrine::cli
