export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [one.split('.').map(Number), other.split('.').map(Number)]
  const differing = ours.findIndex((part, index) => part !== theirs[index])
  return differing < 0 ? 0 : (ours[differing] ?? 0) - (theirs[differing] ?? 0)
}
