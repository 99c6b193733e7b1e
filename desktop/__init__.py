"""The Qt application and the console script."""
