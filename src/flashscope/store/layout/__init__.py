"""The tables of a store in every version of their layout, and the migrations between them."""
