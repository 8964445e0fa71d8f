import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEnvironment, type TestEnvironment } from '@trainyard/platform/test/environment.ts'
import { growthOfTime, LINEAR } from '@trainyard/platform/contract/test-growth.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { guardedFetch } from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { nameOf, packOf, repositoryOf, startGitServer, treeOf } from '../../test/git-server.ts'
import { minimalGuide } from '../../test/minimal-guide.ts'
import { fetchGuide } from './fetch-guide.ts'
import { readPack } from './pack.ts'

const git = await startGitServer()
let env: TestEnvironment
let admin: Caller
beforeAll(async () => {
  env = await startEnvironment({ settings: { GUIDE_GIT_PRIVATE_ORIGINS: git.origin } })
  admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme'))
})
afterAll(async () => {
  await env.stop()
  await git.stop()
})

const fetchFrom = (place: object = {}) => admin('POST', '/guides/git', { url: git.url, ...place })
/** Returns the refusal, and checks that the portal continues. */
async function refusal(place: object = {}): Promise<string> {
  const { status, body } = await fetchFrom(place)
  expect([status, body.message]).toEqual([400, body.message])
  expect((await admin('GET', '/guides')).status).toBe(200)
  return body.message
}
const inFolder = (files: ReadonlyMap<string, Buffer>, folder: string) =>
  new Map([...files].map(([path, content]) => [`${folder}/${path}`, content]))
const serve = (files: ReadonlyMap<string, Buffer>, extra: Parameters<typeof repositoryOf>[1] = []) => {
  const { commit, objects } = repositoryOf(files, extra)
  git.serve(commit, packOf(objects))
  return commit
}
const ZEROS = '0'.repeat(40)

test('a guide in a folder is stored as a draft with its commit, and once', async () => {
  const commit = serve(inFolder(minimalGuide('from-git'), 'labs/first'))
  const source = { url: git.url, ref: null, folder: 'labs/first', commit }
  const { status, body } = await fetchFrom({ folder: 'labs/first' })
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ guide: 'from-git', number: 1, imported: null, source }),
  ])
  expect(git.requests.at(-1)).toContain('deepen 1')
  const { guides } = (await admin('GET', '/guides')).body
  expect(guides[0].versions[0]).toMatchObject({ state: 'draft', source })
  expect((await fetchFrom({ folder: 'labs/first', ref: 'main' })).body).toMatchObject({ number: 1 })
  expect((await fetchFrom({ folder: 'labs/first', ref: commit })).body.source).toMatchObject({ ref: commit, commit })
  expect(await refusal({ ref: 'absent' })).toBe('The repository has no branch or tag absent.')
  expect(await refusal({ folder: 'labs/second' })).toBe('The repository has no folder labs/second.')
})

test('an admin fetches only into the own organisation', async () => {
  const { commit } = repositoryOf(minimalGuide('foreign'))
  serve(minimalGuide('foreign'))
  const foreign = await env.signIn('admin', 'admin@globex.test', await env.organisation('Globex'))
  const before = git.requests.length
  expect((await foreign('POST', '/guides/git', { url: git.url, organization: 'Acme' })).status).toBe(404)
  expect(git.requests.length).toBe(before)
  expect((await foreign('POST', '/guides/git', { url: git.url })).body.source.commit).toBe(commit)
  expect((await admin('GET', '/guides')).body.guides.map(({ guide }: { guide: string }) => guide)).toEqual(['from-git'])
})

describe('a malicious server', () => {
  test.each([
    ['a link', '120000', 'The repository contains a link. Replace it by a file.'],
    ['a submodule', '160000', 'Submodules are not fetched. Copy their files.'],
  ])('with %s is refused', async (_what, mode, sentence) => {
    serve(minimalGuide('bad'), [{ mode, name: 'x', object: ZEROS }])
    expect(await refusal()).toBe(`x: ${sentence}`)
  })

  test.each(['..', '.git', '.'])('with a file named %s is refused', async (name) => {
    serve(minimalGuide('bad'), [{ mode: '100644', name, object: ZEROS }])
    expect(await refusal()).toBe(`${name}: The path is not allowed.`)
  })

  test.each(['../../etc/passwd', 'a\\b', 'a\nb'])('with the path %j is refused', async (name) => {
    const blob = Buffer.from('x')
    const { commit, objects } = repositoryOf(minimalGuide('bad'), [
      { mode: '100644', name, object: nameOf('blob', blob) },
    ])
    git.serve(commit, packOf([...objects, { kind: 3, content: blob }]))
    expect(await refusal()).toMatch(/^The Git server sent something else|The path must be a path inside the guide/)
  })

  test('with a file of 6 MB, with too many files, or with a pointer to Git LFS is refused', async () => {
    serve(minimalGuide('bad').set('big.bin', Buffer.alloc(6 * 1024 * 1024)))
    expect(await refusal()).toBe('big.bin: The file is larger than 5 MB.')
    const many = minimalGuide('bad')
    for (let index = 0; index < 501; index += 1) many.set(`f/${index}`, Buffer.from('x'))
    serve(many)
    expect(await refusal()).toBe('The folder has more than 500 files.')
    serve(minimalGuide('bad').set('a.png', Buffer.from('version https://git-lfs.github.com/spec/v1\n')))
    expect(await refusal()).toBe('a.png: Files of Git LFS are not fetched.')
  })

  test('with a name twice in a folder is refused', async () => {
    const blob = Buffer.alloc(0)
    const object = nameOf('blob', blob)
    const twice = treeOf([1, 2].map(() => ({ mode: '100644', name: 'a', object })))
    const { commit, objects } = repositoryOf(minimalGuide('bad'), [
      { mode: '40000', name: 'f', object: nameOf('tree', twice) },
    ])
    git.serve(commit, packOf([...objects, { kind: 3, content: blob }, { kind: 2, content: twice }]))
    expect(await refusal()).toBe('f/a: The repository contains this twice.')
  })

  test('with thousands of names beside the folder of the guide is refused', async () => {
    const extra = Array.from({ length: 10_001 }, (_, name) => ({ mode: '100644', name: `${name}`, object: ZEROS }))
    serve(minimalGuide('bad'), extra)
    expect(await refusal({ folder: 'labs' })).toBe('The repository has more than 10000 files and folders.')
  })

  test('whose folders contain each other many times is refused', async () => {
    const objects = [{ kind: 2, content: Buffer.alloc(0) as Buffer }]
    for (let depth = 0; depth < 30; depth += 1) {
      const object = nameOf('tree', objects.at(-1)!.content)
      objects.push({ kind: 2, content: treeOf(['a', 'b', 'c'].map((name) => ({ mode: '40000', name, object }))) })
    }
    const commit = Buffer.from(`tree ${nameOf('tree', objects.at(-1)!.content)}\n\nx`)
    git.serve(nameOf('commit', commit), packOf([...objects, { kind: 1, content: commit }]))
    expect(await refusal()).toBe('The folder contains more than 500 folders.')
  })

  test('whose deltas come before their bases, in long chains, costs time linear in their number', () => {
    const number = (value: number) => Buffer.from([0, 0, value >> 8, value % 256])
    /** Returns a delta that makes a number of any other. */
    const deltaTo = (value: number) => Buffer.from([4, 4, 4, ...number(value)])
    const sizeOf = (each: Parameters<typeof packOf>[0]) => packOf(each).length - packOf([]).length
    const chains = (size: number) => {
      const byName = Array.from({ length: size }, (_, index) => ({
        kind: 7,
        content: deltaTo(size - index),
        before: Buffer.from(nameOf('blob', number(size - index - 1)), 'hex'),
      }))
      // This chain begins at the object that is resolved last.
      const byOffset: Parameters<typeof packOf>[0][number][] = []
      let distance = sizeOf(byName)
      for (let index = 1; index <= size; index += 1) {
        const object = { kind: 6, content: deltaTo(size + index), before: distanceOf(distance) }
        byOffset.push(object)
        distance = sizeOf([object])
      }
      return packOf([...byName, ...byOffset, { kind: 3, content: number(0) }])
    }
    const packs = new Map([60, 240].map((size) => [size, chains(size)]))
    expect(readPack(packs.get(240)!).size).toBe(481)
    expect(growthOfTime((size) => readPack(packs.get(size)!), 240)).toBeLessThan(LINEAR)
  })

  const TOO_LARGE = 'The repository is too large. Keep guides in a repository of their own.'
  const DAMAGED = 'The Git server sent damaged data.'
  const bomb = Buffer.alloc(30 * 1024 * 1024)
  /** A delta with a command for each byte of its result. */
  const finely = (bytes: number) => {
    const sizes = [0, bytes].flatMap((size) => [(size & 127) | 128, ((size >> 7) & 127) | 128, size >> 14])
    return Buffer.concat([Buffer.from(sizes), Buffer.alloc(bytes * 2, 1)])
  }
  /** A delta that repeats its base of 64 kB until the result has the size. */
  const delta = (mebibytes: number) => {
    const size = mebibytes * 1024 * 1024
    const head = [
      0x80,
      0x80,
      0x04,
      (size & 127) | 128,
      ((size >> 7) & 127) | 128,
      ((size >> 14) & 127) | 128,
      size >> 21,
    ]
    return Buffer.concat([Buffer.from(head), Buffer.alloc(size / 0x10000, 0x80)])
  }
  test.each([
    ['states a huge object', () => packOf([{ kind: 3, content: bomb }]), TOO_LARGE],
    ['hides a huge object', () => packOf([{ kind: 3, content: bomb, size: 10 }]), DAMAGED],
    [
      'has many large objects',
      () => packOf(Array.from({ length: 4 }, () => ({ kind: 3, content: bomb.subarray(0, 19e6) }))),
      TOO_LARGE,
    ],
    [
      'has small deltas with large results',
      () =>
        packOf([
          { kind: 3, content: bomb.subarray(0, 0x10000) },
          ...Array.from({ length: 5 }, () => ({
            kind: 7,
            content: delta(16),
            before: Buffer.from(nameOf('blob', bomb.subarray(0, 0x10000)), 'hex'),
          })),
        ]),
      TOO_LARGE,
    ],
    [
      'has a delta with millions of commands',
      () =>
        packOf([
          { kind: 3, content: Buffer.alloc(0) },
          { kind: 7, content: finely(2_000_000), before: Buffer.from(nameOf('blob', Buffer.alloc(0)), 'hex') },
        ]),
      TOO_LARGE,
    ],
    [
      'has a delta of itself',
      () => packOf([{ kind: 6, content: Buffer.from([0, 0]), before: Buffer.from([0]) }]),
      DAMAGED,
    ],
    [
      'has a delta of an object before the pack',
      () => packOf([{ kind: 6, content: Buffer.from([0, 0]), before: Buffer.from([127]) }]),
      DAMAGED,
    ],
    [
      'has a delta of an absent object',
      () => packOf([{ kind: 7, content: Buffer.from([0, 0]), before: Buffer.alloc(20) }]),
      DAMAGED,
    ],
    [
      'states four billion objects',
      () => packOf([], 0xffffffff),
      'The repository has more than 10000 files, folders and commits.',
    ],
    ['states more objects than it has', () => packOf([], 2), DAMAGED],
    ['is no pack', () => Buffer.from('no pack at all'), DAMAGED],
    ['is empty', () => Buffer.alloc(0), DAMAGED],
    [
      'does not contain the commit',
      () => packOf([{ kind: 3, content: Buffer.from('x') }]),
      'The Git server sent something else than Git data.',
    ],
  ])('whose pack %s is refused at once', async (_what, pack, sentence) => {
    git.serve('a'.repeat(40), pack())
    const before = process.memoryUsage().rss
    const began = performance.now()
    expect(await refusal()).toBe(sentence)
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
  })

  test('that never ends its pack is cut off', async () => {
    let sent = 0
    git.answer((response, command) => {
      if (command === 'ls-refs')
        return void git.reply(response, Buffer.from(`003d${'a'.repeat(40)} refs/heads/main\n0000`))
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
      }
      response.on('drain', more)
      more()
    })
    expect(await refusal({ ref: 'main' })).toBe(
      `${new URL(git.url).host} sends more than 20 MB. Keep guides in a repository of their own.`,
    )
    expect(sent).toBeLessThan(40 * 1024 * 1024)
  })

  test('that sends many thousands of packets is cut off', async () => {
    const ref = `003d${'a'.repeat(40)} refs/heads/main\n0000`
    git.answer((response) => void git.reply(response, Buffer.from('0000'.repeat(100_000) + ref)))
    const before = git.requests.length
    expect(await refusal({ ref: 'main' })).toBe('The Git server sent something else than Git data.')
    expect(git.requests.length).toBe(before + 1)
  })

  test.each([
    ['redirects', 302, 'There is no Git repository at this address. It often ends with .git.'],
    ['wants a password', 401, 'The Git server answers 401. The portal can read only public repositories.'],
  ])('that %s is not followed', async (_what, status, sentence) => {
    git.answer((response) => response.writeHead(status, { location: 'http://169.254.169.254/latest' }).end())
    expect(await refusal()).toBe(sentence)
  })

  test('that sends a web page, an error or nonsense is refused', async () => {
    git.answer((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'))
    expect(await refusal()).toMatch(/^There is no Git repository/)
    git.answer((response) => void git.reply(response, Buffer.from('0014ERR not for you\n')))
    expect(await refusal()).toBe('The Git server refuses: not for you')
    for (const nonsense of ['zzzz', 'ffff', '0009done\n0000']) {
      git.answer((response) => void git.reply(response, Buffer.from(nonsense)))
      expect(await refusal({ ref: 'a'.repeat(40) })).toBe('The Git server sent something else than Git data.')
    }
  })
})

/** Returns how a pack writes the distance to a base. */
function distanceOf(bytes: number): Buffer {
  const parts = [bytes % 128]
  for (let rest = Math.floor(bytes / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1
    parts.unshift(128 | (rest % 128))
  }
  return Buffer.from(parts)
}

describe('without a connection is refused', () => {
  /** Returns the refusal of a request that would find a valid repository, and checks that the server is not asked. */
  const refusalAtOnce = async (place: object) => {
    serve(minimalGuide('refused'))
    const before = git.requests.length
    const message = await refusal(place)
    expect(git.requests.length).toBe(before)
    return message
  }

  test('an address of a private network', async () => {
    let connections = 0
    const listener = createSocketServer((socket) => {
      connections += 1
      socket.destroy()
    })
    listener.listen(0)
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    try {
      for (const host of ['127.0.0.1', '[::1]', 'localhost', '169.254.169.254'])
        expect(await refusalAtOnce({ url: `https://${host}:${port}/x.git` })).toBe(
          `${host} is an address of a private network, which is not allowed.`,
        )
      expect(connections).toBe(0)
    } finally {
      listener.close()
    }
  })

  test('an address without TLS that the operator does not allow', async () => {
    const url = git.url.replace('127.0.0.1', 'localhost')
    expect(await refusalAtOnce({ url })).toBe(`${url}/git-upload-pack must start with https://.`)
  })

  const ADDRESS = 'url must be the https address of a public repository.'
  const REF = 'ref must be a branch, a tag or a commit.'
  const FOLDER = 'folder must be a folder of the repository.'
  test.each([
    [{ url: git.url.replace('://', '://name:secret@') }, ADDRESS],
    [{ url: 'file:///etc' }, ADDRESS],
    [{ url: `${git.url}?x` }, ADDRESS],
    [{ ref: '--upload-pack=x' }, REF],
    [{ ref: 'a b' }, REF],
    [{ folder: '../x' }, FOLDER],
    [{ folder: '/etc' }, FOLDER],
  ])('%j', async (place, sentence) => {
    expect(await refusalAtOnce(place)).toBe(sentence)
  })
})

const hasGit = (() => {
  try {
    execFileSync('git', ['http-backend'], { env: { ...process.env, GATEWAY_INTERFACE: 'CGI/1.1' }, stdio: 'ignore' })
    return true
  } catch (error) {
    return (error as { status?: number }).status === 128
  }
})()

test.skipIf(!hasGit)('reads what Git itself serves, also changed files and a tag (needs git)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-git-'))
  const labs = join(folder, 'labs')
  const run = (...args: string[]) =>
    execFileSync('git', ['-C', labs, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { encoding: 'utf8' })
  mkdirSync(labs)
  cpSync(fileURLToPath(new URL('../../examples/git-basics/', import.meta.url)), join(labs, 'lab'), { recursive: true })
  const long = Array.from({ length: 3_000 }, (_, line) => `line ${line}`).join('\n')
  for (let index = 0; index < 20; index += 1) writeFileSync(join(labs, `long-${index}.txt`), `${long}\n${index}`)
  run('init', '-q', '-b', 'trunk')
  run('add', '.')
  run('commit', '-qm', 'One')
  run('tag', '-a', '-m', 'v1', 'v1')
  run('gc', '-q')
  const first = run('rev-parse', 'HEAD').trim()
  writeFileSync(join(labs, 'lab/notes.txt'), 'more')
  run('add', '.')
  run('commit', '-qm', 'Two')
  const server = createServer((request, response) => {
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method,
        PATH_INFO: request.url,
        CONTENT_TYPE: request.headers['content-type'],
        GIT_PROTOCOL: request.headers['git-protocol'] as string,
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
      },
    })
    request.pipe(child.stdin)
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.on('close', () => {
      const all = Buffer.concat(parts)
      const end = all.indexOf('\r\n\r\n')
      const type = /content-type: *([^\r\n]*)/i.exec(all.toString('latin1', 0, end))?.[1] ?? ''
      response.writeHead(200, { 'content-type': type.trim() }).end(all.subarray(end + 4))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = guardedFetch({ emulator: null, privateHosts: [], privateOrigins: [origin] })
  const of = (ref: string | null) => fetchGuide({ url: `${origin}/labs/.git`, ref, folder: 'lab' }, send)
  try {
    const newest = await of(null)
    expect([newest.commit, newest.files.get('notes.txt')?.toString()]).toEqual([
      run('rev-parse', 'HEAD').trim(),
      'more',
    ])
    const tagged = await of('v1')
    expect([tagged.commit, tagged.files.has('notes.txt'), tagged.files.has('guide.yaml')]).toEqual([first, false, true])
    expect((await of('trunk')).commit).toBe(newest.commit)
    expect((await of(first)).commit).toBe(first)
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
})
