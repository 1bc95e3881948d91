-- Copy tables and views of the open database into the attached file `snapshot`.
COPY FROM DATABASE proctor TO snapshot; -- noqa: PRS
