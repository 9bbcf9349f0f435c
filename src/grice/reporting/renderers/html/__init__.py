"""A document as a page: one HTML file that asks nobody for anything, to read, to keep and to send."""
