import type { Page } from '@playwright/test'
import { navigate } from './navigate.ts'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { DEMO_USERS, expect, signIn, test } from './test.ts'

const TRAINING = 'Shells in the browser'
const CONSOLE = `/vm/vmdetails?training=${encodeURIComponent(TRAINING)}`

const terminalOf = (page: Page) => page.getByRole('region', { name: /^Terminal of / })

test('opens, uses, powers off and reopens a machine ordered with browser access', async ({
  signedIn,
  context,
  newPageAs,
}) => {
  const page = await signedIn('admin', '/createvm')
  await test.step('the machine is ordered', async () => {
    await page.getByRole('button', { name: 'Ubuntu 24.04 Starter' }).click()
    const form = page.getByRole('dialog', { name: 'Order VMs' })
    await form.getByLabel('Training Name').fill(TRAINING)
    await form.getByRole('textbox', { name: 'Email IDs' }).fill(DEMO_USERS.user)
    await form.getByRole('textbox', { name: 'Email IDs' }).press('Enter')
    await form.getByLabel('Browser Based VM Access').check()
    await form.getByRole('button', { name: 'Submit' }).click()
    await page.getByRole('button', { name: /^Create 1 VM/ }).click()
    await expect(form).toContainText('VM Creation in Process')
  })

  await navigate(page, CONSOLE)
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(card).toContainText(/Running/)
  // The address is known a moment later.
  await expect(card.getByRole('button', { name: /^Copy the public address of/ })).toBeVisible()
  const machine = await card.getByRole('heading').innerText()
  const opening = context.waitForEvent('page')
  await card.getByRole('button', { name: `Web-based access to ${machine}` }).click()
  const tab = await opening
  const terminal = terminalOf(tab)

  await test.step('a command runs in the terminal, and the ticket is no longer in the address', async () => {
    await expect(tab.getByRole('heading', { level: 1, name: machine })).toBeVisible()
    await expect(tab.getByRole('status')).toHaveText('Connected as learner')
    await expect(tab).toHaveURL(/\/remote\/#\/\?username=[\w-]+$/)
    expect(await tab.evaluate('opener')).toBeNull()
    await tab.keyboard.type('echo "$USER was here" | wc; uname -a\n')
    await expect(terminal).toContainText(/1 +3 +17/)
    await expect(terminal).toContainText(/Linux .* x86_64 GNU\/Linux/)
    await expectNoAxeProblems(tab, [
      [1440, 'light'],
      [390, 'dark'],
    ])
  })

  await test.step('the time from the click to the prompt is in the machine’s timeline, and in the statistics of a superadmin', async () => {
    await card.getByRole('button', { name: `More actions for ${machine}` }).click()
    await page.getByRole('menuitem', { name: 'Timeline' }).click()
    const timeline = page.getByRole('dialog', { name: `Timeline of ${machine}` })
    const line = timeline.getByRole('listitem').filter({ hasText: 'Terminal in the browser' })
    await expect(line).toContainText(/usable \d+\.\d s after the click/)
    await page.keyboard.press('Escape')
    const above = await newPageAs(DEMO_USERS.superadmin, '/dashboard')
    const openings = above.getByRole('region', { name: 'Time to Open a Machine' })
    await expect(openings.getByRole('row').filter({ hasText: 'Terminal' }).first()).toContainText(/\d+\.\d s/)
    await above.context().close()
  })

  await test.step('selected text is copied, and copied text is pasted', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await tab.keyboard.type('clear; echo selected-word\n')
    const selectedWord = terminal.getByText('selected-word', { exact: true }).first()
    await expect(selectedWord).toBeVisible()
    const { x, y, height } = (await selectedWord.boundingBox())!
    await tab.mouse.dblclick(x + 20, y + height / 2)
    await tab.getByRole('button', { name: 'Copy' }).click()
    expect(await tab.evaluate('navigator.clipboard.readText()')).toContain('selected')
    await tab.evaluate('navigator.clipboard.writeText("echo pasted by $USER\\n")')
    await tab.getByRole('button', { name: 'Paste' }).click()
    await expect(terminal).toContainText('pasted by learner')
  })

  await test.step('the keyboard leaves the terminal, in which Tab is typed', async () => {
    const input = terminal.getByRole('textbox', { name: 'Press Control, Alt and Escape together to leave' })
    await input.focus()
    await tab.keyboard.press('Tab')
    await expect(input).toBeFocused()
    await tab.keyboard.press('Control+Alt+Escape')
    await expect(tab.getByRole('banner').getByRole('button').first()).toBeFocused()
    await input.focus()
  })

  await test.step('the terminal follows the size of the window', async () => {
    await tab.setViewportSize({ width: 390, height: 844 })
    await tab.keyboard.type('clear\n')
    await tab.keyboard.type('touch a-file-with-a-long-name-1 a-file-with-a-long-name-2; ls\n')
    await expect(terminal).toContainText('a-file-with-a-long-name-2')
    await tab.getByRole('button', { name: 'Up' }).click()
    await expect(tab.getByRole('button', { name: 'Copy' })).toBeDisabled()
    await tab.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('the machine is powered off, and the tab says so', async () => {
    await card.getByRole('button', { name: `Power Off ${machine}` }).click()
    await expect(tab.getByRole('alert')).toHaveText(`${machine} was powered off.`)
    await expect(tab).toHaveTitle(`${machine} · Ended`)
    await expectNoAxeProblems(tab, [
      [1440, 'dark'],
      [390, 'light'],
    ])
    await expect(tab.getByRole('status').filter({ hasText: `${machine} is being stopped.` })).toBeVisible()
    await expect(tab.getByRole('button', { name: 'Reconnect' })).toHaveCount(0)
    const access = card.getByRole('button', { name: `Web-based access to ${machine}` })
    await expect(access).toBeDisabled()
  })

  await test.step('the machine is powered on in the tab, which reopens it with its files', async () => {
    const powerOn = tab.getByRole('button', { name: 'Power On' })
    await expect(powerOn).toBeVisible()
    await expect(card).toContainText(/Stopped/)
    // Text that the user still types into the terminal presses no button.
    await tab.keyboard.type('ls  -l\n')
    await expect(powerOn).toBeVisible()
    await powerOn.click()
    await expect(tab.getByRole('status').filter({ hasText: `${machine} is starting.` })).toBeVisible()
    await expect(card).toContainText(/Running/)
    await tab.getByRole('button', { name: 'Reconnect' }).press('Enter')
    await expect(tab.getByRole('status')).toHaveText('Connected as learner')
    await tab.keyboard.type('ls\n')
    await expect(terminal).toContainText('a-file-with-a-long-name-1')
    // After a reload there is no ticket, and the page asks before it requests another one.
    await tab.reload()
    await tab.getByRole('button', { name: 'Connect' }).click()
    await expect(tab.getByRole('status')).toHaveText('Connected as learner')
  })
})

test('an address with a used ticket, or without a machine, opens nothing', async ({ browser, portal }) => {
  const context = await browser.newContext({ baseURL: portal.url })
  const page = await context.newPage()
  await signIn(page, DEMO_USERS.user)
  await page.goto('/remote/#/?username=linux-101-1&password=used-long-ago')
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: 'This link was used before or is older than a minute. Reconnect to get a new one.' }),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/remote\/#\/\?username=linux-101-1$/)
  await page.goto('about:blank')
  await page.goto('/remote/')
  await page.getByRole('link', { name: 'Virtual Lab Console' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Virtual Lab Console' })).toBeVisible()
  await context.close()
})

test('a user who is not logged in is sent to the login page, without the ticket', async ({ page }) => {
  await page.goto('/remote/#/?username=linux-101-1&password=secret-ticket')
  await expect(page).toHaveURL(/\/login\?next=/)
  expect(page.url()).not.toContain('secret')
})
