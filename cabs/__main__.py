"""`python -m cabs` is `cabs`."""

from cabs.cli.app import main

if __name__ == "__main__":
    main()
