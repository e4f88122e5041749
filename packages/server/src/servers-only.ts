// Bundlers for browsers use this file instead of the package. The file exports nothing, so that a named import makes
// the build fail.
throw new Error('@wardenry/server contains the bridge secret: import it only in server code')

export {}
