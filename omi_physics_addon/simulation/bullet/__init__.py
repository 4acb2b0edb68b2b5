"""What Bullet, the engine inside Blender, needs to play our bodies as they should."""
