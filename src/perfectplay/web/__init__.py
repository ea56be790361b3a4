"""The pages, as files in `static`: the server, the tab of the site and notebooks share them."""
