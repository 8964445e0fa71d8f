import { text } from 'node:stream/consumers'
import type { BrowserContext, Page } from '@playwright/test'
import {
  barOf,
  canvasDigest,
  desktopOf,
  EMPTY_CANVAS,
  pictureDigest,
  readClipboard,
  waitForChange,
  waitForFit,
  waitForStablePicture,
  widthOf,
} from './desktops.ts'
import { navigate } from './navigate.ts'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { DEMO_USERS, expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'Desktops'

async function openDesktop(page: Page, context: BrowserContext) {
  await navigate(page, `/vm/vmdetails?training=${TRAINING}`)
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(card.getByRole('button', { name: /^Copy the public address of/ })).toBeVisible()
  const machine = await card.getByRole('heading').innerText()
  const opening = context.waitForEvent('page')
  const measured = context.waitForEvent('response', (reply) => reply.url().endsWith('/api/remote/usable'))
  await card.getByRole('button', { name: `Web-based access to ${machine}` }).click()
  return { tab: await opening, card, machine, measured }
}

test('opens a Windows machine in the browser: shows, types, clicks, copies, resizes and powers off', async ({
  signedIn,
  context,
}) => {
  const page = await signedIn('admin')
  await orderTraining(page, TRAINING, [DEMO_USERS.user], { guacamole: true, templateName: 'Windows Server 2022' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { tab, card, machine, measured } = await openDesktop(page, context)
  const desktop = desktopOf(tab)

  const first = await test.step('the desktop fills the page', async () => {
    await expect(barOf(tab).getByRole('status')).toHaveText('Connected as learner')
    await expect(tab).toHaveTitle(`${machine} · Desktop`)
    expect(await widthOf(tab)).toBe(1440)
    await waitForFit(tab)
    const bar = (await barOf(tab).boundingBox())!
    expect(bar).toMatchObject({ y: 0, height: 44 })
    expect((await desktop.boundingBox())!.y, 'there is one bar').toBe(bar.height)
    const picture = await waitForChange(tab, await canvasDigest(tab, EMPTY_CANVAS))
    await expectNoAxeProblems(tab, [[1440, 'light']])
    await waitForFit(tab)
    expect((await measured).status(), 'how long it took from the click is kept').toBe(200)
    return picture
  })

  const typed = await test.step('typing changes the picture, and deleting restores it', async () => {
    const keyboard = desktop.getByRole('textbox', { name: /^Keyboard of / })
    await expect(keyboard).toBeFocused()
    const before = await waitForStablePicture(tab)
    await tab.keyboard.type('Grüße')
    const after = await waitForChange(tab, before)
    for (let i = 0; i < 5; i += 1) await tab.keyboard.press('Backspace')
    await expect.poll(() => pictureDigest(tab)).toBe(before)
    await tab.keyboard.type('Grüße')
    await expect.poll(() => pictureDigest(tab)).toBe(after)
    expect(after).not.toBe(first)
    await tab.keyboard.press('Control+Alt+Escape')
    await expect(barOf(tab).getByRole('combobox', { name: /^Press/ })).toBeFocused()
    await keyboard.focus()
    return after
  })

  await test.step('the clipboard is copied in both directions', async () => {
    await tab.keyboard.press('Control+c')
    await expect.poll(() => readClipboard(tab)).toBe('Grüße')
    await tab.evaluate("navigator.clipboard.writeText(' from here')")
    await tab.keyboard.press('Control+v')
    const pasted = await waitForChange(tab, typed)
    await tab.keyboard.press('Control+c')
    await expect.poll(() => readClipboard(tab)).toBe('Grüße from here')
    await barOf(tab).getByRole('button', { name: 'Paste' }).click()
    await waitForChange(tab, pasted)
    await tab.keyboard.press('Control+c')
    await expect.poll(() => readClipboard(tab)).toBe('Grüße from hereGrüße from here')
  })

  await test.step("a click changes the picture, also with the machine's keyboard layout", async () => {
    const before = await waitForStablePicture(tab)
    await tab.mouse.click(700, 500)
    const clicked = await waitForChange(tab, before)
    await barOf(tab)
      .getByRole('combobox', { name: /^Keyboard/ })
      .selectOption('Layout of the machine')
    await tab.mouse.click(720, 520)
    await tab.keyboard.press('Shift+Z')
    await waitForChange(tab, clicked)
    await tab.keyboard.press('Control+c')
    await expect.poll(() => readClipboard(tab)).toMatch(/Z$/)
  })

  await test.step('the bar hides, and the typed keys still reach the machine', async () => {
    await tab.getByRole('button', { name: 'Hide the bar' }).click()
    await expect(barOf(tab)).toBeHidden()
    const before = await waitForStablePicture(tab)
    await tab.keyboard.type('y')
    await waitForChange(tab, before)
    await tab.keyboard.press('Control+Alt+Escape')
    await expect(barOf(tab).getByRole('combobox', { name: /^Press/ })).toBeFocused()
    await tab.getByRole('button', { name: 'Hide the bar' }).click()
    await tab.getByRole('button', { name: 'Show the bar' }).click()
    await waitForFit(tab)
  })

  await test.step('the desktop follows the size of the window', async () => {
    await tab.setViewportSize({ width: 900, height: 700 })
    await expect.poll(() => widthOf(tab)).toBe(900)
    await waitForFit(tab)
    const small = await waitForStablePicture(tab)
    await tab.keyboard.type('x')
    await waitForChange(tab, small)
    await expectNoAxeProblems(tab, [[390, 'dark']])
  })

  await test.step('the machine is powered off, the tab says so, and offers the .rdp file', async () => {
    await card.getByRole('button', { name: `Power Off ${machine}` }).click()
    await expect(tab.getByRole('alert')).toHaveText(`${machine} was powered off.`)
    const saving = tab.waitForEvent('download')
    await tab.getByRole('button', { name: `Save ${machine}.rdp` }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe(`${machine}.rdp`)
    expect(await text(await saved.createReadStream())).toMatch(/^full address:s:[\d.]+:3389\r\nusername:s:learner\r\n/)
  })

  await test.step('the machine is powered on and reopened in its last state', async () => {
    await expect(card).toContainText(/Stopped/)
    await expect(tab.getByRole('button', { name: 'Reconnect' })).toHaveCount(0)
    await tab.getByRole('button', { name: 'Power On' }).click()
    await expect(card).toContainText(/Running/)
    await tab.getByRole('button', { name: 'Reconnect' }).click()
    await expect(barOf(tab).getByRole('status')).toHaveText('Connected as learner')
    await waitForStablePicture(tab)
    await tab.keyboard.press('Control+c')
    await expect.poll(() => readClipboard(tab)).toMatch(/x$/)
  })
})
