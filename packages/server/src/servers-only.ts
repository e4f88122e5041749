// Bundlers use this file for browsers. It exports nothing, so that a named import breaks the build.
throw new Error('@wardenry/server contains the bridge secret: import it only in server code')

export {}
