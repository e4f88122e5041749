import { percentile } from '../numbers.ts'

/** `now`: when the users were added. */
export function listFilters(now: Date): Record<string, string> {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString()
  return {
    'no filter': '',
    'one address': 'q=lovelace.f4240',
    'common part of addresses': 'email=mail.example',
    'every address': 'q=example',
    'common surname': 'q=lovelace',
    'first name': 'name=zo%C3%AB',
    'two letters': 'q=jo',
    'start of user names': 'user_name=user_ab',
    nobody: 'q=%25',
    'role of few': 'user_type=superadmin',
    'role of many': 'user_type=customer',
    unverified: 'verified=false',
    verified: 'verified=true',
    blocked: 'blocked=true',
    'not blocked': 'blocked=false',
    'linked account': 'provider=google',
    'start of phone numbers': 'phone=%2B44',
    'end of a phone number': 'phone=00123',
    'created in the last day': `created_from=${hoursAgo(24)}`,
    'created in the last year': `created_from=${hoursAgo(24 * 365)}`,
    'created before that': `created_to=${hoursAgo(24 * 365)}`,
    'seen in 10 minutes': `last_seen_from=${hoursAgo(1 / 6)}`,
    'seen in an hour': `last_seen_from=${hoursAgo(1)}`,
    'seen in a week': `last_seen_from=${hoursAgo(24 * 7)}`,
    'not seen for a week': `last_seen_to=${hoursAgo(24 * 7)}`,
    'not seen for a month': `last_seen_to=${hoursAgo(24 * 40)}`,
  }
}

export const listOrders = [
  '-created_at',
  'created_at',
  '-updated_at',
  'updated_at',
  'email',
  '-email',
  'name',
  '-name',
  'user_name',
  '-user_name',
  'user_type',
  '-user_type',
] as const

export interface ListTime {
  filter: string
  order: string
  page: number
  /** Median, in milliseconds. */
  ms: number
  total: number
}

/** The queries of the console's list of users: pages of 25, counted up to 10,000. One request at a time. */
export async function timeUserLists(
  url: string,
  sessionToken: string,
  {
    repeats,
    filters,
    orders,
    pages,
  }: { repeats: number; filters: Record<string, string>; orders: readonly string[]; pages: readonly number[] },
  onTime: (time: ListTime) => void,
): Promise<void> {
  for (const [filter, query] of Object.entries(filters))
    for (const order of orders)
      for (const page of pages) {
        const paging = `limit=25&count_limit=10000&sort=${order}&page=${page}`
        const path = `/auth/users?${query}&${paging}`
        const { p50, total } = await timesOf(url + path, sessionToken, { warmUps: 2, repeats })
        onTime({ filter, order, page, ms: Math.round(p50), total })
      }
}

/** Times of sequential requests, in milliseconds. The first requests only warm up PostgreSQL's and V8's caches. */
export async function timesOf(
  url: string,
  sessionToken: string,
  { warmUps, repeats }: Record<'warmUps' | 'repeats', number>,
) {
  const times: number[] = []
  let total = 0
  for (let count = -warmUps; count < repeats; count++) {
    const started = performance.now()
    const reply = await fetch(url, { headers: { 'x-session-id': sessionToken } })
    const body = (await reply.json()) as { data?: { pagination: { total: number } } }
    if (!body.data) throw new Error(`${url} was answered ${reply.status}: ${JSON.stringify(body)}`)
    if (count >= 0) times.push(performance.now() - started)
    total = body.data.pagination.total
  }
  const sorted = times.toSorted((left, right) => left - right)
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), total }
}
