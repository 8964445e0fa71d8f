import { text } from 'node:stream/consumers'
import type { BrowserContext, Page } from '@playwright/test'
import { changed, desktopOf, digestOf, EMPTY, fits, picture, readClipboard, settled, widthOf } from './desktops.ts'
import { goOn } from './go-on.ts'
import { expectNoProblems } from './looks.ts'
import { ACCOUNTS, expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'Desktops'

async function openDesktop(page: Page, context: BrowserContext) {
  await goOn(page, `/vm/vmdetails?training=${TRAINING}`)
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(card.getByRole('button', { name: /^Copy the public address of/ })).toBeVisible()
  const machine = await card.getByRole('heading').innerText()
  const opening = context.waitForEvent('page')
  const measured = context.waitForEvent('response', (reply) => reply.url().endsWith('/api/remote/usable'))
  await card.getByRole('button', { name: `Web-based access to ${machine}` }).click()
  return { tab: await opening, card, machine, measured }
}

// @covers R19.1
test('a Windows machine is opened in the browser: seen, typed at, clicked, copied from, resized and powered off', async ({
  signedIn,
  context,
}) => {
  // One life from the order to the second opening, in a picture that is drawn and compared.
  const page = await signedIn('admin')
  await orderTraining(page, TRAINING, [ACCOUNTS.user], { guacamole: true, templateName: 'Windows Server 2022' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { tab, card, machine, measured } = await openDesktop(page, context)
  const desktop = desktopOf(tab)

  const first = await test.step('its picture is seen, as large as the page has room', async () => {
    await expect(desktop.getByRole('status')).toHaveText('Connected as learner')
    await expect(tab).toHaveTitle(`${machine} · Desktop`)
    expect(await widthOf(tab)).toBe(1440)
    await fits(tab)
    const seen = await changed(tab, await digestOf(tab, EMPTY))
    await expectNoProblems(tab, [[1440, 'light']])
    await fits(tab)
    expect((await measured).status(), 'how long it took from the click is kept').toBe(200)
    return seen
  })

  const typed = await test.step('typing changes it, and changes it back', async () => {
    const keyboard = desktop.getByRole('textbox', { name: /^Keyboard of / })
    await expect(keyboard).toBeFocused()
    const before = await settled(tab)
    await tab.keyboard.type('Grüße')
    const after = await changed(tab, before)
    for (let i = 0; i < 5; i += 1) await tab.keyboard.press('Backspace')
    await expect.poll(() => picture(tab)).toBe(before)
    await tab.keyboard.type('Grüße')
    await expect.poll(() => picture(tab)).toBe(after)
    expect(after).not.toBe(first)
    await tab.keyboard.press('Control+Alt+Escape')
    await expect(desktop.getByRole('combobox', { name: /^Press/ })).toBeFocused()
    await keyboard.focus()
    return after
  })

  await test.step('its clipboard comes here, and ours goes there', async () => {
    await tab.keyboard.press('Control+c')
    await expect.poll(() => readClipboard(tab)).toBe('Grüße')
    await tab.evaluate("navigator.clipboard.writeText(' from here')")
    await tab.keyboard.press('Control+v')
    const pasted = await changed(tab, typed)
    await tab.keyboard.press('Control+c')
    await expect.poll(() => readClipboard(tab)).toBe('Grüße from here')
    await desktop.getByRole('button', { name: 'Paste' }).click()
    await changed(tab, pasted)
    await tab.keyboard.press('Control+c')
    await expect.poll(() => readClipboard(tab)).toBe('Grüße from hereGrüße from here')
  })

  await test.step('a click leaves its mark, also where the keys are those of the machine', async () => {
    const before = await settled(tab)
    await tab.mouse.click(700, 500)
    const clicked = await changed(tab, before)
    await desktop.getByRole('combobox', { name: /^Keyboard/ }).selectOption("as the machine's")
    await tab.mouse.click(720, 520)
    await tab.keyboard.press('Shift+Z')
    await changed(tab, clicked)
    await tab.keyboard.press('Control+c')
    await expect.poll(() => readClipboard(tab)).toMatch(/Z$/)
  })

  await test.step('it follows the size of the window', async () => {
    await tab.setViewportSize({ width: 900, height: 700 })
    await expect.poll(() => widthOf(tab)).toBe(900)
    await fits(tab)
    const small = await settled(tab)
    await tab.keyboard.type('x')
    await changed(tab, small)
    await expectNoProblems(tab, [[390, 'dark']])
  })

  await test.step('it is powered off, and the tab says so; the file is there too', async () => {
    await card.getByRole('button', { name: `Power Off ${machine}` }).click()
    await expect(tab.getByRole('alert')).toHaveText(`${machine} was powered off.`)
    const saving = tab.waitForEvent('download')
    await tab.getByRole('button', { name: `Save ${machine}.rdp` }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe(`${machine}.rdp`)
    expect(await text(await saved.createReadStream())).toMatch(/^full address:s:[\d.]+:3389\r\nusername:s:learner\r\n/)
    await tab.getByRole('button', { name: 'Reconnect' }).click()
    await expect(tab.getByRole('alert')).toHaveText(/is not running\.|is being stopped\./)
  })

  await test.step('it is powered on, and opened again as it was left', async () => {
    await expect(card).toContainText(/Stopped/)
    await card.getByRole('button', { name: `Power On ${machine}` }).click()
    await expect(card).toContainText(/Running/)
    await tab.getByRole('button', { name: 'Reconnect' }).click()
    await expect(desktop.getByRole('status')).toHaveText('Connected as learner')
    await settled(tab)
    await tab.keyboard.press('Control+c')
    await expect.poll(() => readClipboard(tab)).toMatch(/x$/)
  })
})
