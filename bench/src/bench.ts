import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** `npm run bench [NAME ... | all] [-- OPTIONS]`: lists or runs benchmarks, such as `start -- --before FOLDER`. */
const BENCHES: Readonly<Record<string, { readonly measures: string; readonly takes: string }>> = {
  class: {
    measures: 'frame times of the Class screen with 60 and with 400 running machines, and of a plain page',
    takes: '2 minutes',
  },
  console: {
    measures:
      'the console of a training with 400 machines: its first load compared with a plain React page, and frames',
    takes: '2 minutes',
  },
  'first-load': {
    measures: 'the first load on a slow phone, compared with a plain React page, and layout shifts of public pages',
    takes: '4 minutes',
  },
  load: {
    measures: 'an API under 20 to 1,000 calls per second, 2,000 event streams and 500 sign-ins in a minute',
    takes: '6 minutes',
  },
  overload: {
    measures:
      'an API under 0.5, 1, 2 and 4 times the calls that it can answer, also with 2,000 streams, 5,000 idle ' +
      'connections, slow clients, 500 sign-ins at once, and PostgreSQL stopped',
    takes: '15 minutes',
  },
  start: {
    measures: 'time to the login page, memory at rest and time to end of npm start, also compared with --before',
    takes: '2 minutes',
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
