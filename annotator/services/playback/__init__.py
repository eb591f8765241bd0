"""What is due on the screen: the player, and limits on what may be seen."""
