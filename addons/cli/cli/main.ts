#!/usr/bin/env node
import process from 'node:process'
import { run } from './program.ts'

// A reader such as `head` may close standard output early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
const code = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  fetch,
})
if (code !== 0) process.exitCode = code
