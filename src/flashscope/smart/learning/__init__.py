"""What an undocumented SMART attribute means, and in what unit: learnt from how its number moves.

    Dumps --sources--> Series (observations, and what is known of the host's writing)
          --packing, features--> Counters: one number each, with how it moves
          --axes--> the bytes written by the host, known or supposed
          --host, erases, flash, life--> evidence for and against each meaning
          --learn--> Learnt: hypotheses with a score, and the rejected with the reason

No table of families is read here: the learner has to work for unknown drives.
"""
