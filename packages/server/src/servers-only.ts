// What bundlers take for browsers: it exports nothing, so that importing anything by name ends the build.
throw new Error('@wardenry/server holds the bridge secret: import it in code for servers only')

export {}
