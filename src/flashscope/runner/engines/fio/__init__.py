"""fio as the engine that loads a real drive."""
