"""What commands print for a person: each result in words, for the width of a terminal."""
