"""What attempts come to: sums, rates with their intervals, repeats."""
