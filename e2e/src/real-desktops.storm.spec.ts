import { once } from 'node:events'
import { connect } from 'node:net'
import type { BrowserContext, Page } from '@playwright/test'
import { REMOTE_MESSAGES } from '@trainyard/remote-access/contract/remote-words.ts'
import { barOf, desktopOf, pictureDigest, readClipboard, waitForChange, waitForStablePicture } from './desktops.ts'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import type { Portal } from './portal.ts'
import { type RealDesktop, startShadow, startXrdp, whyShadowUnavailable, whyXrdpUnavailable } from './real-desktops.ts'
import { DEMO_USERS, expect, test } from './test.ts'

interface Card {
  readonly name: string
  readonly status: string
  readonly adminUsername: string
  readonly adminPass: string | null
}

async function openReal(
  admin: Page,
  context: BrowserContext,
  portal: Portal,
  options: {
    readonly training: string
    readonly template: string
    readonly start: (account: string, password: string) => Promise<RealDesktop>
  },
) {
  const { training, template, start } = options
  const ordered = await admin.request.post('/api/azure/machines', {
    headers: { origin: portal.url },
    data: {
      templateName: template,
      email: [DEMO_USERS.user],
      trainingName: training,
      allocatedHours: null,
      createVmCount: 1,
      guacamole: true,
    },
  })
  expect(ordered.ok(), await ordered.text()).toBe(true)
  await admin.goto(`/vm/vmdetails?training=${training}`)
  const card = admin.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(card.getByRole('button', { name: /^Copy the public address of/ })).toBeVisible()
  const [machine] = (await (
    await admin.request.get('/api/azure/machines', { params: { trainingName: training } })
  ).json()) as Card[]
  const { name, adminUsername, adminPass } = machine!
  const server = await start(adminUsername, adminPass!)
  try {
    await expect.poll(() => listens(server.port), server.output()).toBe(true)
    await portal.postToEmulator(`/_machines/${name}/desktop`, { port: server.port })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const opening = context.waitForEvent('page')
    await card.getByRole('button', { name: `Web-based access to ${name}` }).click()
    return { server, name, tab: await opening, account: adminUsername, password: adminPass! }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Moves the pointer over the terminal, which receives the keys while the pointer is there. */
const pointAtTerminal = (tab: Page) => tab.locator('canvas').click({ position: { x: 120, y: 60 }, force: true })

const fitsIn = (tab: Page, width: number) =>
  expect.poll(async () => (await tab.locator('canvas').boundingBox())!.width).toBeLessThanOrEqual(width)

const reasonOf = (why: string | null) => (why === null ? '' : ` (${why})`)

const noShadow = whyShadowUnavailable()
if (noShadow !== null) test(`skips FreeRDP's shadow server${reasonOf(noShadow)}`, () => {})
else
  test("connects to FreeRDP's shadow server with network level authentication: wrong and right password, keys and size", async ({
    signedIn,
    context,
    portal,
  }) => {
    const admin = await signedIn('admin')
    // The account's password differs from the one the portal knows, as after a change on the machine.
    const start = (account: string) => startShadow(account, 'Changed-on-1t')
    const options = { training: 'Shadows', template: 'Windows Server 2022', start }
    const { server, tab, name, account } = await openReal(admin, context, portal, options)
    try {
      const desktop = desktopOf(tab)
      await expect(desktop.getByRole('alert'), server.output()).toHaveText(REMOTE_MESSAGES.closedAtSignIn(name))
      await expectNoAxeProblems(tab, [
        [1440, 'light'],
        [390, 'dark'],
      ])
      await expect(desktop.getByRole('textbox', { name: 'Account' })).toHaveValue(account)
      await desktop.getByLabel('Password').fill('Wrong as well')
      await desktop.getByRole('button', { name: 'Sign in' }).click()
      await expect(desktop.getByRole('alert')).toHaveText(REMOTE_MESSAGES.closedAtSignIn(name))
      await desktop.getByLabel('Password').fill('Changed-on-1t')
      await desktop.getByLabel('Password').press('Enter')
      await expect(barOf(tab).getByRole('status'), server.output()).toHaveText(`Connected as ${account}`)
      // Send key codes, because FreeRDP 2's shadow server ignores characters (x11_shadow_input_unicode_keyboard_event).
      await barOf(tab)
        .getByRole('combobox', { name: /^Keyboard/ })
        .selectOption('Layout of the machine')
      await pointAtTerminal(tab)
      const before = await waitForStablePicture(tab)
      await tab.keyboard.type('echo typed 42 ')
      await tab.keyboard.press('Shift+Period')
      await tab.keyboard.type(' typed\n')
      await expect.poll(() => server.readHomeFile('typed')).toBe('typed 42\n')
      await waitForChange(tab, before)
      // The server keeps its screen size, whatever the page requests. The page scales the picture to fit.
      await tab.setViewportSize({ width: 900, height: 700 })
      await fitsIn(tab, 900)
      await pointAtTerminal(tab)
      await tab.keyboard.type('mv typed moved\n')
      await expect.poll(() => server.readHomeFile('moved')).toBe('typed 42\n')
    } finally {
      await server.stop()
    }
    await expect(tab.getByRole('alert')).toHaveText(REMOTE_MESSAGES.machineClosed(name))
  })

const noXrdp = whyXrdpUnavailable()
if (noXrdp !== null) test(`skips xrdp${reasonOf(noXrdp)}`, () => {})
else
  test("opens xrdp from a Linux machine's terminal: signs in, types, copies and pastes", async ({
    signedIn,
    context,
    portal,
  }) => {
    const admin = await signedIn('admin')
    const options = { training: 'Linux desktops', template: 'Ubuntu 24.04 Starter', start: startXrdp }
    const { server, tab, account, password } = await openReal(admin, context, portal, options)
    try {
      await tab.getByRole('button', { name: 'Open desktop' }).click()
      await expect(barOf(tab).getByRole('status'), server.output()).toHaveText(`Connected as ${account}`)
      // The login window of xrdp asks for the password and has the account filled in.
      await waitForStablePicture(tab)
      const loginPicture = await pictureDigest(tab)
      await tab.keyboard.type(password)
      await tab.keyboard.press('Enter')
      await waitForChange(tab, loginPicture)
      await expect.poll(() => server.readHomeFile('begun'), server.output()).not.toBeNull()
      await pointAtTerminal(tab)
      const before = await waitForStablePicture(tab)
      await tab.keyboard.type('echo "Typed 42" > typed\n')
      await expect.poll(() => server.readHomeFile('typed')).toBe('Typed 42\n')
      await waitForChange(tab, before)

      await tab.evaluate("navigator.clipboard.writeText('from here')")
      await tab.keyboard.type('cat > pasted\n')
      const empty = await waitForStablePicture(tab)
      await barOf(tab).getByRole('button', { name: 'Paste' }).click()
      await waitForChange(tab, empty)
      await tab.keyboard.press('Enter')
      await tab.keyboard.press('Control+d')
      await expect.poll(() => server.readHomeFile('pasted')).toBe('from here\n')
      await tab.keyboard.type(String.raw`printf '\033]52;c;ZnJvbSB0aGVyZQ==\a'` + '\n')
      await expect.poll(() => readClipboard(tab)).toBe('from there')

      // The X server is resized, but the remote desktop engine is not notified: the page scales the picture to fit.
      await tab.setViewportSize({ width: 900, height: 700 })
      await fitsIn(tab, 900)
      await pointAtTerminal(tab)
      await tab.keyboard.type('mv typed moved\n')
      await expect.poll(() => server.readHomeFile('moved')).toBe('Typed 42\n')
    } finally {
      await server.stop()
    }
  })
