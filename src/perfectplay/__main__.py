from perfectplay.cli import main

main()
