import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { proxyInside } from '@trainyard/platform/test/proxy-inside.ts'
import { createVirtualNetwork } from '@trainyard/platform/test/virtual-network.ts'
import { barOf, canvasDigest, EMPTY_CANVAS, waitForChange } from './desktops.ts'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { navigate } from './navigate.ts'
import { DEMO_USERS, expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const NETWORK = 'Corporate labs'
const VIRTUAL_NETWORK = 'trainyard-labs/trainyard-labs-net'
const TEMPLATE = 'Windows Server 2022'
const TRAINING = 'Private desktops'

let agent: ChildProcess | null = null
const dataDir = mkdtempSync(join(tmpdir(), 'trainyard-e2e-gateway-'))
test.afterAll(() => {
  agent?.kill()
  removeFolder(dataDir)
})

/** Starts the gateway as an operator does, inside the emulator's virtual network. */
function startGateway(portal: { readonly url: string; readonly emulatorUrl: string }, token: string | null) {
  const env = {
    PATH: process.env['PATH'],
    TRAINYARD_DATA: dataDir,
    GATEWAY_PORTAL: portal.url,
    ...(token !== null && { GATEWAY_TOKEN: token }),
    SSH_PROXY: proxyInside(portal.emulatorUrl, VIRTUAL_NETWORK),
  }
  agent = spawn(process.execPath, ['apps/server/main.ts', 'gateway'], { cwd: root, stdio: 'ignore', env })
}

test('a superadmin connects a gateway, and a machine without a public address opens in the browser', async ({
  signedIn,
  newPageAs,
  portal,
}) => {
  const page = await signedIn('superadmin', '/admin/networks')
  const row = page.getByRole('row').filter({ hasText: NETWORK })

  await test.step('the network is created, and its gateway enrolled with a token that is shown once', async () => {
    await page.getByRole('button', { name: 'Create Network' }).click()
    const form = page.getByRole('dialog', { name: 'Create Network' })
    await form.getByLabel('Network Name').fill(NETWORK)
    await form.getByLabel('Address Ranges').fill('10.0.0.1/16')
    await form.getByRole('button', { name: 'Create' }).click()
    await expect(form.getByRole('alert')).toContainText('10.0.0.1/16 is not a private address range')
    await form.getByLabel('Address Ranges').fill('10.0.0.0/8')
    await form.getByRole('button', { name: 'Create' }).click()
    await expect(row).toContainText('No gateway')
    await row.getByRole('button', { name: `Gateway of ${NETWORK}` }).click()
    const gateway = page.getByRole('dialog', { name: `Gateway of ${NETWORK}` })
    await gateway.getByRole('button', { name: 'Issue Token' }).click()
    const command = await gateway.locator('code').innerText()
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await createVirtualNetwork(portal.emulatorUrl, VIRTUAL_NETWORK)
    startGateway(portal, /GATEWAY_TOKEN=(\S+)/.exec(command)![1]!)
    await page.keyboard.press('Escape')
    await expect(row).toContainText('Connected')
    await expectNoAxeProblems(page, [
      [1440, 'dark'],
      [390, 'light'],
    ])
  })

  const setAddress = async (label: string) => {
    await navigate(page, '/overview')
    await page.getByRole('button', { name: `Edit ${TEMPLATE}`, exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Edit VM Card' })
    await form.getByLabel('Address').selectOption({ label })
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toBeHidden()
  }
  await test.step('a VM card uses the network', () => setAddress(`Private address in ${NETWORK}`))

  const admin = await newPageAs(DEMO_USERS.admin)
  await orderTraining(admin, TRAINING, [DEMO_USERS.user], { guacamole: true, templateName: TEMPLATE })
  // A machine keeps its kind of address. Later tests on this portal need machines with public addresses.
  await setAddress('Public address')
  await navigate(admin, `/vm/vmdetails?training=${encodeURIComponent(TRAINING)}`)
  const card = admin.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(card.getByRole('button', { name: /^Copy the private address of/ })).toBeVisible({ timeout: 20_000 })
  const machine = await card.getByRole('heading').innerText()
  const opening = admin.context().waitForEvent('page')
  await card.getByRole('button', { name: `Web-based access to ${machine}` }).click()
  const tab = await opening
  await expect(barOf(tab).getByRole('status')).toHaveText('Connected as learner')
  await waitForChange(tab, await canvasDigest(tab, EMPTY_CANVAS))

  await test.step('the desktop ends with the gateway, and opens again when it is back', async () => {
    agent!.kill('SIGKILL')
    await once(agent!, 'exit')
    await expect(tab.getByRole('alert')).toContainText(`${machine} closed the connection`)
    await tab.getByRole('button', { name: 'Reconnect' }).click()
    await expect(tab.getByRole('alert')).toContainText('the gateway of its network is not connected')
    startGateway(portal, null)
    await expect(async () => {
      await tab.getByRole('button', { name: 'Reconnect' }).click()
      await expect(barOf(tab).getByRole('status')).toHaveText('Connected as learner', { timeout: 10_000 })
    }).toPass({ timeout: 120_000 })
  })
})
