"""The virtual drive compared with known results: closed forms and published figures."""
