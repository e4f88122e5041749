import type { Results } from './results.ts'

type Line = readonly [what: string, value: string, target: string, note?: string]

/** Formats the figures alongside their targets. */
export function table(results: Results): string {
  const lines: Line[] = [
    ...validations(results),
    ...signIns(results),
    ...pages(results),
    ...searches(results),
    ...posts(results),
    ...consolePages(results),
    ...inside(results),
    ...commits(results),
    ...workers(results),
    ...webhooks(results),
    ...starts(results),
  ]
  const width = (column: 0 | 1 | 2) => Math.max(...lines.map((line) => line[column].length))
  const [first, second, third] = [width(0), width(1), width(2)]
  const rows = lines.map(([what, value, target, note = '']) =>
    `  ${what.padEnd(first)}  ${value.padStart(second)}  ${target.padEnd(third)}  ${note}`.trimEnd(),
  )
  return `${[...rows, ...disturbances(results)].join('\n')}\n`
}

/**
 * If other processes use the core, the ratios drop too: CPU caches are evicted, and the service has more to reload than
 * the yardstick.
 */
function disturbances({ validate_memory, validate_memory_with_modules, validate_database, login }: Results): string[] {
  const compared = [validate_memory, validate_memory_with_modules, validate_database, login].filter(
    (one) => one !== null,
  )
  const [undisturbed, all] = [
    sum(compared.map(({ undisturbed: count }) => count)),
    sum(compared.map(({ rounds }) => rounds)),
  ]
  if (undisturbed === all) return []
  return [
    '',
    `  The machine had other work: ${undisturbed} of ${all} rounds were undisturbed. On an idle machine, the figures are better.`,
  ]
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

function validations(results: Results): Line[] {
  const {
    validate_memory: memory,
    verify_memory: verify,
    validate_memory_with_modules: withModules,
    validate_database: database,
  } = results
  if (!memory || !withModules || !database) return []
  const pace = ({ per_cpu_second: ours, bare_per_cpu_second: bare, lowest, highest }: typeof memory) =>
    `${lowest} to ${highest}; ${ours} against ${bare} requests per CPU second`
  return [
    ['validate, memory / bare http', String(memory.ratio_to_bare_http), '≥ 0.60', pace(memory)],
    ['  replies from memory', `${(memory.share_from_memory * 100).toFixed(1)} %`, ''],
    ['  with all modules', String(withModules.ratio_to_bare_http), '± 3 %', pace(withModules)],
    ...(verify
      ? [['/auth/verify, memory / bare http', String(verify.ratio_to_bare_http), '≥ 0.55', pace(verify)] as Line]
      : []),
    ['validate, database / bare http', String(database.ratio_to_bare_http), '≥ 0.40', pace(database)],
    ['  CPU of PostgreSQL', `${database.postgres_cpu_us_per_request ?? '–'} µs`, '', 'per request, beside the above'],
  ]
}

function signIns({ login, storm }: Results): Line[] {
  if (!login || !storm) return []
  const counts = Object.entries(storm.logins)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
  return [
    [
      'sign-in / bare argon2',
      String(login.ratio_to_bare_argon2),
      '≥ 0.80',
      `${login.lowest} to ${login.highest}; ${login.per_second} against ${login.bare_per_second} a second`,
    ],
    [
      'validate p95, calm',
      `${storm.validate_p95_calm_ms} ms`,
      '',
      `event loop held up for ${storm.event_loop_delay_max_calm_ms} ms at most`,
    ],
    [
      'validate p95, login storm',
      `${storm.validate_p95_storm_ms} ms`,
      '',
      `event loop held up for ${storm.event_loop_delay_max_storm_ms} ms at most; sign-ins: ${counts}`,
    ],
  ]
}

function pages({ pages: row }: Pick<Results, 'pages'>): Line[] {
  if (!row) return []
  return [
    ['pages rendered', `${row.render_per_cpu_second}`, '≥ 3000', 'of the sign-in page, per CPU second'],
    ['GET /login', `${row.login_page_per_cpu_second}`, '', 'whole requests per CPU second'],
    [
      'sign-in page',
      `${(row.login_page_bytes / 1000).toFixed(1)} kB`,
      '≤ 30',
      'one reply, and nothing else is asked for',
    ],
  ]
}

function searches({ search }: Pick<Results, 'search'>): Line[] {
  if (!search) return []
  const kinds = Object.entries(search.by_kind).map(
    ([name, { p50_ms, p95_ms, total }]): Line => [
      `  ${name.replaceAll('_', ' ')}`,
      `${p50_ms} ms`,
      '',
      `p95 ${p95_ms} ms, ${total} users`,
    ],
  )
  const slowest = `slowest median of what finds few; p95 ${search.few_p95_ms} ms`
  return [['search of 1,000,000', `${search.few_p50_ms} ms`, '≤ 50', slowest], ...kinds]
}

function posts({ posts: figures }: Pick<Results, 'posts'>): Line[] {
  if (!figures) return []
  const { by_slug: bySlug, writing_100_kb: writing, lists } = figures
  const kinds = Object.entries(lists).map(
    ([name, { p50_ms, p95_ms, total, plan }]): Line => [
      `  ${name.replaceAll('_', ' ')}`,
      `${p50_ms} ms`,
      '≤ 20',
      `p95 ${p95_ms} ms, ${total} posts; ${plan.join(', ')}`,
    ],
  )
  const pace = `${bySlug.lowest} to ${bySlug.highest}; ${bySlug.per_cpu_second} against ${bySlug.bare_per_cpu_second} requests per CPU second`
  const slug: Line = ['post by slug / bare http', String(bySlug.ratio_to_bare_http), '≥ 0.45', pace]
  const rendering: Line = [
    'event loop held up, rendering',
    `${writing.event_loop_delay_max_ms} ms`,
    '≤ 50',
    `at most, while posts of 100 kB are written; ${writing.p50_ms} ms each, ${writing.max_ms} ms at most`,
  ]
  return [slug, rendering, ['ten of 1,000,000 posts', '', ''], ...kinds]
}

function inside({ inside: row }: Pick<Results, 'inside'>): Line[] {
  if (!row) return []
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const { revocation_with_stream: withStream, revocation_without_stream: without } = row
  return [
    ['validate in the back end', `${row.memory_per_cpu_second}`, '≥ 2000000', 'per CPU second, 10,000 sessions in use'],
    ['  / jose ES256', `${row.ratio_to_es256}`, '≥ 150', `${row.es256_per_cpu_second} per CPU second`],
    ['  / jose HS256', `${row.ratio_to_hs256}`, '≥ 50', `${row.hs256_per_cpu_second} per CPU second`],
    [
      '  / validate over HTTP',
      `${row.ratio_to_http}`,
      '≥ 15',
      `${row.http_per_cpu_second} per CPU second of the back end`,
    ],
    [
      '  revocation seen, p99',
      `${withStream.p99_ms} ms`,
      '≤ 100',
      `p50 ${withStream.p50_ms} ms, at most ${withStream.max_ms} ms`,
    ],
    [
      '  without the stream, p99',
      `${without.p99_ms} ms`,
      '≤ 5000',
      `p50 ${without.p50_ms} ms, at most ${without.max_ms} ms`,
    ],
    [
      '  service, 10,000 in use',
      percent(row.service_busy_10000_in_use - row.service_busy_idle),
      '≤ 2 %',
      `of a core, beside the ${percent(row.service_busy_idle)} of a service that nobody uses`,
    ],
    [
      '  service, 500 back ends',
      percent(row.service_busy_500_streams - row.service_busy_idle),
      '≤ 3 %',
      'of a core, beside the same; listening only',
    ],
    ['    their memory', `${row.memory_500_streams_mb ?? '–'} MB`, '≤ 30'],
  ]
}

function commits({ commits: row }: Pick<Results, 'commits'>): Line[] {
  if (!row) return []
  return [
    ['commits, embedded', `${row.per_second}`, '', 'per second, of one client'],
    ['  / without fsync', `${row.ratio_to_no_fsync}`, '≥ 0.4'],
    ['  of six rows', `${row.registrations_per_second}`, '≥ 300', 'per second: what a registration writes'],
    [
      '  eight clients / one',
      eightToOne(row.transactions_of_eight_clients_per_second, row.transactions_per_second),
      '',
      'transactions of six statements',
    ],
    [
      '    on a slow disk',
      eightToOne(row.slow_disk_transactions_of_eight_clients_per_second, row.slow_disk_transactions_per_second),
      '',
      'fsync takes 5 ms longer',
    ],
  ]
}

const eightToOne = (eight: number, one: number): string => (eight / one).toFixed(2)

function starts({ start, rss }: Results): Line[] {
  const peak = (value: number | null) => `peak ${value ?? '–'} MB`
  return [
    ['first start, embedded', `${start.first_ms} ms`, '≤ 2500'],
    ['second start, embedded', `${start.warm_ms} ms`, '≤ 1200'],
    ['start, PostgreSQL', `${start.postgres_ms ?? '–'} ms`, '≤ 800'],
    ['idle memory, embedded', `${rss.idle_embedded_mb ?? '–'} MB`, '≤ 400', peak(rss.peak_embedded_mb)],
    ['idle memory, PostgreSQL', `${rss.idle_postgres_mb ?? '–'} MB`, '≤ 120', peak(rss.peak_postgres_mb)],
  ]
}

function consolePages({ console: row }: Pick<Results, 'console'>): Line[] {
  if (!row) return []
  return [
    [
      'console, slowest page',
      `${row.slowest_p50_ms} ms`,
      '≤ 100',
      '1,000,000 users, 10,000,000 audit events, 100,000 posts',
    ],
    ['  largest page', `${(row.largest_bytes / 1000).toFixed(1)} kB`, '≤ 60', 'uncompressed'],
    ...Object.entries(row.by_page).map(
      ([name, { p50_ms, p95_ms, bytes }]): Line => [
        `  ${name.replaceAll('_', ' ')}`,
        `${p50_ms} ms`,
        '≤ 100',
        `p95 ${p95_ms} ms, ${(bytes / 1000).toFixed(1)} kB`,
      ],
    ),
  ]
}

function webhooks({ webhooks: row }: Pick<Results, 'webhooks'>): Line[] {
  if (!row) return []
  return [
    ['webhooks: events per second of a burst', `${row.burst_per_second}`, '≥ 1,000', 'one process, one receiver'],
    [
      '  sign-in p95 while delivering / without',
      `${row.login_p95_ratio}`,
      '≤ 1.1',
      `${row.delivered_per_second} events per second; ${row.login_p95_delivering_ms} ms and ${row.login_p95_calm_ms} ms`,
    ],
  ]
}

function workers({ workers: row }: Pick<Results, 'workers'>): Line[] {
  if (!row) return []
  return [
    [
      'two workers: CPU per validation / single',
      `${row.cpu_ratio_to_single}`,
      '≤ 1.05',
      `two separate processes: ${row.apart.cpu_ratio}`,
    ],
    [
      '  capacity / single',
      `${row.capacity_ratio_to_single}`,
      '≥ 1.8',
      `on two whole cores, without the load generator; two separate processes: ${row.apart.capacity_ratio}`,
    ],
    ['  p95 under a storm / calm', `${row.storm_ratio}`, '≤ 3', `${row.storm_p95_ms} ms and ${row.calm_p95_ms} ms`],
  ]
}
