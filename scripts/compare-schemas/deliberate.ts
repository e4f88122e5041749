/**
 * Differences that are intended. Each entry applies to all objects with a matching name. Remove an entry when the
 * revisions that are compared both contain the change.
 */
export const deliberate: readonly { name: RegExp; because: string }[] = [
  { name: /^(function|pg_dump) (search_grams|wanted_grams)\(text\)/, because: 'only an earlier search index used it' },
  { name: /^(function|pg_dump) audit_digest\(bigint\)/, because: 'no seals from before impersonation exist' },
]
