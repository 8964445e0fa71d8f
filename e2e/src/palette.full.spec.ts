import { axeProblems } from './axe.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

const field = { name: 'Screen, lab module, instance or action' }

test('an admin opens a screen and a machine by keyboard only', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('textbox', field).or(page.getByRole('combobox', field))).toBeFocused()
  await page.keyboard.type('session')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Session Logs')

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('learner@acme.test')
  await expect(page.getByRole('group', { name: 'Instances' }).getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
  await expect(page.getByLabel('Search instances')).not.toHaveValue('')
})

test('Enter waits for the results of the current text and ignores results of earlier text', async ({ signedIn }) => {
  const page = await signedIn('admin')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/user/search?*', async (route) => {
    if (route.request().url().endsWith('=session')) await released
    await route.continue()
  })
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('learner')
  await expect(page.getByRole('group', { name: 'Instances' }).getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('session')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'Session Logs' })).toBeVisible()
  release()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Session Logs')
})

test('closes on Escape, offers only screens of the role, and axe finds no problems in it', async ({ signedIn }) => {
  const page = await signedIn('user')
  await page.getByRole('button', { name: 'Go to' }).click()
  const dialog = page.getByRole('dialog', { name: 'Go to' })
  await expect(dialog.getByRole('option', { name: 'Virtual Lab Console' })).toBeVisible()
  await expect(dialog.getByRole('option', { name: 'Provision New Instance' })).toHaveCount(0)
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await page.keyboard.type('no such thing')
  await expect(dialog.getByText('No results.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Go to' })).toBeFocused()
})

test('an admin announces, extends and stops a class from the palette, and reads the shortcuts', async ({
  signedIn,
}) => {
  const page = await signedIn('admin', '/budgets?training=Linux+101')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Usage and Billing Summary, Budget')
  await page.keyboard.press('Shift+?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Close a dialog')
  await waitForPaint(page)
  expect(await axeProblems(page, { within: '[role=dialog]' })).toEqual([])
  const own = page.getByRole('checkbox', { name: 'Open this list with the key ?' })
  await own.uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+?')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('keyboard shortcuts')
  await expect(page.getByRole('option', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Enter')
  await own.check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+?')
  await expect(own).toBeChecked()
  await page.keyboard.press('Escape')
  const choose = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type(text)
    await expect(page.getByRole('group', { name: 'Actions' }).getByRole('option').first()).toBeVisible()
    await page.keyboard.press('Enter')
  }
  await choose('announce linux')
  const announceDialog = page.getByRole('dialog', { name: 'Announce' })
  await announceDialog.getByLabel('Text').fill('We start at ten.')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(announceDialog).toHaveCount(0)
  await choose('extend linux')
  await expect(page.getByRole('alert').filter({ hasText: 'no access window to extend' })).toBeVisible()
  await choose('stop all linux')
  await expect(page.getByRole('dialog', { name: 'Stop all' })).toContainText('All running machines of Linux 101')
  await page.keyboard.press('Escape')
  await choose('buy machines')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Provision New Instance')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('learner@acme')
  await page.getByRole('group', { name: 'People' }).getByRole('option').first().click()
  await expect(page).toHaveURL(/\/admin\/people/)
})

test('the Enter of an input method picks no entry and adds no address', async ({ signedIn }) => {
  const page = await signedIn('admin')
  const composed = (keyCode: number, isComposing: boolean) =>
    page.evaluate(
      ([code, composing]) =>
        document.activeElement!.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: 'Enter',
            keyCode: code,
            isComposing: composing,
            bubbles: true,
            cancelable: true,
          }),
        ),
      [keyCode, isComposing] as const,
    )
  /** Presses Enter during a composition, and as Safari reports the Enter that ends one. */
  const endComposition = async () => {
    await composed(13, true)
    await composed(229, false)
  }
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('session logs')
  await expect(page.getByRole('option', { name: 'Session Logs' })).toBeVisible()
  await endComposition()
  await expect(page.getByRole('dialog', { name: 'Go to' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/createvm')
  await page.getByRole('button', { name: 'Ubuntu 24.04 Starter' }).click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  const emails = form.getByRole('textbox', { name: 'Email IDs' })
  await emails.fill('asha@acme.test')
  await endComposition()
  await expect(emails).toHaveValue('asha@acme.test')
  await emails.press('Enter')
  await expect(emails).toHaveValue('')
  // A row of a pasted roster.
  await emails.evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', 'Name,Email\nAsha,asha@x.test\nBala,')
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  const row = form.getByRole('textbox', { name: 'Line 3' })
  await row.fill('Bala bala@x.test')
  await endComposition()
  await expect(row).toHaveValue('Bala bala@x.test')
  await row.press('Enter')
  await expect(row).toHaveCount(0)
})

test('asks before it creates the machines of a demo class', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('demo class')
  await page.getByRole('option', { name: 'Try a demo class' }).click()
  const question = page.getByRole('dialog', { name: 'Try a demo class' })
  await expect(question.getByRole('button', { name: 'Create 2 machines' })).toBeVisible()
  expect(await axeProblems(page)).toEqual([])
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
})
