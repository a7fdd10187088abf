"""For all tests: no examples are timed, since a machine that is busy proves nothing."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
