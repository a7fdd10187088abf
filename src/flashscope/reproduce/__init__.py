"""The virtual drive held against what is known: closed forms now, published figures later."""
