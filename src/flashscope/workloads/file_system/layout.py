"""Where the file system's own files are on a drive.

    0        boot   ...free...   $LogFile  $Bitmap  | $MFT, then the zone kept free for it |   ...free...
                                                    ^ 3 GiB, or a third of a smaller drive

Sources: the boot record of volumes formatted by Windows XP to 7 names cluster 786432 for $MFT; $LogFile has 64 MiB on
drives above a few GiB; the zone is an eighth of the volume (fsutil behavior set mftzone; from Vista on it is kept free
in steps of 200 MB, which makes no difference while there is room). Assumed: $LogFile and $Bitmap directly before $MFT.
Not modelled here: $MFTMirr beyond the first records, the change journal, shadow copies, quotas.
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.errors import WrongUse

CLUSTER_BYTES = 4096
_MFT_AT_BYTES = 786432 * CLUSTER_BYTES
_LOG_BYTES = 64 << 20
_ZONE_STEP_BYTES = 64 << 10
_BOOT_BYTES = 16 * CLUSTER_BYTES
_SMALLEST_BYTES = 8 << 20


@dataclass(frozen=True)
class Layout:
    """Places of the file system's own files [bytes]."""

    cluster_count: int
    log_bytes: int
    log_length_bytes: int
    bitmap_bytes: int
    mft_bytes: int
    mft_length_bytes: int

    @classmethod
    def of(cls, user_bytes: int) -> Layout:
        """For a drive of that size. Raises WrongUse when it is too small for a file system."""
        if user_bytes < _SMALLEST_BYTES:
            raise WrongUse(f"a drive of {user_bytes} B is too small for a file system", accepted="8 MiB or more")
        clusters = user_bytes // CLUSTER_BYTES
        mft = min(_MFT_AT_BYTES, _whole(user_bytes // 3))
        bitmap_length = _whole(clusters // 8 + CLUSTER_BYTES)
        log_length = min(_LOG_BYTES, _whole(user_bytes // 64))
        bitmap = mft - bitmap_length
        return cls(
            cluster_count=clusters,
            log_bytes=bitmap - log_length,
            log_length_bytes=log_length,
            bitmap_bytes=bitmap,
            mft_bytes=mft,
            mft_length_bytes=user_bytes // 8 // _ZONE_STEP_BYTES * _ZONE_STEP_BYTES,
        )

    @property
    def first_free_cluster(self) -> int:
        """Behind the boot record."""
        return _BOOT_BYTES // CLUSTER_BYTES


def _whole(count: int) -> int:
    return count // CLUSTER_BYTES * CLUSTER_BYTES
