"""How a chart is drawn: its theme, its marks, and from a Vega-Lite specification to SVG."""
