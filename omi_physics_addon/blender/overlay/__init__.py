"""What the 3D Viewport shows of physics: lines, symbols, handles."""
