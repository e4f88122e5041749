import { createRequire } from 'node:module'
import type * as PublicSuffixes from 'tldts'

// Private suffixes, such as github.io, count as public suffixes, as they do in browsers.
const options = { allowPrivateDomains: true }

/** The list of public suffixes is large, so it is loaded on first use. */
const suffixes = (): typeof PublicSuffixes => createRequire(import.meta.url)('tldts')

/** The domain that its owner registered, such as example.co.uk. IP addresses and public suffixes have none. */
export const registrableDomain = (host: string): string | null => suffixes().getDomain(host, options)

/** The registrable domain without the public suffix, such as `example` for id.example.co.uk. */
export const registrableLabel = (host: string): string | null => suffixes().getDomainWithoutSuffix(host, options)

export const isAtOrBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
