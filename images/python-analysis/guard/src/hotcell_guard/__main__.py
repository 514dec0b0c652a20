"""Entry point of ``python3 -m hotcell_guard``. It takes no arguments."""

from hotcell_guard._run import main

main()
