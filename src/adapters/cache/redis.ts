import { epochLifetime } from '../../lib/versioned-cache.ts'
import type { RedisConnection } from '../redis/connect.ts'
import { defineScript } from '../redis/script.ts'
import type { Cache } from './port.ts'

// The first line of an entry contains its owners and their epochs. The entry is valid only while the epochs of all of
// them are stored, so evicting an epoch cannot revive old entries. The script derives the epochs' keys from the entry,
// which Redis Cluster does not support.
const readEntry = defineScript(`
  local stored = redis.call('GET', KEYS[1])
  if not stored then return false end
  local owners, value = string.match(stored, '^([^\\n]+)\\n(.*)$')
  local checked = false
  for owner, epoch in string.gmatch(owners, '(%S+) (%S+)') do
    local known = redis.call('GET', ARGV[1] .. owner)
    if not known or tonumber(known) > tonumber(epoch) then return false end
    checked = true
  end
  return checked and value`)

// The keys of the epochs follow that of the entry, and their values the other arguments, in the same order.
const writeEntry = defineScript(`
  for owner = 2, #KEYS do
    local known = redis.call('GET', KEYS[owner])
    if known and tonumber(known) > tonumber(ARGV[owner + 2]) then return 0 end
  end
  for owner = 2, #KEYS do redis.call('SET', KEYS[owner], ARGV[owner + 2], 'PX', ARGV[3]) end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1`)

// When Redis is out of memory, it rejects SET but accepts DEL. An owner without a stored epoch has no valid entries.
const raise = defineScript(`
  local known = redis.call('GET', KEYS[1])
  if known and tonumber(known) > tonumber(ARGV[1]) then return 0 end
  local reply = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  if reply.err then redis.call('DEL', KEYS[1]) end
  return 1`)

export function createRedisCache(redis: RedisConnection): Cache {
  const entryKey = (key: string) => redis.key(`owned:${key}`)
  const epochKey = (owner: string) => redis.key(`epoch:${owner}`)

  return {
    async get(key) {
      const value = await redis.run(readEntry, [entryKey(key)], [epochKey('')])
      return typeof value === 'string' ? value : undefined
    },
    async setUnlessOlder({ key, owners, value, lifetime }) {
      const keys = [entryKey(key), ...owners.map(({ id }) => epochKey(id))]
      const epochs = owners.map(({ epoch }) => String(epoch))
      const entry = `${owners.map(({ id, epoch }) => `${id} ${epoch}`).join(' ')}\n${value}`
      await redis.run(writeEntry, keys, [entry, String(Math.ceil(lifetime)), String(epochLifetime), ...epochs])
    },
    async raiseEpoch(owner, epoch) {
      await redis.run(raise, [epochKey(owner)], [String(epoch), String(epochLifetime)])
    },
    async close() {},
  }
}
