"""The page of two compared records."""
