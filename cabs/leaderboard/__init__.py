"""Results of several systems → a leaderboard: a ranked board with tests, tables, and a site with every case of it."""

from cabs.leaderboard.board import Board, board
from cabs.leaderboard.results import read_results

__all__ = ["Board", "board", "read_results"]
