import type { Locator } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

const CARD = 'Ubuntu 24.04 Starter'

const paste = (field: Locator, text: string) =>
  field.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('an admin pastes a roster, corrects one row, leaves out another, and orders by name', async ({ signedIn }) => {
  const page = await signedIn('admin', '/createvm')
  await page.getByRole('button', { name: CARD }).click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  await form.getByLabel('Training Name').fill('Linux 101')
  const emails = form.getByRole('textbox', { name: 'Email IDs' })
  await paste(
    emails,
    '"Rao, Asha" <rao@acme.test>; tina+lab@acme.technology,\nTo be confirmed\nBroken <broken@@acme.test>\nlearner@acme.test',
  )
  await expect(form).toContainText(
    '3 learners, 1 row without an address (line 2), 1 row to correct (line 3), 1 already has a machine',
  )
  await form.getByRole('button', { name: 'Submit' }).click()
  await expect(form.getByText('Correct the 2 rows above, or leave them out.')).toBeVisible()
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])

  const invalidLine = form.getByRole('textbox', { name: 'Line 3' })
  await invalidLine.fill('Mended <mended@acme.test>')
  await invalidLine.press('Enter')
  await expect(form).toContainText('4 learners, 1 row without an address (line 2)')
  await form.getByRole('button', { name: 'Leave out line 2' }).click()
  await form.getByRole('button', { name: 'Leave out learners with a machine' }).click()
  await expect(form).toContainText(/3 learners(?!,)/)
  await form.getByRole('button', { name: 'Submit' }).click()
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('machines'))
  await page.getByRole('button', { name: 'Create 3 VMs' }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    email: ['rao@acme.test', 'tina+lab@acme.technology', 'mended@acme.test'],
    names: [
      { email: 'rao@acme.test', name: 'Rao, Asha' },
      { email: 'mended@acme.test', name: 'Mended' },
    ],
  })
  await page.getByRole('link', { name: 'Watch Linux 101 in the Virtual Lab Console' }).click()
  await expect(page.getByText('Asha Rao').first()).toBeVisible()
})

test('the order form reads files and the text of phone keyboards', async ({ signedIn }) => {
  const page = await signedIn('admin', '/createvm')
  await page.getByRole('button', { name: CARD }).click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  const emails = form.getByRole('textbox', { name: 'Email IDs' })
  await emails.focus()
  await page.keyboard.insertText('one@acme.test')
  await page.keyboard.insertText(',')
  await page.keyboard.insertText('two@acme.test ')
  await expect(form.getByRole('button', { name: 'Remove two@acme.test' })).toBeVisible()
  const file = form.getByLabel('Choose a file')
  const csv = Buffer.from('\uFEFFName\tEmail\tSeat\r\nAsha Rao\tthree@acme.test\t7\r\n', 'utf16le')
  await file.setInputFiles({ name: 'learners.csv', mimeType: 'text/csv', buffer: csv })
  await expect(form).toContainText('3 learners')
  await expect(form).toContainText('Columns not used: Seat.')
  await file.setInputFiles({ name: 'learners.xlsx', mimeType: 'text/csv', buffer: Buffer.from('PK\u0003\u0004zip') })
  await expect(form.getByRole('alert')).toHaveText(
    'learners.xlsx is a workbook. Save it as CSV, or copy its cells and paste them.',
  )
})
