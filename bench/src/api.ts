import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@trainyard/server/test/ports.ts'
import { startApi } from './api-process.ts'
import { median, table } from './figures.ts'
import { sendCall, closeConnections } from './load/open-loop.ts'
import { seed } from './seed/fill.ts'
import { USUAL_CALLS } from './usual-calls.ts'

/** Compares the ten most frequent calls with a minimal fastify and pg server that runs the same queries. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 15)
const CALLS = 150
const CONCURRENCY = 8
const MIN_RATIO = 0.9
/** Longer than the portal caches a session. */
const SESSION_CACHE_MS = 2_500

const folder = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
chmodSync(folder, 0o755)
let bare: ChildProcess | undefined
try {
  await seed(folder, { organisations: 20, busy: 2 }, () => {})
  const file = join(folder, 'calls.json')
  writeFileSync(file, JSON.stringify(await recordCalls()))
  const portal = await startApi(folder)
  try {
    const port = await freePort()
    bare = spawn(
      process.execPath,
      [fileURLToPath(new URL('api/bare.ts', import.meta.url)), portal.databaseUrl, `${port}`, file],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    )
    while ((await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) === null) await pause(50)
    const rows: string[][] = []
    for (const [index, [name, email, path]] of USUAL_CALLS.entries()) {
      const session = await portal.session(email)
      const ratePortal = () => rate(portal.url + path, session)
      const rateBare = () => rate(`http://127.0.0.1:${port}/${index}`, session)
      await Promise.all([ratePortal(), rateBare()])
      const rounds: { portal: number; bare: number }[] = []
      for (let round = 0; round < ROUNDS; round++) {
        if (round % 2 === 0) rounds.push({ portal: await ratePortal(), bare: await rateBare() })
        else {
          const before = await rateBare()
          rounds.push({ portal: await ratePortal(), bare: before })
        }
      }
      const ratio = median(rounds.map((each) => each.portal / each.bare))
      if (ratio < MIN_RATIO) process.exitCode = 1
      const medianOf = (server: 'portal' | 'bare') => median(rounds.map((each) => each[server])).toFixed(0)
      rows.push([name, medianOf('portal'), medianOf('bare'), ratio.toFixed(2), ratio < MIN_RATIO ? 'UNDER' : 'ok'])
    }
    console.log(table(['call', 'portal, calls per second', 'bare', 'ratio', `at least ${MIN_RATIO}`], rows))
    console.log(`Medians of ${ROUNDS} alternating rounds; load average ${loadavg()[0]!.toFixed(1)}.`)
  } finally {
    bare?.kill('SIGKILL')
    await portal.stop()
  }
} finally {
  await closeConnections()
  rmSync(folder, { recursive: true, force: true })
}

async function recordCalls() {
  const file = join(folder, 'queries.jsonl')
  writeFileSync(file, '')
  const record = fileURLToPath(new URL('api/record.ts', import.meta.url))
  // The bundle contains its own copy of pg, which the recorder cannot change.
  const args = ['server/src/app/run.ts', 'api']
  const portal = await startApi(folder, { QUERIES: file, NODE_OPTIONS: `--import=${record}` }, args)
  try {
    const calls = []
    for (const [, email, path] of USUAL_CALLS) {
      const read = await portal.as(email)
      await read(path)
      // The session cache of the portal has expired then: the bare server looks up the session for each call.
      await pause(SESSION_CACHE_MS)
      const lengthBefore = readFileSync(file, 'utf8').length
      const { body } = await read(path)
      const lines = readFileSync(file, 'utf8').slice(lengthBefore).split('\n').filter(Boolean)
      calls.push({ queries: lines.map((line) => JSON.parse(line) as unknown), reply: body })
    }
    if (calls.every(({ queries }) => queries.length === 0)) throw new Error('No query was recorded.')
    return calls
  } finally {
    await portal.stop()
  }
}

async function rate(url: string, session: string): Promise<number> {
  const startedAt = performance.now()
  let callsLeft = CALLS
  const caller = async () => {
    while (callsLeft-- > 0) {
      const status = await sendCall({ url, session })
      if (status !== 200) throw new Error(`${url} answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, caller))
  return CALLS / ((performance.now() - startedAt) / 1_000)
}
