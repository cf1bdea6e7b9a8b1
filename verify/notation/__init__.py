"""How values and formulas are written: as text, as HTML for notebooks, as MathML."""
