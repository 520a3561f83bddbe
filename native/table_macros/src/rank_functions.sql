-- ${summary}
${create} rank_functions() AS TABLE
SELECT unnest(system.main.from_json(${functions}, ${structure}), recursive := true);
