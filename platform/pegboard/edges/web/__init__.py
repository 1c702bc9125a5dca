"""The web server: NLWeb's `/ask`, what a page needs beside it, and the guard in front of all."""
