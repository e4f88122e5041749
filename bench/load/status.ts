/** The number of responses with each status code. */
export type Statuses = Record<number, number>

export const statusOf = (reply: Buffer): number => Number(reply.toString('latin1', 9, 12))

export function countStatus(statuses: Statuses, status: number): void {
  statuses[status] = (statuses[status] ?? 0) + 1
}

/**
 * Throws if there were other statuses because figures that include error responses are meaningless. `said` is the
 * server's output.
 */
export function assertOnly(statuses: Statuses, expected: number | number[], said: string): void {
  const others = Object.keys(statuses).filter((one) => ![expected].flat().includes(Number(one)))
  if (others.length === 0) return
  throw new Error(
    `other statuses than ${expected}: ${JSON.stringify(statuses)}; the service said last:\n${said.slice(-2_000)}`,
  )
}
