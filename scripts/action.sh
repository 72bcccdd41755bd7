#!/usr/bin/env bash
# What action.yml runs. The answer of `depyf check` becomes the summary of the job and, on a
# pull request, one comment, which later runs bring up to date. Exit status: that of depyf
# check; a comment that cannot be written is said and changes nothing.
#
# Environment: DEPYF_DUMP_DIR, DEPYF_BASELINE, DEPYF_OPTIONS, DEPYF_COMMENT and PULL_REQUEST
# (see action.yml); GITHUB_STEP_SUMMARY and GITHUB_REPOSITORY are GitHub's; GH_TOKEN is for gh.
set -u
mark='<!-- depyf check -->'
depyf=${DEPYF_BINARY:-depyf}

# The options are words, as on a command line.
read -r -a options <<<"${DEPYF_OPTIONS:-}"
if [ -n "${DEPYF_BASELINE:-}" ] && [ ! -d "$DEPYF_BASELINE" ]; then
    echo "::warning::there is no baseline at $DEPYF_BASELINE: the limits alone count"
    DEPYF_BASELINE=
fi
[ -z "${DEPYF_BASELINE:-}" ] || options+=(--baseline "$DEPYF_BASELINE")

verdicts=$("$depyf" check ${options[@]+"${options[@]}"} --format markdown "$DEPYF_DUMP_DIR")
status=$?
case $status in
0) title="torch.compile: as good as it should be" ;;
1) title="torch.compile: worse than it should be" ;;
*) exit $status ;; # wrong usage, or no dump: depyf has said it
esac

text=$(
    printf '%s\n## %s\n\n%s\n' "$mark" "$title" "$verdicts"
    if [ -n "${DEPYF_BASELINE:-}" ]; then
        printf '\n<details><summary>What is different from the baseline</summary>\n\n'
        "$depyf" diff --format markdown "$DEPYF_BASELINE" "$DEPYF_DUMP_DIR" | sed '/^## /d'
        printf '</details>\n'
    fi
)
printf '%s\n' "$text" | tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}"

# GitHub refuses a comment of more than 65,536 letters.
body=$text
if [ "${#body}" -gt 65000 ]; then
    body=$(printf '%s\n## %s\n\n%.60000s\n\n%s' "$mark" "$title" "$verdicts" "All of it, and what is different from the baseline, is in the summary of this run.")
fi

if [ -n "${PULL_REQUEST:-}" ] && [ "${DEPYF_COMMENT:-true}" = true ]; then
    comments=repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments
    if ! old=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$mark\")) | .id"); then
        echo "::warning::the comments of the pull request cannot be read"
    elif [ -n "$old" ]; then
        gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/${old%%$'\n'*}" --field body="$body" ||
            echo "::warning::the comment cannot be brought up to date"
    else
        gh api --silent --method POST "$comments" --field body="$body" ||
            echo "::warning::the comment cannot be written"
    fi
fi
exit $status
