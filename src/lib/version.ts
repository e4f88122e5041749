import manifest from '../../package.json' with { type: 'json' }

/** The release version is inlined in the bundle, which therefore does not read package.json. */
export const { version } = manifest
