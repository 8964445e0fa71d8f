import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { AFTER_KILL_MS } from './behaviours.ts'
import { shortWhile } from './lxd.ts'
import type { World } from './world.ts'

const TRAINING = 'Kills'

type Asked = 'Running' | 'Stopped' | 'gone'

/**
 * Orders, starts, stops and deletes machines at random, and kills the portal or the provider's daemon soon after each
 * change. After every ten kills, the portal and the provider must have what was asked for. Returns the number of
 * machines for which a change was accepted.
 */
export async function killOften(world: World, kills: number, killDaemon: () => Promise<void>): Promise<number> {
  const asked = new Map<string, Asked>()
  await world.order(TRAINING, 2)
  for (let done = 1; done <= kills; done++) {
    await changeOne(world, asked)
    await shortWhile()
    if (done % 2 === 0) await world.portal.crash()
    else await killDaemon()
    if (done % 10 === 0 || done === kills) await untilAsAsked(world, asked, done)
  }
  return asked.size
}

async function changeOne(world: World, asked: Map<string, Asked>): Promise<void> {
  const alive = (await world.machines(TRAINING)).filter(({ isAlive }) => isAlive)
  const settled = alive.filter(({ status }) => status === 'Running' || status === 'Stopped')
  const machine = settled[Math.floor(Math.random() * settled.length)]
  const chance = Math.random()
  if (machine === undefined || alive.length < 2 || (alive.length < 5 && chance < 0.3))
    return void (await world.place(TRAINING, 1))
  const { name, resourceGroup } = machine
  const ask = async (state: Asked, request: Promise<{ status: number }>) => {
    if ((await request).status === 200) asked.set(name, state)
  }
  if (alive.length > 2 && chance < 0.45)
    await ask('gone', world.send(world.admin, 'DELETE', '/azure/machines', [{ name, resourceGroup }]))
  else if (machine.status === 'Running') await ask('Stopped', world.power(0, machine))
  else await ask('Running', world.power(1, machine))
}

async function untilAsAsked(world: World, asked: ReadonlyMap<string, Asked>, kills: number): Promise<void> {
  const lists = async () => {
    const own = (await world.machines(TRAINING)).filter(({ isAlive }) => isAlive)
    const reported = [...(await world.provider.machines(world.portal))].filter(([name]) =>
      name.startsWith(TRAINING.toLowerCase()),
    )
    return {
      shown: listed(own.map(({ name, status }) => [name, status])),
      wanted: listed([
        ...own.filter(({ name }) => !asked.has(name)).map(({ name }) => [name, 'Running'] as const),
        ...[...asked].filter(([, state]) => state !== 'gone'),
      ]),
      reported: listed(reported.map(([name, runs]) => [name, runs ? 'Running' : 'Stopped'])),
    }
  }
  await until(
    `portal and provider have what was asked for, after ${kills} kills`,
    lists,
    ({ shown, wanted, reported }) => shown === wanted && shown === reported,
    AFTER_KILL_MS,
  )
}

const listed = (all: readonly (readonly [name: string, state: Machine['status'] | Asked])[]): string =>
  all
    .map((each) => each.join(' '))
    .toSorted()
    .join(', ')
