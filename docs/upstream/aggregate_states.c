/* DuckDB does not destroy the states of an aggregate from its C API if a scan of the groups ends early.
 *
 *     cc aggregate_states.c -o aggregate_states -lduckdb && ./aggregate_states
 *
 * The aggregate counts the rows of a group in a piece of memory that it allocates for the group. After each query, the
 * program destroys the result and prints how many pieces of memory are left. The right number is 0.
 *
 * Pieces left of 1,000,000 groups, on Linux x86_64 with 2 threads. The numbers vary a little, because they depend on how
 * many groups the threads had read when the scan ended:
 *
 *                               v1.5.6    v2.0.0
 *     all groups are read            0         0
 *     ORDER BY i LIMIT 1             0         0
 *     LIMIT 1                  995,904   995,904
 *     an error above           776,768   997,952
 *     an error in finalize     557,632 1,000,000
 *
 * DuckDB does not destroy these states when the connection and the database are closed either. DuckDB's own aggregates
 * do not leak, because their states hold no memory outside of DuckDB's allocators. Even if the query
 * "SELECT i, list(i) ... GROUP BY i LIMIT 1" runs many times, the process does not grow. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "duckdb.h"

static atomic_long live;

static idx_t size(duckdb_function_info info) {
	return sizeof(int64_t *);
}

static void init(duckdb_function_info info, duckdb_aggregate_state state) {
	*(int64_t **)state = NULL;
}

static int64_t *rows_of(duckdb_aggregate_state state) {
	int64_t **rows = (int64_t **)state;
	if (!*rows) {
		*rows = calloc(1, sizeof(int64_t));
		live++;
	}
	return *rows;
}

static void update(duckdb_function_info info, duckdb_data_chunk input, duckdb_aggregate_state *states) {
	for (idx_t row = 0; row < duckdb_data_chunk_get_size(input); row++) {
		++*rows_of(states[row]);
	}
}

static void combine(duckdb_function_info info, duckdb_aggregate_state *sources, duckdb_aggregate_state *targets,
                    idx_t count) {
	for (idx_t i = 0; i < count; i++) {
		*rows_of(targets[i]) += *rows_of(sources[i]);
	}
}

static void finalize(duckdb_function_info info, duckdb_aggregate_state *states, duckdb_vector result, idx_t count,
                     idx_t offset) {
	for (idx_t i = 0; i < count; i++) {
		((int64_t *)duckdb_vector_get_data(result))[offset + i] = *rows_of(states[i]);
	}
}

static void fail(duckdb_function_info info, duckdb_aggregate_state *states, duckdb_vector result, idx_t count,
                 idx_t offset) {
	duckdb_aggregate_function_set_error(info, "finalize fails");
}

static void destroy(duckdb_aggregate_state *states, idx_t count) {
	for (idx_t i = 0; i < count; i++) {
		int64_t **rows = (int64_t **)states[i];
		if (*rows) {
			free(*rows);
			*rows = NULL;
			live--;
		}
	}
}

static void make(duckdb_connection connection, const char *name, duckdb_aggregate_finalize_t last) {
	duckdb_aggregate_function function = duckdb_create_aggregate_function();
	duckdb_logical_type bigint = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
	duckdb_aggregate_function_set_name(function, name);
	duckdb_aggregate_function_add_parameter(function, bigint);
	duckdb_aggregate_function_set_return_type(function, bigint);
	duckdb_aggregate_function_set_functions(function, size, init, update, combine, last);
	duckdb_aggregate_function_set_destructor(function, destroy);
	duckdb_register_aggregate_function(connection, function);
	duckdb_destroy_logical_type(&bigint);
	duckdb_destroy_aggregate_function(&function);
}

int main(void) {
	const char *queries[] = {
	    "SELECT sum(n) FROM (SELECT i, rows_of(i) AS n FROM range(1000000) t(i) GROUP BY i)",
	    "SELECT i, rows_of(i) FROM range(1000000) t(i) GROUP BY i ORDER BY i LIMIT 1",
	    "SELECT i, rows_of(i) FROM range(1000000) t(i) GROUP BY i LIMIT 1",
	    "SELECT error('above') FROM (SELECT i, rows_of(i) AS n FROM range(1000000) t(i) GROUP BY i) WHERE n > 0",
	    "SELECT i, fails(i) FROM range(1000000) t(i) GROUP BY i",
	};
	duckdb_database database;
	duckdb_connection connection;
	duckdb_open(NULL, &database);
	duckdb_connect(database, &connection);
	make(connection, "rows_of", finalize);
	make(connection, "fails", fail);
	printf("DuckDB %s\n", duckdb_library_version());
	for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
		duckdb_result result;
		duckdb_query(connection, queries[i], &result);
		duckdb_destroy_result(&result);
		printf("%9ld states left by %s\n", atomic_exchange(&live, 0), queries[i]);
	}
	duckdb_disconnect(&connection);
	duckdb_close(&database);
	printf("%9ld more when the database is closed\n", (long)live);
	return 0;
}
