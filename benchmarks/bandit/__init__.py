"""Do rewards pay for tricks? Policies that write real texts, what each reward gives them, and which one is learnt."""
