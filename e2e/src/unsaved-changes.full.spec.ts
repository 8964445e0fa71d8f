import { expect, test } from './test.ts'
import { openClassSettings } from './class-settings.ts'

test('a filled-in dialog asks before it closes: on Close, on Back and on reload', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  await page.getByRole('link', { name: 'System Admin Panel' }).click()
  await page.getByRole('button', { name: 'Create Organization' }).click()
  const form = page.getByRole('dialog', { name: 'Create Organization' })
  const field = form.getByRole('textbox')
  await expect(field).toBeFocused()

  await test.step('an empty dialog closes immediately', async () => {
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()
    await page.getByRole('button', { name: 'Create Organization' }).click()
  })

  const question = page.getByRole('dialog', { name: 'Discard what you filled in?' })
  await field.fill('Half typed')
  await test.step('Close asks, and the answer can be cancelled', async () => {
    await form.getByRole('button', { name: 'Close' }).click()
    await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(field).toHaveValue('Half typed')
  })
  await test.step('Escape, pressed repeatedly, never closes the dialog without asking', async () => {
    for (let pressed = 0; pressed < 8; pressed++) await page.keyboard.press('Escape')
    await expect(field).toHaveValue('Half typed')
    if (await question.isVisible()) await question.getByRole('button', { name: 'Keep it' }).click()
    await expect(field).toBeVisible()
  })
  await test.step('reload asks', async () => {
    const confirmation = page.waitForEvent('dialog')
    await page.evaluate('setTimeout(() => location.reload())')
    const dialog = await confirmation
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await expect(field).toHaveValue('Half typed')
  })
  await test.step('Back asks, and leaves only when confirmed', async () => {
    await page.goBack()
    await question.getByRole('button', { name: 'Keep it' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('System Admin Panel')
    await page.goBack()
    await question.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
    await expect(form).toBeHidden()
  })
})

test('planned schedules are not lost without confirmation, and alerts stay on their own screen', async ({
  signedIn,
  page,
}) => {
  await signedIn('admin')
  await page.getByLabel('Choose Lab Module').selectOption({ index: 1 })
  await page.getByRole('link', { name: 'Schedule Task' }).click()
  await page.getByRole('button', { name: 'New Scheduled Event' }).click()

  await test.step('the response to the next action replaces an alert', async () => {
    await page.getByRole('button', { name: 'Schedule All' }).click()
    await expect(page.getByRole('alert')).toHaveText('No schedules to submit')
    await page.getByRole('button', { name: 'Schedule Operation' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Please select at least one date and time' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(1)
  })
  await test.step('another screen does not show the alert', async () => {
    await page.getByRole('link', { name: 'Networking (Ports)' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Networking (Ports)')
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.getByRole('link', { name: 'Schedule Task' }).click()
  })
  await test.step('leaving asks before planned schedules are lost', async () => {
    await page.getByRole('button', { name: 'New Scheduled Event' }).click()
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByRole('button', { name: /^15 / }).click()
    await page.getByLabel('Trigger Time').fill('09:30')
    await page.getByRole('button', { name: 'Schedule Operation' }).click()
    await page.getByRole('link', { name: 'Networking (Ports)' }).click()
    const question = page.getByRole('dialog', { name: 'Discard what you filled in?' })
    await question.getByRole('button', { name: 'Keep it' }).click()
    await expect(page.getByRole('list', { name: 'Pending Schedules' }).getByRole('listitem')).toHaveCount(1)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'New Scheduled Event' })).toBeHidden()
  })
})

test('a dialog that stays open after its form was sent closes without asking, until something is typed again', async ({
  signedIn,
}) => {
  const page = await signedIn('admin', '/vm/class?training=Linux+101')
  await openClassSettings(page, 'Instructors')
  const form = page.getByRole('dialog', { name: 'Instructors' })
  const field = form.getByLabel('E-mail')
  await field.fill('sent.instructor@acme.test')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('list', { name: 'Instructors' })).toContainText('sent.instructor@acme.test')
  await expect(form.getByRole('button', { name: 'Add instructor' })).toBeEnabled()
  await field.fill('half')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard what you filled in?' })
  await question.getByRole('button', { name: 'Keep it' }).click()
  await field.fill('other.instructor@acme.test')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('list', { name: 'Instructors' })).toContainText('other.instructor@acme.test')
  await expect(form.getByRole('button', { name: 'Add instructor' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()
  await expect(question).toBeHidden()
})

test('Escape does not discard a half-filled order', async ({ signedIn, page }) => {
  await signedIn('admin', '/createvm')
  await page.getByRole('button', { name: 'Ubuntu 24.04 Starter' }).click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  await expect(form.getByLabel('Training Name')).toBeFocused()
  await page.keyboard.type('Half an order')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(form.getByLabel('Training Name')).toHaveValue('Half an order')
})

test('text typed right after Ctrl K is not lost while the palette is still loading', async ({ signedIn }) => {
  const page = await signedIn('admin')
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/assets\/palette.*\.js/, async (route) => {
    await released
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('session lo')
  const field = page.getByLabel('Screen, lab module, instance or action')
  await expect(field).toHaveValue('session lo')
  await page.keyboard.press('Enter')
  release()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Session Logs')
})

test('a link to a missing organisation or training says so and offers a way on', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/vm/ports?organization=Nobody&training=Nothing')
  await expect(page.getByText('There is no customer Nobody.')).toBeVisible()
  await expect(page.getByLabel('Choose Lab Module').getByRole('option').first()).toHaveText('No Training Found')
  await page.getByRole('button', { name: 'Choose another customer' }).click()
  await expect(page.getByRole('main').getByText(/select a training/)).toBeVisible()
  await page.goto('/vm/ports?organization=Acme%20Learning&training=Nothing')
  await page.getByRole('button', { name: 'Choose another lab module' }).click()
  await expect(page).toHaveURL(/\/vm\/ports\?organization=Acme(%20|\+)Learning$/)
  await page.goto('/vm/vmdetails?training=Nothing')
  await expect(page.getByRole('button', { name: 'Choose another lab module' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Virtual Lab Console' })).toBeVisible()
})

test('an account, an instance and an order of a missing organisation offer a way on', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/ledger/account?organization=Nobody')
  const main = page.getByRole('main')
  await expect(main.getByRole('alert')).toContainText('There is no such organisation.')
  await main.getByRole('link', { name: 'Choose a customer in Billing History' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing History')
  await page.goto('/vm/logs?organization=Acme%20Learning&training=Linux%20101&vm=nothing')
  await expect(main.getByText('There is no instance nothing.')).toBeVisible()
  await main.getByRole('button', { name: 'Choose another instance' }).click()
  await expect(main.getByLabel('Instance', { exact: true })).toHaveValue('')
  await expect(main.getByText('There is no instance nothing.')).toBeHidden()
  await page.goto('/createvm?organization=Nobody')
  await main.getByRole('button', { name: 'Choose another customer' }).click()
  await expect(main.getByText('Please select a customer from the sidebar.')).toBeVisible()
})

test('a sandbox user sees nothing about customers', async ({ signedIn }) => {
  const page = await signedIn('sandboxuser')
  await expect(page.getByRole('banner')).not.toContainText('Unknown')
})
