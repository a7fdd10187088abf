"""`python -m flashscope`, the same as the program `flashscope`."""

from flashscope.cli.main import main

if __name__ == "__main__":
    main(prog_name="flashscope")
