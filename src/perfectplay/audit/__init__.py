"""What a set of rules does, with proof: findings, readings and measures."""
