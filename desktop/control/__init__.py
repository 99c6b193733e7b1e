"""What the user can do, by topic: files, edits by hand, looking around, the agent."""
