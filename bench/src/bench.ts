import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * `npm run bench` lists what can be measured; `npm run bench NAME ...` measures it, `npm run bench all` all of it. What
 * follows from the first option on goes to each bench: `npm run bench screens -- --size million`.
 */
const BENCHES: Readonly<Record<string, { readonly measures: string; readonly takes: string }>> = {
  api: { measures: 'the ten most frequent calls against bare fastify and pg, as ratios', takes: '3 minutes' },
  audit: { measures: 'the pages of the Audit screen with a million rows, sealing and proving', takes: '5 minutes' },
  console: { measures: 'the console of a training of 400: its first row, and its frames', takes: '2 minutes' },
  costs: { measures: 'the import of a cost export of 100,000 lines, twice, and its screen', takes: 'a minute' },
  desktops: {
    measures:
      '200 terminals and 20 desktops that one API holds: its processor and memory, and frames of a moving picture',
    takes: '4 minutes',
  },
  'first-load': { measures: 'the first load of a page, as somebody on a slow telephone has it', takes: '3 minutes' },
  layout: {
    measures: "the compose file's layout in containers: one of each killed, and when it goes on",
    takes: '3 minutes, the first time 10 more; root and podman',
  },
  load: {
    measures: 'an API under 20 to 1,000 calls a second, 2,000 event streams and 500 sign-ins in a minute',
    takes: '6 minutes',
  },
  metrics: { measures: 'calls a second with and without METRICS_PORT, as a ratio', takes: '2 minutes' },
  screens: {
    measures: 'what the screens ask for with 100,000 machines, 5 million runs and 2 million ledger entries',
    takes: '5 to 10 minutes, 4 GB of disk; with --size million ten times as much of all',
  },
  soak: {
    measures: 'the memory of API and worker in an hour of steady use: calls, open consoles, power operations',
    takes: 'an hour',
  },
  upgrade: {
    measures: 'an upgrade under load with 5 million runs, from before the newest migration or from --from COMMIT',
    takes: '10 to 15 minutes, 5 GB of disk',
  },
  watch: {
    measures: 'one worker that watches 20,000 running machines: its processor, and when it shows what changed there',
    takes: '8 minutes',
  },
}

const args = process.argv.slice(2)
const firstOption = args.findIndex((arg) => arg.startsWith('--'))
const [asked, options] = firstOption === -1 ? [args, []] : [args.slice(0, firstOption), args.slice(firstOption)]
const names = asked.includes('all') ? Object.keys(BENCHES) : asked
const unknown = names.find((name) => !Object.hasOwn(BENCHES, name))
if (unknown !== undefined) {
  console.error(`There is no bench named ${unknown}. There are: ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(1)
}
if (names.length === 0) {
  console.log('npm run bench NAME ... (or all) measures and ends with 1 when something is over its limit:')
  for (const [name, { measures, takes }] of Object.entries(BENCHES)) console.log(`  ${name}: ${measures} (${takes})`)
}
for (const name of names) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(`${name}.ts`, import.meta.url)), ...options], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
