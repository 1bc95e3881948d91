-- Put everything that is committed into the database file itself.
CHECKPOINT proctor;
