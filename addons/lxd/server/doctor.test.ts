import { afterAll, expect, test } from 'vitest'
import { examine } from '@trainyard/platform/server/doctor/run-checks.ts'
import { standIn } from '../test/stand-in.ts'
import { lxdClient } from './client.ts'
import { lxdChecks } from './doctor.ts'
import { TAGS } from './instances.ts'
import { bridgeOf } from './networks.ts'

const daemon = await standIn()
afterAll(() => daemon.close())
const at = { kind: 'socket', path: daemon.path } as const
let inotify = '8192'
const kernel = async () => `${inotify}\n`

/** Returns the state of each check, and its first problem. */
async function examined(project = 'default'): Promise<Record<string, string>> {
  const client = lxdClient(at, project)
  const results = await examine(lxdChecks({ lxd: { at, project, pool: 'fast' }, client, kernel }))
  return Object.fromEntries(
    results.map((result) => [result.check.name, result.state === 'red' ? result.problems[0].what : result.state]),
  )
}

test('is green with a trusted certificate, space, isolation and limits', async () => {
  expect(await examined()).toEqual({
    trust: 'green',
    project: 'green',
    'pool space': 'green',
    isolation: 'green',
    'inotify limit': 'green',
    KVM: 'not used',
    clock: 'green',
  })
})

test('names what is wrong', async () => {
  const group = 'training-1'
  daemon.networks.set(bridgeOf(group), { name: bridgeOf(group), description: group, config: {} })
  daemon.instances.set('open', {
    name: 'open',
    status: 'Running',
    created_at: '',
    last_used_at: '',
    profiles: [],
    config: { [TAGS.machine]: 'x' },
    devices: { eth0: { type: 'nic', network: bridgeOf(group) } },
  })
  daemon.state.usedPercent = 85
  inotify = '128'
  expect(await examined()).toMatchObject({
    'pool space': 'The pool fast is 85 % full. On a full pool, no machine is created or started.',
    isolation: `The network ${bridgeOf(group)} has no rules, so all ports of its machines are open.`,
    'inotify limit': 'fs.inotify.max_user_instances is 128. With 128, the 13th machine never gets an address.',
  })
  expect((await examined('absent'))['project']).toContain('has no project named absent')
  daemon.state.restricted = true
  expect(await examined()).toMatchObject({
    trust: "The portal's certificate is restricted, so it cannot create the networks of trainings.",
    project: 'not run',
  })
})

test('is not used without settings', async () => {
  const [only, ...others] = await examine(lxdChecks({ lxd: null, client: null }))
  expect([only!.state, others]).toEqual(['not used', []])
})
