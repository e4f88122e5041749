import type { FastifyRequest } from 'fastify'
import type { UsageCounter } from '../../context/usage.ts'
import type { Application } from '../../context.ts'
import type { BridgeRight } from '../../db/rows/applications.ts'

export type RequestWithSecret = Pick<FastifyRequest, 'headers' | 'clientAddress'>

export interface KnownBridgeSecret {
  /** Identifies the secret in rate limits and usage counts. */
  name: string
  uses: UsageCounter
  /** Undefined if the settings contain the secret. */
  application: Application | undefined
  may(right: BridgeRight): boolean
}
