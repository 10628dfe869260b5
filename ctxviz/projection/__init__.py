"""Floor 1: the rule of ai4j's context projection. Pure, standard library only."""
