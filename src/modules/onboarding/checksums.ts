/** Written by `npm run checksums`. */
export const onboardingChecksums = {
  'core.sql': 'e519f11ce0537e7bc76704c60f5d5d39ca8e3621e57d7251ec9da7b2f0f034b6',
  'module.json': 'e38620b391aea6e936c0b265aab5a532ee3d69d3e1d31b01ec2eab81337e189b',
}
