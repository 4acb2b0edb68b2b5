"""How one JSON value, record, list or joint is read and written; both families use it."""
