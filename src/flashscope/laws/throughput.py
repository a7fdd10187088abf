"""What limits the rate of a drive: dies, channels, link, controller, or garbage collection.

    host --link--> controller --channels--> dies        the narrowest place sets the rate
         bytes/s    commands/s   bytes/s     pages/(tX + tPROG)

Times in ns, sizes in bytes, rates per second. Assumed: steady state, every die kept busy, one page per program.
Not modelled here: a write buffer that hides a burst (`stalls.py`), suspend, and cache programming: a die holds its
register until the page is programmed, so the transfer tX adds to tPROG. With cache programming it would not.
"""

NS_PER_SECOND = 1e9


def sequential_write_rate(
    channels: int, dies_per_channel: int, page_bytes: int, program_ns: float, bus_bytes_per_second: float
) -> float:
    """Rate of sequential writes, the smaller of programming and buses [bytes/s].

    channels x min( dies_per_channel page / (tX + tPROG), bus ), tX = page / bus. The law of the textbooks has tPROG
    alone; see the module's header. page_bytes: of one program, over all planes that work together.
    Raises ValueError unless all are positive.
    """
    _positive(
        channels=channels, dies_per_channel=dies_per_channel, page_bytes=page_bytes, program_ns=program_ns,
        bus_bytes_per_second=bus_bytes_per_second,
    )  # fmt: skip
    transfer_ns = page_bytes * NS_PER_SECOND / bus_bytes_per_second
    by_dies = dies_per_channel * page_bytes * NS_PER_SECOND / (transfer_ns + program_ns)
    return channels * min(by_dies, bus_bytes_per_second)


def command_rate(command_ns: float) -> float:
    """Most requests a second that a controller of `command_ns` per command handles [1/s]. ValueError unless > 0."""
    _positive(command_ns=command_ns)
    return NS_PER_SECOND / command_ns


def random_write_rate(
    dies: int,
    write_amplification: float,
    pages_per_block: int,
    *,
    read_ns: float,
    program_ns: float,
    erase_ns: float,
    transfer_ns: float,
) -> float:
    """Steady rate of random writes, with the work that garbage collection adds to each host page [pages/s].

    D / [ (A - 1) (tR + tPROG + 2 tX) + A tBERS / b + tPROG + tX ]: A - 1 pages are moved for each host page, and a
    block of b pages is erased for every b pages programmed. With copy-back the 2 tX falls away.
    dies: D [count]. write_amplification: A [ratio, >= 1]. pages_per_block: b [pages]. Times of one page [ns, >= 0].
    Raises ValueError outside those ranges.
    """
    _positive(dies=dies, pages_per_block=pages_per_block, program_ns=program_ns)
    if not write_amplification >= 1:
        raise ValueError(f"write_amplification must be at least 1, found {write_amplification}")
    moved_ns = (write_amplification - 1) * (read_ns + program_ns + 2 * transfer_ns)
    return (
        dies * NS_PER_SECOND / (moved_ns + write_amplification * erase_ns / pages_per_block + program_ns + transfer_ns)
    )


def copy_rate(read_rate: float, write_rate: float) -> float:
    """Rate of a copy within one drive, 1 / (1/R + 1/W) [unit of the rates].

    Every byte is read and written on the same dies and the same half-duplex link, one after the other.
    read_rate, write_rate: alone [any unit, > 0]. Raises ValueError otherwise.
    """
    _positive(read_rate=read_rate, write_rate=write_rate)
    return 1 / (1 / read_rate + 1 / write_rate)


def _positive(**values: float) -> None:
    for name, value in values.items():
        if not value > 0:
            raise ValueError(f"{name} must be above 0, found {value}")
