import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { until } from '@trainyard/platform/test/until.ts'
import { AFTER_KILL_MS, behavesAsProvider } from './behaviours.ts'
import { killOften } from './kills.ts'
import { connects, fillPool, inside, listenIn, lxdOf, PORT, shortWhile } from './lxd.ts'
import { bringUpLxd, lxc } from './lxd-host.ts'

const KILLS = Number(process.env['KILLS'] ?? 0)

const host = await bringUpLxd()
// REQUIRE=lxd npm run providers
if (typeof host === 'string')
  test(`runs only against the emulator (${host})`, () => expect(process.env['REQUIRE'], host).not.toBe('lxd'))
else
  behavesAsProvider(await lxdOf(host), (world) => {
    const training = 'Neighbours'
    const machines = () => world().machines(training)

    test('closes every port between learners of one class and of two classes', { timeout: 240_000 }, async () => {
      const [one, two] = await world().order(training, 2)
      const elsewhere = (await world().machines('Life'))[0]!
      await listenIn(one!.name)
      const address = one!.publicIp!
      const open = { trainingName: training, port: PORT, priority: 1001 }
      await world().call(world().admin, 'POST', '/azure/ports', open)
      // The opened port is for clients outside.
      await until('the port is open', () => connects(null, address, PORT), Boolean, 20_000)
      for (const from of [two!.name, elsewhere.name])
        for (const port of [PORT, 22]) expect(await connects(from, address, port), `${from} ${port}`).toBe(false)
    })

    test('keeps the host, the portal and private networks out of reach of machines', async () => {
      const server = createServer((socket) => socket.end())
      server.listen(0, '0.0.0.0')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const { name } = (await machines())[0]!
      const route = await inside(name, 'ip', '-4', 'route', 'show', 'default')
      const gateway = /via ([\d.]+)/.exec(route)![1]!
      expect(await connects(null, gateway, port)).toBe(true)
      for (const at of [port, Number(new URL(world().portal.url).port), 8443])
        expect(await connects(name, gateway, at), String(at)).toBe(false)
      const own = await inside(name, 'ip', '-4', '-o', 'addr', 'show', 'eth0')
      expect(own).toContain('10.199.')
      server.close()
    })

    test('refuses what LXD cannot do with a sentence', async () => {
      await world().portal.runCommand('lxd', 'No image', 'small', 'absent', '1')
      const { organization, superadmin } = world()
      const assigned = { organization, template: 'No image' }
      await world().call(superadmin, 'POST', '/admin/assignTemplate', assigned)
      await world().place('Refused', 1, 'No image')
      const [refused] = await world().untilMachines('Refused', 'it is refused', ([each]) => each?.refused === true)
      expect(refused!.statusReason).toBe(
        'LXD has no image with this alias. Import the image, or choose another one in the template.',
      )
      const places = [{ name: refused!.name, resourceGroup: refused!.resourceGroup }]
      await world().call(world().admin, 'DELETE', '/azure/machines', places)
    })

    if (host.started === null) test('kills no daemon that ran before the tests', () => expect(host.started).toBeNull())
    else {
      const { kill, start } = host.started
      /** Kills the daemon soon after the change, and starts it again. */
      const withKill = async (change: () => Promise<unknown>) => {
        await change()
        await shortWhile()
        await kill()
        await start()
      }

      test(
        'waits with a sentence while the pool is full, and goes on when it has room',
        { timeout: 400_000 },
        async () => {
          const empty = await fillPool(host.pool)
          try {
            await world().place('Full', 1)
            const [waiting] = await world().untilMachines('Full', 'it says why', ([each]) => each?.statusReason != null)
            expect(waiting!.statusReason).toContain(
              "LXD's storage pool is full. Delete unused machines and images, or enlarge the pool.",
            )
            expect(waiting!.refused).toBe(false)
          } finally {
            await empty()
          }
          await world().untilMachines(
            'Full',
            'it runs',
            ([each]) => each?.status === 'Running' && each.publicIp !== null,
            300_000,
          )
        },
      )

      test('creates machines although the daemon is killed meanwhile', { timeout: 300_000 }, async () => {
        const before = (await world().provider.machines(world().portal)).size
        await withKill(() => world().place('Daemon', 2))
        await world().untilMachines(
          'Daemon',
          'both run',
          (all) => all.every(({ status, publicIp }) => status === 'Running' && publicIp !== null),
          AFTER_KILL_MS,
        )
        expect((await world().provider.machines(world().portal)).size).toBe(before + 2)
      })

      test(
        'stops, starts and deletes machines although the daemon is killed meanwhile',
        { timeout: 400_000 },
        async () => {
          const [one, two] = await world().machines('Daemon')
          await withKill(() => world().power(0, one!))
          await world().untilStatus(one!.name, 'Daemon', 'Stopped')
          await withKill(async () => world().power(1, await world().machine(one!.name, 'Daemon')))
          await world().untilStatus(one!.name, 'Daemon', 'Running')
          const places = [{ name: two!.name, resourceGroup: two!.resourceGroup }]
          await withKill(() => world().call(world().admin, 'DELETE', '/azure/machines', places))
          await until(
            'it is deleted',
            () => world().provider.machines(world().portal),
            (all) => !all.has(two!.name),
          )
        },
      )

      test('makes the image although the daemon is killed while it publishes', { timeout: 400_000 }, async () => {
        const [one] = await world().machines('Daemon')
        await world().power(0, one!)
        await world().untilStatus(one!.name, 'Daemon', 'Stopped')
        const images = async () => (JSON.parse(await lxc('query', '/1.0/images')) as unknown[]).length
        const before = await images()
        await withKill(() => world().call(world().admin, 'POST', '/admin/capture', { vm: one!.name }))
        await world().untilCaptured(one!.name, AFTER_KILL_MS)
        expect(await images()).toBe(before + 1)
      })

      // KILLS=200 npm run providers -- lxd
      if (KILLS > 0)
        test(
          `has each machine once after ${KILLS} kills of portal and daemon`,
          { timeout: KILLS * 60_000 },
          async () => {
            expect(await killOften(world(), KILLS, () => kill().then(start))).toBeGreaterThan(0)
          },
        )
    }
  })
