-- What a server sent and no column can hold as it is: texts, and texts inside JSON, that are not valid
-- Unicode (half of a surrogate pair). The column itself has U+FFFD in their places. Only such values
-- have a row; `completions.text` has a column for it instead, `text_bytes`.
-- `exact`: the text, or the JSON text, in UTF-8 with surrogates passed through.
-- Grain: call_id, sample_index (-1: a column of `calls`), field (the column's name).
CREATE TABLE exact_values (
    call_id VARCHAR NOT NULL,
    sample_index INTEGER NOT NULL,
    field VARCHAR NOT NULL,
    exact BLOB NOT NULL,
    PRIMARY KEY (call_id, sample_index, field)
);
