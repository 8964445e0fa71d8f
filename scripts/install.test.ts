import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectAllSettings } from '@trainyard/modules/settings.ts'
import { readConfig } from '@trainyard/platform/server/config/config.ts'

/** Runs deploy/compose/install.sh with programs on PATH that stand in for Docker and Podman. */
const SCRIPT = fileURLToPath(new URL('../deploy/compose/install.sh', import.meta.url))
const OLD = 'registry.test/trainyard:1.0.0'
const NEXT = 'registry.test/trainyard:1.2.0'

/** Programs of a minimal Debian. */
const TOOLS = ['base64', 'cat', 'date', 'dirname', 'head', 'mv', 'od', 'rm', 'sed', 'sh', 'sleep', 'tail', 'tr']

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trainyard-install-'))
  mkdirSync(join(folder, 'compose'))
  mkdirSync(join(folder, 'bin'))
  cpSync(SCRIPT, join(folder, 'compose/install.sh'))
  // No other program of this machine, such as a real engine, can be called.
  mkdirSync(join(folder, 'tools'))
  for (const tool of TOOLS) {
    const path = ['/bin', '/usr/bin'].map((bin) => join(bin, tool)).find((each) => existsSync(each))!
    symlinkSync(path, join(folder, 'tools', tool))
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Writes a stand-in that logs its calls with the image that compose would use. A call that matches one of the shell
 * patterns `fails` exits with 1; one that matches `kills` ends the script as a power failure would, and `late` does it
 * after the call.
 */
function standIn(name: 'docker' | 'podman' | 'podman-compose', { fails = '', kills = '', late = '' } = {}): void {
  const path = join(folder, 'bin', name)
  writeFileSync(
    path,
    `#!/bin/sh
image=\${TRAINYARD_IMAGE:-$(sed -n 's/^TRAINYARD_IMAGE=//p' .env 2>/dev/null)}
case "$*" in *version) echo 2; exit 0 ;; esac
# The parent can be a subshell of the script.
kill_all() {
  above=$(sed 's/.*) . \\([0-9]*\\) .*/\\1/' /proc/$PPID/stat)
  case "$(tr '\\0' ' ' < /proc/$above/cmdline)" in *install.sh*) kill -9 "$above" ;; esac
  kill -9 $PPID
}
echo "${name} $* [$image]\${POSTGRES_MAJOR:+ $POSTGRES_MAJOR}" >> '${folder}/log'
case "$* [$image]" in
  ${fails === '' ? 'no-call' : fails}) echo 'It failed.' >&2; exit 1 ;;
  ${kills === '' ? 'no-call' : kills}) kill_all; exit 1 ;;
  *"run "*superadmin*) echo "https://portal.test/password#code" ;;
  *logs*) echo 'api1 | There is no superadmin yet. Set up the portal, once: https://portal.test/set-up#2345' ;;
esac
# Containers that are named, with the major of their database.
major=\${POSTGRES_MAJOR:-$(sed -n 's/^POSTGRES_MAJOR=//p' .env 2>/dev/null)}
case "$*" in
  *"run "*"--name "*) name=\${*##*--name }; echo "$major" > '${folder}/container-'"\${name%% *}" ;;
  "rm -f "*) rm -f '${folder}/container-'"$3" ;;
  "container inspect "*) [ -e '${folder}/container-'"$3" ] || exit 1 ;;
  *"up -d"*)
    [ "$(cat '${folder}/container-trainyard-database-next' 2>/dev/null)" != "$major" ] ||
      echo 'two servers on one folder' >> '${folder}/log' ;;
esac
case "$* [$image]" in
  ${late === '' ? 'no-call' : late}) kill_all ;;
esac
`,
  )
  chmodSync(path, 0o755)
}

function install(args: readonly string[], input = '') {
  rmSync(join(folder, 'log'), { force: true })
  const { status, stdout, stderr } = spawnSync('/bin/sh', [join(folder, 'compose/install.sh'), ...args], {
    encoding: 'utf8',
    input,
    env: { PATH: `${folder}/bin:${folder}/tools` },
  })
  const calls = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : []
  return { status, stdout, stderr, calls }
}

/** Makes the script wait for nothing. */
const skipSleep = () => {
  rmSync(join(folder, 'tools/sleep'))
  symlinkSync('/bin/true', join(folder, 'tools/sleep'))
}

const read = (name: string): string => readFileSync(join(folder, 'compose', name), 'utf8')
const FILES = ['.env', 'trainyard.env', 'database-password']
const contents = () => FILES.map(read)

test('installs with generated secrets, which only the owner can read, and prints the link', () => {
  standIn('docker')
  const flags = ['--address', 'portal.test', '--email', 'root@acme.test', '--image', OLD, '--yes']
  const { status, stdout, stderr, calls } = install(flags)
  expect([status, stderr]).toEqual([0, ''])
  expect(calls).toEqual([
    `docker image inspect ${OLD} []`,
    `docker compose up -d [${OLD}]`,
    `docker compose exec -T api1 node deploy/alive.mjs [${OLD}]`,
    `docker compose run --rm --no-deps -T migrate superadmin root@acme.test [${OLD}]`,
  ])
  expect(stdout).toBe('Trainyard runs: https://portal.test\nhttps://portal.test/password#code\n')
  expect(FILES.map((name) => (statSync(join(folder, 'compose', name)).mode & 0o777).toString(8))).toEqual(
    FILES.map(() => '600'),
  )
  expect(read('.env')).toBe(`PORTAL_HOST=portal.test\nPORTAL_TLS=\nTRAINYARD_IMAGE=${OLD}\nPOSTGRES_MAJOR=18\n`)
  connectAllSettings()
  const { config, secrets } = readConfig(parseEnv(read('trainyard.env')))
  expect([config.production, config.http.publicUrl, secrets.keys.map(({ bytes }) => bytes.length)]).toEqual([
    true,
    'https://portal.test',
    [32],
  ])
  expect(secrets.ownerUrl).toBe(`postgres://trainyard:${read('database-password')}@database:5432/trainyard`)
  expect(read('database-password')).toMatch(/^[0-9a-f]{48}$/)
})

test.each([[[]], [['--image', OLD]]])('run again with %j, it keeps the image and starts what is down', (args) => {
  startOld()
  const before = contents()
  const { status, calls } = install(args)
  expect([status, calls]).toEqual([0, [`docker image inspect ${OLD} [${OLD}]`, START_OLD, ALIVE_OLD]])
  expect(contents()).toEqual(before)
})

test.each(['*up?-d*', '*alive*', '*superadmin*'])('a first installation killed in %s is finished', (kills) => {
  standIn('docker', { kills })
  const flags = ['--address', 'portal.test', '--email', 'root@acme.test', '--image', OLD]
  expect(install(flags).status).toBe(null)
  const before = contents()
  standIn('docker')
  const { status, stdout, calls } = install(['--yes'])
  expect([status, stdout]).toEqual([0, 'Trainyard runs: https://portal.test\nhttps://portal.test/password#code\n'])
  expect(calls).toContain(`docker compose run --rm --no-deps -T migrate superadmin root@acme.test [${OLD}]`)
  expect(contents()).toEqual(before)
  expect(install(['--yes']).calls).toHaveLength(3)
})

test('a first installation that failed may be repeated with another image', () => {
  skipSleep()
  standIn('docker', { fails: '*alive*' })
  const flags = ['--address', 'portal.test', '--email', 'root@acme.test', '--yes', '--image']
  expect(install([...flags, OLD])).toMatchObject({ status: 1, stderr: expect.stringMatching(/did not start/) })
  standIn('docker')
  const { status, calls } = install([...flags, NEXT])
  expect([status, calls.slice(1, 2)]).toEqual([0, [UP]])
  expect(calls.at(-1)).toContain('superadmin root@acme.test')
  expect(read('.env')).toContain(`TRAINYARD_IMAGE=${NEXT}\n`)
})

test('builds only local images, and writes nothing without the image', () => {
  writeFileSync(join(folder, 'Containerfile'), '')
  standIn('docker', { fails: '*inspect*|*pull*' })
  const flags = ['--address', 'portal.test', '--yes', '--image']
  const failed = install([...flags, OLD])
  expect([failed.status, failed.stderr]).toEqual([1, `It failed.\nThe image ${OLD} cannot be pulled.\n`])
  expect(failed.calls.join()).not.toContain(' build ')
  expect(FILES.filter((name) => existsSync(join(folder, 'compose', name)))).toEqual([])
  const local = install([...flags, 'localhost/trainyard:1.0.0'])
  expect([local.status, local.calls[1]]).toEqual([
    0,
    'docker build -t localhost/trainyard:1.0.0 -f deploy/Containerfile . []',
  ])
})

test('asks for what is missing, uses Podman and the name of a local network', () => {
  standIn('podman')
  standIn('podman-compose')
  const { status, stdout, stderr, calls } = install(['--local', '--image', OLD], 'lab.test\n\n')
  expect(status).toBe(0)
  expect(stderr).toMatch(/^Name under which users open the portal .*E-mail address of the first superadmin/)
  expect(calls).toContain(`podman-compose up -d [${OLD}]`)
  expect(read('.env')).toContain('PORTAL_HOST=lab.test\nPORTAL_TLS=tls internal\n')
  expect(stdout).toContain('Create the first superadmin, once: https://portal.test/set-up#2345\n')
  expect(stdout).toContain('root.crt')
})

test('notices a command that fails under podman-compose 1.0, which ends with 0 in any case', () => {
  standIn('podman')
  standIn('podman-compose')
  const flags = ['--address', 'portal.test', '--email', 'root@acme.test', '--yes']
  expect(install([...flags, '--image', OLD]).status).toBe(0)
  const path = join(folder, 'bin/podman-compose')
  const ended = `case "$*" in *"upgrade prepare"*) echo 'exit code: 1' ;; run* | exec*) echo 'exit code: 0' ;; esac\n`
  writeFileSync(path, readFileSync(path, 'utf8') + ended)
  const { status, stdout, stderr, calls } = install(['--image', NEXT])
  expect([status, stdout]).toEqual([1, `Upgrading from ${OLD} to ${NEXT} ...\n`])
  expect(stderr).toMatch(/^The upgrade failed, and .*:1\.0\.0 runs again\./)
  // The containers are replaced, which `up` alone does not do.
  expect(calls.slice(-5, -1).map((call) => call.replace(/ \[.*/, ''))).toEqual([
    'podman-compose down -t 60',
    'podman-compose up -d database',
    'podman-compose exec -T database pg_isready -U trainyard -h 127.0.0.1',
    'podman-compose up -d',
  ])
})

test('refuses without an engine, a name or a known flag, and writes nothing', () => {
  expect(install(['--yes'])).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Install Docker /) })
  standIn('docker')
  expect(install(['--yes'])).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Give the name of the portal/) })
  expect(install(['--address', 'a b', '--yes']).status).toBe(1)
  expect(install(['--adress', 'x'])).toMatchObject({ status: 2, stderr: expect.stringMatching(/^Usage: /) })
  expect(FILES.filter((name) => existsSync(join(folder, 'compose', name)))).toEqual([])
})

const PREPARE = `docker compose run --rm --no-deps -T migrate upgrade prepare [${NEXT}]`
const UP = `docker compose up -d [${NEXT}]`
const FINISH = `docker compose run --rm --no-deps -T migrate upgrade finish http://api1:4000 http://api2:4000 [${NEXT}]`

const BACK = `docker compose run --rm --no-deps -T migrate upgrade back [${NEXT}]`
const START_OLD = `docker compose up -d [${OLD}]`
const ALIVE_OLD = `docker compose exec -T api1 node deploy/alive.mjs [${OLD}]`

const startOld = () => {
  standIn('docker')
  expect(install(['--address', 'portal.test', '--image', OLD, '--yes']).status).toBe(0)
}

test('run again with a newer image, it upgrades and changes only the image', () => {
  startOld()
  const [env, ...others] = contents()
  const { status, stdout, calls } = install(['--image', NEXT, '--yes'])
  expect([status, stdout]).toEqual([
    0,
    `Upgrading from ${OLD} to ${NEXT} ...\nUpgraded to ${NEXT}: https://portal.test\n`,
  ])
  expect(calls.slice(1)).toEqual([PREPARE, UP, FINISH])
  expect(contents()).toEqual([env!.replace(OLD, NEXT), ...others])
})

test.each([
  ['the migration', '*prepare*', [PREPARE, BACK, START_OLD, ALIVE_OLD]],
  ['the start', `*up?-d*${NEXT}*`, [PREPARE, UP, BACK, START_OLD, ALIVE_OLD]],
  ['the check', '*finish*', [PREPARE, UP, FINISH, BACK, START_OLD, ALIVE_OLD]],
  ['the new image', `*run*${NEXT}*`, [PREPARE, BACK, BACK.replace(`[${NEXT}]`, `[${OLD}]`), START_OLD, ALIVE_OLD]],
])('starts the old version again if %s fails', (_, fails, calls) => {
  startOld()
  const before = contents()
  standIn('docker', { fails })
  const failed = install(['--image', NEXT, '--yes'])
  expect(failed.status).toBe(1)
  expect(failed.calls.slice(1)).toEqual(calls)
  expect(failed.stderr).toMatch(/^It failed\./)
  expect(failed.stderr.replaceAll('It failed.\n', '')).toBe(
    `The upgrade failed, and ${OLD} runs again. The lines above say why.\n`,
  )
  expect(contents()).toEqual(before)
  expect(existsSync(join(folder, 'compose/upgrade'))).toBe(false)
})

test.each(['*prepare*|*back*', '*up?-d*', '*finish*|*alive*'])('says what to do if %s fails', (fails) => {
  startOld()
  skipSleep()
  standIn('docker', { fails })
  const { status, stderr } = install(['--image', NEXT, '--yes'])
  expect([status, stderr.replaceAll('It failed.\n', '')]).toEqual([
    1,
    `The upgrade failed, and ${OLD} does not run again. Remove the cause that the lines above name, then run this again: it finishes the upgrade or takes it back.\n`,
  ])
  standIn('docker')
  expect(install([]).calls.slice(1)).toEqual([PREPARE, UP, FINISH])
  expect(read('.env')).toContain(`TRAINYARD_IMAGE=${NEXT}\n`)
})

test.each(['*prepare*', '*up?-d*', '*finish*'])('an upgrade killed in %s is finished by the next run', (kills) => {
  startOld()
  standIn('docker', { kills })
  expect(install(['--image', NEXT, '--yes']).status).toBe(null)
  standIn('docker')
  const { status, calls } = install(['--yes'])
  expect([status, calls.slice(1)]).toEqual([0, [PREPARE, UP, FINISH]])
  expect(read('.env')).toContain(`TRAINYARD_IMAGE=${NEXT}\n`)
  expect(existsSync(join(folder, 'compose/upgrade'))).toBe(false)
})

test('an upgrade that was interrupted is taken back if its image no longer exists', () => {
  startOld()
  const before = contents()
  standIn('docker', { kills: '*prepare*' })
  expect(install(['--image', NEXT, '--yes']).status).toBe(null)
  standIn('docker', { fails: `*inspect*${NEXT}*|*pull*|*run*${NEXT}*` })
  const { status, stderr, calls } = install(['--yes'])
  expect([status, stderr.replaceAll('It failed.\n', '')]).toEqual([
    1,
    `The image ${NEXT} cannot be pulled.\nThe upgrade to ${NEXT} was taken back, and ${OLD} runs again. Give an image that exists: --image IMAGE.\n`,
  ])
  expect(calls.slice(2)).toEqual([BACK, BACK.replace(`[${NEXT}]`, `[${OLD}]`), START_OLD, ALIVE_OLD])
  expect(contents()).toEqual(before)
  standIn('docker')
  expect(install(['--yes'])).toMatchObject({ status: 0, stdout: 'Trainyard runs: https://portal.test\n' })
})

describe('a move to another major of PostgreSQL', () => {
  const NAME = 'trainyard-database-next'
  const URL = `postgres://${NAME}:5432/trainyard`
  const STOP_19 = [`docker stop ${NAME} `, `docker rm -f ${NAME} `, `docker container inspect ${NAME} `]
  const START_19 = [
    ...STOP_19,
    `docker compose run --rm --no-deps -d --name ${NAME} database  19`,
    `docker exec ${NAME} pg_isready -U trainyard -h 127.0.0.1 `,
  ]
  const COPY = `docker compose run --rm --no-deps -T migrate upgrade prepare --to ${URL} `
  const UP = 'docker compose up -d '
  const FINISH = 'docker compose run --rm --no-deps -T migrate upgrade finish http://api1:4000 http://api2:4000 '
  const BACK = 'docker compose run --rm --no-deps -T migrate upgrade back'
  const ALIVE = 'docker compose exec -T api1 node deploy/alive.mjs '
  const FIRST = [...START_19, COPY, ...STOP_19, UP, FINISH]
  const BACK_TO_18 = [
    ...STOP_19,
    'docker compose up -d database  18',
    'docker compose exec -T database pg_isready -U trainyard -h 127.0.0.1  18',
    ...STOP_19.map((call) => `${call} 18`),
    `docker compose run --rm --no-deps -d --name ${NAME} database  19`,
    `docker exec ${NAME} pg_isready -U trainyard -h 127.0.0.1  18`,
  ]
  const move = (args: readonly string[] = ['--postgres', '19', '--yes']) => {
    const { calls, ...others } = install(args)
    return { ...others, calls: calls.slice(1).map((call) => call.replace(`[${OLD}]`, '')) }
  }

  test('copies the database while the old one answers, and keeps that', () => {
    startOld()
    const [env, ...others] = contents()
    const { status, stdout, calls } = move()
    expect([status, calls]).toEqual([0, FIRST])
    expect(stdout).toMatch(/The old database stays in \/var\/lib\/postgresql\/18 of the volume database; /)
    expect(contents()).toEqual([env!.replace('MAJOR=18', 'MAJOR=19'), ...others])
    expect(move(['--yes']).calls).toEqual([UP, ALIVE])
  })

  test('starts the old database again if the copy fails', () => {
    startOld()
    const before = contents()
    standIn('docker', { fails: '*prepare*' })
    const { status, stderr, calls } = move()
    expect([status, calls]).toEqual([1, [...START_19, COPY, ...STOP_19, `${BACK} `, UP, ALIVE]])
    expect(stderr).toContain(`The upgrade failed, and ${OLD} runs again.`)
    expect(contents()).toEqual(before)
  })

  test('starts the old database again if the check fails, unless the new one has accepted changes', () => {
    startOld()
    const before = contents()
    standIn('docker', { fails: '*finish*' })
    const { status, calls } = move()
    expect([status, calls]).toEqual([
      1,
      [...FIRST, ...BACK_TO_18, `${BACK} --to ${URL}  18`, ...STOP_19.map((call) => `${call} 18`), UP, ALIVE],
    ])
    expect(contents()).toEqual(before)

    standIn('docker', { fails: '*finish*|*back*' })
    const used = move()
    expect([used.status, used.calls.slice(-5)]).toEqual([1, [`${BACK} --to ${URL}  18`, ...STOP_19, UP]])
    expect(read('.env')).toContain('POSTGRES_MAJOR=19\n')
    standIn('docker')
    const { status: last, calls: rest } = move(['--yes'])
    expect([last, rest]).toEqual([0, [...STOP_19, UP, FINISH]])
  })

  test('empties the new database first if the old one refuses to be opened before', () => {
    startOld()
    standIn('docker', { fails: '*prepare*|*back?[[]*' })
    const { status, calls } = move()
    expect([status, calls.slice(-6)]).toEqual([1, [`${BACK} --to ${URL} `, ...STOP_19, UP, ALIVE]])
  })

  test.each(['*--name*', '*back*--to*'])(
    'killed after %s while it is taken back, it starts no second server',
    (late) => {
      startOld()
      standIn('docker', { kills: '*finish*' })
      expect(move().status).toBe(null)
      standIn('docker', { fails: '*finish*', late })
      expect(move(['--yes']).status).toBe(null)
      expect(existsSync(join(folder, 'container-trainyard-database-next'))).toBe(true)
      standIn('docker')
      const { status, calls } = move(['--yes'])
      expect([status, calls]).toEqual([0, [...STOP_19, UP, FINISH]])
    },
  )

  test('refuses Podman, and an image of the database with a tag', () => {
    standIn('podman')
    standIn('podman-compose')
    expect(install(['--address', 'portal.test', '--image', OLD, '--yes']).status).toBe(0)
    expect(move()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^--postgres .* not available with Podman/),
    })
    writeFileSync(join(folder, 'compose/.env'), `${read('.env')}POSTGRES_IMAGE=registry.test:5000/postgres:18\n`)
    expect(install([])).toMatchObject({ status: 1, stderr: expect.stringMatching(/^POSTGRES_IMAGE .* no tag/) })
  })

  test('sets a folder aside with which the new database does not start', () => {
    startOld()
    skipSleep()
    standIn('docker', { fails: '*exec*pg_isready*' })
    const { status, calls } = move()
    expect(status).toBe(1)
    expect(calls.filter((call) => call.includes('--entrypoint'))).toEqual([
      expect.stringMatching(
        /run --rm --no-deps -T --entrypoint mv database \/var\/lib\/postgresql\/19 \/var\/lib\/postgresql\/19-\d+ {2}19$/,
      ),
    ])
    expect(read('.env')).toContain('POSTGRES_MAJOR=18\n')
  })

  test.each(['*--name*', '*prepare*', '*up?-d*', '*finish*'])(
    'killed in %s, it is finished by the next run',
    (kills) => {
      startOld()
      standIn('docker', { kills })
      expect(move().status).toBe(null)
      standIn('docker')
      const { status, calls } = move(['--yes'])
      expect([status, calls]).toEqual([0, [...STOP_19, ...(/up|finish/.test(kills) ? [UP, FINISH] : FIRST)]])
      expect(read('.env')).toContain('POSTGRES_MAJOR=19\n')
      expect(existsSync(join(folder, 'compose/upgrade'))).toBe(false)
    },
  )
})
