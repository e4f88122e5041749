import { epochLifetime } from '../../lib/versioned-cache.ts'
import type { RedisConnection } from '../redis/connect.ts'
import { defineScript } from '../redis/script.ts'
import type { Cache } from './port.ts'

// An entry is valid only while its owner's epoch is stored, so evicting an epoch cannot revive old entries. The script
// derives the epoch's key from the entry, which Redis Cluster does not support.
const readEntry = defineScript(`
  local stored = redis.call('GET', KEYS[1])
  if not stored then return false end
  local owner, epoch, value = string.match(stored, '^([^\\n]*)\\n([^\\n]*)\\n(.*)$')
  local known = redis.call('GET', ARGV[1] .. owner)
  if not known or tonumber(known) > tonumber(epoch) then return false end
  return value`)

const writeEntry = defineScript(`
  local known = redis.call('GET', KEYS[2])
  if known and tonumber(known) > tonumber(ARGV[2]) then return 0 end
  redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[5])
  redis.call('SET', KEYS[1], ARGV[1] .. '\\n' .. ARGV[2] .. '\\n' .. ARGV[3], 'PX', ARGV[4])
  return 1`)

// When Redis is out of memory, it rejects SET but accepts DEL. An owner without a stored epoch has no valid entries.
const raise = defineScript(`
  local known = redis.call('GET', KEYS[1])
  if known and tonumber(known) > tonumber(ARGV[1]) then return 0 end
  local reply = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  if reply.err then redis.call('DEL', KEYS[1]) end
  return 1`)

export function createRedisCache(redis: RedisConnection): Cache {
  const entryKey = (key: string) => redis.key(`entry:${key}`)
  const epochKey = (owner: string) => redis.key(`epoch:${owner}`)

  return {
    async get(key) {
      const value = await redis.run(readEntry, [entryKey(key)], [epochKey('')])
      return typeof value === 'string' ? value : undefined
    },
    async setUnlessOlder({ key, owner, epoch, value, lifetime }) {
      const values = [owner, String(epoch), value, String(Math.ceil(lifetime)), String(epochLifetime)]
      await redis.run(writeEntry, [entryKey(key), epochKey(owner)], values)
    },
    async raiseEpoch(owner, epoch) {
      await redis.run(raise, [epochKey(owner)], [String(epoch), String(epochLifetime)])
    },
    async close() {},
  }
}
