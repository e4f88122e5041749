/**
 * Differences that are intended. Each entry applies to all objects with a matching name. Remove an entry when the
 * revisions that are compared both contain the change.
 */
export const deliberate: readonly { name: RegExp; because: string }[] = []
