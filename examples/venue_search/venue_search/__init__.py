"""An assistant that finds and books a venue for an event."""
