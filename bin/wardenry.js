#!/usr/bin/env node
// Old versions of Node.js must be able to parse this file, which tells users that their version is too old.
'use strict'
var existsSync = require('fs').existsSync
var path = require('path')

var source = path.join(__dirname, '../src/cli/main.ts')
var ownNode = path.join(__dirname, '../node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')

// The published package contains only the bundle. A checkout runs the TypeScript sources, which requires Node.js 24.
var isCheckout = existsSync(source)
var needed = isCheckout ? '24' : '22.15'

if (isAtLeast(needed)) require('./run.js')
else if (isCheckout && isAtLeast('20') && existsSync(ownNode)) require('./run-with-own-node.js')
else refuse()

function refuse() {
  var remedy = isCheckout ? 'run "npm ci", which installs its own, or install' : 'install'
  var current = process.version + ': ' + remedy
  console.error('Wardenry needs Node.js ' + needed + ' or later, and this is ' + current + ' a newer one.')
  // As for an invalid configuration: a supervisor must not restart the service.
  process.exit(78)
}

function isAtLeast(version) {
  var present = process.versions.node.split('.').map(Number)
  var wanted = version.split('.').map(Number)
  return present[0] > wanted[0] || (present[0] === wanted[0] && present[1] >= (wanted[1] || 0))
}
