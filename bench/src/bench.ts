import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** `npm run bench [NAME ... | all] [-- OPTIONS]`: lists or runs benchmarks, such as `screens -- --size million`. */
const BENCHES: Readonly<Record<string, { readonly measures: string; readonly takes: string }>> = {
  api: {
    measures: 'the ten most frequent calls compared with a minimal fastify and pg server, as ratios',
    takes: '3 minutes',
  },
  audit: {
    measures: 'the pages of the Audit screen with a million rows, and sealing and verification of the audit chain',
    takes: '5 minutes',
  },
  class: {
    measures: 'frame times of the Class screen with 60 and with 400 running machines, and of a plain page',
    takes: '2 minutes',
  },
  console: {
    measures:
      'the console of a training with 400 machines: its first load compared with a plain React page, and frames',
    takes: '2 minutes',
  },
  costs: { measures: 'two imports of a cost export with 100,000 lines, and its screen', takes: 'a minute' },
  desktops: {
    measures: 'one API with 200 terminals and 20 desktops: CPU, memory and frames of an animation',
    takes: '4 minutes',
  },
  'first-load': {
    measures: 'the first load on a slow phone, compared with a plain React page, and layout shifts of public pages',
    takes: '4 minutes',
  },
  layout: {
    measures: "recovery of the compose file's services in containers after one of each is killed",
    takes: '3 minutes, plus 10 the first time; needs root and podman',
  },
  load: {
    measures: 'an API under 20 to 1,000 calls per second, 2,000 event streams and 500 sign-ins in a minute',
    takes: '6 minutes',
  },
  metrics: { measures: 'calls per second with and without METRICS_PORT, as a ratio', takes: '2 minutes' },
  overload: {
    measures:
      'an API under 0.5, 1, 2 and 4 times the calls that it can answer, also with 2,000 streams, 5,000 idle ' +
      'connections, slow clients, 500 sign-ins at once, and PostgreSQL stopped',
    takes: '15 minutes',
  },
  screens: {
    measures: 'the calls of the screens with 100,000 machines, 5 million runs and 2 million ledger entries',
    takes: '5 to 10 minutes, 4 GB of disk; ten times as much with --size million',
  },
  soak: {
    measures: 'the memory of API and worker in an hour of steady use: calls, open consoles, power operations',
    takes: 'an hour',
  },
  upgrade: {
    measures: 'an upgrade under load with 5 million runs, from before the newest migration or from --from COMMIT',
    takes: '10 to 15 minutes, 5 GB of disk',
  },
  start: {
    measures: 'CPU time and memory of each process of a warm npm start, also compared with the sources in --before',
    takes: '2 minutes',
  },
  versions: {
    measures: 'queries and CPU time per call, compared with the sources in the folder --before, in alternating rounds',
    takes: '5 minutes',
  },
  watch: {
    measures: 'one worker that polls 20,000 running machines: CPU, and time until it shows changes',
    takes: '8 minutes',
  },
}

const args = process.argv.slice(2)
const firstOption = args.findIndex((arg) => arg.startsWith('--'))
const [requestedNames, options] =
  firstOption === -1 ? [args, []] : [args.slice(0, firstOption), args.slice(firstOption)]
const names = requestedNames.includes('all') ? Object.keys(BENCHES) : requestedNames
const unknown = names.find((name) => !Object.hasOwn(BENCHES, name))
if (unknown !== undefined) {
  console.error(`Unknown benchmark ${unknown}. Known benchmarks: ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(1)
}
if (names.length === 0) {
  console.log('npm run bench NAME ... (or all) runs benchmarks and exits with 1 if a limit is exceeded:')
  for (const [name, { measures, takes }] of Object.entries(BENCHES)) console.log(`  ${name}: ${measures} (${takes})`)
}
for (const name of names) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(`${name}.ts`, import.meta.url)), ...options], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
