#!/bin/sh
# A nightly job: is the new system good enough to replace the old one?
#
#     nightly.sh TRUTH OLD NEW RESULTS [OPTION...]
#
# TRUTH, OLD and NEW are tables for `rankdcg-sql compare`, which gets the options, such as --rel rating. RESULTS is a
# file of JSON, which is written; an earlier one is removed first. NEW must not be worse than OLD by MARGIN (1%) at
# MEASURE (ndcg@10), and if LEAST is set, its mean must be that large. The exit code is that of rankdcg-sql. cron sends
# what is printed.
set -u

truth=${1:?the table of judgements is missing}
old=${2:?the recommendations of the old system are missing}
new=${3:?the recommendations of the new system are missing}
results=${4:?the file for the results is missing}
measure=${MEASURE:-ndcg@10}
shift 4
if [ -n "${LEAST:-}" ]; then
    set -- --require "new: $measure >= $LEAST" "$@"
fi

# A forgotten argument would make a table of recommendations the file of results.
if [ -s "$results" ] && [ "$(head -c 9 "$results")" != '{"kind": ' ]; then
    echo "$results has no results of an earlier night, and stays as it is." >&2
    exit 2
fi

# Nobody shall take the results of an earlier night for those of a night that failed.
rm -f "$results" "$results.part" || exit 1

code=0
rankdcg-sql compare --truth "$truth" --rec old="$old" --rec new="$new" --metric "$measure" \
    --require "new: $measure not worse by ${MARGIN:-1%}" "$@" \
    --strict --quiet --output json > "$results.part" || code=$?

case $code in
    0)  # All requirements passed.
        mv "$results.part" "$results"
        ;;
    3)  # A requirement failed. The lines above this one say which.
        mv "$results.part" "$results"
        echo "Keep the old system: $results has the numbers." >&2
        ;;
    4)  # The users are too few to decide. The lines above this one say how many are needed.
        mv "$results.part" "$results"
        echo "Keep the old system until there are more users: $results has the numbers." >&2
        ;;
    5)  # The data have warnings, which the lines above this one name.
        mv "$results.part" "$results"
        echo "Check the data before you decide: $results has the numbers." >&2
        ;;
    *)  # There are no results: a table is missing, or the command line is wrong.
        rm -f "$results.part"
        echo "The evaluation itself failed." >&2
        ;;
esac
exit "$code"
