// Browser bundlers use this file instead of the package. It exports nothing, so a named import fails the build.
throw new Error('@wardenry/server contains the bridge secret: import it only in server code')

export {}
