"""Limits of a server that nothing changes; `tables.limits` has those of messages, `settings` more."""

FRAMES_PER_SECOND = 40
"""Frames of any kind from one socket, and reads. A client that sends more is disconnected."""
PIECE = 256
"""Bytes of a socket that are read at once: they hold few frames."""
MOST_DISCARDED = 2**20
"""Bytes that a client may still send after it was told why it is disconnected."""
MOST_CHUNKS = 100
"""Chunks of the body of a request: reading one takes as long as reading a whole request."""
LONGEST_HEAD = 65_536
"""Bytes of the head of a request."""
HEAD_SECONDS = 20.0
"""How long a client may take to send the head of a request, from connecting or from the last response."""
BODY_SECONDS = 20.0
"""How long a client may take to send the body of a request."""
MOST_FILES = 65_536
"""Open files of a process; each connection is one."""
SPARE_FILES = 100
"""Open files reserved for the database, for pages and for other processes."""
LIMITED_KEYS = 10_000
"""Addresses, seats or messages whose rates are remembered."""
MOST_CHECKED = 1000
"""Custom games of which it is remembered whether they can be solved."""
KNOWN_GAMES = 10_000
"""Custom games of all addresses that are remembered."""
PICTURES_AT_ONCE = 2
"""Pictures that are drawn at the same time, each in a thread."""
MOST_PICTURES_WAITING = 20
MOST_PICTURES = 200
"""Pictures that stay in memory, of some 20 kB each."""
SOCKETS_PER_SEAT = 10
EVENTS_PER_PAGE = 1000
"""Events that one request returns at most."""
MOST_QUEUED = 256
"""Messages that may wait for a slow client; when more pile up, it is disconnected."""
MOST_ATTENDED = 10_000
"""Tables that are looked at in one question to a database, which takes a limited number of ids."""
LISTED = 50
"""Tables in each public list."""
FINISHED_LISTED = 10
OWN_LISTED = 20
"""Tables in the list of a client's own."""
MOST_WAITING = 1000
"""Tables among which the one is chosen whose maker has waited longest."""
GAMES_PER_PAGE = 12
MOST_BOARDS = 500
"""Boards that stay in memory: reading a table again takes time."""
GAMES_PER_TABLE = 8
"""How many games of one table are in a list, the newest."""
KEPT_TABLES = 10
"""How many tables are kept in all, as a multiple of how many may be live."""
TABLES_PER_ROUND = 200
"""Tables that maintenance closes or deletes in one round."""
LONGEST_NOTICE = 7000
"""Bytes of a notice to other processes; PostgreSQL takes fewer than 8000."""
MOST_GONE = 1000
"""Clients that may have disconnected before garbage is collected even while people play."""
