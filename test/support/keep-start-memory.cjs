const v8 = require('node:v8')
const { syncBuiltinESMExports } = require('node:module')

// Before it listens, the service collects all garbage, which takes a sixth of the CPU time of its start. That pays off
// only in a process that runs for longer than a test. Without this flag, V8 does not provide the function.
const { setFlagsFromString } = v8
v8.setFlagsFromString = (flags) => {
  if (flags !== '--expose-gc') setFlagsFromString(flags)
}
syncBuiltinESMExports()
