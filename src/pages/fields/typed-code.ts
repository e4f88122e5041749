/** Removes spaces and hyphens, which authenticator apps display, and ignores case. */
export const typedCode = (given = ''): string => given.replaceAll(/[\s-]/g, '').toLowerCase()
