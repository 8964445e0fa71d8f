import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { zipOfFiles } from '@trainyard/guides/server/format/zip-of.ts'
import { sshArguments } from './commands/ssh.ts'
import { connectionOf, portalUrl, writeConfig } from './config.ts'
import { Output } from './output.ts'
import { run } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'trainyard-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type Send = (request: Request) => Response | Promise<Response>

/** Runs a command line against scripted replies. */
async function trainyard(
  args: readonly string[],
  { env = {}, send, tty = false }: { env?: Record<string, string>; send?: Send; tty?: boolean } = {},
): Promise<Result> {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) => ({
    isTTY: tty,
    write: (text: string) => (written[name] += text),
  })
  const code = await run(args, {
    env: { TRAINYARD_URL: 'https://portal.test', TRAINYARD_API_KEY: 'try_live_x', XDG_CONFIG_HOME: folder, ...env },
    stdin: Readable.from([]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    fetch: async (request) => {
      if (send === undefined) throw new Error('unexpected request')
      return send(request as Request)
    },
  })
  return { code, ...written }
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
const KEY = {
  name: 'CLI',
  kind: 'personal',
  scopes: ['machine:read'],
  expires: '2027-01-01T00:00:00Z',
  email: 'a@b.c',
  userType: 'admin',
  organization: 'Acme',
  timeZone: 'Asia/Kolkata',
}

describe('exit codes', () => {
  test.each([
    [['--help'], 0],
    [['machines', '--help'], 0],
    [['--version'], 0],
    [['machine', 'list'], 2],
    [['machines', 'list'], 2],
    [['machines', 'start'], 2],
    [['order', 'Python', '--learners', 'a@b.c'], 2],
    [['usage', 'Python', '--days', '8'], 2],
  ])('%j gives exit code %i', async (args, code) => {
    expect((await trainyard(args)).code).toBe(code)
  })

  test.each([
    [400, 1],
    [401, 3],
    [403, 3],
    [404, 4],
    [409, 1],
    [500, 1],
  ])('a reply with status %i gives exit code %i', async (status, code) => {
    const send = () => json({ code: 'x', message: 'Not now.', error: 'Not now.', requestId: 'r1' }, status)
    const result = await trainyard(['machines', 'list', 'Python', '--json'], { send })
    expect([result.code, result.stdout]).toEqual([code, ''])
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { requestId: 'r1' } })
  })

  test('names the scope that a key lacks', async () => {
    const header = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="machine:read"' }
    const send = () => json({ code: 'forbidden', message: 'This API key lacks the scope machine:read.' }, 403, header)
    const { stderr } = await trainyard(['machines', 'list', 'Python'], { send })
    expect(stderr).toContain('Create a key with the scope machine:read')
  })

  test('an unreachable portal gives exit code 5', async () => {
    const send = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))
    const { code, stderr } = await trainyard(['trainings', 'list'], { send })
    expect([code, stderr]).toEqual([
      5,
      'Error: https://portal.test cannot be reached: connect ECONNREFUSED.\nCheck the URL and the connection, then try again.\n',
    ])
  })
})

test('retries reads while the portal is busy, but not changes without an Idempotency-Key', async () => {
  let requests = 0
  const busyReply = () => (
    (requests += 1),
    json({ code: 'unavailable', message: 'Busy.' }, 503, { 'retry-after': '0' })
  )
  expect((await trainyard(['trainings', 'list'], { send: busyReply })).code).toBe(5)
  expect(requests).toBe(3)
  requests = 0
  expect((await trainyard(['ssh', 'lab-1'], { send: busyReply })).code).toBe(5)
  expect(requests).toBe(1)
})

test('writes results to stdout and messages to stderr, without colors unless stdout is a terminal', async () => {
  const send: Send = ({ url }) => (url.includes('/user/key') ? json(KEY) : json({ trainingNames: ['Python'] }))
  const withoutTerminal = await trainyard(['trainings', 'list'], { send })
  expect(withoutTerminal).toEqual({ code: 0, stdout: 'TRAINING\nPython\n', stderr: '' })
  const escape = String.fromCodePoint(27)
  const onTerminal = (args: string[], env?: Record<string, string>) => trainyard(args, { send, tty: true, env })
  expect((await onTerminal(['trainings', 'list'])).stdout).toContain(escape)
  expect((await onTerminal(['trainings', 'list', '--no-color'])).stdout).toBe(withoutTerminal.stdout)
  expect((await onTerminal(['trainings', 'list'], { NO_COLOR: '1' })).stdout).toBe(withoutTerminal.stdout)
  expect((await onTerminal(['trainings', 'list'], { TERM: 'dumb' })).stdout).toBe(withoutTerminal.stdout)
  expect((await onTerminal(['trainings', 'list', '--json'])).stdout).toBe('[\n  "Python"\n]\n')
})

test('writes no control characters of other users to the terminal', () => {
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) }
  const out = new Output({ stdout: stream, stderr: stream, env: {} })
  out.table([], ['a\u001b[2Jb\u009bc\r\nd'], [{ title: 'Name', value: (text) => text }], '')
  out.note('x\u001b]0;title\u0007y')
  expect(written.join('')).toBe('NAME\na[2Jbc d\nx]0;titley\n')
})

describe('the stored key', () => {
  test('is readable only by the user, and refused if others can read it', () => {
    const env = { XDG_CONFIG_HOME: join(folder, 'stored') }
    const connection = { url: 'https://portal.test', key: 'try_live_1' }
    const file = writeConfig(env, connection)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'stored', 'trainyard')).mode & 0o777).toBe(0o700)
    expect(connectionOf(env, undefined)).toEqual(connection)
    chmodSync(file, 0o644)
    expect(() => connectionOf(env, undefined)).toThrow('Other users can read')
    writeConfig(env, connection)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('is not sent to another portal', () => {
    const env = { XDG_CONFIG_HOME: join(folder, 'stored') }
    expect(() => connectionOf(env, 'https://evil.test')).toThrow('There is no API key for https://evil.test.')
    expect(() => connectionOf({ ...env, TRAINYARD_URL: 'https://evil.test' }, undefined)).toThrow('no API key')
    expect(connectionOf({ ...env, TRAINYARD_API_KEY: 'try_live_2' }, 'https://other.test').key).toBe('try_live_2')
  })

  test('is not sent without encryption, except to this computer', () => {
    expect(() => portalUrl('http://portal.test')).toThrow('without encryption')
    expect(() => portalUrl('ftp://portal.test')).toThrow('not the URL')
    expect(['http://127.0.0.1:4000/x', 'portal.test'].map(portalUrl)).toEqual([
      'http://127.0.0.1:4000',
      'https://portal.test',
    ])
  })
})

test('passes the recorded host key to ssh, and rejects machine names that are options', async () => {
  const args = sshArguments(
    'lab-1',
    { account: 'learner', hostKey: 'ssh-rsa AAAA' },
    {
      knownHosts: '/tmp/a b/known_hosts',
      program: ['/usr/bin/node', "/home/o'hara/100%/main.ts"],
      command: ['uptime'],
    },
  )
  expect(args.slice(-5)).toEqual(['-l', 'learner', '--', 'lab-1', 'uptime'])
  expect(args).toContain('StrictHostKeyChecking=yes')
  expect(args).toContain('UserKnownHostsFile="/tmp/a b/known_hosts"')
  expect(args).toContain('HostKeyAlgorithms=rsa-sha2-512,rsa-sha2-256')
  expect(args).toContain(`ProxyCommand='/usr/bin/node' '/home/o'\\''hara/100%%/main.ts' proxy lab-1`)
  for (const name of ['-oProxyCommand=x', 'a;b', '$(id)']) {
    expect((await trainyard(['ssh', '--', name])).code).toBe(2)
  }
})

describe('completion', () => {
  const send: Send = ({ url }) =>
    url.includes('/user/key') ? json(KEY) : json({ trainingNames: ['Python', 'R for all'] })
  const complete = async (...words: string[]) =>
    (await trainyard(['complete', '--', ...words], { send })).stdout.trim().split('\n')

  test.each([
    [['mach'], ['machines']],
    [
      ['machines', 's'],
      ['start', 'stop', 'ssh'],
    ],
    [
      ['machines', 'list', ''],
      ['Python', 'R for all'],
    ],
    [['machines', 'list', 'R\\ f'], ['R for all']],
    [['machines', 'start', '--training', 'P'], ['Python']],
    [['apply', '--d'], ['--dry-run']],
    [['completion', 'z'], ['zsh']],
    [['prox'], ['proxy']],
    [['compl'], ['completion']],
  ])('of %j is %j', async (words, candidates) => {
    expect(await complete(...words)).toEqual(candidates)
  })

  test('works in bash, with quoted names', async () => {
    const { stdout } = await trainyard(['completion', 'bash'])
    const script = join(folder, 'completion.bash')
    writeFileSync(script, stdout)
    const command = `trainyard() { printf '%s\\n' 'R for all' Python; }; . ${script}
      COMP_WORDS=(trainyard machines list ''); COMP_CWORD=3; _trainyard; printf '%s|' "\${COMPREPLY[@]}"`
    expect(execFileSync('bash', ['-c', command], { encoding: 'utf8' })).toBe('R\\ for\\ all|Python|')
    expect((await trainyard(['completion', 'zsh'])).stdout).toContain('compdef _trainyard trainyard')
    expect((await trainyard(['completion', 'fish'])).stdout).toContain('complete -c trainyard')
    expect((await trainyard(['completion', 'tcsh'])).code).toBe(2)
  })
})

describe('guides lint', () => {
  const guide = join(folder, 'guide')
  const write = (files: Readonly<Record<string, string>>) => {
    rmSync(guide, { recursive: true, force: true })
    mkdirSync(guide)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(guide, name), text)
  }
  const GUIDE = `format: 1
id: notes
title: Notes
summary: A note.
language: en
minutes: 5
machines: [{ name: desk, os: linux }]
steps:
  - id: note
    title: Note
    text: note.md
    tasks:
      - id: note
        title: Note
        checks:
          - { id: exists, title: Exists, run: check.sh, as: learner }
        solve: [{ run: check.sh }]
`
  const FILES = { 'guide.yaml': GUIDE, 'note.md': 'Text\n\n::task{note}\n', 'check.sh': '#!/bin/sh\nexit 1\n' }
  const lint = async (files: Readonly<Record<string, string>>, source = guide) => {
    write(files)
    return lintOf(source)
  }
  const lintOf = async (source: string) => {
    const { code, stdout } = await trainyard(['guides', 'lint', source], { env: { TRAINYARD_API_KEY: '' } })
    return [code, ...stdout.replaceAll(`${guide}/`, '').split('\n').filter(Boolean)]
  }

  test.each([
    ['a good guide', {}, [0]],
    [
      'a wrong value',
      { 'guide.yaml': GUIDE.replace('5', 'x') },
      [1, 'guide.yaml:6: error: minutes: The value must be a number.'],
    ],
    [
      'a wrong value, a script and a text',
      { 'guide.yaml': GUIDE.replace('5', 'x'), 'check.sh': '#!/bin/tcsh\n', 'note.md': '::task{gone}\n' },
      [
        1,
        'guide.yaml:6: error: minutes: The value must be a number.',
        expect.stringMatching(/^check\.sh:1: error: /),
        'note.md:1: error: The step has no task gone.',
      ],
    ],
    [
      'an unknown field',
      { 'guide.yaml': `${GUIDE}        hint: x\n` },
      [1, 'guide.yaml:18: error: steps.0.tasks.0.hint: The field hint is unknown.'],
    ],
    [
      'a missing file',
      { 'guide.yaml': GUIDE.replace('run: check.sh, as', 'run: absent.sh, as') },
      [1, 'guide.yaml:16: error: steps.0.tasks.0.checks.0.run: The file absent.sh does not exist.'],
    ],
    [
      'YAML that is wrong',
      { 'guide.yaml': GUIDE.replace('[{', '[[{') },
      [1, expect.stringMatching(/^guide\.yaml:\d+: error: /)],
    ],
    ['a tag', { 'note.md': 'Text\n\n<blink>x</blink>\n' }, [0, expect.stringMatching(/^note\.md:3: warning: .*blink/)]],
    [
      'a script',
      { 'check.sh': '#!/bin/tcsh\n' },
      [1, expect.stringMatching(/^check\.sh:1: error: The first line must/)],
    ],
  ])('of %s', async (_what, files, expected) => {
    expect((await lint({ ...FILES, ...files })).slice(0, expected.length)).toEqual(expected)
  })

  test('skips the files of Git, and refuses links and a repository inside the guide', async () => {
    const outside = join(folder, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'secret.md'), 'Secret')
    const LINK = 'error: The folder contains a link or a device. Replace it by a file.'
    const lintWith = async (change: () => void) => {
      write(FILES)
      change()
      return lintOf(guide)
    }
    expect(await lintWith(() => mkdirSync(join(guide, '.git/objects'), { recursive: true }))).toEqual([0])
    expect(await lintWith(() => symlinkSync(join(outside, 'secret.md'), join(guide, 'more.md')))).toEqual([
      1,
      `more.md: ${LINK}`,
    ])
    expect(await lintWith(() => symlinkSync(outside, join(guide, 'more')))).toEqual([1, `more: ${LINK}`])
    expect(await lintWith(() => mkdirSync(join(guide, 'more/.git'), { recursive: true }))).toEqual([
      1,
      'more/.git: error: The path is not allowed.',
    ])
  })

  test('reads zip archives and guides of other products, and refuses other files', async () => {
    const zip = join(folder, 'guide.zip')
    writeFileSync(zip, zipOfFiles(new Map(Object.entries(FILES).map(([path, text]) => [path, Buffer.from(text)]))))
    expect(await lint({}, zip)).toEqual([0])
    writeFileSync(zip, 'no archive')
    expect(await lint({}, zip)).toEqual([1, `${zip}: error: The file is not a zip archive.`])
    expect((await lint({}, join(folder, 'absent')))[0]).toBe(2)
    const scenario = {
      title: 'T',
      details: { steps: [{ title: 'S', text: 'step.md' }] },
      backend: { imageid: 'ubuntu' },
    }
    const [code, ...lines] = await lint({ 'index.json': JSON.stringify(scenario), 'step.md': '`ls`{{execute}}' })
    expect([code, lines]).toEqual([0, [expect.stringContaining('index.json')]])
    // The author has no guide.yaml with lines.
    const steps = [{ title: 'S'.repeat(200), text: 'step.md', verify: 'verify.sh' }]
    const wrong = { ...scenario, details: { steps } }
    const converted = await lint({
      'index.json': JSON.stringify(wrong),
      'step.md': '<blink>\n',
      'verify.sh': '#!/bin/sh\nread x\n',
    })
    expect(converted.filter((line) => / (?:error|warning): /.test(`${line}`))).toEqual([
      'guide.yaml: warning: steps.0.tasks.0: The task has no solution, so that a proof stays incomplete.',
      'checks/verify.sh: warning: The script reads standard input, where its own rest is.',
      expect.stringMatching(/^steps\/01-s+\.md: warning: <blink> is not allowed/),
    ])
  })
})

test('each command has a description, and its help names the options of every command', async () => {
  const { stdout } = await trainyard(['machines', 'start', '--help'])
  expect(stdout).toContain('--wait')
  expect(stdout).toContain('Global Options')
  expect(stdout).toContain('--json')
})

test('the help of each command has a sentence in plain words and an example', async () => {
  const { stdout } = await trainyard(['help'])
  const namesIn = (helpText: string) =>
    [...(helpText.split('Commands:')[1] ?? '').split('\n\n')[0]!.matchAll(/^ {2}([a-z]+)/gm)]
      .map((match) => match[1]!)
      .filter((name) => name !== 'help')
  const commandPaths: string[][] = []
  for (const name of namesIn(stdout)) {
    const inner = namesIn((await trainyard([name, '--help'])).stdout)
    commandPaths.push(...(inner.length === 0 ? [[name]] : inner.map((each) => [name, each])))
  }
  expect(commandPaths.length).toBeGreaterThan(20)
  for (const words of commandPaths) {
    const help = (await trainyard([...words, '--help'])).stdout
    expect([words, /Examples:\n {2}\$ \w/.test(help), /\b[a-z]+[A-Z]\w*/.exec(help.split('Examples:')[0]!)]).toEqual([
      words,
      true,
      null,
    ])
    const [described, examples] = help.split('Examples:')
    for (const [option] of examples!.matchAll(/--[a-z]+[\w-]*/g)) expect(described).toContain(option)
  }
})
