"""What makes a small local model dependable: grounded names, constrained decoding, a dry run before every edit."""
