"""Compare the pages of built sites in Chromium with what the index reads of them: python -m bench.rendered_text SITE...

For each page, the bench counts the words and numbers that a reader sees but the index lacks (missing), and those that
the index has but no reader sees (extra). Differences of some kinds are explained, and counted by kind; the kinds are in
`bench/rendered_text/in_page/kinds.js`. Texts that one or two pages have beside their content are counted too (outside),
because they may be content. With --verbose, each difference is printed with its page and the markup around it. Scripts
do not run, so that a page shows what the build holds, except with --scripts.
"""

import argparse
import asyncio
import sys
import time
from pathlib import Path

from bench.rendered_text.measure import Options, measure_site
from bench.rendered_text.report import COLUMNS, difference_lines, kind_lines, outside_lines, row_of


def main() -> None:
    sites, options = _arguments()
    print("  ".join(f"{name:>9}" for name in COLUMNS), flush=True)
    failed = False
    for site in sites:
        start = time.monotonic()
        results = asyncio.run(measure_site(site, options))
        name = site.parent.name if site.name == "build" else site.name
        print("  ".join(f"{cell:>9}" for cell in row_of(name, results, time.monotonic() - start)), flush=True)
        lines = [*kind_lines(results)]
        if options.with_context:
            lines += [*difference_lines(results), *outside_lines(results)]
        for line in lines:
            print(line, flush=True)
        failed |= any(one.failure or one.comparison.missing or one.comparison.extra for one in results)
    sys.exit(int(failed))


def _arguments() -> tuple[list[Path], Options]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, default=100, help="Compare at most so many pages of each site.")
    parser.add_argument("--only", default="", help="Compare only pages with this text in their path.")
    parser.add_argument("--base", default="/", help="URL path of the site, which its scripts may need.")
    parser.add_argument("--scripts", action="store_true", help="Let the site's scripts run.")
    parser.add_argument("--tabs", type=int, default=3, help="Read so many pages at once.")
    parser.add_argument("--verbose", action="store_true", help="Print every unexplained difference.")
    given = parser.parse_args()
    options = Options(given.pages, given.scripts, given.tabs, given.base, given.only, given.verbose)
    return given.site, options


if __name__ == "__main__":
    main()
