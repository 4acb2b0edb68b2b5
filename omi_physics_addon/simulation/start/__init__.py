"""How a world starts: which bodies overlap, which joints do not fit, and what is done and said."""
