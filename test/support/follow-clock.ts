import { readFileSync } from 'node:fs'

// Preloaded into a program. Its clock differs from the system clock by the milliseconds in TEST_CLOCK_FILE, which a
// test can change at any time.
const file = process.env.TEST_CLOCK_FILE!
const realNow = Date.now

Date.now = () => realNow() + Number(readFileSync(file, 'utf8'))
