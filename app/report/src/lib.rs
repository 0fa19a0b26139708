//! Query to figure or table, and from there to text, Markdown, CSV, JSON and SVG.
