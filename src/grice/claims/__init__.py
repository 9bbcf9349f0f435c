"""What a text claims, and the facts that it is compared with."""
