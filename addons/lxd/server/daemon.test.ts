import { afterAll, expect, test } from 'vitest'
import { standIn } from '../test/stand-in.ts'
import { requireDaemon } from './daemon.ts'

const daemon = await standIn()
afterAll(() => daemon.close())

test('requires a daemon with the images of the demo', async () => {
  const own = { kind: 'socket', path: daemon.path } as const
  await expect(requireDaemon(own)).rejects.toThrow(
    'LXD has no image lab-desktop. This command builds it as root: npm run images -w @trainyard/lxd',
  )
  daemon.aliases.set('lab-desktop', 'f'.repeat(64))
  expect(await requireDaemon(own)).toEqual([
    'Linux machines are real: LXD containers on this host. Windows machines are emulated.',
  ])
})

test('names the three commands that bring up a daemon', async () => {
  const absent = requireDaemon({ kind: 'socket', path: '/nonexistent/unix.socket' })
  await expect(absent).rejects.toThrow(/apt-get install .* lxd .*\n  npm run host -w @trainyard\/lxd\n  npm run images/)
})
