"""How strong players are: exact where move probabilities are known, sampled elsewhere."""
