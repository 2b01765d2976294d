"""Med3D-R1 (arXiv 2602.01200): format, accuracy and consistency of answers to multiple-choice questions, and token
weights for fine-tuning. What each computes: README.md beside this file."""

from cabs.rewards.med3d.logit import conversation, quantised
from cabs.rewards.med3d.weights import token_weights

__all__ = ["conversation", "quantised", "token_weights"]
