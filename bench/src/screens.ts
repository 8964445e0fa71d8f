import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startApi, type Api } from './api-process.ts'
import { median, percentile, table } from './figures.ts'
import { ORGANISATIONS_PER_CALL, calls, type RoundCall } from './screen-calls.ts'
import { seed } from './seed/fill.ts'
import { type Size, sizeNamed, tenthOf } from './seed/size.ts'

/** Measures two portals alternately, one of them with a tenth of the rows: `-- [--size NAME] [--in FOLDER]`. */
const ROUNDS = 60
const WARM_UP = ORGANISATIONS_PER_CALL
const LIMIT_MS = 200
const LIMIT_RATIO = 1.5
/** Attempts per call. A call over its limit is measured again, because other load may have affected one portal. */
const TRIES = 3

const { values: options } = parseArgs({
  options: { size: { type: 'string', default: 'full' }, in: { type: 'string' } },
})
const fullSize = sizeNamed(options.size)
const part = tenthOf(fullSize)
const folder = options.in === undefined ? temporary() : resolve(process.env['INIT_CWD'] ?? '.', options.in)
const portals: Api[] = []
try {
  const full = await start(options.size, fullSize)
  const tenthServer = await start(`${options.size}-tenth`, part)
  const rows: string[][] = []
  let allWithinLimits = true
  for (const call of calls) {
    const preparedCalls: [RoundCall, RoundCall] = [
      await call.prepare(full, fullSize),
      await call.prepare(tenthServer, part),
    ]
    let found = await measure(preparedCalls)
    for (let attempt = 1; attempt < TRIES && !found.isWithinLimit; attempt++) found = await measure(preparedCalls)
    allWithinLimits &&= found.isWithinLimit
    const { large, small, ratio, bytes, isWithinLimit } = found
    rows.push([
      call.name,
      ...[large, small].flatMap((each) => [median(each).toFixed(1), percentile(each, 95).toFixed(1)]),
      ratio.toFixed(2),
      (bytes / 1000).toFixed(1),
      isWithinLimit ? 'ok' : 'OVER',
    ])
  }
  console.log(
    `Medians and 95th percentiles of ${ROUNDS} replies, ms; at most ${LIMIT_MS} and ${LIMIT_RATIO} x a tenth.`,
  )
  console.log(table(['call', options.size, 'p95', 'a tenth', 'p95', 'ratio', 'kB', ''], rows))
  if (!allWithinLimits) process.exitCode = 1
} finally {
  for (const portal of portals) await portal.stop()
  if (options.in === undefined) rmSync(folder, { recursive: true, force: true })
}

async function measure([full, tenthServer]: readonly [RoundCall, RoundCall]) {
  const large: number[] = []
  const small: number[] = []
  let bytes = 0
  const callFull = async (round: number) => {
    const answer = await full(round)
    bytes = Math.max(bytes, answer.bytes)
    if (round >= WARM_UP) large.push(answer.ms)
  }
  const callTenth = async (round: number) => {
    const { ms } = await tenthServer(round)
    if (round >= WARM_UP) small.push(ms)
  }
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    // Alternate the order, because the first call of a portal runs with the CPU caches that the other portal has
    // filled.
    const [first, second] = round % 2 === 0 ? [callFull, callTenth] : [callTenth, callFull]
    await first(round)
    await second(round)
  }
  const ratio = median(large) / median(small)
  return { large, small, ratio, bytes, isWithinLimit: median(large) <= LIMIT_MS && ratio <= LIMIT_RATIO }
}

async function start(name: string, size: Size): Promise<Api> {
  const dataDir = join(folder, name)
  if (!existsSync(dataDir)) {
    console.log(`Seeding ${dataDir}:`)
    mkdirSync(dataDir, { recursive: true })
    await seed(dataDir, size, console.log)
  }
  const portal = await startApi(dataDir)
  portals.push(portal)
  return portal
}

function temporary(): string {
  const created = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
  chmodSync(created, 0o755)
  return created
}
