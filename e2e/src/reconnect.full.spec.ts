import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from './test.ts'
import { openOwnMachine, orderTraining } from './training.ts'
import { DEMO_USERS } from './test.ts'

const TRAINING = 'A shaky network'

/** A network between browser and portal whose connections can be lost. */
async function networkTo(portal: string) {
  const { hostname, port } = new URL(portal)
  const open = new Set<Socket>()
  let isDown = false
  const server = createServer((near) => {
    if (isDown) return near.destroy()
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve))
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    lose() {
      isDown = true
      for (const socket of open) socket.destroy()
    },
    restore: () => (isDown = false),
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

test('reconnects by itself to the same shell; clicks in the bar leave the keyboard with the machine', async ({
  signedIn,
  newPageAs,
  portal,
}) => {
  const admin = await signedIn('admin')
  await orderTraining(admin, TRAINING, [DEMO_USERS.user], { guacamole: true })
  const learner = await newPageAs(DEMO_USERS.user)
  const direct = await openOwnMachine(learner, `?training=${encodeURIComponent(TRAINING)}`)
  const machine = await direct.getByRole('heading', { level: 1 }).innerText()
  await direct.close()
  const network = await networkTo(portal.url)
  try {
    const tab = await learner.context().newPage()
    // Cookies apply to all ports of a host, but each has its own storage.
    const stored = await learner.evaluate('JSON.stringify(localStorage)')
    await tab.addInitScript(`Object.assign(localStorage, ${String(stored)})`)
    await tab.goto(`${network.url}/remote/#/?username=${machine}`)
    await tab.getByRole('button', { name: 'Connect' }).click()
    const state = tab.getByRole('status').first()
    const terminal = tab.getByRole('region', { name: /^Terminal of / })
    await expect(state).toHaveText('Connected as learner')

    await test.step('typed characters go to the machine after a click in the bar', async () => {
      await tab.getByRole('button', { name: 'larger text' }).click()
      await tab.keyboard.type('mkdir -p kept/here; cd kept/here\n')
      await tab.getByRole('button', { name: 'Hide the bar' }).click()
      await expect(state).toBeHidden()
      await tab.keyboard.type('pwd\n')
      await expect(terminal).toContainText('/home/learner/kept/here')
      await tab.getByRole('button', { name: 'Show the bar' }).click()
      await expect(tab.getByRole('banner')).toHaveCSS('height', '44px')
    })

    await test.step('the connection is lost and comes back', async () => {
      await tab.keyboard.type('clear\n')
      network.lose()
      await expect(state).toHaveText('Reconnecting...')
      await expect(terminal).toBeVisible()
      network.restore()
      await expect(state).toHaveText('Connected as learner', { timeout: 20_000 })
      await tab.keyboard.type('pwd\n')
      await expect(terminal).toContainText('/home/learner/kept/here')
    })
  } finally {
    network.close()
  }
})
