import { openPort } from './ports.ts'
import { enterOn, tabTo } from './tab-to.ts'
import { expect, test } from './test.ts'

test('orders machines by keyboard only', async ({ signedIn }) => {
  const page = await signedIn('admin', '/createvm')
  await enterOn(page, page.getByRole('button', { name: 'Ubuntu 24.04 Starter' }))
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  await tabTo(page, form.getByLabel('Training Name'))
  await page.keyboard.type('By Keys')
  await tabTo(page, form.getByRole('textbox', { name: 'Email IDs' }))
  await page.keyboard.type('keys@acme.test wrong ')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Delete')
  await expect(form.getByRole('list', { name: 'Email IDs added' }).getByRole('listitem')).toHaveCount(1)
  await tabTo(page, form.getByLabel('Browser Based VM Access'))
  await page.keyboard.press('Space')
  await enterOn(page, form.getByRole('button', { name: 'Submit' }))
  const question = page.getByRole('dialog', { name: 'Create VMs' })
  await enterOn(page, question.getByRole('button', { name: 'Create 1 VM' }))
  await expect(form).toContainText('VM Creation in Process')
  await enterOn(page, form.getByRole('link', { name: 'Watch By Keys in the Virtual Lab Console' }))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
  await expect(page.getByRole('list', { name: 'Instances' }).getByRole('listitem')).toContainText(/Running/)
})

test('a disabled button keeps the focus until it is enabled', async ({ page, signedIn }) => {
  await signedIn('admin', '/createvm')
  const released = Promise.withResolvers<void>()
  await page.route('**/api/azure/machines?*', (route) => released.promise.then(() => route.continue()))
  await enterOn(page, page.getByRole('button', { name: 'Ubuntu 24.04 Starter' }))
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  await tabTo(page, form.getByLabel('Training Name'))
  await page.keyboard.type('Kept Focus')
  await tabTo(page, form.getByRole('textbox', { name: 'Email IDs' }))
  await page.keyboard.type('focus@acme.test ')
  await enterOn(page, form.getByRole('button', { name: 'Submit' }))
  const create = page.getByRole('dialog', { name: 'Create VMs' }).getByRole('button', { name: 'Create 1 VM' })
  await tabTo(page, create)
  await expect(create).toBeDisabled()
  released.resolve()
  await expect(create).toBeEnabled()
  await expect(create).toBeFocused()
})

test('schedules stops and deletes one by keyboard only', async ({ signedIn }) => {
  const page = await signedIn('admin', '/vm/scheduler?training=Linux+101')
  await enterOn(page, page.getByRole('button', { name: 'New Scheduled Event' }))
  const form = page.getByRole('region', { name: 'New Scheduled Event' })
  await enterOn(page, form.getByRole('button', { name: 'Next month' }))
  const calendar = form.getByRole('group', { name: 'Dates' })
  // The grid is a single tab stop; the arrow keys move between days.
  await enterOn(page, calendar.getByRole('button', { name: /^1 / }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(calendar.getByRole('button', { pressed: true })).toHaveCount(2)
  await tabTo(page, form.getByRole('radio', { name: 'Shut Down' }))
  await page.keyboard.press('ArrowRight')
  await expect(form.getByRole('radio', { name: 'Power On' })).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(form.getByLabel('Trigger Time')).toBeFocused()
  await page.keyboard.type('0930AM')
  await expect(form.getByLabel('Trigger Time')).toHaveValue('09:30')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('list', { name: 'Pending Schedules' }).getByRole('listitem')).toHaveCount(2)
  await enterOn(page, form.getByRole('button', { name: 'Schedule All' }))
  const rows = page.getByRole('table', { name: 'Schedules' }).getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'New Scheduled Event' })).toBeFocused()

  const deletes = page.getByRole('button', { name: /^Delete Power On on/ })
  await enterOn(page, deletes.first(), 90)
  await enterOn(page, page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }))
  await expect(rows).toHaveCount(2)
  await expect(deletes).toBeFocused()
})

test('after deleting a row the focus moves to the next row’s button, and after deleting the last row to the heading', async ({
  signedIn,
}) => {
  const page = await signedIn('admin', '/vm/ports?training=Linux+101')
  for (const port of [8081, 8082]) await openPort(page, port)
  const deletes = page.getByRole('button', { name: /^Delete port / })
  await expect(deletes.first()).toBeVisible()
  const all = await deletes.count()
  await deletes.first().focus()
  for (let remaining = all - 1; remaining >= 0; remaining -= 1) {
    await page.keyboard.press('Enter')
    await enterOn(page, page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }))
    await expect(deletes).toHaveCount(remaining)
    await expect(remaining === 0 ? page.getByRole('heading', { level: 1 }) : deletes.first()).toBeFocused()
  }
})

test('a button whose command is refused keeps the focus while busy and afterwards', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/vm/class?organization=Acme+Learning&training=Linux+101')
  const released = Promise.withResolvers<void>()
  const json = { code: 'conflict', message: 'It can’t be done now.', error: 'It can’t be done now.', requestId: 'none' }
  await page.route('**/api/azure/files*', async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    await released.promise
    await route.fulfill({ status: 409, json })
  })
  await enterOn(page, page.getByRole('button', { name: 'Class settings' }), 90)
  await page.getByRole('menuitem', { name: 'Files' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Files in the browser' })
  const allowed = dialog.getByRole('switch', { name: 'Learners and instructors can transfer files' })
  await expect(allowed).toBeFocused()
  await expect(allowed).toBeChecked()
  await page.keyboard.press('Space')
  await expect(allowed).not.toBeChecked()
  await enterOn(page, dialog.getByRole('button', { name: 'Save' }))
  const savingButton = dialog.getByRole('button', { name: 'Saving...' })
  await expect(savingButton).toBeDisabled()
  await expect(savingButton).toBeFocused()
  released.resolve()
  await expect(page.getByRole('alert')).toHaveText(
    `${json.message} The class was refreshed: check the state of the machine, then try again.`,
  )
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeFocused()
})

test('the pointer can move onto the reason of a disabled button, which closes on Escape or a click', async ({
  signedIn,
}) => {
  const page = await signedIn('admin', '/vm/vmdetails?training=Linux+101')
  const button = page.getByRole('button', { name: 'Power On', exact: true }).first()
  const reason = page.getByText('No VMs selected').locator('visible=true').and(page.locator('[aria-hidden]'))
  await button.hover()
  await expect(reason).toBeVisible()
  const box = (await reason.boundingBox())!
  // Slowly, so that the pointer is also between the two.
  await page.mouse.move(box.x + 8, box.y + box.height / 2, { steps: 40 })
  await expect(reason).toBeVisible()
  await page.mouse.down()
  await expect(reason).toBeHidden()
  await page.mouse.up()
  await button.hover()
  await button.focus()
  await expect(reason).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(reason).toBeHidden()
})
