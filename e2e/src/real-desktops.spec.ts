import { once } from 'node:events'
import { connect } from 'node:net'
import type { BrowserContext, Page } from '@playwright/test'
import { REMOTE } from '@trainyard/contract/words/remote.ts'
import { changed, desktopOf, picture, readClipboard, settled } from './desktops.ts'
import { expectNoProblems } from './looks.ts'
import type { Portal } from './portal.ts'
import { type RealDesktop, startShadow, startXrdp, whyNoShadow, whyNoXrdp } from './real-desktops.ts'
import { ACCOUNTS, expect, test } from './test.ts'

interface Card {
  readonly name: string
  readonly status: string
  readonly adminUsername: string
  readonly adminPass: string | null
}

/** A machine whose desktop is a real server's, opened in a tab of its own. */
async function openReal(
  admin: Page,
  context: BrowserContext,
  portal: Portal,
  given: {
    readonly training: string
    readonly template: string
    readonly start: (account: string, password: string) => Promise<RealDesktop>
  },
) {
  const { training, template, start } = given
  const ordered = await admin.request.post('/api/azure/machines', {
    headers: { origin: portal.url },
    data: {
      templateName: template,
      email: [ACCOUNTS.user],
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
  const far = await start(adminUsername, adminPass!)
  try {
    await expect.poll(() => listens(far.port), far.said()).toBe(true)
    await portal.tellEmulator(`/_machines/${name}/desktop`, { port: far.port })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const opening = context.waitForEvent('page')
    await card.getByRole('button', { name: `Web-based access to ${name}` }).click()
    return { far, name, tab: await opening, account: adminUsername, password: adminPass! }
  } catch (error) {
    await far.stop()
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

/** Points at the terminal, which has the keys while the pointer is over it. */
const pointAtTerminal = (tab: Page) => tab.locator('canvas').click({ position: { x: 120, y: 60 }, force: true })

const fitsIn = (tab: Page, width: number) =>
  expect.poll(async () => (await tab.locator('canvas').boundingBox())!.width).toBeLessThanOrEqual(width)

const here = (why: string | null) => (why === null ? '' : ` (not here: ${why})`)

const noShadow = whyNoShadow()
if (noShadow !== null) test(`FreeRDP's shadow server is not tried${here(noShadow)}`, () => {})
else
  // @covers R19.2
  test("FreeRDP's shadow server asks for network level authentication: a wrong password, the right one, keys and size", async ({
    signedIn,
    context,
    portal,
  }) => {
    const admin = await signedIn('admin')
    // Its account has another password than the portal knows, as after a change on the machine.
    const start = (account: string) => startShadow(account, 'Changed-on-1t')
    const given = { training: 'Shadows', template: 'Windows Server 2022', start }
    const { far, tab, name, account } = await openReal(admin, context, portal, given)
    try {
      const desktop = desktopOf(tab)
      await expect(desktop.getByRole('alert'), far.said()).toHaveText(REMOTE.closedAtSignIn(name))
      await expectNoProblems(tab, [
        [1440, 'light'],
        [390, 'dark'],
      ])
      await expect(desktop.getByRole('textbox', { name: 'Account' })).toHaveValue(account)
      await desktop.getByLabel('Password').fill('Wrong as well')
      await desktop.getByRole('button', { name: 'Sign in' }).click()
      await expect(desktop.getByRole('alert')).toHaveText(REMOTE.closedAtSignIn(name))
      await desktop.getByLabel('Password').fill('Changed-on-1t')
      await desktop.getByLabel('Password').press('Enter')
      await expect(desktop.getByRole('status'), far.said()).toHaveText(`Connected as ${account}`)
      // It takes no characters: x11_shadow_input_unicode_keyboard_event of FreeRDP 2 does nothing.
      await desktop.getByRole('combobox', { name: /^Keyboard/ }).selectOption("as the machine's")
      await pointAtTerminal(tab)
      const before = await settled(tab)
      await tab.keyboard.type('echo typed 42 ')
      await tab.keyboard.press('Shift+Period')
      await tab.keyboard.type(' typed\n')
      await expect.poll(() => far.written('typed')).toBe('typed 42\n')
      await changed(tab, before)
      // Its screen keeps its own size, whatever the page asks for: the picture is made to fit.
      await tab.setViewportSize({ width: 900, height: 700 })
      await fitsIn(tab, 900)
      await pointAtTerminal(tab)
      await tab.keyboard.type('mv typed moved\n')
      await expect.poll(() => far.written('moved')).toBe('typed 42\n')
    } finally {
      await far.stop()
    }
    await expect(tab.getByRole('alert')).toHaveText(REMOTE.machineClosed(name))
  })

const noXrdp = whyNoXrdp()
if (noXrdp !== null) test(`xrdp is not tried${here(noXrdp)}`, () => {})
else
  // @covers R19.2
  test("xrdp is opened from a Linux machine's terminal: signed in to, typed at, copied from, pasted into", async ({
    signedIn,
    context,
    portal,
  }) => {
    const admin = await signedIn('admin')
    const given = { training: 'Linux desktops', template: 'Ubuntu 24.04 Starter', start: startXrdp }
    const { far, tab, account, password } = await openReal(admin, context, portal, given)
    try {
      await tab.getByRole('button', { name: 'Open its desktop' }).click()
      const desktop = desktopOf(tab)
      await expect(desktop.getByRole('status'), far.said()).toHaveText(`Connected as ${account}`)
      // Its own window asks for the password, and has the account already.
      await settled(tab)
      const asking = await picture(tab)
      await tab.keyboard.type(password)
      await tab.keyboard.press('Enter')
      await changed(tab, asking)
      await expect.poll(() => far.written('begun'), far.said()).not.toBeNull()
      await pointAtTerminal(tab)
      const before = await settled(tab)
      await tab.keyboard.type('echo "Typed 42" > typed\n')
      await expect.poll(() => far.written('typed')).toBe('Typed 42\n')
      await changed(tab, before)

      await tab.evaluate("navigator.clipboard.writeText('from here')")
      await tab.keyboard.type('cat > pasted\n')
      const empty = await settled(tab)
      await desktop.getByRole('button', { name: 'Paste' }).click()
      await changed(tab, empty)
      await tab.keyboard.press('Enter')
      await tab.keyboard.press('Control+d')
      await expect.poll(() => far.written('pasted')).toBe('from here\n')
      await tab.keyboard.type(String.raw`printf '\033]52;c;ZnJvbSB0aGVyZQ==\a'` + '\n')
      await expect.poll(() => readClipboard(tab)).toBe('from there')

      // Its X server takes the new size, but the engine is not told so: the picture keeps the old one, made to fit.
      await tab.setViewportSize({ width: 900, height: 700 })
      await fitsIn(tab, 900)
      await pointAtTerminal(tab)
      await tab.keyboard.type('mv typed moved\n')
      await expect.poll(() => far.written('moved')).toBe('Typed 42\n')
    } finally {
      await far.stop()
    }
  })
