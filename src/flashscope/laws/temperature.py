"""How much faster charge leaks at a higher temperature (Arrhenius).

    1 year at 25 C  =  97.5 h at 60 C  =  11.1 h at 80 C        with 1.1 eV

The activation energy is an assumption of the test standard, not a constant of nature: measured acceleration between
40 and 100 C was 13, where 1.1 eV gives 702 (Hetzler, 2014). State it wherever a result depends on it.
Not modelled here: mechanisms with different energies in one part; heat while programming.
"""

import math

BOLTZMANN_EV_PER_K = 8.617333262e-5
JESD218_ACTIVATION_EV = 1.1  # JESD218B 6.1.3, an assumption there as well
_ZERO_CELSIUS_K = 273.15


def acceleration(use_celsius: float, stress_celsius: float, *, activation_ev: float = JESD218_ACTIVATION_EV) -> float:
    """Time at use temperature that one unit of time at stress temperature stands for [ratio].

    exp( (Ea / k) (1 / T_use - 1 / T_stress) ). activation_ev: Ea [eV, >= 0].
    Raises ValueError at or below absolute zero, or for a negative energy.
    """
    use_k, stress_k = use_celsius + _ZERO_CELSIUS_K, stress_celsius + _ZERO_CELSIUS_K
    if use_k <= 0 or stress_k <= 0 or activation_ev < 0:
        raise ValueError(f"no such temperatures or energy: {use_celsius} C, {stress_celsius} C, {activation_ev} eV")
    return math.exp(activation_ev / BOLTZMANN_EV_PER_K * (1 / use_k - 1 / stress_k))
