-- A macro that says what it lacks. Without a macro, DuckDB would suggest a function of its own, such as range
-- for rank_evaluate.
${create} ${macro}(
    ${parameters}
) AS TABLE
SELECT ${no_columns} WHERE system.main.error('${macro}: ${needs}');
