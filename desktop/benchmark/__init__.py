"""The benchmark's window: runs are configured, watched and stopped here, and their logs read."""
