#!/bin/sh
# A nightly job: is the new system good enough to replace the old one?
#
#     nightly.sh TRUTH OLD NEW RESULTS
#
# TRUTH, OLD and NEW are tables for `rankdcg-sql compare`. RESULTS is a file of JSON, which is written. The variables
# MEASURE, LEAST and MARGIN change the requirements. The exit code is that of rankdcg-sql. cron sends what is printed.
set -u

truth=${1:?the table of judgements is missing}
old=${2:?the recommendations of the old system are missing}
new=${3:?the recommendations of the new system are missing}
results=${4:?the file for the results is missing}
measure=${MEASURE:-ndcg@10}

code=0
rankdcg-sql compare --truth "$truth" --rec old="$old" --rec new="$new" \
    --require "new: $measure not worse by ${MARGIN:-1%}" \
    --require "new: $measure >= ${LEAST:-0.30}" \
    --strict --quiet --output json > "$results.part" || code=$?

case $code in
    0)  # All requirements passed.
        mv "$results.part" "$results"
        ;;
    3)  # A requirement failed, or the data have warnings. The lines above this one say which.
        mv "$results.part" "$results"
        echo "Keep the old system: $results has the numbers." >&2
        ;;
    4)  # The users are too few to decide. The lines above this one say how many are needed.
        mv "$results.part" "$results"
        echo "Keep the old system until there are more users: $results has the numbers." >&2
        ;;
    *)  # There are no results: a table is missing, or the command line is wrong.
        rm -f "$results.part"
        echo "The evaluation itself failed." >&2
        ;;
esac
exit "$code"
