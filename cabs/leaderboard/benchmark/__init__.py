"""What a leaderboard is fixed by: references, how they are scored, what is corrected, and who takes part."""
