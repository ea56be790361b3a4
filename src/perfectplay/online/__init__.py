"""The other end of a web table: follows one, sends and repeats requests, reconnects."""
