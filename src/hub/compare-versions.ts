/** Positive when the first of two semantic versions without labels is the newer one, negative when the second is. */
export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [one.split('.').map(Number), other.split('.').map(Number)]
  const differing = ours.findIndex((part, index) => part !== theirs[index])
  return differing < 0 ? 0 : (ours[differing] ?? 0) - (theirs[differing] ?? 0)
}
