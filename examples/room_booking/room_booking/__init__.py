"""An assistant that books meeting rooms."""
