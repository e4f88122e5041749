/** The number of responses by status code. */
export type Statuses = Record<number, number>

export const statusOf = (reply: Buffer): number => Number(reply.toString('latin1', 9, 12))

export function countStatus(statuses: Statuses, status: number): void {
  statuses[status] = (statuses[status] ?? 0) + 1
}

/**
 * Figures that include error responses would measure something else. `said` is the server's output, including its log.
 */
export function assertOnly(statuses: Statuses, status: number, said: string): void {
  const others = Object.keys(statuses).filter((one) => Number(one) !== status)
  if (others.length === 0) return
  throw new Error(
    `other statuses than ${status}: ${JSON.stringify(statuses)}; the service said last:\n${said.slice(-2_000)}`,
  )
}
