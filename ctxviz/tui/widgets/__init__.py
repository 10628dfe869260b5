"""The parts of the screen. Each draws what it is given and posts what was done to it."""
