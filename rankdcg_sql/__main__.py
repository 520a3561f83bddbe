"""The command line, as ``python -m rankdcg_sql``."""

from rankdcg_sql.cli import main

if __name__ == "__main__":
    main()
