"""Small PyTorch models, exported for real: what the checker is tested on."""
