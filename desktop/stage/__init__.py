"""A suite played before an audience: its tasks one by one, at a chosen pace, with the scores filling in."""
