-- Forget the frame that the last statement read.
DROP VIEW temp.batch;
