"""What each provider accepts."""
