import manifest from '../../package.json' with { type: 'json' }

/** The release version is included in the bundle, so the bundle does not read package.json. */
export const { version } = manifest
