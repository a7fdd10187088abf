"""File systems, as far as alignment and a move need them: where clusters begin, their size, who they are."""
