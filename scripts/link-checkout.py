"""Make the checkout importable in its own environment and give it its command, without copying anything.

`maturin develop --skip-install` has put the built core beside the sources. A path file and a small launcher are
all that is left to do, so a change of a Python file is in effect at once.
"""

import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
library = next(path for path in map(Path, sys.path) if path.name == "site-packages" and path.is_relative_to(root))
(library / "flashscope-checkout.pth").write_text(f"{root / 'src'}\n")
launcher = Path(sys.executable).parent / "flashscope"
# The guard matters: processes that the fleet starts import the launcher again.
launcher.write_text(
    f'#!{sys.executable}\nfrom flashscope.cli.main import main\n\nif __name__ == "__main__":\n    main()\n'
)
launcher.chmod(0o755)
