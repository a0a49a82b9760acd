"""Read deployed indexes from a local folder (`local`) or a web host (`web`), and keep local copies of them."""
